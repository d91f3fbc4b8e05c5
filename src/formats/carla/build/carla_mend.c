/* carla_mend.c - kept frames must have the same packets.
 *
 * What all frames have in common is concluded from the first ones, broken ones
 * among them.  If some of these are left out the others may have one packet
 * more in common, and a reader of the output then misses it in a frame that
 * lacks it.  If that frame has a packet of an unknown type that must be the
 * missing one, the type is corrected; otherwise the frame is left out too.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/carla/carla_state.h"

#define ROUNDS 16 /* because a corrected type may be wrong for the next one */

/* What happens to the kept frames. */
struct outlook {
	const struct carla *log;
	uint32_t *seen; /* packets in each item of the output */
	bool *gone;     /* it is not in the output */
	struct slv_mends *out;
};

/* What a reader concludes from the first frames of the output. */
static void
conclude(const struct outlook *o, struct carla_dialect *d)
{
	const struct carla *c = o->log;
	struct carla_kinds kinds = { .frames = 0 };
	uint64_t at = c->header.len;

	for (size_t i = 0; i < c->n_items && kinds.frames < CARLA_SAMPLES
	     && at < CARLA_SEARCH;
	     i++) {
		const struct carla_item *item = &c->items[i];

		if (o->gone[i])
			continue;
		if (item->is_frame)
			carla_count_kinds(&kinds, o->seen[i]);
		at += item->len + item->grown;
	}
	*d = c->dialect;
	d->strict = false;
	if (kinds.frames > 0)
		carla_dialect_kinds(d, &kinds);
}

/* Correct the invalid types of packets in a frame. */
static enum slv_status
patch_types(struct slv_mends *out, const struct carla_frame *f, uint64_t frame,
    struct slv_err *err)
{
	for (size_t i = 0; i < f->n_fixes; i++) {
		const struct carla_fix *x = &f->fixes[i];
		const uint8_t should = (uint8_t)x->should;
		struct slv_problem p = {
			.info = &carla_problems[CARLA_P_TYPE],
			.off = x->packet,
			.len = 1,
			.want = x->should,
			.got = x->had,
		};

		if (x->what == CARLA_FIX_TYPE && x->packet != frame)
			SLV_TRY(
			    slv_mends_add(out, x->packet, &should, 1, &p, err));
	}
	return SLV_OK;
}

/* Judge item i as a reader of the output does: keep it, correct the types of its packets,
 * or leave it out if it is broken.  *changed: the item is not kept as it was. */
static enum slv_status
judge(const struct slv_scan *s, struct outlook *o, size_t i,
    const struct carla_dialect *d, bool *changed, struct slv_err *err)
{
	const struct carla_item *item = &o->log->items[i];
	struct carla_frame f;

	*changed = false;
	if (o->gone[i] || !item->is_frame)
		return SLV_OK;
	if (!(o->seen[i] & CARLA_STRANGE)) {
		o->gone[i] = *changed = (o->seen[i] & d->always) != d->always;
		return SLV_OK;
	}
	SLV_TRY(carla_frame_read(s, item->off, d, &f, err));
	o->gone[i] = f.read != CARLA_WHOLE || f.len != item->len;
	*changed = o->gone[i] || f.seen != o->seen[i];
	if (!*changed || o->gone[i])
		return SLV_OK;
	o->seen[i] = f.seen;
	return patch_types(o->out, &f, item->off, err);
}

/* Return true if frames are read in the same way. */
static bool
is_alike(const struct carla_dialect *a, const struct carla_dialect *b)
{
	return a->usual == b->usual && a->always == b->always
	    && a->strict == b->strict;
}

/* Correct frames, or leave them out, until the rest agree. */
static enum slv_status
settle(struct slv_scan *s, struct outlook *o, struct slv_err *err)
{
	struct carla_dialect d;
	bool more = true, changed;

	for (unsigned round = 0; more && round < ROUNDS; round++) {
		more = false;
		conclude(o, &d);
		if (is_alike(&d, &o->log->dialect))
			return SLV_OK;
		for (size_t i = 0; i < o->log->n_items; i++) {
			SLV_TRY(judge(s, o, i, &d, &changed, err));
			more |= changed;
		}
	}
	return SLV_OK;
}

static enum slv_status
set_aside(const struct outlook *o, struct slv_err *err)
{
	const struct carla *c = o->log;

	for (size_t i = 0; i < c->n_items; i++) {
		struct slv_aside a = {
			.off = c->items[i].off,
			.end = c->items[i].off + c->items[i].len,
			.fate = SLV_LOST,
			.problem = { .info = &carla_problems[CARLA_P_FRAME] },
		};
		if (o->gone[i])
			SLV_TRY(slv_mends_add_aside(o->out, &a, err));
	}
	return SLV_OK;
}

enum slv_status
carla_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	struct outlook o = { .log = c, .out = out };
	size_t cap_seen = 0, cap_gone = 0;
	enum slv_status st;

	(void)bold;
	if (c->n_items == 0)
		return SLV_OK;
	SLV_TRY(carla_order(s, out, err));
	if (out->n_aside > 0)
		return SLV_OK;
	st = slv_grow(&o.seen, &cap_seen, c->n_items, sizeof(*o.seen), err);
	if (st == SLV_OK)
		st = slv_grow(
		    &o.gone, &cap_gone, c->n_items, sizeof(*o.gone), err);
	for (size_t i = 0; st == SLV_OK && i < c->n_items; i++) {
		o.seen[i] = c->items[i].seen;
		o.gone[i] = false;
	}
	if (st == SLV_OK)
		st = settle(s, &o, err);
	if (st == SLV_OK)
		st = set_aside(&o, err);
	slv_free(o.seen);
	slv_free(o.gone);
	return st;
}
