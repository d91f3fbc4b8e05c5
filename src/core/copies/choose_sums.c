/* choose_sums.c - try doubtful choices in a unit against its own checksum.
 *
 * Copies that are damaged in the same unit, each in another place, hold all of
 * it together.  A combination is taken only if the checksum matches exactly
 * these bytes.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/copies/turns.h"

#define HEAD     ((uint64_t)256) /* bytes that state the length of a unit */
#define BACK     64 /* units that are examined to find the one with a choice */
#define UNIT_MAX ((uint64_t)64 << 20) /* bytes; longer ones are not tried */

struct search {
	struct slv_choices *choices;
	const struct slv_trial *t;
	struct slv_copy *copy; /* the joined log, scanned */
	struct slv_allowance allowance;
	bool spending;
	size_t barren; /* the last position in copy->units from which no unit
	                * was found */

	/* The unit, as in the joined log. */
	uint64_t off, len;
	uint8_t *bytes;    /* owned */
	size_t first, end; /* choices that begin in it */
	struct slv_turns turns;
};

/* The unit that holds the byte at `at`; s->len = 0: none with a checksum. */
static enum slv_status
find_unit(struct search *s, uint64_t at, struct slv_err *err)
{
	struct slv_scan *scan = &s->copy->scan;
	size_t before = slv_copy_unit_from(s->copy, at + 1), i = before;

	s->len = 0;
	/* The search from this unit has already failed. */
	if (before == s->barren)
		return SLV_OK;
	for (int k = 0; k < BACK && i > 0; k++) {
		uint64_t off = s->copy->units[--i].off;
		size_t n = (size_t)slv_min64(scan->source->size - off, HEAD);
		const uint8_t *p;
		bool yes;

		SLV_TRY(slv_window_view(scan->window, off, n, &p, err));
		SLV_TRY(scan->format->packs->confirm(
		    scan, p, n, &s->len, &yes, err));
		s->off = off;
		if (s->len > at - off)
			return SLV_OK;
	}
	s->len = 0;
	s->barren = before;
	return SLV_OK;
}

/* Read [off, end) of the joined log as it is now, as far as the unit goes. */
static enum slv_status
read_part(struct search *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	off = slv_max64(off, s->off);
	end = slv_min64(end, s->off + s->len);
	return slv_source_read(s->copy->source, off, s->bytes + (off - s->off),
	    (size_t)(end - off), err);
}

static enum slv_status
is_confirmed(struct search *s, bool *yes, struct slv_err *err)
{
	uint64_t len;

	return s->copy->scan.format->packs->confirm(
	    &s->copy->scan, s->bytes, (size_t)s->len, &len, yes, err);
}

/* The same after the other candidates are read into the unit. */
static enum slv_status
is_right(void *ctx, bool *yes, struct slv_err *err)
{
	struct search *s = ctx;

	if (slv_is_cancelled(s->t->cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	for (size_t i = 0; i < s->turns.n; i++) {
		const struct slv_piece *p =
		    &s->t->joint->at[s->turns.at[i]->piece];

		SLV_TRY(read_part(s, p->at, p->at + p->len, err));
	}
	return is_confirmed(s, yes, err);
}

static enum slv_status
try_turns(struct search *s, bool *found, struct slv_err *err)
{
	if (!s->spending)
		s->allowance = slv_allowance_of(
		    s->t->joint->size, s->t->effort, s->t->meter);
	s->spending = true;
	s->turns = (struct slv_turns){
		.joint = s->t->joint,
		.allowance = &s->allowance,
		.meter = s->t->meter,
		.each = s->len,
		.right = is_right,
		.ctx = s,
	};
	for (size_t i = s->first; i < s->end; i++) {
		if (s->choices->at[i].doubt > SLV_DOUBT_NONE)
			slv_turns_offer(&s->turns, &s->choices->at[i]);
	}
	return slv_turns_try(&s->turns, found, err);
}

/* The unit is what was recorded: nothing in it is in doubt any more. */
static enum slv_status
settle(struct search *s, struct slv_err *err)
{
	struct slv_joint *j = s->t->joint;

	for (size_t i = s->first; i < s->end; i++) {
		struct slv_choice *c = &s->choices->at[i];
		const struct slv_piece *p = &j->at[c->piece];

		if (p->at + p->len > s->off + s->len)
			continue;
		c->doubt = SLV_DOUBT_NONE;
		c->disputed = c->torn = false;
	}
	return slv_ranges_add(&j->confirmed, s->off, s->len, err);
}

/* Try the unit that was found. */
static enum slv_status
try_unit(struct search *s, struct slv_err *err)
{
	bool yes = false;

	if (s->len > UNIT_MAX
	    || !slv_range_in(s->off, s->len, s->t->joint->size))
		return SLV_OK;
	s->bytes = slv_realloc(s->bytes, (size_t)s->len);
	if (s->bytes == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(read_part(s, s->off, s->off + s->len, err));
	SLV_TRY(is_confirmed(s, &yes, err));
	if (!yes)
		SLV_TRY(try_turns(s, &yes, err));
	return yes ? settle(s, err) : SLV_OK;
}

/* Try each unit with a doubt. */
static enum slv_status
try_units(struct search *s, struct slv_err *err)
{
	const struct slv_choices *c = s->choices;
	const struct slv_joint *j = s->t->joint;

	for (size_t i = 0; i < c->n; i = s->end) {
		s->first = i;
		s->end = i + 1;
		if (c->at[i].doubt == SLV_DOUBT_NONE)
			continue;
		SLV_TRY(find_unit(s, j->at[c->at[i].piece].at, err));
		if (s->len == 0)
			continue;
		while (s->end < c->n
		    && j->at[c->at[s->end].piece].at - s->off < s->len)
			s->end++;
		SLV_TRY(try_unit(s, err));
	}
	return SLV_OK;
}

enum slv_status
slv_choices_confirm(struct slv_choices *c, const struct slv_trial *t,
    struct slv_copy *copy, struct slv_err *err)
{
	struct search s = { .choices = c, .t = t, .copy = copy };
	enum slv_status st;

	if (copy->scan.format == NULL || copy->scan.format->packs == NULL)
		return SLV_OK;
	st = try_units(&s, err);
	slv_free(s.bytes);
	return st;
}
