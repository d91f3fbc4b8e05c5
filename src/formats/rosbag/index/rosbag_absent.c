/* rosbag_absent.c - messages that are lost although all that was left out seems to
 * be of indexes and headers.
 *
 * Where bytes are missing, the rest of an index can be followed by the middle of
 * a chunk.  And an index can be all that is left of its chunk.
 */
#include <stdlib.h>

#include "formats/rosbag/index/rosbag_due.h"
#include "formats/rosbag/index/rosbag_keys.h"

#define INDEX_HEAD 55 /* bytes of a record of an index before its entries */

/* Whether nothing but an index or a header was left out in the `gap` bytes in front
 * of a place, and they were not all that was there: fewer bytes than the `room` of
 * those are left, or what follows is not as its index has it. */
static bool
is_torn(const struct slv_scan *s, uint64_t off, uint64_t gap, uint64_t room,
    bool fits)
{
	struct slv_extent x;

	if (gap == 0 || gap == room || (fits && gap > room))
		return false;
	x = s->catalog.at[slv_catalog_find(&s->catalog, off - 1)];
	return x.fate == SLV_REBUILT && x.off <= off - gap;
}

/* Messages may have been in a gap. */
static enum slv_status
set_lost(struct slv_scan *s, uint64_t off, uint64_t len, struct slv_err *err)
{
	slv_scan_lose(s, 1, NULL);
	s->lost_loose = true;
	return slv_catalog_queue(&s->catalog, off, len, SLV_LOST, err);
}

enum slv_status
rosbag_absent_before(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	bool all;

	SLV_TRY(rosbag_is_all_there(s, &all, err));
	for (size_t i = 0; !all && i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (is_torn(
		        s, c->off, c->gap, c->room, c->headed || c->indexed))
			SLV_TRY(set_lost(s, c->off - c->gap, c->gap, err));
	}
	if (!all && b->tail > 0
	    && is_torn(s, b->tail, b->tail_gap, b->tail_room, true))
		SLV_TRY(set_lost(s, b->tail - b->tail_gap, b->tail_gap, err));
	return slv_catalog_apply(&s->catalog, err);
}

/* How many bytes an index and header that were left out may have been longer. */
static uint64_t
shrunk(uint64_t gap, uint64_t room)
{
	return room - slv_min64(room, gap);
}

/* Whether the index at the end is so much nearer to the beginning than the bag
 * header says that indexes and headers in which bytes are missing do not explain
 * it. */
static bool
is_short(const struct rosbag *b)
{
	uint64_t index = b->head.index_pos, missing;

	if (b->header.len == 0 || b->tail == 0 || index <= b->tail)
		return false;
	missing = shrunk(b->tail_gap, b->tail_room);
	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		missing += shrunk(c->gap, c->room);
		if (!c->indexed)
			missing += c->messages * ROSBAG_ENTRY_SIZE
			    + c->n_counts * INDEX_HEAD;
	}
	return index - b->tail > missing;
}

/* Whether a chunk is shorter than its header states, and no index contradicts the
 * header.  A declaration that was restored may be all that is left of the bytes. */
static bool
has_shorter(const struct rosbag *b)
{
	for (size_t i = 0; i < b->n_chunks; i++) {
		if (b->chunks[i].shorter && !b->chunks[i].indexed)
			return true;
	}
	return false;
}

/* What the indexes name that are not after their chunks. */
static enum slv_status
read_orphans(struct slv_scan *s, struct rosbag_keys *names, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	bool whole;

	for (size_t i = 0; i < b->n_orphans; i++)
		SLV_TRY(rosbag_keys_read(s, b->orphans[i].off,
		    b->orphans[i].off + b->orphans[i].len, 0, names, &whole,
		    err));
	rosbag_keys_sort(names);
	return SLV_OK;
}

/* Whether one of the names may be of the chunk. */
static bool
may_hold(const struct rosbag_chunk *c, const struct rosbag_keys *names)
{
	for (size_t i = 0; i < names->n; i++) {
		if (rosbag_time_compare(c->from, names->at[i].time) <= 0
		    && rosbag_time_compare(names->at[i].time, c->to) <= 0)
			return true;
	}
	return false;
}

/* The messages of a chunk: of one that is not listed its index says the same. */
static enum slv_status
read_chunk(struct slv_scan *s, const struct rosbag_chunk *c,
    struct rosbag_keys *out, struct slv_err *err)
{
	bool whole;

	out->n = 0;
	if (c->n_entries == 0)
		return rosbag_keys_read(
		    s, c->index, c->end, c->data, out, &whole, err);
	return rosbag_keys_of_chunk(rosbag_of(s), c, out, err);
}

/* Take out of the names what is kept. */
static enum slv_status
subtract_kept(
    struct slv_scan *s, struct rosbag_keys *names, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_keys here = { 0 };
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		if (!may_hold(&b->chunks[i], names))
			continue;
		st = read_chunk(s, &b->chunks[i], &here, err);
		rosbag_keys_sort(&here);
		rosbag_keys_subtract(names, &here);
	}
	slv_free(here.at);
	return st;
}

/* Where the bytes begin that were left out before a place. */
static uint64_t
left_out_from(const struct slv_scan *s, uint64_t off)
{
	struct slv_extent x;

	if (off == 0)
		return 0;
	x = s->catalog.at[slv_catalog_find(&s->catalog, off - 1)];
	return x.fate == SLV_KEPT ? off : x.off;
}

enum slv_status
rosbag_absent_named(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_keys names = { 0 };
	enum slv_status st;
	bool all;

	SLV_TRY(rosbag_is_all_there(s, &all, err));
	if (all || s->units_lost > 0 || s->lost_loose || s->absent)
		return SLV_OK;
	s->absent = s->lost_loose = is_short(b) || has_shorter(b);
	if (b->n_orphans == 0)
		return SLV_OK;
	st = read_orphans(s, &names, err);
	if (st == SLV_OK)
		st = subtract_kept(s, &names, err);
	if (st == SLV_OK && names.n > 0) {
		s->absent = s->lost_loose = true;
		slv_scan_lose(s, names.n, NULL);
		st = rosbag_problem(s, ROSBAG_P_CHUNK_GONE,
		    left_out_from(s, b->orphans->off), 0, 0, names.n, err);
	}
	slv_free(names.at);
	return st;
}
