/* bddf_witness.c - a block says one thing and its index entry another: which
 * of the two is right?
 */
#include <string.h>

#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/recover/bddf_known.h"

/* Whatever there is not, is in order. */
static bool
in_order(const struct bddf_entry *a, const struct bddf_entry *b)
{
	if (a->off == BDDF_NOWHERE || b->off == BDDF_NOWHERE)
		return true;
	return a->sec < b->sec || (a->sec == b->sec && a->nanos <= b->nanos);
}

/* The entries of the series around the one at off. */
struct company {
	struct bddf_entry before, self,
	    behind;  /* BDDF_NOWHERE: there is none */
	bool steady; /* the others are in order */
};

static struct company
company_of(const struct bddf_series *series, uint64_t off)
{
	const struct bddf_entry none = { .off = BDDF_NOWHERE };
	struct company c = { none, none, none, .steady = true };
	struct bddf_entry last = none;

	for (const struct bddf_chunk *p = series->first; p != NULL;
	     p = p->next) {
		for (uint32_t i = 0; i < p->n; i++) {
			struct bddf_entry e = bddf_chunk_get(p, i);

			if (e.off == off) {
				c.self = e;
				continue;
			}
			if (e.off < off)
				c.before = e;
			else if (c.behind.off == BDDF_NOWHERE)
				c.behind = e;
			c.steady &= in_order(&last, &e);
			last = e;
		}
	}
	return c;
}

static bool
is_between(const struct company *c, const struct bddf_entry *e)
{
	return in_order(&c->before, e) && in_order(e, &c->behind);
}

/* Whether no other block of the series is near in time. */
static bool
is_far(const struct slv_scan *s, const struct company *c,
    const struct bddf_entry *e)
{
	return (c->before.off == BDDF_NOWHERE
	           || bddf_clock_far(s, c->before.sec, e->sec))
	    && (c->behind.off == BDDF_NOWHERE
	        || bddf_clock_far(s, c->behind.sec, e->sec));
}

/* The index of one series names the block and that of another, which the
 * block names, does not: two to one.  A block that says what no writer writes
 * is wrong.  A time is right where it fits between
 * those of the series' other blocks and the other does not, or if it is near them and
 * the other is not. */
enum slv_status
bddf_index_right(struct slv_scan *s, const struct bddf_knowledge *k,
    const struct bddf_known *one, uint64_t *looked, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct company c;
	struct bddf_data d;
	struct slv_unit u;

	*yes = false;
	SLV_TRY(bddf_block(s, one->off, SLV_ASK_NEXT, &u, err));
	/* An entry that says what no writer writes is no witness. */
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u)
	    || one->series >= b->n_series || one->entry.nanos == BDDF_NO_TIME
	    || (one->entry.extra == 0) != (b->series[one->series].n_names == 0))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	*yes = d.strange || !d.has_time
	    || (u.channel != one->series && bddf_known_orphan(k, one->off));
	if (*yes || u.channel != one->series || *looked > BDDF_LOOKS)
		return SLV_OK;
	*looked += b->series[one->series].n;
	c = company_of(&b->series[one->series], one->off);
	/* The scan lacks a block that it left out. */
	c.self = (struct bddf_entry){
		.off = one->off, .sec = d.sec, .nanos = (uint32_t)d.nanos
	};
	*yes = (c.steady && is_between(&c, &one->entry)
	           && !is_between(&c, &c.self))
	    || (is_far(s, &c, &c.self) && !is_far(s, &c, &one->entry));
	return SLV_OK;
}
