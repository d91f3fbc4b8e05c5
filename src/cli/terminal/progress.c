/* progress.c - how far the work has come, for somebody who waits. */
#include "cli/terminal/progress.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/text/amount.h"

#define SETTLED 0.25 /* seconds before a rate means something */

void
slv_watch_begin(struct slv_watch *w, size_t of, const struct slv_args *args)
{
	*w = (struct slv_watch){ .of = of };
	slv_pace_begin(&w->pace, args);
}

void
slv_watch_file(struct slv_watch *w, const char *file)
{
	w->nth++;
	w->file = file;
	w->in_phase = false;
}

static const char *
phase_in_words(enum slv_phase phase)
{
	switch (phase) {
	case SLV_PHASE_READ: return "reading";
	case SLV_PHASE_SEARCH: return "trying flipped bits of";
	case SLV_PHASE_SEAL: return "computing the digest of";
	case SLV_PHASE_PROVE: return "proving the plan for";
	case SLV_PHASE_WRITE: return "writing the repair of";
	case SLV_PHASE_COMPARE: return "comparing with the plan for";
	}
	return "?";
}

static void
put_left(struct slv_buf *out, double left)
{
	if (left < 100)
		slv_buf_printf(out, "%.0f s left, ", left);
	else if (left < 100 * 60)
		slv_buf_printf(out, "%.0f min left, ", left / 60);
	else if (left < 1e9)
		slv_buf_printf(out, "%.0f h left, ", left / 3600);
}

/* The name is last: where the line is too long, it is what is cut. */
static char *
line_of(const struct slv_watch *w, const struct slv_progress *p, double spent)
{
	struct slv_buf out = { 0 };
	char *name = slv_escape(w->file);

	if (w->of > 1)
		slv_buf_printf(&out, "[%zu of %zu] ", w->nth, w->of);
	if (p->total > 0)
		slv_buf_printf(&out, "%.0f %%, ",
		    (double)p->done * 100 / (double)p->total);
	slv_buf_printf(&out, "%s of %s, ", slv_amount(p->done).text,
	    slv_amount(p->total).text);
	if (spent >= SETTLED && p->done > 0) {
		double rate = (double)p->done / spent;

		slv_buf_printf(&out, "%s/s, ", slv_amount((uint64_t)rate).text);
		put_left(&out, (double)(p->total - p->done) / rate);
	}
	slv_buf_printf(
	    &out, "%s %s", phase_in_words(p->phase), name != NULL ? name : "?");
	slv_free(name);
	return slv_buf_take(&out);
}

void
slv_watch_progress(void *ctx, const struct slv_progress *p)
{
	struct slv_watch *w = ctx;
	struct timespec t;

	if (!slv_pace_cares(&w->pace))
		return;
	t = slv_clock();
	if (!w->in_phase || w->phase != p->phase || p->done == 0) {
		w->in_phase = true;
		w->phase = p->phase;
		w->phase_began = t;
	}
	if (slv_pace_is_due(&w->pace, t))
		slv_pace_show(&w->pace, t,
		    line_of(w, p, slv_clock_seconds(w->phase_began, t)));
}
