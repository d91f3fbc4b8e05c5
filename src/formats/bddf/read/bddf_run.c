/* bddf_run.c - the fast path for data blocks in a row with nothing unusual.
 *
 * Most of a log consists of them.  Each head is decoded once: it confirms the
 * block before it, and is then the head of its own block.  Anything unusual is
 * left to the full checks.  For speed, conditions that rarely hold are tested
 * here before a function is called, and several blocks are examined before the
 * first of them is accepted: so each loop has little state.
 */
#include <string.h>

#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/read/bddf_plain.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define LOOK      64 /* bytes: with most DataDescriptors, and slack */
#define MANY      96 /* blocks that are examined before they are accepted */

/* A data block with nothing unusual. */
struct usual {
	uint64_t off, len; /* in the input */
	struct slv_moment at;
	uint32_t series, n_extra;
	uint32_t size; /* of its DataDescriptor */
};

/* What the loop over the blocks remembers. */
struct sight {
	const uint8_t *bytes; /* that the window has: n from off on */
	uint64_t off, n;
	struct bddf_plain_time time; /* of the block before */
	struct bddf_dialect dialect;
};

/* Decode a DataDescriptor in the form that writers use; false: it has another
 * form, or no valid time. */
static inline bool
plain_data(const uint8_t *p, uint32_t size, struct bddf_plain_time *before,
    struct usual *out)
{
	uint64_t series = 0, nanos, extra;
	const uint8_t *stop = p + size;
	const uint8_t *time = bddf_plain_number(p, 0x08, &series);
	const uint8_t *end = bddf_plain_time(time, 0x12, before, &nanos);

	if (end == time || series > UINT32_MAX || nanos >= 1000000000)
		return false;
	/* A number that is padded, or 0, is odd (bddf_odd.c). */
	if (end[-1] == 0 || (time != p && time[-1] == 0))
		return false;
	out->n_extra = 0;
	if (bddf_plain_list(end, stop) && end[1] > 0) {
		for (end += 2; end != NULL && end < stop; out->n_extra++) {
			const uint8_t *at = end;

			end = bddf_plain_varint(at, &extra);
			if (end != NULL && end - at > 1 && end[-1] == 0)
				return false;
		}
	}
	out->series = (uint32_t)series;
	out->at.sec = (int64_t)before->sec.value;
	out->at.nanos = (uint32_t)nanos;
	out->at.known = true;
	return end == stop;
}

/* Decode a DataDescriptor in any form; false: something is unusual. */
static bool
usual_data(const uint8_t *p, uint32_t size, struct usual *out)
{
	struct bddf_data d;

	if (bddf_data_get(p, size, size, &d, NULL, NULL) != BDDF_WHOLE
	    || !d.has_time || d.strange || d.odd || !bddf_data_time_ok(&d))
		return false;
	out->series = d.series;
	out->n_extra = d.n_extra;
	out->at = (struct slv_moment){ d.sec, (uint32_t)d.nanos, true };
	return true;
}

/* The n bytes at off, and what the window has after them. */
static inline enum slv_status
see(const struct slv_scan *s, struct sight *v, uint64_t off, size_t n,
    const uint8_t **out, struct slv_err *err)
{
	uint64_t skip = off - v->off;

	if (skip <= v->n && n <= v->n - skip) {
		*out = v->bytes + skip;
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(s->window, off, n, out, err));
	v->bytes = *out;
	v->off = off;
	v->n = slv_window_reach(s->window, off, n);
	return SLV_OK;
}

/* Whether a data block with nothing unusual begins at off and ends inside the
 * log. */
