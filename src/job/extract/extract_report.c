/* extract_report.c - what became of several logs, in one report.
 *
 * Amounts are sums, and words are those of the worst of them; what is at a place of a
 * file, such as a finding, is in the report of that file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "job/extract/extract.h"

/* The worse of two states, of those that a log has after its audit. */
static enum slv_state
worse(enum slv_state a, enum slv_state b)
{
	static const enum slv_state order[] = {
		SLV_STATE_INTACT,
		SLV_STATE_REPAIRED,
		SLV_STATE_LOSSY,
	};

	for (size_t i = sizeof(order) / sizeof(*order); i > 0; i--) {
		if (a == order[i - 1] || b == order[i - 1])
			return order[i - 1];
	}
	return a;
}

/* What an earlier repair of one of them has lost. */
static enum slv_status
add_history(
    struct slv_history *to, const struct slv_report *r, struct slv_err *err)
{
	const struct slv_history *h = &r->history;

	if (!slv_report_has_history(r))
		return SLV_OK;
	to->confirmed = h->confirmed && (to->file == NULL || to->confirmed);
	if (to->file == NULL)
		to->file = slv_strdup(h->file != NULL ? h->file : r->file);
	if (to->file == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	/* None of their lines is about all of it. */
	to->noted = true;
	to->changed |= h->changed;
	to->lossy |= h->lossy;
	to->open_end |= h->open_end;
	to->contradicted |= h->contradicted;
	to->lost_bytes = slv_add64(to->lost_bytes, h->lost_bytes);
	to->lost_units = slv_add64(to->lost_units, h->lost_units);
	to->unsure_units = slv_add64(to->unsure_units, h->unsure_units);
	to->foreign_bytes = slv_add64(to->foreign_bytes, h->foreign_bytes);
	return SLV_OK;
}

static void
add_amounts(struct slv_report *to, const struct slv_report *r)
{
	to->size += r->size;
	for (int fate = 0; fate < SLV_FATES; fate++)
		to->bytes[fate] += r->bytes[fate];
	to->units_kept += r->units_kept;
	to->units_lost += r->units_lost;
	to->units_unsure += r->units_unsure;
	to->lost_loose |= r->lost_loose;
	to->contradicted |= r->contradicted;
	slv_moment_span(r->first, &to->first, &to->last);
	slv_moment_span(r->last, &to->first, &to->last);
}

static void
add_words(struct slv_work *to, const struct slv_work *w, bool first)
{
	struct slv_report *r = to->report;
	const struct slv_report *of = w->report;

	if (first) {
		to->audit.state = w->audit.state;
		to->audit.scan.end = w->audit.scan.end;
		r->format = of->format;
		r->title = of->title;
		r->terms = of->terms;
		r->assurance = of->assurance;
		r->end = of->end;
		r->repairable = of->repairable;
		return;
	}
	to->audit.state = worse(to->audit.state, w->audit.state);
	if (w->audit.scan.end < to->audit.scan.end)
		to->audit.scan.end = w->audit.scan.end;
	if (of->assurance < r->assurance)
		r->assurance = of->assurance;
	if (of->end < r->end)
		r->end = of->end;
	r->repairable &= of->repairable;
}

enum slv_status
slv_extract_report(struct slv_extract *x)
{
	struct slv_work *w = &x->own;
	struct slv_report *r = w->report;

	r->segments = slv_calloc(x->from.n, sizeof(*r->segments));
	if (r->segments == NULL)
		return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < x->from.n; i++) {
		struct slv_log *log = x->from.at[i].log;

		/* The log keeps using it until it is closed. */
		r->segments[r->n_segments++] = log->work.report;
		add_words(w, &log->work, i == 0);
		add_amounts(r, log->work.report);
		SLV_TRY(add_history(&r->history, log->work.report, &x->err));
	}
	w->st = x->from.at[0].log->work.st;
	w->original = x->from.at[0].log->work.original;
	snprintf(r->facts.digest, sizeof(r->facts.digest), "%s",
	    r->segments[0]->facts.digest);
	slv_work_settle(w);
	return SLV_OK;
}
