/* bddf_over.c - a log that was written over an older, longer one.
 *
 * A recorder that opens an existing file without truncating it, or a file system
 * that gives a new file the blocks of an old one, leaves the older log's tail
 * with its index and its digest.  These name blocks of the older log that the
 * newer one has overwritten.  The log that begins the file wins: what follows it
 * is another recording, index included.
 */
#include "formats/bddf/judge/bddf_clock.h"

/* Whether the file is kept without a gap from its first byte up to `end`. */
static bool
is_kept_upto(const struct slv_catalog *c, uint64_t end)
{
	for (size_t i = 0; i < c->n && c->at[i].off < end; i++) {
		if (c->at[i].fate != SLV_KEPT)
			return false;
	}
	return true;
}

/* Whether an index names blocks before `end`, and none of them is there. */
static bool
misses_all(const struct bddf_knowledge *k, uint64_t end)
{
	bool any = false;

	for (size_t i = 0; i < k->n && k->at[i].off < end; i++) {
		if (k->at[i].kind != BDDF_K_DATA)
			continue;
		if (k->at[i].found)
			return false;
		any = true;
	}
	return any;
}

/* Whether the index is of an older log, and time never comes back to the first
 * era. */
static bool
is_older_index(const struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_era *first = &b->eras[0];
	bool older = false;

	for (size_t i = 1; i < b->n_eras; i++) {
		const struct bddf_era *e = &b->eras[i];

		if (!bddf_clock_far(s, e->first, first->last)
		    || !bddf_clock_far(s, e->last, first->first))
			return false;
		older |= e->vouched && e->last < first->first;
	}
	return older;
}

enum slv_status
bddf_written_over(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct slv_aside a = {
		.end = s->source->size,
		.fate = SLV_FOREIGN,
		.problem = { .info = &bddf_problems[BDDF_P_WRITTEN_OVER] },
	};

	*yes = b->n_eras > 1 && !b->eras_full && b->eras[0].n > 1
	    && !b->eras[0].vouched && !(s->opt.keep & SLV_KEEP_SUSPECT)
	    && is_kept_upto(&s->catalog, b->eras[0].end)
	    && misses_all(k, b->eras[0].end) && is_older_index(s);
	if (!*yes)
		return SLV_OK;
	a.off = b->eras[1].off;
	a.problem.got = (uint64_t)b->eras[0].first - (uint64_t)b->eras[1].first;
	return slv_mends_add_aside(out, &a, err);
}
