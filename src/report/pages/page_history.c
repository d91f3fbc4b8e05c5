/* page_history.c - what an earlier repair of a log has cost.
 *
 * A digest that salvor has computed says nothing about what was lost before,
 * nor about what the writer's own digest contradicted.
 */
#include "report/pages/pages.h"

#include "report/text/words.h"

static const char *
nothing_lost(const struct slv_history *h)
{
	if (h->contradicted)
		return "none known";
	if (!h->lost_exact)
		return "an unknown amount";
	return h->lossy ? "0 bytes" : "nothing that was in the file";
}

static const char *
when(const struct slv_history *h)
{
	if (h->changed)
		return "earlier, if this is the log that was repaired then";
	return h->exported ? "when it was exported" : "when it was repaired";
}

void
slv_page_history(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_history *h = &r->history;

	if (!slv_report_has_history(r))
		return;
	if (h->contradicted)
		slv_buf_printf(out,
		    "  contradicted %s: the %s that the "
		    "writer left covers other bytes than those kept\n",
		    when(h), slv_page_digest(r));
	slv_buf_printf(out, "  lost %s: ", when(h));
	if (h->lost_bytes > 0 || h->lost_units == 0)
		slv_buf_text(out,
		    h->lost_bytes > 0
		        ? slv_words_some(h->lost_bytes, "byte").text
		        : nothing_lost(h));
	if (h->lost_units > 0)
		slv_buf_printf(out, "%s%s%s", h->lost_bytes > 0 ? " in " : "",
		    h->lost_exact ? "" : "at least ",
		    slv_page_units(r, h->lost_units).text);
	if (h->unsure_units > 0)
		slv_buf_printf(out, "; %s kept may not be what was recorded",
		    slv_page_units(r, h->unsure_units).text);
	if (h->foreign_bytes > 0)
		slv_buf_printf(out, ", and %s of another recording",
		    slv_words_some(h->foreign_bytes, "byte").text);
	if (h->open_end)
		slv_buf_text(out, "; where the recording ended was not known");
	slv_buf_text(out, ", says ");
	if (r->n_segments > 0)
		slv_buf_text(out, "what is known of these logs");
	else if (h->noted)
		slv_buf_text(out, "the log itself");
	else
		slv_page_escaped(out, r->history_path);
	slv_buf_text(out, "\n");
}
