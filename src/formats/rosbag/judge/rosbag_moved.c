/* rosbag_moved.c - messages in the wrong place, by the indexes of the chunks.
 *
 * An index names each message of its chunk by connection and time.  If sectors were
 * exchanged or a range was moved, a named message that is missing may be in a range that
 * was left out.  And if the beginning of a chunk is lost, records that its index does not
 * name are not messages of this bag: they are the content of a payload.
 */
#include "base/list.h"
#include "formats/rosbag/index/rosbag_keys.h"

#define FEW    4 /* fewer messages do not identify an index */
#define SHIFTS 8 /* places of a chunk where bytes are missing or too many */

struct moving {
	struct slv_scan *scan;
	struct slv_mends *out;
	const struct rosbag_keys *named; /* by any index */
	struct rosbag_keys kept;         /* of chunks that are not whole */
	struct rosbag_keys absent;       /* named, and not among these */
};

/* Whether the index of the chunk is complete: another kind of record follows it. */
static enum slv_status
is_index_whole(struct slv_scan *s, const struct rosbag_chunk *c, bool *yes,
    struct slv_err *err)
{
	struct rosbag_record r;

	*yes = c->index == c->data_end && c->end < s->logical_end;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(rosbag_look(s, c->end, &r, err));
	*yes = r.read == ROSBAG_WHOLE
	    && (r.op == ROSBAG_CHUNK || r.op == ROSBAG_CONN);
	return SLV_OK;
}

/* The messages of a chunk that is listed. */
static enum slv_status
add_entries(struct moving *m, const struct rosbag_chunk *c,
    struct rosbag_keys *out, struct slv_err *err)
{
	SLV_TRY(rosbag_remember(
	    m->scan, c->n_entries * sizeof(struct rosbag_key), err));
	return rosbag_keys_of_chunk(rosbag_of(m->scan), c, out, err);
}

/* Collect the messages that indexes name and that no chunk has. */
static enum slv_status
find_absent(struct moving *m, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(m->scan);

	for (size_t i = 0; i < b->n_chunks; i++)
		SLV_TRY(add_entries(m, &b->chunks[i], &m->kept, err));
	for (size_t i = 0; i < m->named->n; i++)
		SLV_TRY(rosbag_keys_add(&m->absent, m->named->at[i], err));
	rosbag_keys_sort(&m->kept);
	rosbag_keys_subtract(&m->absent, &m->kept);
	return SLV_OK;
}

/* Whether the message at off, which was left out, is missing from the chunks, and a record
 * or the end of the range follows it. */
static enum slv_status
is_missed(struct moving *m, uint64_t off, uint64_t end,
    const struct rosbag_record *r, bool *yes, struct slv_err *err)
{
	struct rosbag_key key = { r->conn, r->time, off, 0 };

	*yes =
	    rosbag_keys_have(&m->absent, &key) && rosbag_span(r) <= end - off;
	if (*yes && rosbag_span(r) < end - off)
		SLV_TRY(
		    rosbag_goes_on(m->scan, off + rosbag_span(r), yes, err));
	return SLV_OK;
}

/* Trust a message, and the declarations directly before it, from `first` on, which no
 * index names. */
static enum slv_status
trust(struct moving *m, uint64_t first, uint64_t off, struct slv_err *err)
{
	SLV_TRY(slv_ranges_add(&m->out->trusted, first, 1, err));
	return slv_ranges_add(&m->out->trusted, off, 1, err);
}

/* Trust the missing messages in [off, end). */
static enum slv_status
search(struct moving *m, uint64_t off, uint64_t end, struct slv_err *err)
{
	uint64_t first = off, next = off; /* of declarations in a row */

	while (off < end) {
		struct rosbag_record r;
		bool yes;

		SLV_TRY(rosbag_find(m->scan, off, end,
		    1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN, &off, err));
		if (off >= end)
			break;
		first = off == next ? first : off;
		SLV_TRY(rosbag_look(m->scan, off, &r, err));
		yes = r.op == ROSBAG_CONN && rosbag_span(&r) < end - off;
		next = yes ? off + rosbag_span(&r) : off;
		if (r.op == ROSBAG_MESSAGE)
			SLV_TRY(is_missed(m, off, end, &r, &yes, err));
		if (yes && r.op == ROSBAG_MESSAGE)
			SLV_TRY(trust(m, first, off, err));
		off += yes ? rosbag_span(&r) : 1;
	}
	return SLV_OK;
}

static enum slv_status
search_lost(struct moving *m, struct slv_err *err)
{
	const struct slv_catalog *c = &m->scan->catalog;

	if (m->absent.n == 0)
		return SLV_OK;
	for (size_t i = 0, n; i < c->n; i += n) {
		uint64_t off = c->at[i].off, end = off;

		for (n = 0; i + n < c->n && c->at[i + n].fate == SLV_LOST; n++)
			end += c->at[i + n].len;
		SLV_TRY(search(m, off, end, err));
		n = n > 0 ? n : 1;
	}
	return SLV_OK;
}

