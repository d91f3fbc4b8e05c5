/* sequence_clock.c - what time it is at a message, for most streams.
 *
 * Each stream is earlier or later than the others by about the same time.  A message
 * that is not may be wrong; two of different streams in a row that agree are not.
 */
#include "support/sequence/sequence_parts.h"

/* us between two times, or differences of times, of which one may be 0. */
static uint64_t
apart(uint64_t a, uint64_t b)
{
	return slv_min64(a - b, b - a);
}

/* The time at this message for most streams, if this one is as far from it as it
 * usually is. */
static uint64_t
clock_by(const struct order *o, const struct slv_message *k)
{
	const struct course *c = &o->courses[k->stream];

	if (o->of->rules->slack > 0)
		return k->time;
	return c->n < 2 ? o->clock : k->time - c->lag;
}

/* Does the message show another time than those around it? */
bool
sequence_is_jump(const struct order *o, const struct slv_message *k)
{
	return o->clock != 0
	    && (apart(clock_by(o, k), o->clock) > SEQUENCE_JUMP
	        || (o->of->rules->slack > 0 && k->time < o->clock));
}

/* Time went back within a stream.  Is the earlier message the wrong one?
 * That is the one further away from what it usually has around it. */
bool
sequence_is_earlier_wrong(
    const struct order *o, const struct course *c, const struct slv_message *k)
{
	uint64_t lag = c->n < 2 ? 0 : c->prev_lag;

	return c->n < 2 || k->time == c->prev
	    ? c->off_by > apart(k->time - lag, o->clock) || c->n > 1
	    : k->time > c->prev && c->off_by > apart(k->time - lag, o->clock);
}

/* Go on to this message; instead of the last one if that was wrong.  One that
 * jumps does not set the clock: it may be wrong. */
void
sequence_go_on(struct order *o, struct course *c, const struct slv_message *k,
    bool instead)
{
	uint64_t lag = instead ? c->prev_lag : c->lag;

	c->off_by = apart(k->time - (c->n > 0 ? lag : 0), o->clock);
	if (o->clock == 0)
		o->clock = k->time;
	else if (!sequence_is_jump(o, k))
		o->clock = clock_by(o, k);
	if (!instead) {
		c->prev = c->last;
		c->prev_lag = c->lag;
		c->n++;
	}
	c->lag = k->time - o->clock;
	c->last = k->time;
	c->off = k->off;
	c->len = k->len;
	c->gap = o->gaps;
}

/* With one clock for all, are both ahead of it, in this order?  Streams may have been
 * silent. */
static bool
is_forward(const struct order *o, uint64_t held, uint64_t by)
{
	uint64_t slack = o->of->rules->slack;

	return slack > 0 && held > o->clock && by > o->clock
	    && by + slack >= held;
}

/* Two messages in a row of different streams show another time: the clock jumps.
 * *held is the first one, as soon as there is one. */
bool
sequence_has_jumped(struct order *o, const struct slv_message *k)
{
	bool other = o->held.stream != k->stream || o->of->rules->slack > 0;
	uint64_t by = clock_by(o, k), held;

	if (!o->held.timed || !other || !sequence_is_jump(o, k))
		return false;
	held = clock_by(o, &o->held);
	if (apart(by, held) > SEQUENCE_JUMP && !is_forward(o, held, by))
		return false;
	o->before = o->clock;
	o->clock = by;
	return true;
}
