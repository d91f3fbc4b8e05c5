/* page_undo.c - what became of a repair in place that was to be undone. */
#include "report/pages.h"

#include "report/words.h"

static const char *
record_in_words(const struct slv_report *r)
{
	if (r->in_place.discarded)
		return "  the repair can no longer be taken back: removed ";
	return "  removed ";
}

void
slv_page_undo(struct slv_buf *out, const struct slv_report *r)
{
	bool planned = r->outcome == SLV_OUT_PLANNED;
	const char *how = r->in_place.discarded ? "is as the repair left it"
	    : planned ? "would be as it was before the repair"
	              : "is as it was before the repair";

	slv_page_escaped(out, r->output);
	slv_buf_printf(
	    out, ": %s: %s", how, slv_words_some(r->output_size, "byte").text);
	if (r->in_place.exact)
		slv_buf_text(out, "; its SHA-1 confirms every byte");
	else if (!r->in_place.discarded && !planned)
		slv_buf_text(
		    out, ", but other bytes of it have been changed since");
	slv_buf_text(out, "\n");
	if (planned)
		return;
	slv_buf_text(out, record_in_words(r));
	slv_page_escaped(out, r->in_place.record);
	slv_buf_text(out, "\n");
}
