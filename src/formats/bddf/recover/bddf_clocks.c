/* bddf_clocks.c - is a block of this log, or of the log that its blocks carry?
 *
 * A kept block that carries blocks shows two clocks: its own time is of this log,
 * and those in its payload are of the other one.  That tells the blocks of both
 * apart, wherever they are: also where damage put carried blocks into two places, so
 * that each seems to show that the log has such times.
 */
#include "formats/bddf/recover/bddf_clocks.h"

#define DECISIVE 4 /* times as far from the other log */

struct slv_moment
bddf_entry_time(const struct bddf_entry *e)
{
	if (e->off == BDDF_NOWHERE || e->nanos == BDDF_NO_TIME)
		return (struct slv_moment){ .known = false };
	return (struct slv_moment){ e->sec, e->nanos, true };
}

bool
bddf_is_indexed(
    const struct bddf_clocks *c, uint64_t off, const struct slv_unit *u)
{
	const struct bddf *b = bddf_of(c->s);
	const struct bddf_known *here = bddf_known_at(c->k, off);

	return u->channel < b->n_series && b->series[u->channel].index.len > 0
	    && (bddf_known_missed(c->k, u->time)
	        || (b->series[u->channel].index.off > off
	            && !bddf_known_orphan(c->k, off)
	            && (here == NULL || here->found)));
}

/* Seconds from the stretch to the time; 0: it is inside. */
static double
apart(const struct bddf_times *t, struct slv_moment at)
{
	if (slv_moment_compare(at, t->from) < 0)
		return slv_moment_seconds(at, t->from);
	if (slv_moment_compare(at, t->to) > 0)
		return slv_moment_seconds(t->to, at);
	return 0;
}

static enum bddf_clock
clock_of_time(const struct bddf_carriage *like, struct slv_moment at)
{
	double own, carried;

	if (!at.known || !like->own.from.known || !like->carried.from.known
	    || (slv_moment_compare(like->own.from, like->carried.to) <= 0
	        && slv_moment_compare(like->carried.from, like->own.to) <= 0))
		return BDDF_CLOCK_UNCLEAR;
	own = apart(&like->own, at);
	carried = apart(&like->carried, at);
	if (own * DECISIVE < carried)
		return BDDF_CLOCK_OWN;
	return carried * DECISIVE < own ? BDDF_CLOCK_CARRIED
	                                : BDDF_CLOCK_UNCLEAR;
}

/* The blocks up to where bytes are lost first are of this log. */
static void
learn_beginning(struct bddf_clocks *c)
{
	const struct slv_catalog *catalog = &c->s->catalog;
	const struct bddf *b = bddf_of(c->s);
	uint64_t looked = 0;
	struct bddf_entry last;
	struct slv_moment at;
	size_t i = 0;

	if (b->first.len == 0 || b->first_late)
		return;
	while (i < catalog->n && catalog->at[i].fate == SLV_KEPT)
		i++;
	c->beginning = i < catalog->n ? catalog->at[i].off : catalog->end;
	last = bddf_entry_before(b, c->beginning, &looked);
	at = bddf_entry_time(&last);
	if (clock_of_time(&c->like, at) != BDDF_CLOCK_CARRIED)
		slv_moment_span(at, &c->like.own.from, &c->like.own.to);
}

enum slv_status
bddf_clocks_ask(struct bddf_clocks *c, uint32_t series, enum bddf_carries *out,
    struct slv_err *err)
{
	bool few = series < BDDF_CARRY_SERIES;

	if (few && c->known[series] > 0) {
		*out = (enum bddf_carries)(c->known[series] - 1);
		return SLV_OK;
	}
	SLV_TRY(bddf_carries(c->s, series, out, &c->like, err));
	if (few)
		c->known[series] = (uint8_t)(*out + 1);
	return SLV_OK;
}

/* Whether blocks of any series carry blocks. */
static enum slv_status
ask_all(struct bddf_clocks *c, struct slv_err *err)
{
	const struct bddf *b = bddf_of(c->s);

	for (size_t i = 0; i < b->n_series && i < BDDF_CARRY_SERIES; i++) {
		enum bddf_carries has;

		if (b->series[i].n > 0
		    && b->series[i].bytes < BDDF_CARRY_MIN * b->series[i].n)
			continue;
		SLV_TRY(bddf_clocks_ask(c, (uint32_t)i, &has, err));
		c->carries |= has == BDDF_CARRIES;
	}
	return SLV_OK;
}

enum slv_status
bddf_clocks_learn(struct bddf_clocks *c, struct slv_err *err)
{
	if (c->learnt)
		return SLV_OK;
	SLV_TRY(ask_all(c, err));
	if (!c->carries)
		SLV_TRY(bddf_carries_lost(c->s, &c->like, &c->carries, err));
	if (c->carries)
		learn_beginning(c);
	c->learnt = true;
	return SLV_OK;
}

/* Whether the series has such times where the log begins: a clock of its own. */
static bool
is_habit(const struct bddf_clocks *c, uint32_t series, uint64_t from)
{
	const struct bddf *b = bddf_of(c->s);
	struct bddf_entry first;

	if (series >= b->n_series || b->series[series].first == NULL)
		return false;
	first = bddf_chunk_get(b->series[series].first, 0);
	return first.off < from && first.off < c->beginning
	    && clock_of_time(&c->like, bddf_entry_time(&first))
	    == BDDF_CLOCK_CARRIED;
}

enum bddf_clock
bddf_clock_of(const struct bddf_clocks *c, uint64_t off,
    const struct slv_unit *u, uint64_t from)
{
	enum bddf_clock clock = clock_of_time(&c->like, u->time);

	if (bddf_is_indexed(c, off, u))
		return BDDF_CLOCK_OWN;
	return clock == BDDF_CLOCK_CARRIED && is_habit(c, u->channel, from)
	    ? BDDF_CLOCK_UNCLEAR
	    : clock;
}