/* Leave out a range of records that a payload carried. */
static enum slv_status
set_aside(struct moving *m, uint64_t off, uint64_t end, struct slv_err *err)
{
	struct slv_aside a = {
		.off = off,
		.end = end,
		.fate = SLV_LOST,
		.problem = { .info = &rosbag_problems[ROSBAG_P_BAD_RECORD] },
	};

	return off < end ? slv_mends_add_aside(m->out, &a, err) : SLV_OK;
}

SLV_ORDER(compare_places, struct rosbag_key, at)

/* Leave out messages, which are not sorted. */
static enum slv_status
deny(struct moving *m, struct rosbag_keys *extra, struct slv_err *err)
{
	uint64_t off = 0, end = 0;

	if (extra->n > 1)
		slv_sort(
		    extra->at, extra->n, sizeof(*extra->at), compare_places);
	for (size_t i = 0; i < extra->n; i++) {
		const struct rosbag_key *x = &extra->at[i];

		if (x->at != end) {
			SLV_TRY(set_aside(m, off, end, err));
			off = x->at;
		}
		end = x->at + x->len;
	}
	return set_aside(m, off, end, err);
}

/* Distances between where messages are and where the index says they are: missing or
 * surplus bytes shift all messages after them. */
struct shifts {
	uint64_t at[SHIFTS];
	size_t n;
};

static void
find_shifts(const struct rosbag_keys *names, const struct rosbag_keys *here,
    struct shifts *out)
{
	for (size_t i = 0; i < here->n && out->n < SHIFTS; i++) {
		size_t k = rosbag_keys_from(names, &here->at[i]), j = 0;
		uint64_t shift;

		if (k == names->n
		    || rosbag_key_compare(&names->at[k], &here->at[i]) != 0)
			continue;
		shift = here->at[i].at - names->at[k].at;
		while (j < out->n && out->at[j] != shift)
			j++;
		if (j == out->n)
			out->at[out->n++] = shift;
	}
}

/* Whether the index names a message at this place; `places`: the messages that it names,
 * by place. */
static bool
is_place(
    const struct rosbag_keys *places, const struct shifts *shifts, uint64_t at)
{
	for (size_t i = 0; i < shifts->n; i++) {
		if (SLV_FIND(struct rosbag_key, at, places->at, places->n,
		        at - shifts->at[i])
		    != NULL)
			return true;
	}
	return false;
}

/* Start of the chunk's data, by its index.  If bytes are missing in the chunk, this is too
 * early. */
static uint64_t
find_start(const struct rosbag_chunk *c, const struct shifts *shifts)
{
	int64_t start = 0;

	for (size_t i = 0; i < shifts->n; i++) {
		int64_t at = (int64_t)(c->data + shifts->at[i]);

		start = at > start ? at : start;
	}
	return (uint64_t)start;
}

/* Remove from the unnamed messages those that may be recorded: before the chunk, at a place
 * where the index names another message, or named by another index. */
static void
leave_possible(struct moving *m, struct rosbag_keys *extra,
    const struct rosbag_keys *places, const struct shifts *shifts,
    uint64_t start)
{
	size_t n = 0;

	for (size_t i = 0; i < extra->n; i++) {
		const struct rosbag_key *x = &extra->at[i];

		if (x->at >= start && !is_place(places, shifts, x->at)
		    && !rosbag_keys_have(m->named, x))
			extra->at[n++] = *x;
	}
	extra->n = n;
}

/* Add the messages of a chunk except for those that follow its header without a
 * gap: they are of this chunk, or of another one of this bag. */
static enum slv_status
add_loose(struct moving *m, const struct rosbag_chunk *c,
    struct rosbag_keys *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(m->scan);
	uint64_t firm = c->headed ? c->data : 0;
	size_t first = out->n, n = first;

	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];

		if (e->at == firm)
			firm += e->len;
	}
	SLV_TRY(add_entries(m, c, out, err));
	for (size_t i = first; i < out->n; i++) {
		if (out->at[i].at >= firm)
			out->at[n++] = out->at[i];
	}
	out->n = n;
	return SLV_OK;
}

/* Add the messages of the chunk that its index may contradict, and those of the apparent
 * chunks without an index before it. */
static enum slv_status
add_doubtful(struct moving *m, const struct rosbag_chunk *c,
    struct rosbag_keys *out, struct slv_err *err)
{
	const struct rosbag_chunk *first = rosbag_of(m->scan)->chunks;

	SLV_TRY(add_loose(m, c, out, err));
	while (c > first && c[-1].codec == SLV_CODEC_NONE
	    && c[-1].index == c[-1].end)
		SLV_TRY(add_loose(m, --c, out, err));
	return SLV_OK;
}

/* Whether the place is inside one of the messages, so that no chunk begins there. */
static bool
is_inside(const struct rosbag_keys *k, uint64_t place)
{
	for (size_t i = 0; i < k->n; i++) {
		if (k->at[i].at < place && place < k->at[i].at + k->at[i].len)
			return true;
	}
	return false;
}

