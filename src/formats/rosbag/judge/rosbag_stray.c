/* rosbag_stray.c - is a whole record in the wrong place?
 *
 * The header of a chunk says how many bytes of records follow, and its index where
 * in them each message begins.  So where nothing is torn and a record was put into
 * one chunk, its messages are those that the index names, up to that record where it
 * has them, and from there on later by the length of the record.  Where one was
 * taken from a chunk the rest is earlier by that.
 */
#include <stdlib.h>

#include "core/readings/stray_names.h"
#include "formats/rosbag/index/rosbag_keys.h"

#define LISTED ((size_t)1 << 20) /* records of a chunk, at most */

/* A chunk that is not compressed. */
struct chunk {
	uint64_t data, end;        /* its records */
	uint64_t size;             /* bytes of them, as its header says */
	uint64_t passed;           /* of another record inside them */
	uint64_t index, index_end; /* records of its index in a row */
};

/* The bag from its first chunk on. */
struct walk {
	struct slv_scan *scan;
	struct chunk now;
	bool in_chunk, in_index;    /* the last record was one of these */
	struct slv_range loose;     /* messages outside of chunks */
	struct slv_range amid;      /* another record among those of a chunk */
	struct rosbag_record inner; /* ... that one */
	struct chunk more, less; /* the chunks that hold too much, too little */
	uint64_t
	    info_at; /* where the index at the end names the first chunk after
	                   * `inner`; 0: it does not */
	unsigned n_amid, n_runs, n_more, n_less;
	uint64_t n_infos, n_loose;
	bool in_tail;
	bool tidy; /* there is nothing else */
};

/* The chunk is over: does it hold what it says? */
static void
close_chunk(struct walk *w)
{
	const struct chunk *c = &w->now;
	uint64_t there = c->end - c->data - c->passed;

	if (c->data == 0)
		return;
	if (there > c->size) {
		w->more = *c;
		w->n_more++;
	} else if (there < c->size) {
		w->less = *c;
		w->n_less++;
	}
	w->now = (struct chunk){ .data = 0 };
	w->in_chunk = w->in_index = false;
}

/* A message, or what declares a connection. */
static void
take_record(struct walk *w, uint64_t at, const struct rosbag_record *r)
{
	uint64_t end = at + rosbag_span(r);

	if (w->in_chunk) {
		w->now.end = end;
		return;
	}
	if (r->op == ROSBAG_CONN) {
		close_chunk(w);
		w->in_tail = true;
		return;
	}
	if (w->n_runs == 0 || w->loose.end != at) {
		w->n_runs++;
		w->loose.off = at;
	}
	w->n_loose++;
	w->loose.end = end;
}

static void
take_index(struct walk *w, uint64_t at, const struct rosbag_record *r)
{
	w->tidy &= w->now.data > 0 && !w->in_tail;
	if (!w->in_index)
		w->now.index = at;
	w->in_chunk = false;
	w->in_index = true;
	w->now.index_end = at + rosbag_span(r);
}

/* A record that is there; of a chunk that is not compressed its header. */
static void
take(struct walk *w, uint64_t *at, const struct rosbag_record *r)
{
	uint64_t len = rosbag_span(r);

	switch (r->op) {
	case ROSBAG_MESSAGE:
	case ROSBAG_CONN: take_record(w, *at, r); break;
	case ROSBAG_INDEX: take_index(w, *at, r); break;
	case ROSBAG_CHUNK:
		close_chunk(w);
		w->tidy &= !w->in_tail && r->size > 0;
		if (r->codec == SLV_CODEC_NONE)
			len = rosbag_head(r);
		w->now.data = w->now.end = *at + len;
		w->now.size = r->codec == SLV_CODEC_NONE ? r->data : 0;
		w->in_chunk = r->codec == SLV_CODEC_NONE;
		w->in_index = false;
		break;
	case ROSBAG_INFO:
		close_chunk(w);
		w->in_tail = true;
		if (w->info_at == 0 && r->chunk_pos > w->inner.chunk_pos)
			w->info_at = *at;
		w->n_infos++;
		break;
	default: w->tidy = false;
	}
	*at += len;
}

/* Pass by a record that is among those of a chunk. */
static void
pass(struct walk *w, uint64_t *at, const struct rosbag_record *r)
{
	uint64_t len = rosbag_span(r);

	w->amid = (struct slv_range){ *at, *at + len };
	w->inner = *r;
	w->n_amid++;
	w->now.passed += len;
	w->now.end += len;
	*at += len;
}

