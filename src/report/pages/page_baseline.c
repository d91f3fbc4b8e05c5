/* page_baseline.c - whether a file is what it was. */
#include <string.h>

#include "base/text/wrap.h"
#include "report/pages/pages.h"

#define RANGES_MAX 3 /* that are named, unless all are asked for */

const struct slv_problem_info *
slv_page_baseline_row(const struct slv_report *r)
{
	switch (r->against.verdict) {
	case SLV_BASELINE_NONE:
	case SLV_BASELINE_UNKNOWN:
	case SLV_BASELINE_SAME: return NULL;
	case SLV_BASELINE_DIFFERS:
		return &slv_baseline_problems[SLV_P_BASELINE_DIFFERS];
	case SLV_BASELINE_CHANGED:
		return &slv_baseline_problems[SLV_P_BASELINE_CHANGED];
	}
	return NULL;
}

/* " on 2026-03-01", where there is such a day. */
static void
put_day(struct slv_buf *out, const char *word, struct slv_moment since)
{
	struct slv_words day = slv_words_moment(since);

	if (slv_words_can_date(since))
		slv_buf_printf(out, " %s %.*s", word,
		    (int)strcspn(day.text, " "), day.text);
}

static void
put_range(struct slv_buf *out, const struct slv_report *r, size_t i)
{
	const struct slv_range *at = &r->against.ranges.at[i];

	slv_buf_printf(out, "bytes %s-%s are not what they were",
	    slv_words_count(at->off).text, slv_words_count(at->end - 1).text);
	put_day(out, "on", r->against.since);
	slv_buf_text(out, ": fetch them from a backup");
}

void
slv_page_against(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_ranges *set = &r->against.ranges;

	if (r->against.verdict == SLV_BASELINE_CHANGED) {
		slv_buf_text(out, "it was rewritten");
		put_day(out, "since", r->against.since);
	} else if (set->n > 0) {
		put_range(out, r, 0);
	}
	if (set->n > 1)
		slv_buf_printf(out, "; the first of %s such ranges",
		    slv_words_count(set->n).text);
}

void
slv_page_baseline(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	const struct slv_problem_info *row = slv_page_baseline_row(r);
	const struct slv_ranges *set = &r->against.ranges;
	size_t most = style->all || set->n <= RANGES_MAX ? set->n : RANGES_MAX;

	if (row == NULL)
		return;
	slv_buf_printf(
	    out, "  baseline: %s\n", slv_baseline_name(r->against.verdict));
	if (set->n == 0) {
		slv_buf_text(out, "    ");
		slv_page_against(out, r);
		slv_buf_printf(out, "  " SLV_RIGHT "[%s]\n", row->id);
	}
	for (size_t i = 0; i < most; i++) {
		slv_buf_text(out, "    ");
		put_range(out, r, i);
		slv_buf_printf(out, "  " SLV_RIGHT "[%s]\n", row->id);
	}
	if (most < set->n)
		slv_buf_printf(out, "    and %s: -v" SLV_RIGHT "[%s]\n",
		    slv_words_some(set->n - most, "more range").text, row->id);
}
