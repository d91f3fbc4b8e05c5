/* rosbag_twice.c - what stands in the file twice.
 *
 * A stretch that a disk or a download has repeated reads as well as any, and
 * its messages would come out twice.  What an index names is meant to be
 * there; of the rest, a chunk or messages with the very bytes of earlier ones
 * are left out.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/rosbag/rosbag_unit.h"

#define LONGEST    ((uint64_t)8 << 20)  /* bytes of a repeated stretch */
#define STRIDE     ((uint64_t)64 << 10) /* bytes searched at once */
#define RECOGNISED 64 /* bytes by which a record is found again */
#define TRIES      8  /* places looked at where such bytes stand */

struct ordered {
	const struct rosbag_chunk *chunk;
	size_t i;
	bool named; /* the index at the end means it to be there */
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

/* Note which chunks the index at the end means to be there; they stand in the
 * list as in the file. */
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

/* Chunks with the same messages stand beside each other in the list. */
static enum slv_status
mend_chunks(struct slv_scan *s, const struct ordered *at, size_t n,
    struct slv_mends *out, struct slv_err *err)
{
	for (size_t i = 1; i < n; i++) {
		const struct rosbag_chunk *x = at[i - 1].chunk;
		const struct rosbag_chunk *y = at[i].chunk;
		uint64_t len = x->data_end - x->data;
		bool same;

		if (x->sum != y->sum || x->messages != y->messages
		    || x->codec != y->codec || y->messages == 0
		    || y->data_end - y->data != len || at[i].named)
			continue;
		SLV_TRY(same_bytes(s, x->data, y->data, len, &same, err));
		if (same)
			SLV_TRY(set_aside(out, y->off, y->end, x->off, err));
	}
	return SLV_OK;
}

/* How many of n bytes at x, or with `back` of those in front of it, are those d
 * bytes further on. */
static enum slv_status
count_same(struct slv_scan *s, uint64_t x, uint64_t d, uint64_t n, bool back,
    uint64_t *same, struct slv_err *err)
{
	uint8_t piece[4096];
	const uint8_t *p;

	for (*same = 0; *same < n;) {
		size_t len = (size_t)slv_min64(sizeof(piece), n - *same);
		uint64_t at = back ? x - *same - len : x + *same;
		size_t i = 0;

		SLV_TRY(slv_window_view(&s->window, at, len, &p, err));
		memcpy(piece, p, len);
		SLV_TRY(slv_window_view(&s->window, at + d, len, &p, err));
		while (i < len
		    && piece[back ? len - 1 - i : i]
		        == p[back ? len - 1 - i : i])
			i++;
		*same += i;
		if (i < len)
			return SLV_OK;
	}
	return SLV_OK;
}

/* Where a stretch may have been repeated: what begins at `from` is torn, and
 * the next record is at `to`. */
struct seam {
	uint64_t from, to;
	bool packed; /* that is one record: a compressed chunk */
};

/* The record of the seam in which `at` is. */
static uint64_t
record_at(const struct slv_scan *s, const struct seam *seam, uint64_t at)
{
	size_t i;

	if (seam->packed || at == seam->from)
		return seam->packed ? seam->from : at;
	/* Where the stretch begins with a record the one before it is torn. */
	i = slv_catalog_find(&s->catalog, at - (at == seam->to));
	return slv_max64(s->catalog.at[i].off, seam->from);
}

/* A stretch of d bytes that is followed by itself, somewhere at the seam, so
 * that what stands at seam->to stood d bytes before it, too: leave out as much
 * as was repeated, from the record that is torn to its other copy, which is
 * whole. */
static enum slv_status
leave_out(struct slv_scan *s, const struct seam *seam, uint64_t d,
    struct slv_mends *out, bool *done, struct slv_err *err)
{
	uint64_t n = slv_min64(seam->to - seam->from, seam->to - d);
	struct slv_aside a = { .fate = SLV_FILLER };
	uint64_t same, at;

