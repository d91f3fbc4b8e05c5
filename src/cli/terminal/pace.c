/* pace.c - when to show how far the work has come, and where. */
#include "cli/terminal/pace.h"

#include <stdlib.h>

#include "cli/signals.h"
#include "cli/terminal/term.h"

#define PATIENCE 1.0 /* seconds before the first line */
#define PAUSE    0.2 /* seconds between two that are redrawn */
#define STRIDE   3.0 /* seconds between two that stay */

void
slv_pace_begin(struct slv_pace *p, const struct slv_args *args)
{
	bool can = slv_term_can_redraw();

	*p = (struct slv_pace){
		.draws = can && args->quiet == 0,
		.lines = !can && args->progress,
		.began = slv_clock(),
	};
	p->shown = p->lines ? p->began : p->shown;
}

bool
slv_pace_cares(const struct slv_pace *p)
{
	return p->draws || p->lines || slv_signal_asked != 0;
}

bool
slv_pace_is_due(const struct slv_pace *p, struct timespec now)
{
	double pause = p->lines ? STRIDE : PAUSE;

	if (slv_signal_asked != 0)
		return true;
	return (p->draws || p->lines)
	    && slv_clock_seconds(p->began, now) >= PATIENCE
	    && slv_clock_seconds(p->shown, now) >= pause;
}

void
slv_pace_show(struct slv_pace *p, struct timespec now, char *line)
{
	if (line != NULL && (slv_signal_asked != 0 || p->lines))
		slv_term_error("%s", line);
	else if (line != NULL)
		slv_term_redraw(line);
	slv_free(line);
	p->shown = now;
	slv_signal_asked = 0;
}
