/* rosbag_due.c - find messages that the index at the end names and the chunks lack.
 *
 * A CHUNK_INFO states how many messages of each connection a chunk held, and between
 * which times.  Each chunk of the file is matched with one of this list.  Both are in the
 * order of the file: infos that are left over between those of two whole chunks are of
 * lost chunks.  A chunk that is at another place is matched, too.
 */
#include "formats/rosbag/index/rosbag_due.h"
#include "base/list.h"

#define ALIKE 16 /* infos with the same times that are examined */
#define AHEAD 64 /* infos in a row without a chunk, at most */
#define DENSE 8  /* messages in a byte; none are packed so well */

/* A CHUNK_INFO, and the chunks that match it. */
struct named {
	uint64_t messages;
	size_t chunk, n_chunks; /* its chunks, beside each other */
	bool settled;           /* none of its messages is missing */
	bool exact;             /* ... a chunk has exactly these */
	bool odd;               /* it is not clear which chunks are its own */
};

/* For looking up by times. */
struct ordered {
	struct rosbag_time from, to;
	size_t i;
};

struct matching {
	const struct slv_scan *scan;
	const struct rosbag *bag;
	struct named *named;     /* owned; one for each info */
	struct ordered *ordered; /* owned */
	bool *placed;            /* owned; chunks that match an info exactly */
	struct rosbag_dues *out;
};

static int
compare_times(const struct ordered *x, const struct ordered *y)
{
	int order = rosbag_time_compare(x->from, y->from);

	return order != 0 ? order : rosbag_time_compare(x->to, y->to);
}

static int
compare_ordered(const void *p, const void *q)
{
	const struct ordered *x = p, *y = q;
	int order = compare_times(x, y);

	return order != 0 ? order : x->i < y->i ? -1 : x->i > y->i;
}

static enum slv_status
begin(struct matching *m, struct slv_err *err)
{
	const struct rosbag *b = m->bag;

	SLV_TRY(slv_new(&m->named, b->n_infos, sizeof(*m->named), err));
	SLV_TRY(slv_new(&m->ordered, b->n_infos, sizeof(*m->ordered), err));
	SLV_TRY(slv_new(&m->placed, b->n_chunks, sizeof(*m->placed), err));
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		m->ordered[i] = (struct ordered){ info->from, info->to, i };
		for (size_t k = 0; k < info->n_counts; k++)
			m->named[i].messages +=
			    b->counts[info->first_count + k].n;
	}
	slv_sort(m->ordered, b->n_infos, sizeof(*m->ordered), compare_ordered);
	return SLV_OK;
}

static void
end(struct matching *m)
{
	slv_free(m->named);
	slv_free(m->ordered);
	slv_free(m->placed);
}

/* The first info from `least` on that matches the chunk exactly, and no other chunk so far;
 * n_infos: none. */
static size_t
find_same(const struct matching *m, const struct rosbag_chunk *c, size_t least)
{
	const struct rosbag *b = m->bag;
	const struct ordered key = { .from = c->from, .to = c->to };
	struct slv_search f = { .high = b->n_infos };

	while (slv_search(&f))
		slv_search_on(&f, compare_times(&m->ordered[f.mid], &key) < 0);
	for (size_t i = f.low; i < b->n_infos && i - f.low < ALIKE; i++) {
		const struct ordered *o = &m->ordered[i];

		if (compare_times(o, &key) != 0)
			break;
		if (o->i >= least && !m->named[o->i].exact
		    && rosbag_counts_same(b, &b->infos[o->i], c))
			return o->i;
	}
	return b->n_infos;
}

/* Whether the messages of the chunk can be some of those of the info. */
static bool
fits(const struct matching *m, size_t i, const struct rosbag_chunk *c)
{
	const struct rosbag_info *info = &m->bag->infos[i];

	return rosbag_time_compare(c->from, info->from) >= 0
	    && rosbag_time_compare(c->to, info->to) <= 0
	    && c->messages <= m->named[i].messages;
}

/* Whether the whole chunk is in the file. */
static bool
is_complete(const struct rosbag_chunk *c)
{
	return c->stored
	    && (c->codec != SLV_CODEC_NONE || c->indexed || c->stays);
}

static void
give(struct matching *m, size_t i, size_t chunk)
{
	struct named *n = &m->named[i];
	bool whole = is_complete(&m->bag->chunks[chunk]);

	n->settled = n->n_chunks == 0 ? whole : n->settled && whole;
	if (n->n_chunks == 0)
		n->chunk = chunk;
	n->n_chunks = chunk + 1 - n->chunk;
}

