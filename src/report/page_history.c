/* page_history.c - what an earlier repair of a sound log has cost.
 *
 * A digest that salvor made anew says nothing about what was lost before, nor
 * about what the writer's own digest contradicted.
 */
#include "report/pages.h"

#include "report/words.h"

static const char *
nothing_lost(const struct slv_history *h)
{
	if (h->contradicted)
		return "nothing that is known";
	return h->lossy ? "0 bytes" : "nothing that was in the file";
}

void
slv_page_history(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_history *h = &r->history;

	if (h->line == NULL)
		return;
	if (h->contradicted)
		slv_buf_printf(out,
		    "  contradicted when it was repaired: the %s that the "
		    "writer left covers other bytes than those kept\n",
		    slv_page_digest(r));
	slv_buf_text(out, "  lost when it was repaired: ");
	slv_buf_text(out,
	    h->lost_bytes > 0 ? slv_words_some(h->lost_bytes, "byte").text
	                      : nothing_lost(h));
	if (h->lost_units > 0)
		slv_buf_printf(out, " in %s%s",
		    h->lost_exact ? "" : "at least ",
		    slv_words_some(h->lost_units, "block").text);
	if (h->foreign_bytes > 0)
		slv_buf_printf(out, ", and %s of another recording",
		    slv_words_some(h->foreign_bytes, "byte").text);
	if (h->open_end)
		slv_buf_text(out, "; where the recording ended was not known");
	slv_buf_text(out, ", says ");
	slv_page_escaped(out, r->history_path);
	slv_buf_text(out, "\n");
}
