/* page_kept.c - how much of the recording there is: the second line. */
#include <stdio.h>

#include "report/pages/pages.h"

/* Whether units are lost of which nothing says how many there were. */
static bool
is_short(const struct slv_report *r)
{
	return r->facts.expected > 0
	    || (r->lost_loose
	        && (r->bytes[SLV_LOST] > 0 || r->state == SLV_STATE_LOSSY));
}

/* "83 %", rounded down, so that only all of it is 100 %. */
static struct slv_words
percent(uint64_t part, uint64_t whole)
{
	double share = 100 * ((double)part / (double)whole);
	/* Counts of a log that changed while it was read may be any. */
	unsigned n = share < 100 ? (unsigned)share : 100;
	struct slv_words w;

	if (part < whole && n > 99)
		n = 99;
	snprintf(w.text, sizeof(w.text), "%s%u %%",
	    n == 0 && part > 0 ? "under " : "", n == 0 && part > 0 ? 1 : n);
	return w;
}

/* The share, which is that of the bytes where nothing says how many units there
 * were. */
static void
put_percent(struct slv_buf *out, const struct slv_report *r)
{
	uint64_t kept = r->units_kept, all = kept + r->units_lost;
	bool loose = r->lost_loose || r->units_lost == 0;

	if (r->facts.expected > 0 && loose)
		slv_buf_printf(
		    out, " (%.1f %% of the bytes)", slv_report_percent(r));
	else if (r->units_lost > 0)
		slv_buf_printf(out, " (%s%s)", loose ? "up to " : "",
		    percent(kept, all).text);
}

/* "keeps 124 of 150 messages (82 %)" */
static void
put_share(struct slv_buf *out, const struct slv_report *r)
{
	uint64_t kept = r->units_kept;

	slv_buf_printf(out, "keeps %s of %s%s", slv_words_count(kept).text,
	    slv_page_at_least(r), slv_page_units(r, kept + r->units_lost).text);
	put_percent(out, r);
}

/* The same, where no unit is known to be lost.  Where other bytes are, or those
 * of another recording, "all" alone would contradict the verdict. */
static void
put_whole(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_words units = slv_page_units(r, r->units_kept);
	const char *but = NULL;

	if (r->contradicted)
		but = ", at least 1 byte wrong or missing";
	else if (is_short(r))
		but = ", an unknown number lost";
	else if (r->lost_loose || r->units_unsure > 0
	    || r->end == SLV_END_UNKNOWN)
		but = ", none known lost";
	if (but != NULL) {
		slv_buf_printf(out, "keeps %s", units.text);
		put_percent(out, r);
		slv_buf_text(out, but);
		return;
	}
	slv_buf_printf(out, "keeps all %s (100 %%)", units.text);
	if (r->bytes[SLV_LOST] > 0 || r->wanted != NULL
	    || (r->state == SLV_STATE_LOSSY && r->bytes[SLV_FOREIGN] == 0))
		slv_buf_text(out, ", only other data lost");
}

/* How many other logs the file holds. */
static void
put_others(struct slv_buf *out, const struct slv_report *r)
{
	const char *before = " in the file (";

	if (r->n_others == 0)
		return;
	slv_buf_printf(
	    out, "; %s", slv_words_some(r->n_others, "other log").text);
	for (size_t i = 0; i < r->n_others; i++) {
		size_t j = 0;

		while (r->others[j].format != r->others[i].format)
			j++;
		if (j < i)
			continue;
		slv_buf_printf(out, "%s%s", before, r->others[i].title);
		before = ", ";
	}
	slv_buf_text(out, ")");
}

static void
put_amount(struct slv_buf *out, const struct slv_report *r)
{
	if (slv_page_is_sound(r) || r->state == SLV_STATE_UNSUPPORTED)
		slv_buf_printf(
		    out, "holds %s", slv_page_units(r, r->units_kept).text);
	else if (r->state == SLV_STATE_ACTIVE)
		slv_buf_printf(out, "holds %s so far",
		    slv_page_units(r, r->units_kept).text);
	else if (r->units_lost > 0)
		put_share(out, r);
	else
		put_whole(out, r);
}

/* From when to when it is; in little room only when it began, to the second. */
static void
put_times(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	struct slv_words span = slv_page_span(r, r->first, r->last);
	struct slv_moment begin = r->first;

	if (span.text[0] == '\0')
		return;
	if (style->tight && slv_words_can_date(begin) && !r->facts.undated)
		slv_buf_printf(
		    out, ", %.19s UTC", slv_words_moment(begin).text);
	else if (!style->tight)
		slv_buf_printf(out, ", %s", span.text);
}

void
slv_page_kept(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	if (r->format == NULL || r->err.code != SLV_OK
	    || (r->state == SLV_STATE_UNSUPPORTED && r->units_kept == 0))
		return;
	slv_buf_text(out, "  ");
	put_amount(out, r);
	if (r->units_unsure > 0 && !slv_page_is_sound(r))
		slv_buf_printf(out, ", %s of them unsure",
		    slv_words_count(r->units_unsure).text);
	put_times(out, r, style);
	put_others(out, r);
	if (slv_page_is_sound(r) && r->end == SLV_END_UNKNOWN)
		slv_buf_text(out, "; end unknown");
	slv_buf_text(out, "\n");
}
