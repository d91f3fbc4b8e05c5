/* resync.c - after damage, find where the log continues. */
#include "core/scan/resync.h"

#include "base/bytes.h"
#include "base/find.h"

#define HOLE_EDGE   ((uint64_t)64 << 10) /* bytes; longer than any mark */
#define STRETCH     ((uint64_t)1 << 20)  /* bytes searched at once */
#define PEEK        16                   /* bytes; most marks are shorter */
#define EFFORT      16                   /* looks per byte, on average */
#define EFFORT_BASE ((uint64_t)1 << 20)  /* looks, for small files */
#define FOUND_TIMES 4 /* as many, where each search finds something */

/* Return true if a chain of good units begins at off.  The end of the available
 * bytes confirms as well as another unit. */
static enum slv_status
confirm(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    bool *yes, struct slv_err *err)
{
	const struct slv_mends *known = s->opt.mends;

	*yes = false;
	if (known != NULL && slv_ranges_hit(&known->barred, off, 1))
		return SLV_OK;
	for (unsigned i = 0; i < s->format->chain; i++) {
		struct slv_unit u = { 0 };

		if (i > 0 && off >= s->logical_end)
			break;
		SLV_TRY(s->format->unit(s, off, asking, &u, err));
		if (u.verdict == SLV_UNIT_SHORT && i > 0)
			break;
		if (u.verdict != SLV_UNIT_GOOD)
			return SLV_OK;
		if (u.ends || u.sure || u.fate == SLV_FOREIGN)
			break;
		if (known != NULL && slv_ranges_hit(&known->trusted, off, 1))
			break;
		off += u.len;
	}
	*yes = true;
	return SLV_OK;
}

/* Pass over the zeros at `from`, but for their end: no mark is in them. */
static enum slv_status
pass_zeros(const struct slv_scan *s, uint64_t from, uint64_t to, uint64_t *out,
    struct slv_err *err)
{
	uint64_t end = from;
	const uint8_t *p;

	while (to - end >= HOLE_EDGE) {
		SLV_TRY(slv_window_view(s->window, end, PEEK, &p, err));
		if (!slv_is_zero(p, PEEK))
			break;
		SLV_TRY(slv_window_view(s->window, end, HOLE_EDGE, &p, err));
		if (!slv_is_zero(p, HOLE_EDGE))
			break;
		end += HOLE_EDGE;
	}
	*out = end - from > HOLE_EDGE ? end - HOLE_EDGE : from;
	return SLV_OK;
}

/* The end of the next stretch to search from `from`; *out > from: nothing is before
 * that, because it is a hole, or zeros. */
static enum slv_status
next_stretch(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *upto, uint64_t *out, struct slv_err *err)
{
	const struct slv_range *hole =
	    slv_ranges_from(&s->holes, from + HOLE_EDGE);
	bool ahead = hole != NULL && hole->end > HOLE_EDGE
	    && slv_max64(from, hole->off) < to;

	*upto = from + slv_min64(to - from, STRETCH);
	if (ahead && hole->end - HOLE_EDGE > from && hole->off <= from) {
		*out = slv_min64(to, hole->end - HOLE_EDGE);
		return SLV_OK;
	}
	if (ahead && hole->end - hole->off > 2 * HOLE_EDGE)
		*upto = slv_min64(*upto, hole->off + HOLE_EDGE);
	return pass_zeros(s, from,
	    from + slv_min64(to - from, STRETCH + HOLE_EDGE), out, err);
}

/* The next mark; `meter` is told how far the search has come; NULL: nothing is. */
static enum slv_status
find_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    struct slv_meter *meter, uint64_t *out, struct slv_err *err)
{
	for (*out = from; from < to; from = *out) {
		uint64_t upto;

		SLV_TRY(slv_scan_go_on(s, err));
		slv_meter_at(meter, from);
		SLV_TRY(next_stretch(s, from, to, &upto, out, err));
		if (*out > from)
			continue;
		SLV_TRY(s->format->next_mark(s, from, upto, out, err));
		if (*out < upto)
			return SLV_OK;
		*out = upto;
	}
	return SLV_OK;
}

enum slv_status
slv_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	return find_mark(s, from, to, NULL, out, err);
}

static uint64_t
budget_of(const struct slv_scan *s)
{
	return EFFORT * s->source->size + EFFORT_BASE;
}

bool
slv_resync_is_spent(const struct slv_scan *s)
{
	return s->cache->searched / FOUND_TIMES > budget_of(s);
}

enum slv_status
slv_resync(const struct slv_scan *s, uint64_t from, uint64_t to,
    enum slv_asking asking, uint64_t *out, bool *spent, struct slv_err *err)
{
	uint64_t budget = budget_of(s);

	*spent = false;
	while (from < to) {
		uint64_t before;
		bool yes;

		SLV_TRY(find_mark(s, from, to, s->opt.meter, out, err));
		if (*out >= to)
			break;
		before = s->window->viewed;
		SLV_TRY(confirm(s, *out, asking, &yes, err));
		s->cache->searched += *out - from + s->window->viewed - before;
		if (yes)
			return SLV_OK;
		if (s->cache->searched > budget) {
			*spent = true;
			break;
		}
		from = *out + 1;
	}
	*out = to;
	return SLV_OK;
}
