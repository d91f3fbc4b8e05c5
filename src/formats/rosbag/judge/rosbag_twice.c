/* rosbag_twice.c - chunks that are in the file twice.
 *
 * A chunk that a disk or a download has repeated reads as well as any, and
 * its messages would come out twice.  What an index names is meant to be
 * there; of the rest, a chunk with the bytes of an earlier one is left out.
 */
#include "base/list.h"
#include "core/compare.h"
#include "formats/rosbag/judge/rosbag_repeat.h"
#include "formats/rosbag/read/rosbag_unit.h"

struct ordered {
	const struct rosbag_chunk *chunk;
	size_t i;
	bool named; /* the index at the end means it to be there */
};

SLV_ORDER2(compare_chunks, struct ordered, chunk->sum, i)

/* Note which chunks the index at the end names; the list has the order of the
 * file. */
static void
note_named(const struct rosbag *b, struct ordered *at)
{
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];
		struct slv_search f = { .high = b->n_chunks };

		while (slv_search(&f))
			slv_search_on(&f, at[f.mid].chunk->off < info->chunk);
		if (f.low < b->n_chunks)
			at[f.low].named |=
			    rosbag_info_same(b, info, at[f.low].chunk);
	}
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

/* Chunks with the same messages are adjacent in the list. */
static enum slv_status
mend_chunks(struct slv_scan *s, const struct ordered *at, size_t n,
    struct slv_mends *out, struct slv_err *err)
{
	for (size_t i = 1; i < n; i++) {
		const struct rosbag_chunk *x = at[i - 1].chunk;
		const struct rosbag_chunk *y = at[i].chunk;
		uint64_t len = x->data_end - x->data, same;

		if (x->sum != y->sum || x->messages != y->messages
		    || x->codec != y->codec || y->messages == 0
		    || y->data_end - y->data != len || at[i].named)
			continue;
		SLV_TRY(slv_compare(s, x->data, y->data, len, &same, err));
		if (same == len)
			SLV_TRY(set_aside(out, y->off, y->end, x->off, err));
	}
	return SLV_OK;
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
	const struct rosbag_body *body;
	const uint8_t *p;
	enum slv_status st;
	size_t n = (size_t)(last->at + last->len);

	*yes = false;
	SLV_TRY(rosbag_body_again(
	    s, x->data, x->limit, x->expect, x->codec, &body, err));
	SLV_TRY(rosbag_body_bytes(s, body, 0, n, &p, err));
	slv_buf_add(&first, p, n);
	SLV_TRY(slv_buf_check(&first, err));
	st = rosbag_body_again(
	    s, y->data, y->limit, y->expect, y->codec, &body, err);
	if (st == SLV_OK && body->decode.out.len >= n)
		*yes = memcmp(first.at, body->decode.out.at, n) == 0;
	slv_buf_free(&first);
	return st;
}

/* Exclude chunk i, which is compressed and truncated, if the chunk before or after it
 * is a whole copy of it. */
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
	struct ordered *at;
	enum slv_status st;

	SLV_TRY(slv_new(&at, b->n_chunks, sizeof(*at), err));
	for (size_t i = 0; i < b->n_chunks; i++)
		at[i] = (struct ordered){ &b->chunks[i], i, false };
	note_named(b, at);
	slv_sort(at, b->n_chunks, sizeof(*at), compare_chunks);
	st = rosbag_repeats(s, out, err);
	if (st == SLV_OK)
		st = mend_chunks(s, at, b->n_chunks, out, err);
	slv_free(at);
	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->codec != SLV_CODEC_NONE && !c->stored
		    && c->n_entries > 0)
			st = mend_cut(s, i, out, err);
	}
	return st;
}