	*done = false;
	SLV_TRY(count_same(s, seam->to - d, d, n, true, &same, err));
	at = seam->to - same;
	a.off = record_at(s, seam, at);
	a.end = a.off + d;
	/* What tore the record must be in it: else it cannot be put together
	 * from its two ends. */
	if (at < d || at - a.off > d)
		return SLV_OK;
	n = same < d ? d - same : 0;
	if (n > s->logical_end - seam->to)
		return SLV_OK;
	SLV_TRY(count_same(s, seam->to - d, d, n, false, &same, err));
	*done = same == n;
	a.problem = (struct slv_problem){
		.info = &rosbag_problems[ROSBAG_P_TWICE],
		.off = a.off,
		.len = d,
		.got = at - d,
	};
	return *done ? slv_mends_add_aside(out, &a, err) : SLV_OK;
}

/* The last place in [from, to) where the n bytes of `what` stand; to:
 * nowhere. */
static enum slv_status
find_last(struct slv_scan *s, uint64_t from, uint64_t to, const uint8_t *what,
    size_t n, uint64_t *out, struct slv_err *err)
{
	uint64_t end = to;

	*out = to;
	while (*out == to && from < end) {
		uint64_t at = end - slv_min64(end - from, STRIDE);
		size_t len = (size_t)(end - at) + n - 1;
		const uint8_t *p, *hit;

		SLV_TRY(slv_window_view(&s->window, at, len, &p, err));
		for (hit = p;
		     (hit = memmem(hit, (size_t)(p + len - hit), what, n))
		     != NULL;
		     hit++)
			*out = at + (uint64_t)(hit - p);
		end = at;
	}
	return SLV_OK;
}

/* A transfer that was broken off may have begun anew: then all in front of the
 * seam is what stands behind it. */
static enum slv_status
mend_restart(struct slv_scan *s, const struct seam *seam, const uint8_t *what,
    struct slv_mends *out, bool *done, struct slv_err *err)
{
	const uint8_t *p;

	*done = false;
	if (seam->to < RECOGNISED)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, 0, RECOGNISED, &p, err));
	return memcmp(p, what, RECOGNISED) == 0
	    ? leave_out(s, seam, seam->to, out, done, err)
	    : SLV_OK;
}

/* Look at one seam; *budget is how many bytes may still be searched. */
static enum slv_status
mend_seam(struct slv_scan *s, const struct seam *seam, uint64_t *budget,
    struct slv_mends *out, struct slv_err *err)
{
	uint64_t reach = slv_min64(slv_min64(seam->from, LONGEST), *budget);
	uint64_t to = seam->from + 1, hit; /* what is torn may begin so, too */
	uint8_t what[RECOGNISED];
	bool done = false;
	const uint8_t *p;

	if (!slv_range_in(seam->to, sizeof(what), s->logical_end))
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, seam->to, sizeof(what), &p, err));
	memcpy(what, p, sizeof(what));
	*budget -= reach;
	SLV_TRY(mend_restart(s, seam, what, out, &done, err));
	for (int i = 0; !done && i < TRIES; i++, to = hit) {
		SLV_TRY(find_last(
		    s, seam->from - reach, to, what, sizeof(what), &hit, err));
		if (hit == to)
			break;
		SLV_TRY(leave_out(s, seam, seam->to - hit, out, &done, err));
	}
	return SLV_OK;
}

static bool
is_left_out(const struct slv_extent *x)
{
	return x->fate == SLV_LOST || x->fate == SLV_REBUILT;
}

/* Stretches that are followed by themselves.  Between the two a record is torn:
 * what a recorder wrote twice is no damage. */
static enum slv_status
mend_seams(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct slv_catalog *c = &s->catalog;
	uint64_t budget = 4 * s->source->size;
	size_t k = 0, n;

	for (size_t i = 0; i < c->n; i += n) {
		const struct slv_extent *x = &c->at[i];
		struct seam seam = { .from = x->off, .to = x->off };

		for (n = 0; i + n < c->n && is_left_out(&x[n]); n++)
			seam.to += x[n].len;
		n = n > 0 ? n : 1;
		if ((seam.to == seam.from && x->fate != SLV_FOREIGN)
		    || seam.from < ROSBAG_MAGIC_SIZE)
			continue;
		/* What is left out may begin in front of the chunk. */
		while (k + 1 < b->n_chunks && b->chunks[k + 1].off < seam.to)
			k++;
		if (k < b->n_chunks && b->chunks[k].off < seam.to
		    && x->off <= b->chunks[k].upto && !b->chunks[k].stored
		    && b->chunks[k].codec != SLV_CODEC_NONE) {
			seam.from = b->chunks[k].off;
			seam.packed = true;
		}
		SLV_TRY(mend_seam(s, &seam, &budget, out, err));
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
	struct rosbag_body *body;
	const uint8_t *p;
	enum slv_status st;
	size_t n = (size_t)(last->at + last->len);

	*yes = false;
	SLV_TRY(rosbag_body_again(
	    s, x->data, x->limit, x->expect, x->codec, &body, err));
	SLV_TRY(rosbag_body_bytes(s, body, 0, n, &p, err));
	slv_buf_add(&first, p, n);
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
		at[i] = (struct ordered){ &b->chunks[i], i, false };
	note_named(b, at);
	slv_sort(at, b->n_chunks, sizeof(*at), compare_chunks);
	st = mend_seams(s, out, err);
	if (st == SLV_OK)
		st = mend_chunks(s, at, b->n_chunks, out, err);
	free(at);
	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->codec != SLV_CODEC_NONE && !c->stored
		    && c->n_entries > 0)
			st = mend_cut(s, i, out, err);
	}
	return st;
}
