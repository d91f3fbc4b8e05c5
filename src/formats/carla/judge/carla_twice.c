/* carla_twice.c - a range that is in the log twice.
 *
 * A copy that was resumed too early repeats bytes that were already written:
 *
 *	... E F | F' G'  with F cut at |, and bytes from before | repeated from F'
 *
 * The walk continues at the start of a frame.  So the range that it leaves out may
 * begin with the first bytes of the data after it, and end with the last bytes of the
 * data before it.  Each frame has a number, so that no two are equal: such a range was
 * never recorded.
 */
#include "base/bytes.h"
#include "core/compare.h"
#include "formats/carla/carla_state.h"

#define RUNS                                                                   \
	64 /* that are looked at; where there are more the file is damaged
                 * otherwise */

/* Whether all bytes of [off, off + len) are kept. */
static bool
is_kept(const struct slv_scan *s, uint64_t off, uint64_t len)
{
	const struct slv_catalog *c = &s->catalog;

	if (len == 0)
		return true;
	if (!slv_range_in(off, len, c->end))
		return false;
	for (size_t i = slv_catalog_find(c, off);
	     i < c->n && c->at[i].off < off + len; i++) {
		if (c->at[i].fate != SLV_KEPT)
			return false;
	}
	return true;
}

/* Whether the range is a copy of the bytes after it, followed by one of the bytes before
 * it. */
static enum slv_status
is_twice(const struct slv_scan *s, struct slv_range r, bool *yes,
    struct slv_err *err)
{
	uint64_t len = r.end - r.off, ahead = 0, back, same = 0;

	*yes = false;
	if (r.end < s->source->size)
		SLV_TRY(slv_compare(s, r.off, r.end, len, &ahead, err));
	back = len - ahead;
	if (back > r.off - s->base)
		return SLV_OK;
	if (back > 0)
		SLV_TRY(slv_compare(
		    s, r.off + ahead, r.off - back, back, &same, err));
	*yes = same == back && is_kept(s, r.end, ahead)
	    && is_kept(s, r.off - back, back);
	return SLV_OK;
}

/* The next run of lost extents, from number *i on. */
static bool
next_run(const struct slv_catalog *c, size_t *i, struct slv_range *out)
{
	while (*i < c->n && c->at[*i].fate != SLV_LOST)
		++*i;
	if (*i == c->n)
		return false;
	out->off = c->at[*i].off;
	while (*i < c->n && c->at[*i].fate == SLV_LOST)
		++*i;
	out->end = *i < c->n ? c->at[*i].off : c->end;
	return true;
}

/* Mark all that is left out as padding: it was never recorded. */
static enum slv_status
acquit(struct slv_scan *s, const struct slv_range *runs, size_t n,
    struct slv_err *err)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t len = runs[i].end - runs[i].off;

		SLV_TRY(slv_catalog_queue(
		    &s->catalog, runs[i].off, len, SLV_FILLER, err));
		SLV_TRY(carla_problem(
		    s, CARLA_P_TWICE, runs[i].off, len, 0, 0, err));
	}
	s->units_lost = s->units_suspect = 0;
	s->lost_loose = false;
	for (size_t i = 0; i < s->n_kinds; i++)
		s->kinds[i].lost = 0;
	return slv_catalog_apply(&s->catalog, err);
}

enum slv_status
carla_twice(struct slv_scan *s, struct slv_err *err)
{
	struct slv_range runs[RUNS];
	size_t n = 0, i = 0;
	bool yes = true;

	if (s->reference != NULL || s->source->unreadable.n > 0)
		return SLV_OK;
	while (yes && n < RUNS && next_run(&s->catalog, &i, &runs[n]))
		SLV_TRY(is_twice(s, runs[n++], &yes, err));
	if (!yes || n == 0 || n == RUNS)
		return SLV_OK;
	return acquit(s, runs, n, err);
}
