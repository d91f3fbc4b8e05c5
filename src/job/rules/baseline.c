/* baseline.c - is the file what it was on an earlier day?
 *
 * The digests are computed in a pass of their own, because most jobs need none.
 */
#include "job/rules/baseline.h"

#include "core/digest/pieces.h"
#include "job/input/input.h"

/* Return true if nothing in the log proves its bytes, so that digests are worth
 * keeping.  Chunks that match their checksums are no proof: not everything is
 * in chunks. */
static bool
is_unproven(const struct slv_report *r)
{
	return r->format != NULL && r->assurance != SLV_BY_DIGEST;
}

/* Return true if it still has the earlier time. */
static bool
is_untouched(const struct slv_work *w)
{
	return w->opt->baseline->mtime_ns
	    == (int64_t)w->st.st_mtim.tv_sec * 1000000000
	    + w->st.st_mtim.tv_nsec;
}

static enum slv_status
compare(struct slv_work *w, const struct slv_buf *sums)
{
	const struct slv_baseline *was = w->opt->baseline;
	struct slv_against *a = &w->report->against;

	SLV_TRY(slv_pieces_compare(
	    was->sums, sums->at, w->source->size, &a->ranges, w->err));
	if (a->ranges.n == 0)
		a->verdict = SLV_BASELINE_SAME;
	else if (is_untouched(w))
		a->verdict = SLV_BASELINE_DIFFERS;
	else
		a->verdict = SLV_BASELINE_CHANGED;
	if (a->verdict == SLV_BASELINE_CHANGED)
		slv_ranges_free(&a->ranges);
	return SLV_OK;
}

/* Compute the digests, and compare them with earlier ones of as many bytes. */
static enum slv_status
look(struct slv_work *w, bool same_size, struct slv_buf *sums)
{
	SLV_TRY(
	    slv_pieces_sum(w->source, &w->meter, w->opt->cancel, sums, w->err));
	SLV_TRY(slv_work_unchanged(w, slv_active_change, w->err));
	return same_size ? compare(w, sums) : SLV_OK;
}

enum slv_status
slv_baseline_judge(struct slv_work *w)
{
	const struct slv_baseline *was = w->opt->baseline;
	struct slv_report *r = w->report;
	bool regular = S_ISREG(w->st.st_mode);
	bool known = was != NULL && was->sums != NULL && regular;
	bool same_size = known && was->size == w->source->size
	    && was->n_sums == slv_pieces(was->size) * SLV_PIECE_SUM;
	bool wanted = w->opt->digests && regular && is_unproven(r);
	struct slv_buf sums = { 0 };
	enum slv_status st;

	if (was != NULL)
		r->against.since = (struct slv_moment){ was->since, 0, known };
	if (known && was->size != w->source->size)
		r->against.verdict = SLV_BASELINE_CHANGED;
	if (!wanted && !same_size)
		return SLV_OK;
	st = look(w, same_size, &sums);
	/* Digests of damaged bytes would make them right ever after. */
	if (st == SLV_OK && wanted && w->source->unreadable.n == 0
	    && r->against.verdict != SLV_BASELINE_DIFFERS)
		r->sums = sums;
	else
		slv_buf_free(&sums);
	/* A file that changes during the job has no digests yet. */
	if (st != SLV_OK && was != NULL)
		r->against.verdict = SLV_BASELINE_UNKNOWN;
	return st;
}
