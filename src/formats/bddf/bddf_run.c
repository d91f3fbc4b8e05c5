/* bddf_run.c - blocks of data, one behind the other, without a surprise.
 *
 * Most of a log is that.  Each head is decoded once, as what vouches for the
 * block before it and then as a block; whatever is not as usual is left to
 * those who look closer.  So many blocks pass here that what a call would
 * mostly find nothing to do about is compared in place.
 */
#include <string.h>

#include "formats/bddf/bddf_clock.h"
#include "formats/bddf/bddf_plain.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define LOOK      64 /* bytes: with most DataDescriptors, and slack */

/* A block of data with nothing to say about it. */
struct usual {
	uint64_t off, end; /* in the input */
	struct bddf_data data;
};

/* Decode a DataDescriptor as writers write it; false: it is another one, or
 * its time is none. */
static inline bool
plain_data(const uint8_t *p, uint32_t size, struct bddf_plain_sec *sec,
    struct bddf_data *d)
{
	uint64_t series = 0, nanos, extra;
	uint32_t n = 0;
	const uint8_t *stop = p + size;
	const uint8_t *time = bddf_plain_number(p, 0x08, &series);
	const uint8_t *end = bddf_plain_time(time, 0x12, sec, &nanos);

	if (end == time || series > UINT32_MAX || nanos >= 1000000000)
		return false;
	if (bddf_plain_list(end, stop)) {
		for (end += 2; end != NULL && end < stop; n++)
			end = bddf_plain_varint(end, &extra);
	}
	*d = (struct bddf_data){
		.size = size,
		.series = (uint32_t)series,
		.has_time = true,
		.sec = (int64_t)sec->value,
		.nanos = (int32_t)nanos,
		.n_extra = n,
	};
	return end == stop;
}

/* The same of any. */
static bool
usual_data(const uint8_t *p, uint32_t size, struct bddf_data *d)
{
	return bddf_data_get(p, size, size, d, NULL, NULL) == BDDF_WHOLE
	    && d->has_time && !d->strange && bddf_data_time_ok(d);
}

/* Whether a block of data begins at off, inside the log and with nothing to
 * say about it. */
static inline enum slv_status
look(struct slv_scan *s, uint64_t off, struct bddf_plain_sec *sec,
    struct usual *out, bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_data *d = &out->data;
	uint64_t there = s->logical_end - off;
	size_t n = there < LOOK ? (size_t)there : LOOK;
	struct bddf_head head;
	const uint8_t *p;
	uint32_t size;
	bool plain;

	*yes = false;
	if (n < DATA_HEAD)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off, n, &p, err));
	head = bddf_head_get(b->dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (head.type != BDDF_DATA || size == 0 || size > BDDF_DD_MAX
	    || size > head.size || bddf_head_span(head) > there
	    || memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0)
		return SLV_OK;
	plain = DATA_HEAD + size + BDDF_PLAIN_SLACK <= n
	    && plain_data(p + DATA_HEAD, size, sec, d);
	if (!plain)
		SLV_TRY(slv_window_view(
		    &s->window, off + DATA_HEAD, size, &p, err));
	*yes = (plain || usual_data(p, size, d)) && d->series < b->n_series
	    && b->series[d->series].declared
	    && b->series[d->series].n_names == d->n_extra;
	out->off = off;
	out->end = off + bddf_head_span(head);
	return SLV_OK;
}

/* Whether a time is of the last era; 0 is one that nobody set. */
static inline bool
goes_on(const struct slv_scan *s, int64_t sec)
{
	const struct bddf *b = bddf_of(s);
	int64_t last;

	if (b->n_eras == 0 || b->eras_full || sec == 0)
		return false;
	last = b->eras[b->n_eras - 1].last;
	return last == sec || !bddf_clock_far(s, last, sec);
}

/* Take down a block that is not before any of its series, nor in another era,
 * and has no additional indexes; false: nothing was done. */
static inline bool
take_next(struct slv_scan *s, const struct usual *one, struct slv_moment at)
{
	struct bddf *b = bddf_of(s);
	struct bddf_series *series = &b->series[one->data.series];
	struct bddf_chunk *last = series->last;
	uint64_t len = one->end - one->off;
	struct bddf_era *era;

	if (last == NULL || last->n == last->cap
	    || last->at[last->n - 1].nanos == BDDF_NO_TIME
	    || one->data.n_extra > 0 || !series->to.known
	    || slv_moment_compare(at, series->to) < 0 || !goes_on(s, at.sec)
	    || !slv_gaps_tick(&s->gaps, one->data.series, at, len))
		return false;
	last->at[last->n++] = (struct bddf_entry){
		.off = one->off,
		.sec = at.sec,
		.nanos = at.nanos,
	};
	series->n++;
	series->bytes += len - DATA_HEAD - one->data.size;
	series->to = at;
	era = &b->eras[b->n_eras - 1];
	era->end = one->end;
	era->last = at.sec;
	era->n++;
	return true;
}

static inline enum slv_status
take(struct slv_scan *s, const struct usual *one, struct slv_err *err)
{
	uint64_t len = one->end - one->off;
	struct slv_moment at = {
		.known = true,
		.sec = one->data.sec,
		.nanos = (uint32_t)one->data.nanos,
	};

	if (take_next(s, one, at))
		return SLV_OK;
	SLV_TRY(bddf_take(s, one->off, len, &one->data, at, err));
	return slv_gaps_block(&s->gaps, one->data.series, at, len, err);
}

enum slv_status
bddf_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *run,
    struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	struct bddf_plain_sec sec = { 0 };
	struct usual both[2], *now = both, *next = both + 1, *done;
	uint64_t at = off, ahead = slv_mends_ahead(s->opt.mends, off);
	bool yes;

	*run = (struct slv_run){ .kind = bddf_kind_data, .end = off };
	if (b->first.len == 0 || b->foreign || b->in_index)
		return SLV_OK;
	for (;;) {
		if (at >= ahead)
			return SLV_OK;
		SLV_TRY(look(s, at, &sec, next, &yes, err));
		if (!yes)
			return SLV_OK;
		/* It vouches for the one before it. */
		if (at > off) {
			if (next->data.sec != now->data.sec
			    && bddf_clock_far(s, now->data.sec, next->data.sec))
				return SLV_OK;
			SLV_TRY(take(s, now, err));
			run->n++;
			run->end = b->data_end = at;
		}
		if (at >= upto)
			return SLV_OK;
		at = next->end;
		done = now;
		now = next;
		next = done;
	}
}
