/* page_undo.c - what became of a repair in place that was to be undone. */
#include "report/pages/pages.h"

#include "report/text/words.h"

#define RANGES_MAX 3 /* of what is missing, one by one */

static const char *
how_in_words(const struct slv_report *r)
{
	bool planned = r->outcome == SLV_OUT_PLANNED;

	if (r->in_place.discarded)
		return "stays as it is";
	if (r->in_place.partly)
		return planned
		    ? "would be only in part as it was before the repair"
		    : "is only in part as it was before the repair";
	return planned ? "would be as it was before the repair"
	               : "is as it was before the repair";
}

/* What could not be put back. */
static void
put_missing(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_ranges *set = &r->in_place.missing;

	for (size_t i = 0; i < set->n && i < RANGES_MAX; i++) {
		const struct slv_range *at = &set->at[i];

		slv_buf_printf(out, "  %s ",
		    slv_words_some(at->end - at->off, "byte").text);
		slv_buf_printf(out,
		    "at %s cannot be put back: the file no longer has them, "
		    "and zeros take their place\n",
		    slv_words_count(at->off).text);
	}
	if (set->n > RANGES_MAX)
		slv_buf_printf(out, "  ... and %s more, %s in all\n",
		    slv_words_count(set->n - RANGES_MAX).text,
		    slv_words_some(slv_ranges_sum(set), "byte").text);
	if (set->n == 0)
		slv_buf_text(out,
		    "  other bytes of it have been changed since; it is "
		    "unknown which\n");
}

static void
put_record(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_in_place *p = &r->in_place;

	slv_buf_text(out,
	    p->discarded ? "  the repair can no longer be taken back: removed "
	        : p->partly ? "  the old bytes stay in "
	                    : "  removed ");
	slv_page_escaped(out, p->record);
	if (p->partly)
		slv_buf_text(out, "; \"undo --discard-undo\" removes it");
	slv_buf_text(out, "\n");
	if (p->unsaid != NULL) {
		slv_buf_text(out, "  removed ");
		slv_page_escaped(out, p->unsaid);
		slv_buf_text(out, ", the report of the repair\n");
	}
}

void
slv_page_undo(struct slv_buf *out, const struct slv_report *r)
{
	slv_page_escaped(out, r->output);
	slv_buf_printf(out, ": %s", how_in_words(r));
	if (!r->in_place.discarded)
		slv_buf_printf(
		    out, ": %s", slv_words_some(r->output_size, "byte").text);
	if (r->in_place.exact)
		slv_buf_text(out,
		    r->output_from > 0
		        ? "; the SHA-1 in the undo record confirms its end, "
		          "and "
		          "nothing else was changed"
		        : "; the SHA-1 in the undo record confirms every byte");
	slv_buf_text(out, "\n");
	if (r->in_place.partly)
		put_missing(out, r);
	if (r->outcome != SLV_OUT_PLANNED)
		put_record(out, r);
}
