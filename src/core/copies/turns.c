/* turns.c - differences between copies, decided the other way in turn. */
#include "core/copies/turns.h"

#include "base/bytes.h"
#include "core/digest/flip.h"

/* Take the other copy's bytes; calling it again undoes it. */
static void
turn(const struct slv_turns *t, struct slv_choice *c)
{
	struct slv_piece *p = &t->joint->at[c->piece];
	struct slv_source *source = p->source;
	uint64_t off = p->off;

	p->source = c->other;
	p->off = c->off;
	c->other = source;
	c->off = off;
}

static void
turn_all(const struct slv_turns *t, unsigned which)
{
	for (size_t i = 0; i < t->n; i++) {
		if (which & 1u << i)
			turn(t, t->at[i]);
	}
}

struct slv_allowance
slv_allowance_of(uint64_t size, unsigned effort, struct slv_meter *meter)
{
	struct slv_allowance a = {
		.all =
		    slv_max64(size * SLV_FLIP_HASHES, SLV_FLIP_LEAST) * effort,
	};

	a.left = a.all;
	clock_gettime(CLOCK_MONOTONIC, &a.until);
	a.until.tv_sec += (time_t)SLV_FLIP_SECONDS * effort;
	slv_meter_begin(meter, SLV_PHASE_SEARCH, a.all);
	return a;
}

static bool
is_spent(struct slv_allowance *a, uint64_t bytes)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (bytes > a->left || now.tv_sec > a->until.tv_sec
	    || (now.tv_sec == a->until.tv_sec
	        && now.tv_nsec > a->until.tv_nsec))
		return true;
	a->left -= bytes;
	return false;
}

void
slv_turns_offer(struct slv_turns *t, struct slv_choice *c)
{
	size_t i = t->n < SLV_TURNED_MAX ? t->n : SLV_TURNED_MAX;

	while (i > 0 && t->at[i - 1]->doubt < c->doubt) {
		if (i < SLV_TURNED_MAX)
			t->at[i] = t->at[i - 1];
		i--;
	}
	if (i == SLV_TURNED_MAX)
		return;
	t->at[i] = c;
	if (t->n < SLV_TURNED_MAX)
		t->n++;
}

static unsigned
how_many(unsigned which)
{
	unsigned n = 0;

	for (; which != 0; which &= which - 1)
		n++;
	return n;
}

enum slv_status
slv_turns_try(struct slv_turns *t, bool *found, struct slv_err *err)
{
	struct slv_allowance *a = t->allowance;

	*found = false;
	for (unsigned n = 1; n <= t->n; n++) {
		for (unsigned which = 1; which < 1u << t->n; which++) {
			if (how_many(which) != n)
				continue;
			if (is_spent(a, t->each))
				return SLV_OK;
			slv_meter_at(t->meter, a->all - a->left);
			turn_all(t, which);
			SLV_TRY(t->right(t->ctx, found, err));
			if (*found)
				return SLV_OK;
			turn_all(t, which);
		}
	}
	return SLV_OK;
}