/* Assign chunks [from, upto) to infos [low, high) together.  It is unknown which chunk is
 * of which info, for example if two chunks were read as one. */
static void
give_together(
    struct matching *m, size_t from, size_t upto, size_t low, size_t high)
{
	bool odd = false;

	for (size_t c = from; c < upto; c++)
		odd |= m->placed[c];
	for (size_t i = low; i < high; i++)
		odd |= m->named[i].exact;
	for (size_t i = low; i < high; i++) {
		m->named[i].odd = odd;
		m->named[i].settled = false;
		m->named[i].n_chunks = 0;
	}
	if (low < high) {
		m->named[low].chunk = from;
		m->named[low].n_chunks = upto - from;
	}
}

/* Assign chunks [from, upto), which match no info exactly, to infos [low, high). */
static void
match_rest(
    struct matching *m, size_t from, size_t upto, size_t low, size_t high)
{
	const struct rosbag_chunk *chunks = m->bag->chunks;
	size_t at = low;
	bool odd = false;

	for (size_t c = from; c < upto; c++) {
		size_t end = high - at > AHEAD ? at + AHEAD : high, i = at;

		if (chunks[c].messages == 0 || m->placed[c])
			continue;
		while (i < end && !fits(m, i, &chunks[c]))
			i++;
		odd |= i == end;
		if (i < end)
			give(m, at = i, c);
	}
	if (odd)
		give_together(m, from, upto, low, high);
}

/* Give the chunk to the info that says just what it holds. */
static void
place(struct matching *m, size_t i, size_t chunk)
{
	give(m, i, chunk);
	m->named[i].settled = m->named[i].exact = true;
	m->placed[chunk] = true;
}

static void
match(struct matching *m)
{
	const struct rosbag *b = m->bag;
	size_t low = 0, from = 0;

	for (size_t c = 0; c < b->n_chunks; c++) {
		size_t i = b->n_infos;

		if (b->chunks[c].messages > 0)
			i = find_same(m, &b->chunks[c], low);
		if (i < b->n_infos) {
			match_rest(m, from, c, low, i);
			place(m, i, c);
			low = i + 1;
			from = c + 1;
			continue;
		}
		if (b->chunks[c].messages > 0)
			i = find_same(m, &b->chunks[c], 0);
		if (i < b->n_infos && m->named[i].n_chunks == 0)
			place(m, i, c);
	}
	match_rest(m, from, b->n_chunks, low, b->n_infos);
}

bool
rosbag_is_hit(const struct slv_scan *s, uint64_t off, uint64_t end)
{
	size_t i;

	if (off >= end || off >= s->catalog.end)
		return false;
	for (i = slv_catalog_find(&s->catalog, off);
	     i < s->catalog.n && s->catalog.at[i].off < end; i++) {
		if (s->catalog.at[i].fate == SLV_LOST)
			return true;
	}
	return false;
}

/* What infos [low, high) name, less what is there of them. */
static enum slv_status
subtract(struct matching *m, size_t low, size_t high, struct rosbag_due *due,
    bool *good, struct slv_err *err)
{
	const struct rosbag *b = m->bag;
	struct rosbag_dues *d = m->out;
	size_t n = 0;

	for (size_t i = low; i < high; i++) {
		n += b->infos[i].n_counts;
		for (size_t k = 0; k < m->named[i].n_chunks; k++)
			n += b->chunks[m->named[i].chunk + k].n_counts;
	}
	due->first = d->n_counts;
	/* One more than needed: there is a list to point into, if an empty
	 * one. */
	SLV_TRY(SLV_ROOM(d, counts, n + 1, err));
	for (size_t i = low; i < high; i++) {
		const struct rosbag_info *info = &b->infos[i];

		for (size_t k = 0; k < info->n_counts; k++) {
			struct rosbag_count c =
			    b->counts[info->first_count + k];

			d->counts[due->first + due->n++] =
			    (struct slv_gap_count){ c.conn, c.n };
		}
		for (size_t k = 0; k < m->named[i].n_chunks; k++)
			due->n += rosbag_counts_take(b,
			    &b->chunks[m->named[i].chunk + k],
			    d->counts + due->first + due->n);
	}
	*good = rosbag_counts_add_up(
	    d->counts + due->first, &due->n, &due->messages);
	return SLV_OK;
}