static inline enum slv_status
look(const struct slv_scan *s, struct sight *v, uint64_t off, struct usual *out,
    bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t there = s->logical_end - off;
	size_t n = there < LOOK ? (size_t)there : LOOK;
	struct bddf_head head;
	const uint8_t *p;
	uint32_t size;
	bool plain;

	*yes = false;
	if (n < DATA_HEAD)
		return SLV_OK;
	SLV_TRY(see(s, v, off, n, &p, err));
	head = bddf_head_get(v->dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (head.type != BDDF_DATA || size == 0 || size > BDDF_DD_MAX
	    || size > head.size || bddf_head_span(head) > there
	    || memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0)
		return SLV_OK;
	plain = DATA_HEAD + size + BDDF_PLAIN_SLACK <= n
	    && plain_data(p + DATA_HEAD, size, &v->time, out);
	if (!plain)
		SLV_TRY(see(s, v, off + DATA_HEAD, size, &p, err));
	*yes = (plain || usual_data(p, size, out)) && out->series < b->n_series
	    && b->series[out->series].declared
	    && b->series[out->series].n_names == out->n_extra;
	out->off = off;
	out->len = bddf_head_span(head);
	out->size = size;
	return SLV_OK;
}

/* The blocks from off on, up to MANY and until one reaches upto, that are
 * confirmed by the next one, and that one's size by one more. */
static enum slv_status
look_ahead(struct slv_scan *s, struct sight *v, uint64_t off, uint64_t upto,
    struct usual *out, size_t *n, struct slv_err *err)
{
	uint64_t ahead = slv_mends_ahead(s->opt.mends, off);
	bool yes;

	for (*n = 0;; ++*n) {
		struct usual *one = &out[*n];

		if (off >= ahead)
			break;
		SLV_TRY(look(s, v, off, one, &yes, err));
		if (!yes)
			break;
		if (*n > 0 && one->at.sec != one[-1].at.sec
		    && bddf_clock_far(s, one[-1].at.sec, one->at.sec))
			break;
		if (*n == MANY
		    || (*n > 0 && one->off >= upto && one[-1].off >= upto)) {
			--*n;
			return SLV_OK;
		}
		off += one->len;
		slv_hasher_along(&s->hasher);
	}
	/* The size of the last block may be wrong, so it confirms neither itself
	 * nor the block before it. */
	*n -= *n < 2 ? *n : 2;
	return SLV_OK;
}

/* The era that the next blocks continue; NULL: use the full checks, because
 * something must be noted. */
static struct bddf_era *
present_era(const struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);

	if (b->n_eras == 0 || b->eras_full || !slv_gaps_quiet(&s->gaps))
		return NULL;
	return &b->eras[b->n_eras - 1];
}

/* Whether a time is of the era; 0 means that it was not set. */
static inline bool
goes_on(const struct slv_scan *s, const struct bddf_era *era, int64_t sec)
{
	return sec != 0
	    && (era->last == sec || !bddf_clock_far(s, era->last, sec));
}

/* Accept a block that is not older than its series, is in the same era, and has
 * no additional indexes; false: nothing was done. */
static inline bool
take_next(struct slv_scan *s, const struct usual *one, struct bddf_era *era)
{
	struct bddf_series *series = &bddf_of(s)->series[one->series];
	struct bddf_chunk *last = series->last;
	const struct bddf_entry entry = {
		.off = one->off,
		.sec = one->at.sec,
		.nanos = one->at.nanos,
	};

	if (last == NULL || last->whole != NULL
	    || !bddf_chunk_fits(last, &entry)
	    || last->at[last->n - 1].nanos == BDDF_NO_TIME || one->n_extra > 0
	    || !series->to.known || slv_moment_compare(one->at, series->to) < 0
	    || !goes_on(s, era, one->at.sec)
	    || !slv_gaps_tick(&s->gaps, one->series, one->at, one->len))
		return false;
	bddf_chunk_put(last, &entry);
	series->n++;
	series->bytes += one->len - DATA_HEAD - one->size;
	series->to = one->at;
	era->end = one->off + one->len;
	era->last = one->at.sec;
	era->n++;
	return true;
}

/* Accept any block. */
static enum slv_status
take_any(struct slv_scan *s, const struct usual *one, struct slv_err *err)
{
	struct bddf_data d = {
		.size = one->size,
		.series = one->series,
		.has_time = true,
		.sec = one->at.sec,
		.nanos = (int32_t)one->at.nanos,
		.n_extra = one->n_extra,
	};

	SLV_TRY(bddf_take(s, one->off, one->len, &d, one->at, err));
	return slv_gaps_block(&s->gaps, one->series, one->at, one->len, err);
}

static enum slv_status
take_all(
    struct slv_scan *s, const struct usual *at, size_t n, struct slv_err *err)
{
	struct bddf_era *era = present_era(s);

	for (size_t i = 0; i < n; i++) {
		slv_hasher_along(&s->hasher);
		if (era != NULL && take_next(s, &at[i], era))
			continue;
		SLV_TRY(take_any(s, &at[i], err));
		era = present_era(s);
	}
	return SLV_OK;
}

enum slv_status
bddf_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *run,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct sight sight = { .dialect = b->dialect };
	struct usual ahead[MANY + 1];
	size_t n;

	*run = (struct slv_run){ .tag = BDDF_TAG_DATA, .end = off };
	if (b->first.len == 0 || b->foreign || b->in_index)
		return SLV_OK;
	SLV_TRY(look_ahead(s, &sight, off, upto, ahead, &n, err));
	SLV_TRY(take_all(s, ahead, n, err));
	run->n = n;
	if (n > 0)
		run->end = b->data_end = ahead[n - 1].off + ahead[n - 1].len;
	return SLV_OK;
}
