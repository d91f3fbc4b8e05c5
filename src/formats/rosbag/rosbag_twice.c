/* rosbag_twice.c - what stands in the file twice.
 *
 * A stretch that a disk or a download has repeated reads as well as any, and
 * its messages would come out twice.  What an index names is meant to be
 * there; of the rest, a chunk or messages with the very bytes of earlier ones
 * are left out.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/rosbag/rosbag_unit.h"

struct ordered {
	const struct rosbag_chunk *chunk;
	size_t i;
};

static int
compare_chunks(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;

	if (a->chunk->sum != b->chunk->sum)
		return a->chunk->sum < b->chunk->sum ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

static enum slv_status
same_bytes(struct slv_scan *s, uint64_t x, uint64_t y, uint64_t len, bool *same,
    struct slv_err *err)
{
	uint8_t piece[4096];
	const uint8_t *p;

	*same = true;
	for (uint64_t at = 0; *same && at < len; at += sizeof(piece)) {
		size_t n = (size_t)slv_min64(sizeof(piece), len - at);

		SLV_TRY(slv_window_view(&s->window, x + at, n, &p, err));
		memcpy(piece, p, n);
		SLV_TRY(slv_window_view(&s->window, y + at, n, &p, err));
		*same = memcmp(piece, p, n) == 0;
	}
	return SLV_OK;
}

/* Whether the index at the end means the chunk to be there. */
static bool
is_named(const struct rosbag *b, const struct rosbag_chunk *c)
{
	for (size_t i = 0; i < b->n_infos; i++) {
		if (rosbag_info_same(b, &b->infos[i], c))
			return true;
	}
	return false;
}

static enum slv_status
set_aside(struct slv_mends *out, uint64_t off, uint64_t end, uint64_t first,
    struct slv_err *err)
{
	const struct slv_aside a = {
		.off = off,
		.end = end,
		.fate = SLV_FILLER,
		.problem = {
			.info = &rosbag_problems[ROSBAG_P_TWICE],
			.off = off,
			.len = end - off,
			.got = first,
		},
	};

	return slv_mends_add_aside(out, &a, err);
}

/* Chunks with the same messages stand beside each other in the list. */
static enum slv_status
mend_chunks(struct slv_scan *s, const struct ordered *at, size_t n,
    struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	for (size_t i = 1; i < n; i++) {
		const struct rosbag_chunk *x = at[i - 1].chunk;
		const struct rosbag_chunk *y = at[i].chunk;
		uint64_t len = x->data_end - x->data;
		bool same;

		if (x->sum != y->sum || x->messages != y->messages
		    || x->codec != y->codec || y->messages == 0
		    || y->data_end - y->data != len || is_named(b, y))
			continue;
		SLV_TRY(same_bytes(s, x->data, y->data, len, &same, err));
		if (same)
			SLV_TRY(set_aside(out, y->off, y->end, x->off, err));
	}
	return SLV_OK;
}

static int
compare_entries(const void *x, const void *y)
{
	const struct rosbag_entry *a = *(const struct rosbag_entry *const *)x;
	const struct rosbag_entry *b = *(const struct rosbag_entry *const *)y;
	int order = rosbag_time_compare(a->time, b->time);

	if (order != 0)
		return order;
	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Messages of an uncompressed chunk that its index does not vouch for. */
static enum slv_status
mend_messages(struct slv_scan *s, const struct rosbag_chunk *c,
    struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag_entry *e = rosbag_of(s)->kept.at + c->first_entry;
	const struct rosbag_entry **list =
	    slv_calloc(c->n_entries, sizeof(*list));
	enum slv_status st = SLV_OK;
	bool same;

	if (list == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < c->n_entries; i++)
		list[i] = &e[i];
	slv_sort(list, c->n_entries, sizeof(*list), compare_entries);
	for (size_t i = 1; st == SLV_OK && i < c->n_entries; i++) {
		const struct rosbag_entry *x = list[i - 1], *y = list[i];

		if (y->is_conn || x->conn != y->conn || x->len != y->len
		    || rosbag_time_compare(x->time, y->time) != 0)
			continue;
		st = same_bytes(s, x->at, y->at, x->len, &same, err);
		if (st == SLV_OK && same)
			st = set_aside(out, y->at, y->at + y->len, x->at, err);
	}
	free(list);
	return st;
}

/* Whether the records that are left of x are the first ones of y. */
static enum slv_status
is_beginning(struct slv_scan *s, const struct rosbag_chunk *x,
    const struct rosbag_chunk *y, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_entry *last =
	    &b->kept.at[x->first_entry + x->n_entries - 1];
	struct slv_buf first = { 0 };
	struct rosbag_body *body;
	enum slv_status st;
	size_t n = (size_t)(last->at + last->len);

	*yes = false;
	SLV_TRY(rosbag_body_again(
	    s, x->data, x->limit, x->expect, x->codec, &body, err));
	slv_buf_add(&first, body->decode.out.at, n);
	if (first.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = rosbag_body_again(
	    s, y->data, y->limit, y->expect, y->codec, &body, err);
	if (st == SLV_OK && body->decode.out.len >= n)
		*yes = memcmp(first.at, body->decode.out.at, n) == 0;
	slv_buf_free(&first);
	return st;
}

/* A compressed chunk that is cut, and stands whole beside it. */
static enum slv_status
mend_cut(
    struct slv_scan *s, size_t i, struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_chunk *x = &b->chunks[i];

	for (size_t k = i > 0 ? i - 1 : i + 1; k <= i + 1; k += 2) {
		const struct rosbag_chunk *y = &b->chunks[k];
		bool yes;

		if (k >= b->n_chunks || y->codec != x->codec || !y->stored
		    || rosbag_time_compare(x->from, y->from) != 0)
			continue;
		SLV_TRY(is_beginning(s, x, y, &yes, err));
		if (yes)
			return set_aside(out, x->off, x->upto, y->off, err);
	}
	return SLV_OK;
}

enum slv_status
rosbag_twice(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct ordered *at = slv_calloc(b->n_chunks + 1, sizeof(*at));
	enum slv_status st;

	if (at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->n_chunks; i++)
		at[i] = (struct ordered){ &b->chunks[i], i };
	slv_sort(at, b->n_chunks, sizeof(*at), compare_chunks);
	st = mend_chunks(s, at, b->n_chunks, out, err);
	free(at);
	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->codec == SLV_CODEC_NONE && !c->indexed && !c->stays
		    && c->n_entries > 1)
			st = mend_messages(s, c, out, err);
		else if (c->codec != SLV_CODEC_NONE && !c->stored
		    && c->n_entries > 0)
			st = mend_cut(s, i, out, err);
	}
	return st;
}
