/* rosbag_seams.c - where may damage have repeated a range of the bag?
 *
 * Recorded data repeat themselves, too.  So a copy is looked for only where the
 * structure of the bag shows damage: where something was left out, and in
 * chunks that do not match their headers and indexes.  Even in such a chunk a
 * message that its index lists is no copy.
 */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/judge/rosbag_repeat.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define EFFORT      4 /* bytes searched, for one of the file, ... */
#define EFFORT_BASE ((uint64_t)128 << 20) /* ... and for small files */
#define STARTS      16                    /* records in a gap that are tried */
#define NEAR        ((uint64_t)8 << 20) /* bytes from a chunk to those before it */

#define ANY         ((1u << ROSBAG_OPS) - 4) /* all ops of records */

static bool
is_left_out(const struct slv_extent *x)
{
	return x->fate == SLV_LOST || x->fate == SLV_REBUILT;
}

/* Try the records that begin in a gap, and the one that follows it. */
static enum slv_status
try_starts(struct rosbag_undoing *u, const struct rosbag_seam *gap, bool *done,
    struct slv_err *err)
{
	struct rosbag_seam seam = { .from = gap->from, .to = gap->from };

	*done = false;
	for (int i = 0; !*done && i <= STARTS && seam.to < gap->to; i++) {
		uint64_t from = seam.to + 1;

		seam.to = gap->to;
		if (i < STARTS)
			SLV_TRY(rosbag_find(
			    u->scan, from, gap->to, ANY, &seam.to, err));
		SLV_TRY(rosbag_undo_found(u, &seam, done, err));
		if (!*done)
			SLV_TRY(rosbag_undo_inside(u, &seam, done, err));
	}
	return SLV_OK;
}

/* An interrupted transfer may have started again: then all bytes before the
 * seam follow it, too. */
static enum slv_status
try_gap(struct rosbag_undoing *u, const struct rosbag_seam *gap,
    struct slv_err *err)
{
	bool done = false;

	if (gap->to < u->scan->logical_end)
		SLV_TRY(rosbag_undo(u, gap, gap->to, &done, err));
	if (!done && gap->to < u->scan->logical_end)
		SLV_TRY(rosbag_undo(u, gap, gap->to - gap->from, &done, err));
	return done ? SLV_OK : try_starts(u, gap, &done, err);
}

/* Where something was left out. */
static enum slv_status
try_gaps(struct rosbag_undoing *u, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(u->scan);
	const struct slv_catalog *c = &u->scan->catalog;
	size_t k = 0, n;

	for (size_t i = 0; i < c->n; i += n) {
		const struct slv_extent *x = &c->at[i];
		struct rosbag_seam gap = { .from = x->off, .to = x->off };

		for (n = 0; i + n < c->n && is_left_out(&x[n]); n++)
			gap.to += x[n].len;
		n = n > 0 ? n : 1;
		if ((gap.to == gap.from && x->fate != SLV_FOREIGN)
		    || gap.from < ROSBAG_MAGIC_SIZE || gap.to <= u->done)
			continue;
		/* What is left out may begin before the chunk. */
		while (k + 1 < b->n_chunks && b->chunks[k + 1].off < gap.to)
			k++;
		if (k < b->n_chunks && b->chunks[k].off < gap.to
		    && x->off <= b->chunks[k].upto && !b->chunks[k].stored
		    && b->chunks[k].codec != SLV_CODEC_NONE)
			gap.from = slv_min64(gap.from, b->chunks[k].off);
		SLV_TRY(try_gap(u, &gap, err));
	}
	return SLV_OK;
}

/* A chunk that is not compressed, and differs from its header or index. */
struct listed {
	const struct rosbag_chunk *chunk;
	uint64_t from;             /* where a copy may begin */
	uint64_t excess;           /* bytes more than its header says */
	struct rosbag_names names; /* owned; what its index names */
	struct rosbag_entries
	    entries;  /* owned; of the chunks before it, and its
	                                * own */
	size_t first; /* of its own */
	const struct rosbag_entry *
	    *sorted;                      /* owned; messages by their headers */
	const struct rosbag_entry **prev; /* owned; of each the one before with
	                                     * the same header, or NULL */
};

