/* rosbag_missing.c - count lost messages, if they are named by the index at the end or the
 * index of their chunk, or if only the declaration of their connection is missing.
 */
#include "base/list.h"
#include "formats/rosbag/index/rosbag_due.h"

#define ABSENT_MAX 1000 /* gaps without bytes that are listed */

/* Set the number of lost messages, if all losses are counted. */
static void
settle_total(struct slv_scan *s, const struct rosbag_dues *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += d->at[i].messages;
	if (!d->all || n == 0)
		return;
	s->units_lost = n;
	s->lost_loose = false;
	s->lost_mixed = d->n_counts > 1;
	s->lost_channel = d->counts[0].channel;
}

enum slv_status
rosbag_gone(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag_dues d;
	enum slv_status st = rosbag_dues_find(s, &d, err);

	for (size_t i = 0; st == SLV_OK && i < d.n; i++) {
		const struct rosbag_due *due = &d.at[i];

		if (rosbag_is_hit(s, due->off, due->end))
			continue;
		for (size_t k = 0; k < due->n; k++)
			slv_scan_lose(s, d.counts[due->first + k].n,
			    &d.counts[due->first + k].channel);
		s->absent = true;
		st = rosbag_problem(
		    s, ROSBAG_P_CHUNK_GONE, due->off, 0, 0, due->messages, err);
	}
	if (st == SLV_OK)
		settle_total(s, &d);
	rosbag_dues_free(&d);
	return st;
}

struct telling {
	struct slv_scan *scan;
	struct slv_gap_list *list;
	struct slv_gap_count *counts; /* owned */
	size_t n, cap;
};

/* The first gap that ends after off; ->n: none. */
static size_t
gap_from(const struct slv_gap_list *list, uint64_t off)
{
	struct slv_search f = { .high = list->n };

	while (slv_search(&f))
		slv_search_on(
		    &f, list->at[f.mid].off + list->at[f.mid].len <= off);
	return f.low;
}

/* The gap in [off, end), if it is the only one and entirely inside; ->n: none. */
static size_t
only_gap(const struct slv_gap_list *list, uint64_t off, uint64_t end)
{
	size_t i = gap_from(list, off);

	if (i == list->n || list->at[i].off < off
	    || list->at[i].off + list->at[i].len > end
	    || (i + 1 < list->n && list->at[i + 1].off < end))
		return list->n;
	return i;
}

static enum slv_status
add_count(struct telling *t, uint32_t channel, uint64_t n, struct slv_err *err)
{
	SLV_TRY(
	    slv_grow(&t->counts, &t->cap, t->n + 1, sizeof(*t->counts), err));
	t->counts[t->n++] = (struct slv_gap_count){ channel, n };
	return SLV_OK;
}

/* The first chunk that begins after off. */
static size_t
chunk_behind(const struct rosbag *b, uint64_t off)
{
	return SLV_FROM(
	    struct rosbag_chunk, off, b->chunks, b->n_chunks, off + 1);
}

/* Count the messages of undeclared connections in a chunk: in [off, end) of the input, or
 * all if it is compressed.  *bytes: their length is added.  *all becomes false if an
 * uncompressed chunk has other messages there. */
static enum slv_status
count_in_chunk(struct telling *t, const struct rosbag_chunk *c, uint64_t off,
    uint64_t end, uint64_t *bytes, bool *all, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(t->scan);
	const struct rosbag_entry *at =
	    c->n_entries > 0 ? b->kept.at + c->first_entry : NULL;
	bool plain = c->codec == SLV_CODEC_NONE, any = false;
	size_t i = plain
	    ? SLV_FROM(struct rosbag_entry, at, at, c->n_entries, off)
	    : 0;

	for (; i < c->n_entries; i++) {
		bool lost = !at[i].is_conn && !b->conns[at[i].conn].declared;

		if (plain && at[i].at >= end)
			break;
		*all &= lost || !plain;
		any |= lost;
		if (lost)
			SLV_TRY(add_count(t, b->conns[at[i].conn].out, 1, err));
		if (lost && plain)
			*bytes += at[i].len;
	}
	if (any && !plain)
		*bytes += rosbag_chunk_stored(c).len;
	return SLV_OK;
}

/* Count the messages of undeclared connections in the gap; *all: the gap has nothing
 * else. */
static enum slv_status
count_undeclared(struct telling *t, const struct slv_gap *gap, bool *all,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(t->scan);
	uint64_t end = gap->off + gap->len, bytes = 0;
	size_t i = chunk_behind(b, gap->off);

	*all = i > 0;
	for (i -= i > 0; *all && i < b->n_chunks && b->chunks[i].off < end; i++)
		SLV_TRY(count_in_chunk(
		    t, &b->chunks[i], gap->off, end, &bytes, all, err));
	*all = *all && bytes == gap->bytes;
	return SLV_OK;
}

