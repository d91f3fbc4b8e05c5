/* gain.c - what a reading of the log recovers, and which of two is better. */
#include "job/readings/gain.h"

#include "core/readings/repeats.h"

/* Whether something that was recorded may be missing, though no byte of it is
 * there. */
static bool
is_torn(const struct slv_catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->at[i].fate == SLV_REBUILT
		    && slv_extent_is_torn(&c->at[i]))
			return true;
	}
	return false;
}

struct slv_gain
slv_gain_of(const struct slv_scan *s)
{
	return (struct slv_gain){
		.recognised = s->format != NULL,
		.proven = s->seal.as_is >= SLV_SEAL_FIELD,
		.sound = slv_scan_is_sound(s),
		.wanting = s->absent || s->surplus || s->units_lost > 0,
		.torn = is_torn(&s->catalog),
		.out = s->catalog.sums[SLV_LOST] + s->catalog.sums[SLV_FOREIGN],
		.kept = s->units_kept,
	};
}

bool
slv_gain_is_better(
    const struct slv_gain *a, const struct slv_gain *b, bool mixed)
{
	if (a->recognised != b->recognised)
		return a->recognised;
	if (a->proven != b->proven)
		return a->proven;
	if (a->sound != b->sound)
		return a->sound;
	if (mixed)
		return true;
	if (a->out != b->out)
		return a->out < b->out;
	return a->kept > b->kept;
}

void
slv_gain_note(struct slv_audit *a, const char *reading,
    const struct slv_gain *g, bool taken)
{
	if (a->n_attempts == SLV_ATTEMPTS)
		return;
	a->attempts[a->n_attempts++] = (struct slv_attempt){
		.reading = reading,
		.out = g->out,
		.kept = g->kept,
		.proven = g->proven,
		.taken = taken,
	};
}
