/* page_segments.c - the logs that were joined: the worst of them, or all. */
#include "report/pages/pages.h"

#include "base/text/wrap.h"

#define LISTED 3 /* damaged ones, unless all are wanted */

static void
put_segment(struct slv_buf *out, const struct slv_report *r)
{
	slv_buf_text(out, "  of " SLV_HANG);
	slv_page_escaped(out, r->file);
	slv_buf_printf(out, ": %s, ",
	    slv_page_is_sound(r)              ? slv_page_verdict(r).text
	        : r->state == SLV_STATE_LOSSY ? "damaged, with losses"
	                                      : "damaged");
	if (r->units_lost > 0)
		slv_buf_printf(out, "%s of %s",
		    slv_words_count(r->units_kept).text, slv_page_at_least(r));
	slv_buf_printf(
	    out, "%s\n", slv_page_units(r, r->units_kept + r->units_lost).text);
}

void
slv_page_segments(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	size_t n = 0, damaged = 0;

	for (size_t i = 0; i < r->n_segments; i++) {
		const struct slv_report *s = r->segments[i];
		bool sound = slv_page_is_sound(s);

		damaged += !sound;
		if (!style->all && (sound || n == LISTED))
			continue;
		n++;
		put_segment(out, s);
		if (style->all)
			slv_page_findings(out, s);
	}
	if (n < damaged)
		slv_buf_printf(out, "  and of %s that %s damaged, too: -v\n",
		    slv_words_some(damaged - n, "other").text,
		    damaged - n > 1 ? "are" : "is");
}