/* Whether something begins at info i that has nothing to do with what is in
 * front of it: a chunk, and no bytes are lost before it. */
static bool
is_apart(const struct matching *m, size_t i)
{
	const struct rosbag *b = m->bag;
	uint64_t off;

	if (m->named[i].n_chunks == 0)
		return false;
	off = b->chunks[m->named[i].chunk].off;
	return off > 0 && !rosbag_is_hit(m->scan, off - 1, off);
}

/* Infos [low, high) are unsettled and adjacent. */
static enum slv_status
add_due(struct matching *m, size_t low, size_t high, struct slv_err *err)
{
	const struct rosbag *b = m->bag;
	struct rosbag_dues *d = m->out;
	struct rosbag_due due = { .end = b->tail };
	bool good;

	if (is_apart(m, low)) {
		due.off = b->chunks[m->named[low].chunk].off;
	} else if (low > 0) {
		const struct named *n = &m->named[low - 1];
		const struct rosbag_chunk *c;

		c = &b->chunks[n->chunk + n->n_chunks - 1];
		due.off = c->end;
		due.before = rosbag_moment(c->to);
	}
	if (high < b->n_infos) {
		const struct rosbag_chunk *c = &b->chunks[m->named[high].chunk];

		due.end = c->off;
		due.after = rosbag_moment(c->from);
	}
	SLV_TRY(subtract(m, low, high, &due, &good, err));
	d->all &= good && due.off <= due.end;
	if (!good || due.messages == 0 || due.off > due.end)
		return SLV_OK;
	SLV_TRY(SLV_ADD_AT(d, err, due));
	d->n_counts = due.first + due.n;
	return SLV_OK;
}

/* Whether the infos name chunks in the order of the file, once each, with room
 * for what they held. */
static bool
is_likely(const struct matching *m, size_t low, size_t high)
{
	const struct rosbag *b = m->bag;

	if (low > 0)
		low--;
	for (size_t i = low; i < high; i++) {
		uint64_t off = b->infos[i].chunk;
		uint64_t end = i + 1 < b->n_infos ? b->infos[i + 1].chunk
		                                  : b->head.index_pos;

		if (off >= end || m->named[i].messages > (end - off) * DENSE)
			return false;
	}
	return true;
}

static enum slv_status
add_dues(struct matching *m, struct slv_err *err)
{
	size_t n = m->bag->n_infos, high;

	for (size_t low = 0; low < n; low = high) {
		bool odd = m->named[low].odd;

		high = low + 1;
		if (m->named[low].settled)
			continue;
		while (
		    high < n && !m->named[high].settled && !is_apart(m, high)) {
			odd |= m->named[high].odd;
			high++;
		}
		if (!odd && is_likely(m, low, high))
			SLV_TRY(add_due(m, low, high, err));
		else
			m->out->all = false;
	}
	return SLV_OK;
}

enum slv_status
rosbag_dues_find(
    const struct slv_scan *s, struct rosbag_dues *out, struct slv_err *err)
{
	struct matching m = { .scan = s, .bag = rosbag_of(s), .out = out };
	enum slv_status st;
	bool all;

	*out = (struct rosbag_dues){ .n = 0 };
	if (m.bag->tail_holds || m.bag->n_infos == 0 || m.bag->tail == 0)
		return SLV_OK;
	SLV_TRY(rosbag_are_all_kept(s, &all, err));
	out->all = rosbag_names_all(m.bag);
	if (all)
		return SLV_OK;
	st = begin(&m, err);
	if (st == SLV_OK) {
		match(&m);
		st = add_dues(&m, err);
	}
	end(&m);
	return st;
}

enum slv_status
rosbag_is_all_there(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct matching m = { .scan = s, .bag = b };
	enum slv_status st;

	*yes = rosbag_names_all(b);
	if (!*yes || b->tail_holds)
		return SLV_OK;
	st = begin(&m, err);
	if (st == SLV_OK)
		match(&m);
	*yes = st == SLV_OK;
	for (size_t i = 0; *yes && i < b->n_infos; i++)
		*yes = m.named[i].exact;
	for (size_t i = 0; *yes && i < b->n_chunks; i++)
		*yes = m.placed[i] || b->chunks[i].messages == 0;
	end(&m);
	return st;
}

void
rosbag_dues_free(struct rosbag_dues *d)
{
	slv_free(d->at);
	slv_free(d->counts);
	*d = (struct rosbag_dues){ .n = 0 };
}