/* By what readers see of a message but its payload, and then by place. */
static int
compare_messages(const void *x, const void *y)
{
	const struct rosbag_entry *const *p = x, *const *q = y;
	const struct rosbag_entry *a = *p, *b = *q;
	int by_time = rosbag_time_compare(a->time, b->time);

	if (by_time != 0)
		return by_time;
	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool
is_like(const struct rosbag_entry *a, const struct rosbag_entry *b)
{
	return a->conn == b->conn && a->len == b->len
	    && rosbag_time_compare(a->time, b->time) == 0;
}

/* Find the messages with the same header. */
static enum slv_status
pair_up(struct listed *l, struct slv_err *err)
{
	size_t n = 0;

	SLV_TRY(slv_new(&l->sorted, l->entries.n, sizeof(*l->sorted), err));
	SLV_TRY(slv_new(&l->prev, l->entries.n, sizeof(*l->prev), err));
	for (size_t i = 0; i < l->entries.n; i++) {
		if (!l->entries.at[i].is_conn)
			l->sorted[n++] = &l->entries.at[i];
	}
	slv_sort(l->sorted, n, sizeof(*l->sorted), compare_messages);
	for (size_t i = 1; i < n; i++) {
		if (is_like(l->sorted[i - 1], l->sorted[i]))
			l->prev[l->sorted[i] - l->entries.at] =
			    l->sorted[i - 1];
	}
	return SLV_OK;
}

/* Add a record to the list, if it is a message of a chunk before. */
static enum slv_status
add_before(struct slv_scan *s, struct listed *l, uint64_t off,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct rosbag_entries *e = &l->entries;
	bool full;

	if (r->op != ROSBAG_MESSAGE
	    || !rosbag_conn_known(rosbag_of(s), r->conn))
		return SLV_OK;
	SLV_TRY(SLV_ROOM_AT(e, 1, err));
	e->at[e->n] = (struct rosbag_entry){
		.at = off,
		.len = (uint32_t)rosbag_span(r),
		.time = r->time,
	};
	return rosbag_conn_find(
	    s, r->conn, off, &e->at[e->n++].conn, &full, err);
}

/* Read the messages of the chunks before, in which a copy may have begun. */
static enum slv_status
read_before(struct rosbag_undoing *u, struct listed *l, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(u->scan);
	const struct rosbag_chunk *c = l->chunk;
	uint64_t reach = slv_min64(NEAR, u->budget);

	while (c > b->chunks && c[-1].codec == SLV_CODEC_NONE
	    && l->chunk->off - c[-1].off <= reach)
		c--;
	l->from = c->off;
	for (; c < l->chunk; c++) {
		uint64_t off = c->data;

		u->budget -= slv_min64(u->budget, c->data_end - c->data);
		while (off < c->data_end) {
			struct rosbag_record r;

			SLV_TRY(rosbag_look(u->scan, off, &r, err));
			if (r.read != ROSBAG_WHOLE)
				break;
			SLV_TRY(add_before(u->scan, l, off, &r, err));
			off += rosbag_span(&r);
		}
	}
	return SLV_OK;
}

/* Its own records. */
static enum slv_status
add_own(const struct rosbag *b, struct listed *l, struct slv_err *err)
{
	struct rosbag_entries *e = &l->entries;
	size_t n = l->chunk->n_entries;

	l->first = e->n;
	SLV_TRY(SLV_ROOM_AT(e, n, err));
	memcpy(e->at + e->n, b->kept.at + l->chunk->first_entry,
	    n * sizeof(*e->at));
	e->n += n;
	return SLV_OK;
}

/* What the header and the index of the chunk say of it. */
static enum slv_status
learn(struct slv_scan *s, struct listed *l, struct slv_err *err)
{
	const struct rosbag_chunk *c = l->chunk;
	struct rosbag_record r = { .read = ROSBAG_BAD };

	if (c->headed)
		SLV_TRY(rosbag_look(s, c->off, &r, err));
	if (r.read == ROSBAG_WHOLE && r.data > 0
	    && c->data_end - c->data > r.data)
		l->excess = c->data_end - c->data - r.data;
	if (c->index < c->end)
		SLV_TRY(rosbag_names_read(s, c->index,
		    (size_t)(c->data_end - c->data), &l->names, err));
	return SLV_OK;
}

/* Whether the index of the chunk names a message where it is. */
static bool
is_named(const struct rosbag *b, const struct listed *l,
    const struct rosbag_entry *e)
{
	const struct rosbag_record r = {
		.op = ROSBAG_MESSAGE,
		.conn = b->conns[e->conn].id,
		.time = e->time,
	};

	return l->names.n > 0
	    && rosbag_names_opinion(&l->names, e->at - l->chunk->data, &r)
	    == ROSBAG_NAMED;
}

/* Whether the messages from x up to y, which has the header of x, are of
 * several times: a recorder writes them in the order in which they arrive. */
static bool
are_of_several_times(const struct rosbag_entry *x, const struct rosbag_entry *y)
{
	for (const struct rosbag_entry *e = x + 1; e < y; e++) {
		if (!e->is_conn && rosbag_time_compare(e->time, x->time) != 0)
			return true;
	}
	return false;
}

/* Messages that are in the chunk twice, with all between them. */
static enum slv_status
try_messages(
    struct rosbag_undoing *u, const struct listed *l, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(u->scan);

	for (size_t i = l->first; i < l->entries.n; i++) {
		const struct rosbag_entry *x = l->prev[i];
		const struct rosbag_entry *y = &l->entries.at[i];
		struct rosbag_seam seam = {
			.from = slv_max64(l->from, u->done),
			.to = y->at,
			.sure = true,
		};
		bool done;

		if (x == NULL || y->at < u->done || seam.from > seam.to
		    || is_named(b, l, y)
		    || (y->at - x->at != l->excess
		        && !are_of_several_times(x, y)))
			continue;
		SLV_TRY(rosbag_undo(u, &seam, y->at - x->at, &done, err));
	}
	return SLV_OK;
}

/* The record at `to` follows the chunk, or is the first one of its index: the
 * copy may have begun there. */
static enum slv_status
try_end(struct rosbag_undoing *u, const struct listed *l, uint64_t to,
    bool *done, struct slv_err *err)
{
	const struct slv_catalog *c = &u->scan->catalog;
	const struct rosbag_seam seam = { .from = l->from, .to = to };

	*done = false;
	/* It may be known already for a copy of the whole log. */
	if (to < u->done || to >= c->end
	    || c->at[slv_catalog_find(c, to)].fate == SLV_FILLER)
		return SLV_OK;
	return rosbag_undo_found(u, &seam, done, err);
}

static enum slv_status
try_chunk(struct rosbag_undoing *u, struct listed *l, struct slv_err *err)
{
	bool done;

	SLV_TRY(read_before(u, l, err));
	SLV_TRY(add_own(rosbag_of(u->scan), l, err));
	SLV_TRY(learn(u->scan, l, err));
	SLV_TRY(pair_up(l, err));
	SLV_TRY(try_messages(u, l, err));
	SLV_TRY(try_end(u, l, l->chunk->index, &done, err));
	return done ? SLV_OK : try_end(u, l, l->chunk->end, &done, err);
}

/* Chunks of which all records can be read. */
static enum slv_status
try_chunks(struct rosbag_undoing *u, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(u->scan);
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		struct listed l = { .chunk = &b->chunks[i] };

		if (l.chunk->codec == SLV_CODEC_NONE && l.chunk->n_entries > 0
		    && (!l.chunk->stays || !l.chunk->indexed))
			st = try_chunk(u, &l, err);
		rosbag_names_free(&l.names);
		slv_free(l.entries.at);
		slv_free(l.sorted);
		slv_free(l.prev);
	}
	return st;
}

enum slv_status
rosbag_repeats(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const uint64_t budget = EFFORT * s->source->size + EFFORT_BASE;
	struct rosbag_undoing u = { .scan = s, .out = out, .budget = budget };

	SLV_TRY(try_gaps(&u, err));
	u.done = 0;
	u.budget = budget;
	return try_chunks(&u, err);
}
