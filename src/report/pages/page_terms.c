/* page_terms.c - times and units of a log, in the words of its format. */
#include <stdio.h>

#include "report/pages/pages.h"

struct slv_words
slv_page_moment(const struct slv_report *r, struct slv_moment m)
{
	struct slv_words w;

	if (r->facts.undated && m.known)
		snprintf(w.text, sizeof(w.text), "%.3f s after the start",
		    (double)m.sec + m.nanos / 1e9);
	else
		snprintf(w.text, sizeof(w.text), "%.30s%s",
		    slv_words_moment(m).text,
		    slv_words_can_date(m) ? " UTC" : "");
	return w;
}

struct slv_words
slv_page_span(
    const struct slv_report *r, struct slv_moment first, struct slv_moment last)
{
	struct slv_words w;

	if (!r->facts.undated || !first.known || !last.known)
		return slv_words_span(first, last);
	snprintf(w.text, sizeof(w.text), "%.3f to %.40s",
	    (double)first.sec + first.nanos / 1e9,
	    slv_page_moment(r, last).text);
	return w;
}

const char *
slv_page_unit(const struct slv_report *r)
{
	return r->terms.unit != NULL ? r->terms.unit : "block";
}

struct slv_words
slv_page_units(const struct slv_report *r, uint64_t n)
{
	return slv_words_some(n, slv_page_unit(r));
}

const char *
slv_page_at_least(const struct slv_report *r)
{
	return r->units_lost > 0 && r->lost_loose ? "at least " : "";
}