/* Leave out messages that the index of the chunk does not name. */
static enum slv_status
deny_in(struct moving *m, const struct rosbag_chunk *c, struct slv_err *err)
{
	struct rosbag_keys names = { 0 }, here = { 0 };
	struct shifts shifts = { .n = 0 };
	uint64_t start;
	size_t all, hits;
	enum slv_status st;
	bool whole;

	st = rosbag_keys_read(
	    m->scan, c->index, c->end, c->data, &names, &whole, err);
	if (st == SLV_OK && whole)
		st = add_doubtful(m, c, &here, err);
	rosbag_keys_sort(&names);
	rosbag_keys_sort(&here);
	find_shifts(&names, &here, &shifts);
	start = find_start(c, &shifts);
	all = here.n;
	if (is_inside(&here, start))
		all = 0;
	rosbag_keys_subtract(&here, &names);
	hits = all > here.n ? all - here.n : 0;
	if (hits >= FEW && hits * 2 >= slv_min64(all, names.n)) {
		slv_sort(names.at, names.n, sizeof(*names.at), compare_places);
		leave_possible(m, &here, &names, &shifts, start);
		if (st == SLV_OK)
			st = deny(m, &here, err);
	}
	slv_free(names.at);
	slv_free(here.at);
	return st;
}

/* Whether the chunk, which has lost its beginning, is of another bag: the index at the end
 * of this bag lists all chunks that the bag header counts, and none with the messages that
 * the chunk's index names. */
static enum slv_status
is_carried(struct moving *m, const struct rosbag_chunk *c, bool *yes,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(m->scan);
	struct rosbag_keys names = { 0 };
	enum slv_status st;
	bool whole;

	*yes = false;
	if (c->headed || b->n_infos == 0 || b->n_infos != b->head.n_chunks)
		return SLV_OK;
	st = rosbag_keys_read(
	    m->scan, c->index, c->end, c->data, &names, &whole, err);
	rosbag_keys_sort(&names);
	*yes = whole && names.n >= FEW && !rosbag_keys_are_chunk(b, &names);
	slv_free(names.at);
	return st;
}

/* The first index record after a chunk without an index; 0: there is none before the next
 * chunk. */
static uint64_t
next_orphan(const struct rosbag *b, const struct rosbag_chunk *c)
{
	size_t i = SLV_FROM(
	    struct rosbag_range, off, b->orphans, b->n_orphans, c->end);
	uint64_t to = UINT64_MAX;

	if (c + 1 < b->chunks + b->n_chunks)
		to = c[1].off;
	return i < b->n_orphans && b->orphans[i].off < to ? b->orphans[i].off
	                                                  : 0;
}

/* Whether a chunk without an index, which has lost its beginning, is of another bag: no
 * index names a message of it, and the next index is that of a chunk of this bag. */
static enum slv_status
is_unnamed(struct moving *m, const struct rosbag_chunk *c, bool *yes,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(m->scan);
	struct rosbag_keys names = { 0 }, here = { 0 };
	uint64_t off = next_orphan(b, c), end;
	enum slv_status st;
	bool whole;

	*yes = false;
	if (off == 0 || c->headed || !rosbag_follows_gap(m->scan, c))
		return SLV_OK;
	st = rosbag_index_end(m->scan, off, &end, err);
	if (st == SLV_OK)
		st =
		    rosbag_keys_read(m->scan, off, end, 0, &names, &whole, err);
	if (st == SLV_OK)
		st = add_entries(m, c, &here, err);
	rosbag_keys_sort(&names);
	*yes = here.n > 0 && rosbag_keys_are_chunk(b, &names);
	for (size_t i = 0; i < here.n && *yes; i++)
		*yes = !rosbag_keys_have(m->named, &here.at[i]);
	slv_free(names.at);
	slv_free(here.at);
	return st;
}

/* Leave out messages of another bag in an uncompressed chunk. */
static enum slv_status
judge(struct moving *m, const struct rosbag_chunk *c, struct slv_err *err)
{
	bool yes;

	if (c->index == c->end)
		SLV_TRY(is_unnamed(m, c, &yes, err));
	else
		SLV_TRY(is_carried(m, c, &yes, err));
	if (yes)
		return set_aside(m, c->off, c->end, err);
	if (c->index == c->end || (c->headed && c->stored))
		return SLV_OK;
	SLV_TRY(is_index_whole(m->scan, c, &yes, err));
	return yes ? deny_in(m, c, err) : SLV_OK;
}

enum slv_status
rosbag_moved(struct slv_scan *s, const struct rosbag_keys *named,
    struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct moving m = { .scan = s, .out = out, .named = named };
	enum slv_status st = SLV_OK;

	if (s->units_lost > 0 || s->lost_loose)
		st = find_absent(&m, err);
	if (st == SLV_OK)
		st = search_lost(&m, err);
	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		if (b->chunks[i].codec == SLV_CODEC_NONE
		    && b->chunks[i].n_entries > 0)
			st = judge(&m, &b->chunks[i], err);
	}
	slv_free(m.kept.at);
	slv_free(m.absent.at);
	return st;
}
