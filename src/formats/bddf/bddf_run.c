/* bddf_run.c - blocks of data, one behind the other, without a surprise.
 *
 * Most of a log is that.  Each head is decoded once, as what vouches for the
 * block before it and then as a block; whatever is not as usual is left to
 * those who look closer.
 */
#include <string.h>

#include "formats/bddf/bddf_clock.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */

struct usual {
	uint64_t off, end; /* in the input */
	struct bddf_data data;
};

/* Whether a block of data begins at off, inside the log and with nothing to
 * say about it. */
static enum slv_status
look(struct slv_scan *s, uint64_t off, struct usual *out, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_data *d = &out->data;
	uint64_t there = s->logical_end - off;
	struct bddf_head head;
	const uint8_t *p;
	uint32_t size;

	*yes = false;
	if (there < DATA_HEAD)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off, DATA_HEAD, &p, err));
	head = bddf_head_get(b->dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (head.type != BDDF_DATA || size == 0 || size > BDDF_DD_MAX
	    || size > head.size || bddf_head_span(head) > there
	    || memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off + DATA_HEAD, size, &p, err));
	out->off = off;
	out->end = off + bddf_head_span(head);
	*yes =
	    bddf_data_get(p, size, size, &out->data, NULL, NULL) == BDDF_WHOLE
	    && d->has_time && !d->strange && bddf_data_time_ok(d)
	    && d->series < b->n_series && b->series[d->series].declared
	    && b->series[d->series].n_names == d->n_extra;
	return SLV_OK;
}

static enum slv_status
take(struct slv_scan *s, const struct usual *one, struct slv_err *err)
{
	struct slv_moment at = {
		.known = true,
		.sec = one->data.sec,
		.nanos = (uint32_t)one->data.nanos,
	};
	uint64_t len = one->end - one->off;

	SLV_TRY(bddf_take(s, one->off, len, &one->data, at, err));
	return slv_gaps_block(&s->gaps, one->data.series, at, len, err);
}

enum slv_status
bddf_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *run,
    struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	struct usual now, next;
	bool yes;

	*run = (struct slv_run){ .kind = bddf_kind_data, .end = off };
	if (b->first.len == 0 || b->foreign || b->in_index)
		return SLV_OK;
	SLV_TRY(look(s, off, &now, &yes, err));
	while (yes && now.off < upto) {
		SLV_TRY(look(s, now.end, &next, &yes, err));
		if (!yes || bddf_clock_far(s, now.data.sec, next.data.sec))
			break;
		SLV_TRY(take(s, &now, err));
		run->n++;
		run->end = b->data_end = now.end;
		now = next;
	}
	return SLV_OK;
}