/* Whether a record of an index names a message of the chunk before it. */
static enum slv_status
is_own_index(struct walk *w, uint64_t at, const struct rosbag_record *r,
    bool *yes, struct slv_err *err)
{
	struct rosbag_record message;
	struct rosbag_named named;
	const uint8_t *p;
	uint64_t off;

	*yes = false;
	if (r->op != ROSBAG_INDEX || r->data < ROSBAG_ENTRY_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    w->scan->window, at + rosbag_head(r), ROSBAG_ENTRY_SIZE, &p, err));
	named = rosbag_named_get(p, r->conn);
	off = w->now.data + named.offset;
	if (off >= w->now.end)
		return SLV_OK;
	SLV_TRY(rosbag_look(w->scan, off, &message, err));
	*yes = message.read == ROSBAG_WHOLE && message.op == ROSBAG_MESSAGE
	    && message.conn == named.conn
	    && rosbag_time_compare(message.time, named.time) == 0;
	return SLV_OK;
}

/* Whether a record that no chunk holds is among those of one: the rest of these
 * follows it. */
static enum slv_status
is_amid(struct walk *w, uint64_t at, const struct rosbag_record *r, bool *yes,
    struct slv_err *err)
{
	const struct chunk *c = &w->now;
	uint64_t end = at + rosbag_span(r), rest;
	bool own;

	*yes = false;
	if (!w->in_chunk || r->op == ROSBAG_MESSAGE || r->op == ROSBAG_CONN
	    || c->end - c->data - c->passed >= c->size)
		return SLV_OK;
	SLV_TRY(is_own_index(w, at, r, &own, err));
	if (own)
		return SLV_OK;
	rest = c->size - (c->end - c->data - c->passed);
	while (rest > 0) {
		struct rosbag_record next;

		SLV_TRY(rosbag_look(w->scan, end, &next, err));
		if (next.read != ROSBAG_WHOLE || rosbag_span(&next) > rest
		    || (next.op != ROSBAG_MESSAGE && next.op != ROSBAG_CONN))
			break;
		rest -= rosbag_span(&next);
		end += rosbag_span(&next);
	}
	*yes = rest == 0;
	return SLV_OK;
}

static enum slv_status
walk(struct walk *w, struct slv_err *err)
{
	struct slv_scan *s = w->scan;
	const struct rosbag *b = rosbag_of(s);
	uint64_t at = b->header.off + b->header.len;

	w->tidy = b->header.len > 0;
	while (w->tidy && at < s->logical_end && w->n_more <= 1
	    && w->n_less <= 1) {
		struct rosbag_record r;
		bool amid;

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(rosbag_look(s, at, &r, err));
		w->tidy = r.read == ROSBAG_WHOLE
		    && slv_range_in(at, rosbag_span(&r), s->source->size);
		if (!w->tidy)
			break;
		SLV_TRY(is_amid(w, at, &r, &amid, err));
		if (amid)
			pass(w, &at, &r);
		else
			take(w, &at, &r);
	}
	close_chunk(w);
	return SLV_OK;
}

static uint64_t
time_key(struct rosbag_time t)
{
	return (uint64_t)t.sec << 32 | t.nsec;
}

/* The records of a chunk. */
static enum slv_status
list(struct walk *w, const struct chunk *c, struct slv_naming *out,
    struct slv_err *err)
{
	for (uint64_t off = c->data; off < c->end && out->n < LISTED;) {
		struct rosbag_record r;
		struct slv_placed one = { .off = off };

		SLV_TRY(rosbag_look(w->scan, off, &r, err));
		if (r.read != ROSBAG_WHOLE)
			break;
		off += rosbag_span(&r);
		one.end = off;
		one.named = r.op == ROSBAG_MESSAGE;
		if (one.named) {
			one.key[0] = r.conn;
			one.key[1] = time_key(r.time);
		}
		SLV_TRY(slv_naming_unit(out, &one, err));
	}
	return SLV_OK;
}

/* What the index of a chunk names. */
static enum slv_status
read_names(struct walk *w, const struct chunk *c, struct slv_naming *out,
    struct slv_err *err)
{
	struct rosbag_keys keys = { 0 };
	enum slv_status st = SLV_OK;
	bool whole;

	if (c->index_end > c->index)
		st = rosbag_keys_read(w->scan, c->index, c->index_end, c->data,
		    &keys, &whole, err);
	for (size_t i = 0; i < keys.n && st == SLV_OK; i++) {
		const struct rosbag_key *k = &keys.at[i];
		const struct slv_name one = { k->at,
			{ k->conn, time_key(k->time) } };

		st = slv_naming_name(out, &one, err);
	}
	slv_free(keys.at);
	return st;
}

/* A chunk and its index. */
static enum slv_status
read_chunk(struct walk *w, const struct chunk *c, struct slv_naming *out,
    bool *all, struct slv_err *err)
{
	SLV_TRY(read_names(w, c, out, err));
	SLV_TRY(list(w, c, out, err));
	*all = out->n_names > 0 && out->n > 0
	    && out->units[out->n - 1].end == c->end;
	return SLV_OK;
}

