/* carla_merge.c - put events of lost frames into kept frames.
 *
 * A packet counts its records in 16 bits.  An event that does not fit into a
 * frame, or that has no packet there, goes into the next frame that can receive
 * it.  All later events follow, so that they stay in order.
 */
#include "base/list.h"
#include "formats/carla/carla_state.h"

#define SIZE_LIMIT (UINT32_MAX / 2) /* bytes of a packet */

SLV_ORDER3(compare_carried, struct carla_carried, item, id, off)

/* How much space a frame has, by kind of event. */
struct room {
	size_t item;
	struct {
		uint64_t records, bytes;
	} left[CARLA_EVENTS];
};

static enum slv_status
note_room(void *ctx, const struct carla_packet *p, struct slv_err *err)
{
	struct room *r = ctx;
	unsigned kind = p->id - CARLA_ADD;

	(void)err;
	if (p->id < CARLA_ADD || p->id > CARLA_PARENT || p->size > SIZE_LIMIT)
		return SLV_OK;
	r->left[kind].records = UINT16_MAX - p->n;
	r->left[kind].bytes = SIZE_LIMIT - p->size;
	return SLV_OK;
}

static enum slv_status
read_room(struct slv_scan *s, size_t item, struct room *r, struct slv_err *err)
{
	const struct carla_item *x = &carla_of(s)->items[item];
	const struct carla_frame *f;

	*r = (struct room){ .item = item };
	if (!x->is_frame)
		return SLV_OK;
	SLV_TRY(carla_look(s, x->off, &f, err));
	return carla_frame_packets(s, x->off, f, note_room, r, err);
}

/* Put every event into a frame that has space; *n: how many there are then. */
static enum slv_status
place(struct slv_scan *s, size_t *n, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	struct carla_events *all = &carla_edit(s)->events;
	struct room r = { .item = SIZE_MAX };

	for (*n = 0; *n < all->n_carried; ++*n) {
		struct carla_carried *e = &all->carried[*n];
		unsigned kind = e->id - CARLA_ADD;

		if (r.item == SIZE_MAX || e->item > r.item)
			SLV_TRY(read_room(s, e->item, &r, err));
		while (
		    r.left[kind].records == 0 || r.left[kind].bytes < e->len) {
			if (r.item + 1 == c->n_items)
				return SLV_OK;
			SLV_TRY(read_room(s, r.item + 1, &r, err));
		}
		r.left[kind].records--;
		r.left[kind].bytes -= e->len;
		e->item = r.item;
	}
	return SLV_OK;
}

/* The events for a frame, and their place: its packets are reported. */
struct target {
	struct slv_scan *scan;
	size_t item;
	size_t first; /* of the events for it */
};

static enum slv_status
merge_into(void *ctx, const struct carla_packet *p, struct slv_err *err)
{
	const struct target *t = ctx;
	struct carla *c = carla_edit(t->scan);
	struct carla_events *all = &c->events;
	struct carla_merge m = { p->body - CARLA_HEAD, p->id, p->size, p->n, 0,
		0 };
	uint64_t more = 0;

	for (size_t i = t->first;
	     i < all->n_carried && all->carried[i].item == t->item; i++) {
		const struct carla_carried *e = &all->carried[i];

		if (e->id != p->id)
			continue;
		if (m.more++ == 0)
			m.first = i;
		more += e->len;
	}
	if (m.more == 0)
		return SLV_OK;
	m.n += (uint32_t)m.more;
	m.size += (uint32_t)more;
	c->items[t->item].grown += more;
	SLV_TRY(SLV_ADD(all, merges, err, m));
	return carla_problem(t->scan, CARLA_P_CARRIED, m.packet, 0,
	    c->items[t->item].start.id, m.more, err);
}

/* No frame has space for the events from the n-th on. */
static enum slv_status
lose_rest(struct slv_scan *s, size_t n, struct slv_err *err)
{
	struct carla_events *all = &carla_edit(s)->events;
	uint64_t lost = all->n_carried - n;

	if (lost == 0)
		return SLV_OK;
	for (size_t i = n; i < all->n_carried; i++)
		carla_event_forget(
		    all, all->carried[i].id, all->carried[i].key);
	all->n_carried = n;
	return carla_problem(s, CARLA_P_EVENTS_LOST, all->carried[n].off,
	    all->carried[n].len, 0, lost, err);
}

enum slv_status
carla_event_merge(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	struct carla_events *all = &c->events;
	size_t last = SIZE_MAX, n;

	slv_sort(all->carried, all->n_carried, sizeof(*all->carried),
	    compare_carried);
	SLV_TRY(place(s, &n, err));
	SLV_TRY(lose_rest(s, n, err));
	slv_sort(all->carried, n, sizeof(*all->carried), compare_carried);
	for (size_t i = 0; i < n; i++) {
		struct target t = { s, all->carried[i].item, i };
		const struct carla_frame *f;

		if (t.item == last)
			continue;
		last = t.item;
		SLV_TRY(carla_look(s, c->items[t.item].off, &f, err));
		SLV_TRY(carla_frame_packets(
		    s, c->items[t.item].off, f, merge_into, &t, err));
	}
	return SLV_OK;
}
