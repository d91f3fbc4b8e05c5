/* page_policy.c - whether a log keeps the caller's rules. */
#include <stdio.h>

#include "base/text/wrap.h"
#include "report/pages/pages.h"

#define BROKEN_MAX 3 /* rules that are named, unless all are asked for */

/* A number with no more digits than it needs. */
static struct slv_words
number(double n)
{
	struct slv_words w;

	snprintf(w.text, sizeof(w.text), "%.6g", n);
	return w;
}

/* "5.301 s", "2.5 min" */
static void
put_seconds(struct slv_buf *out, double seconds)
{
	if (seconds < 60)
		slv_buf_printf(out, "%s s", number(seconds).text);
	else if (seconds < 3600)
		slv_buf_printf(out, "%s min", number(seconds / 60).text);
	else
		slv_buf_printf(out, "%s h", number(seconds / 3600).text);
}

static void
put_gap(struct slv_buf *out, const struct slv_report *r,
    const struct slv_violation *v)
{
	bool day = slv_words_same_day(v->from, v->to);

	slv_buf_text(out, "no ");
	slv_buf_text(out, slv_page_unit(r));
	slv_buf_text(out, " for ");
	put_seconds(out, v->found);
	if (v->from.known && v->to.known)
		slv_buf_printf(out, ", %s to %s UTC",
		    slv_words_moment(v->from).text,
		    day ? slv_words_clock(v->to).text
		        : slv_words_moment(v->to).text);
	if (v->n > 1)
		slv_buf_printf(out, ", the longest of %s such gaps",
		    slv_words_count(v->n).text);
}

static void
put_lost(struct slv_buf *out, const struct slv_report *r,
    const struct slv_violation *v)
{
	bool parts = v->measure == SLV_IN_PERCENT;

	if (v->measure == SLV_IN_MESSAGES)
		slv_buf_printf(out, "%s%s lost; none may be",
		    slv_page_at_least(r),
		    slv_page_units(r, (uint64_t)v->found).text);
	else if (parts)
		slv_buf_printf(out, "%s %% lost; at most %s %% may be",
		    number(v->found).text, number(v->asked).text);
	else
		slv_buf_printf(out, "%s lost; at most %s may be",
		    slv_words_some((uint64_t)v->found, "byte").text,
		    slv_words_count((uint64_t)v->asked).text);
}

void
slv_page_violation(struct slv_buf *out, const struct slv_report *r,
    const struct slv_violation *v)
{
	const char *unit = slv_page_unit(r);

	if (v->channel != NULL) {
		slv_page_escaped(out, v->channel);
		slv_buf_text(out, ": ");
	}
	if (v->blind)
		slv_buf_text(out, "it has no times, so that this is unknown");
	else if (v->empty)
		slv_buf_printf(out, "not a single %s", unit);
	else if (v->measure == SLV_IN_SECONDS)
		put_gap(out, r, v);
	else if (v->measure == SLV_IN_HERTZ)
		slv_buf_printf(out, "%s %ss a second over the whole log",
		    number(v->found).text, unit);
	else
		put_lost(out, r, v);
	if (v->measure == SLV_IN_SECONDS) {
		slv_buf_text(out, "; at most ");
		put_seconds(out, v->asked);
		slv_buf_text(out, " without one is allowed");
	} else if (v->measure == SLV_IN_HERTZ) {
		slv_buf_printf(out, "; at least %s a second are asked for",
		    number(v->asked).text);
	}
}

void
slv_page_policy(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	size_t n = r->n_violations;
	size_t most = style->all || n <= BROKEN_MAX ? n : BROKEN_MAX;

	if (r->policy == SLV_POLICY_NONE)
		return;
	slv_buf_printf(out, "  policy: %s\n",
	    r->policy == SLV_POLICY_PASS ? "pass" : "fail");
	for (size_t i = 0; i < most; i++) {
		slv_buf_text(out, "    ");
		slv_page_violation(out, r, &r->violations[i]);
		slv_buf_printf(
		    out, SLV_RIGHT "[%s]\n", r->violations[i].info->id);
	}
	if (n > most)
		slv_buf_printf(out, "    and %s: -v\n",
		    slv_words_some(n - most, "more violation").text);
}