/* Where in the chunk that holds too little something is missing. */
static enum slv_status
find_place(struct walk *w, uint64_t less, uint64_t *to, bool *found,
    struct slv_err *err)
{
	struct slv_naming x = { .n = 0 };
	enum slv_status st = read_chunk(w, &w->less, &x, found, err);

	if (st == SLV_OK && *found)
		st = slv_naming_gap(&x, less, to, found, err);
	slv_naming_free(&x);
	return st;
}

static enum slv_status
propose(struct walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct chunk *c = &w->more;
	uint64_t more = c->end - c->data - c->size, to = UINT64_MAX;
	struct slv_naming x = { .n = 0 };
	enum slv_status st;
	bool found = true;

	if (w->n_less > 0) {
		found = w->less.size - (w->less.end - w->less.data) == more;
		if (found)
			SLV_TRY(find_place(w, more, &to, &found, err));
	}
	if (!found)
		return SLV_OK;
	st = read_chunk(w, c, &x, &found, err);
	if (st == SLV_OK && found)
		st = slv_naming_surplus(&x, more, to, out, err);
	slv_naming_free(&x);
	return st;
}

/* A message in another place of its chunk: the only chunk that is as long as its
 * header says, and not as its index does. */
static enum slv_status
propose_turned(struct walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(w->scan);
	const struct rosbag_chunk *odd = NULL;
	struct slv_naming x = { .n = 0 };
	enum slv_status st;
	struct chunk c;
	bool all;

	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *one = &b->chunks[i];

		if (one->codec != SLV_CODEC_NONE || one->indexed
		    || one->index == one->end)
			continue;
		if (odd != NULL || !one->stays)
			return SLV_OK;
		odd = one;
	}
	if (odd == NULL)
		return SLV_OK;
	c = (struct chunk){
		.data = odd->data,
		.end = odd->data_end,
		.index = odd->index,
		.index_end = odd->end,
	};
	st = read_chunk(w, &c, &x, &all, err);
	if (st == SLV_OK && all)
		st = slv_naming_turned(&x, out, err);
	slv_naming_free(&x);
	return st;
}

/* How many messages the index at the end counts; false: it is not there. */
static bool
count_named(const struct rosbag *b, uint64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		for (size_t k = 0; k < info->n_counts; k++)
			*n += b->counts[info->first_count + k].n;
	}
	return b->n_infos > 0 && b->n_infos == b->head.n_chunks;
}

/* Messages outside of chunks: one chunk lacks them, or the index at the end counts
 * none of them. */
static enum slv_status
propose_loose(struct walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(w->scan);
	const struct chunk *less = &w->less;
	struct slv_stray x = { w->loose.off, w->loose.end, w->loose.off, 1, 0 };
	uint64_t len = x.end - x.off, named;
	bool counted = count_named(b, &named), found = true;

	if (w->n_less > 0) {
		found = less->size - (less->end - less->data) == len;
		if (found)
			SLV_TRY(find_place(w, len, &x.to, &found, err));
	} else if (counted) {
		found = b->messages == named + w->n_loose;
	} else {
		/* It must be a copy. */
		out->more = true;
	}
	if (found)
		slv_strays_add(out, &x);
	return SLV_OK;
}

/* A record of an index, or a chunk, among the records of another one: it is too
 * many; or it is of the index at the end, which lacks it. */
static enum slv_status
propose_amid(struct walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(w->scan);
	struct slv_stray x = { w->amid.off, w->amid.end, w->amid.off, 1, 0 };

	(void)err;
	if (w->inner.op == ROSBAG_INFO && w->n_infos > 0
	    && w->n_infos + 1 == b->head.n_chunks)
		x.to = w->info_at > 0 ? w->info_at : w->scan->source->size;
	/* It must be a copy. */
	out->more = true;
	slv_strays_add(out, &x);
	return SLV_OK;
}

/* Whether a chunk that is not compressed is not as its header and its index say. */
static bool
seems_odd(const struct rosbag *b)
{
	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->codec == SLV_CODEC_NONE && (!c->stays || !c->indexed))
			return true;
	}
	return false;
}

enum slv_status
rosbag_strays(struct slv_scan *s, struct slv_strays *out, struct slv_err *err)
{
	struct walk w = { .scan = s };

	if (rosbag_of(s)->head.encrypted || !seems_odd(rosbag_of(s)))
		return SLV_OK;
	SLV_TRY(walk(&w, err));
	if (w.tidy && w.n_runs + w.n_more + w.n_amid + w.n_less == 0)
		return propose_turned(&w, out, err);
	if (!w.tidy || w.n_runs + w.n_more + w.n_amid != 1 || w.n_less > 1)
		return SLV_OK;
	if (w.n_amid > 0 && w.n_less == 0)
		return propose_amid(&w, out, err);
	if (w.n_runs > 0)
		return propose_loose(&w, out, err);
	return w.n_more > 0 ? propose(&w, out, err) : SLV_OK;
}