/* Count the messages that the index records from off on name.  *end: after the last
 * record; 0: a record is damaged. */
static enum slv_status
count_index(struct telling *t, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct slv_scan *s = t->scan;

	*end = 0;
	for (uint64_t at = off; at < s->logical_end;) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, at, &r, err));
		if (r.read != ROSBAG_WHOLE)
			break;
		if (r.op != ROSBAG_INDEX) {
			*end = at;
			break;
		}
		if (r.data != (uint64_t)r.count * ROSBAG_ENTRY_SIZE)
			break;
		SLV_TRY(add_count(t, r.conn, r.count, err));
		at += rosbag_span(&r);
	}
	return SLV_OK;
}

/* End of the chunk's data, by its header at off, if all of the gap is before it; else 0. */
static enum slv_status
data_end(struct telling *t, uint64_t off, const struct slv_gap *gap,
    uint64_t *end, struct slv_err *err)
{
	struct rosbag_record r;

	*end = 0;
	SLV_TRY(rosbag_look(t->scan, off, &r, err));
	if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK && r.data > 0
	    && off + rosbag_span(&r) >= gap->off + gap->len
	    && off + rosbag_span(&r) < t->scan->logical_end)
		*end = off + rosbag_span(&r);
	return SLV_OK;
}

/* Count the messages of a gap in a chunk by the chunk's index, if the header of the chunk
 * shows where the index begins and all of the index is intact. */
static enum slv_status
count_by_index(struct telling *t, const struct slv_gap *gap, bool *sure,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(t->scan);
	size_t i = chunk_behind(b, gap->off);
	const struct rosbag_chunk *c = i > 0 ? &b->chunks[i - 1] : NULL;
	uint64_t off = gap->off, index = 0, end;

	*sure = false;
	if (c != NULL && c->headed)
		SLV_TRY(data_end(t, c->off, gap, &index, err));
	if (index > 0)
		off = c->off;
	else
		SLV_TRY(data_end(t, off, gap, &index, err));
	if (index == 0)
		return SLV_OK;
	SLV_TRY(count_index(t, index, &end, err));
	if (t->n == 0 || only_gap(t->list, off, end) == t->list->n
	    || (i < b->n_chunks && b->chunks[i].off < end))
		return SLV_OK;
	if (c != NULL && off == c->off) {
		SLV_TRY(slv_grow(&t->counts, &t->cap, t->n + c->n_counts,
		    sizeof(*t->counts), err));
		t->n += rosbag_counts_take(b, c, t->counts + t->n);
	}
	*sure = true;
	return SLV_OK;
}

/* Count the messages of a gap that the index at the end does not explain. */
static enum slv_status
tell_one(struct telling *t, size_t i, struct slv_err *err)
{
	const struct slv_gap gap = t->list->at[i];
	bool sure;
	uint64_t sum;

	t->n = 0;
	SLV_TRY(count_undeclared(t, &gap, &sure, err));
	if (!sure) {
		t->n = 0;
		SLV_TRY(count_by_index(t, &gap, &sure, err));
	}
	if (!sure || !rosbag_counts_add_up(t->counts, &t->n, &sum) || sum == 0)
		return SLV_OK;
	return slv_gap_told(t->list, i, t->counts, t->n, err);
}

/* State the loss of messages that only the index at the end names. */
static enum slv_status
tell_due(struct telling *t, const struct rosbag_due *due,
    const struct slv_gap_count *counts, struct slv_err *err)
{
	size_t i = only_gap(t->list, due->off, due->end);
	const struct slv_gap gap = {
		.off = due->off,
		.before = due->before,
		.after = due->after,
		.loss = t->list->n_losses,
	};

	if (!rosbag_is_hit(t->scan, due->off, due->end)) {
		if (t->list->n >= ABSENT_MAX) {
			t->list->total++;
			return SLV_OK;
		}
		SLV_TRY(slv_gap_absent(t->list, &gap, &i, err));
	}
	if (i == t->list->n)
		return SLV_OK;
	return slv_gap_told(t->list, i, counts, due->n, err);
}

enum slv_status
rosbag_missing(
    struct slv_scan *s, struct slv_gap_list *list, struct slv_err *err)
{
	struct telling t = { .scan = s, .list = list };
	struct rosbag_dues d;
	enum slv_status st = rosbag_dues_find(s, &d, err);

	for (size_t i = 0; st == SLV_OK && i < d.n; i++)
		st = tell_due(&t, &d.at[i], d.counts + d.at[i].first, err);
	for (size_t i = 0; st == SLV_OK && i < list->n; i++) {
		if (!list->at[i].told)
			st = tell_one(&t, i, err);
	}
	slv_free(t.counts);
	rosbag_dues_free(&d);
	return st;
}
