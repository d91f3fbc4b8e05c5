/* carla_mend.c - frames that are kept must be like each other.
 *
 * What all frames have is concluded from the first ones, broken ones among
 * them.  Where some of these are left out the others may have one packet more
 * in common: a frame without it, or with one that then is like it, would be
 * broken in the output.  It is left out, too.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/carla/carla_state.h"

/* What whoever reads the output will take for usual: `gone` says which items
 * are not in it. */
static void
conclude(const struct carla *c, const bool *gone, struct carla_dialect *d)
{
	struct carla_kinds kinds = { .frames = 0 };
	uint64_t at = c->header.len;

	for (size_t i = 0; i < c->n_items && kinds.frames < CARLA_SAMPLES
	     && at < CARLA_SEARCH;
	     i++) {
		const struct carla_item *item = &c->items[i];

		if (gone[i])
			continue;
		if (item->is_frame)
			carla_count_kinds(&kinds, item->seen);
		at += item->len + item->grown;
	}
	*d = c->dialect;
	if (kinds.frames > 0)
		carla_dialect_kinds(d, &kinds);
}

/* Whether a frame is whole then, and reads as it does now. */
static enum slv_status
is_same(struct slv_scan *s, const struct carla_item *item,
    const struct carla_dialect *d, bool *yes, struct slv_err *err)
{
	struct carla_frame f;

	*yes = !item->is_frame || (item->seen & d->always) == d->always;
	if (!*yes || !item->is_frame || !(item->seen & CARLA_STRANGE))
		return SLV_OK;
	SLV_TRY(carla_frame_read(s, item->off, d, &f, err));
	*yes =
	    f.read == CARLA_WHOLE && f.len == item->len && f.seen == item->seen;
	return SLV_OK;
}

/* Leave out frames until those that are left agree.  *any: there are some. */
static enum slv_status
settle(struct slv_scan *s, bool *gone, bool *any, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	struct carla_dialect d;
	bool more = true, yes;

	*any = false;
	for (conclude(c, gone, &d); more; conclude(c, gone, &d)) {
		more = false;
		if (d.usual == c->dialect.usual)
			return SLV_OK;
		for (size_t i = 0; i < c->n_items; i++) {
			SLV_TRY(is_same(s, &c->items[i], &d, &yes, err));
			more |= !gone[i] && !yes;
			gone[i] |= !yes;
		}
		*any |= more;
	}
	return SLV_OK;
}

static enum slv_status
set_aside(struct slv_scan *s, const bool *gone, struct slv_mends *out,
    struct slv_err *err)
{
	const struct carla *c = carla_of(s);

	for (size_t i = 0; i < c->n_items; i++) {
		struct slv_aside a = {
			.off = c->items[i].off,
			.end = c->items[i].off + c->items[i].len,
			.fate = SLV_LOST,
			.problem = { .info = &carla_problems[CARLA_P_FRAME] },
		};

		if (gone[i])
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}

enum slv_status
carla_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	bool *gone = NULL, any;
	size_t cap = 0;
	enum slv_status st;

	(void)bold;
	if (c->n_items == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&gone, &cap, c->n_items, sizeof(*gone), err));
	for (size_t i = 0; i < c->n_items; i++)
		gone[i] = false;
	st = settle(s, gone, &any, err);
	if (st == SLV_OK && any)
		st = set_aside(s, gone, out, err);
	free(gone);
	return st;
}
