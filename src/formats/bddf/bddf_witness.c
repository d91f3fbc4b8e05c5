/* bddf_witness.c - a block says one thing and its index entry another: which
 * of the two is right?
 */
#include <string.h>

#include "formats/bddf/bddf_known.h"

static bool
in_order(const struct bddf_entry *a, const struct bddf_entry *b)
{
	if (a == NULL || b == NULL)
		return true;
	return a->sec < b->sec || (a->sec == b->sec && a->nanos <= b->nanos);
}

/* The entries of the series around the one at off, which is there. */
static void
neighbours(const struct bddf_series *series, uint64_t off,
    const struct bddf_entry **before, const struct bddf_entry **self,
    const struct bddf_entry **behind)
{
	*before = *self = *behind = NULL;
	for (const struct bddf_chunk *c = series->first; c != NULL;
	     c = c->next) {
		for (uint32_t i = 0; i < c->n && *behind == NULL; i++) {
			if (c->at[i].off < off)
				*before = &c->at[i];
			else if (c->at[i].off == off)
				*self = &c->at[i];
			else
				*behind = &c->at[i];
		}
	}
}

/* The index of one series names the block and that of another, which the
 * block names, does not: two to one.  A block that says what no writer writes
 * is wrong.  A time is right where it fits between
 * those of the series' other blocks and the other does not. */
enum slv_status
bddf_index_right(struct slv_scan *s, const struct bddf_known *one, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_entry *before, *self, *behind;
	struct bddf_data d;
	struct slv_unit u;

	*yes = false;
	SLV_TRY(bddf_block(s, one->off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || strcmp(u.kind, "data") != 0
	    || one->series >= b->n_series)
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	*yes = u.channel != one->series || d.strange || !d.has_time
	    || d.n_extra != b->series[one->series].n_names;
	if (*yes)
		return SLV_OK;
	neighbours(&b->series[one->series], one->off, &before, &self, &behind);
	*yes = self != NULL && in_order(before, &one->entry)
	    && in_order(&one->entry, behind)
	    && !(in_order(before, self) && in_order(self, behind));
	return SLV_OK;
}
