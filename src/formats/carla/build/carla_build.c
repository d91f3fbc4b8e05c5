/* carla_build.c - the repaired log as a plan: the header and the kept frames,
 * with some corrected numbers.
 */
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

#define MERGED (CARLA_HEAD + 2) /* bytes: the head of a list packet */

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

/* The head of a packet that receives events of lost frames, and these
 * events. */
static enum slv_status
put_merge(const struct carla_events *all, const struct carla_merge *m,
    struct slv_plan *plan, struct slv_err *err)
{
	uint8_t head[MERGED] = { m->id };

	slv_put_le32(head + 1, m->size);
	slv_put_le16(head + CARLA_HEAD, (uint16_t)m->n);
	SLV_TRY(slv_plan_bytes(plan, head, sizeof(head), err));
	for (size_t i = 0; i < m->more; i++) {
		const struct carla_carried *e = &all->carried[m->first + i];

		SLV_TRY(slv_plan_copy(plan, e->off, e->len, err));
	}
	return SLV_OK;
}

/* Copy up to `end`, with the edits from *next on that lie inside; those before
 * *at are skipped. */
static enum slv_status
copy_edited(const struct carla *c, uint64_t *at, uint64_t end, size_t *next,
    struct slv_plan *plan, struct slv_err *err)
{
	for (; *next < c->n_edits && c->edits[*next].off < end; ++*next) {
		const struct carla_edit *e = &c->edits[*next];

		if (e->off < *at)
			continue;
		SLV_TRY(slv_plan_copy(plan, *at, e->off - *at, err));
		SLV_TRY(slv_plan_bytes(plan, e->bytes, e->len, err));
		*at = e->off + e->len;
	}
	SLV_TRY(slv_plan_copy(plan, *at, end - *at, err));
	*at = end;
	return SLV_OK;
}

/* How far the plan has come in the lists. */
struct progress {
	size_t edit, merge;
};

static enum slv_status
copy_item(const struct carla *c, const struct carla_item *item,
    struct progress *next, struct slv_plan *plan, struct slv_err *err)
{
	const struct carla_events *all = &c->events;
	uint64_t at = item->off, end = item->off + item->len;

	if (item->changed) {
		SLV_TRY(put_start(&item->start, plan, err));
		at += CARLA_HEAD + CARLA_FRAME_LEN;
	}
	for (; next->merge < all->n_merges
	     && all->merges[next->merge].packet < end;
	     next->merge++) {
		const struct carla_merge *m = &all->merges[next->merge];

		SLV_TRY(copy_edited(c, &at, m->packet, &next->edit, plan, err));
		SLV_TRY(put_merge(all, m, plan, err));
		at = m->packet + MERGED;
	}
	return copy_edited(c, &at, end, &next->edit, plan, err);
}

enum slv_status
carla_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	struct progress next = { 0, 0 };

	*possible = carla_is_writable(s);
	if (!*possible)
		return SLV_OK;
	SLV_TRY(carla_header_plan(s, plan, err));
	for (size_t i = 0; i < c->n_items; i++)
		SLV_TRY(copy_item(c, &c->items[i], &next, plan, err));
	return SLV_OK;
}
