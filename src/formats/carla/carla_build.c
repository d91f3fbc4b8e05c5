/* carla_build.c - the repaired log as a plan: the header and the frames that
 * are kept, in which some numbers are others.
 */
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

static void
put_f64(uint8_t *p, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	slv_put_le64(p, bits);
}

static enum slv_status
put_start(
    const struct carla_start *f, struct slv_plan *plan, struct slv_err *err)
{
	uint8_t p[CARLA_HEAD + CARLA_FRAME_LEN] = { CARLA_START,
		CARLA_FRAME_LEN };

	slv_put_le64(p + CARLA_HEAD, f->id);
	put_f64(p + CARLA_HEAD + 8, f->duration);
	put_f64(p + CARLA_HEAD + 16, f->elapsed);
	return slv_plan_bytes(plan, p, sizeof(p), err);
}

/* Copy an item, with the edits from *next on that fall into it. */
static enum slv_status
copy_item(const struct carla *c, const struct carla_item *item, size_t *next,
    struct slv_plan *plan, struct slv_err *err)
{
	uint64_t at = item->off, end = item->off + item->len;

	if (item->changed) {
		SLV_TRY(put_start(&item->start, plan, err));
		at += CARLA_HEAD + CARLA_FRAME_LEN;
	}
	for (; *next < c->n_edits && c->edits[*next].off < end; ++*next) {
		const struct carla_edit *e = &c->edits[*next];

		SLV_TRY(slv_plan_copy(plan, at, e->off - at, err));
		SLV_TRY(slv_plan_bytes(plan, e->bytes, e->len, err));
		at = e->off + e->len;
	}
	return slv_plan_copy(plan, at, end - at, err);
}

enum slv_status
carla_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	size_t next = 0;

	*possible = c->header.named || s->opt.map_name != NULL;
	if (!*possible)
		return SLV_OK;
	SLV_TRY(carla_header_plan(s, plan, err));
	for (size_t i = 0; i < c->n_items; i++)
		SLV_TRY(copy_item(c, &c->items[i], &next, plan, err));
	return SLV_OK;
}
