/* carla_own.c - which packets in lost bytes are the log's own. */
#include "formats/carla/judge/carla_own.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "formats/carla/judge/carla_rows.h"

#define STARTS  256 /* FrameStarts at one place that are considered */
#define BIT(id) (UINT32_C(1) << (id))

/* Packets that may precede events, and events themselves. */
#define EARLY                                                                  \
	(BIT(CARLA_START) | BIT(CARLA_ADD) | BIT(CARLA_DEL)                    \
	    | BIT(CARLA_PARENT) | BIT(CARLA_VISUAL))

/* A FrameStart in the lost bytes. */
struct mark {
	uint64_t off;
	struct carla_start start;
	bool
	    sure; /* it leads to the frame after them, or from the one before */
};

struct marks {
	struct mark at[STARTS];
	size_t n;
};

/* The packet at off, in a frame that has those `seen`; *yes: the frame
 * continues with it. */
static enum slv_status
next_packet(struct carla_own *o, uint64_t off, uint32_t seen,
    struct carla_packet *p, bool *yes, struct slv_err *err)
{
	const struct carla *c = carla_of(o->scan);
	uint32_t due = c->dialect.always & ~EARLY;
	const uint8_t *b;

	*p = (struct carla_packet){ .id = CARLA_END };
	*yes = slv_range_in(off, CARLA_HEAD, o->end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(o->scan->window, off, CARLA_HEAD, &b, err));
	*p = (struct carla_packet){ .id = b[0],
		.size = slv_get_le32(b + 1),
		.body = off + CARLA_HEAD };
	*yes = p->id >= CARLA_KNOWN ? c->counts[p->id].packets > 0
	                            : !(seen & BIT(p->id));
	if (*yes && p->id == CARLA_END)
		*yes = ((seen | BIT(CARLA_END)) & due) == due;
	return *yes ? carla_packet_fit(o->scan, p, o->vectors, o->end, yes, err)
	            : SLV_OK;
}

/* The size of a broken EventAdd may be right: then an EventDel follows. */
static enum slv_status
pass_broken(
    struct carla_own *o, struct carla_packet *p, bool *yes, struct slv_err *err)
{
	struct carla_packet del;

	*yes = slv_range_in(p->body, p->size, o->end);
	if (!*yes)
		return SLV_OK;
	p->len = p->size;
	SLV_TRY(next_packet(o, p->body + p->len, 0, &del, yes, err));
	*yes = *yes && del.id == CARLA_DEL;
	return SLV_OK;
}

/* Follow packets from off on; `seen`: those that the frame has already.
 *
 *   note  add them to these; NULL: do not
 *   *end  end of the last one; *seen: those of its frame */
static enum slv_status
follow(struct carla_own *o, uint64_t off, struct slv_ranges *note,
    uint32_t *seen, uint64_t *end, struct slv_err *err)
{
	bool yes = true, broken;

	for (*end = off; *end < o->end;) {
		struct carla_packet p;
		struct carla_start start;

		if (*seen & BIT(CARLA_END) || *seen == 0) {
			SLV_TRY(carla_frame_start(
			    o->scan, *end, &start, &yes, err));
			yes = yes
			    && (note != NULL
			        || !slv_ranges_hit(&o->other, *end, 1));
			*seen = 0;
		}
		if (!yes)
			return SLV_OK;
		SLV_TRY(next_packet(o, *end, *seen, &p, &yes, err));
		broken = !yes && note != NULL && p.id == CARLA_ADD
		    && !(*seen & BIT(CARLA_ADD));
		if (broken)
			SLV_TRY(pass_broken(o, &p, &yes, err));
		/* The first record follows the head of a broken one. */
		if (!yes)
			return broken
			    ? slv_ranges_add(note, *end, CARLA_HEAD + 3, err)
			    : SLV_OK;
		if (p.id < CARLA_KNOWN)
			*seen |= BIT(p.id);
		if (note != NULL && p.id < CARLA_KNOWN)
			SLV_TRY(slv_ranges_add(
			    note, *end, CARLA_HEAD + p.len, err));
		*end = p.body + p.len;
	}
	return SLV_OK;
}

static enum slv_status
find_marks(struct carla_own *o, struct marks *m, struct slv_err *err)
{
	uint64_t at = o->off;
	bool yes;

	for (m->n = 0; m->n < STARTS; at++) {
		struct mark x = { .sure = false };

		SLV_TRY(carla_frame_find(o->scan, at, o->end, &at, err));
		if (at >= o->end)
			return SLV_OK;
		x.off = at;
		SLV_TRY(carla_frame_start(o->scan, at, &x.start, &yes, err));
		m->at[m->n++] = x;
	}
	return SLV_OK;
}

/* Find those that lead from the frame before the lost bytes, or to the one
 * after them. */
static void
judge_marks(const struct carla_own *o, struct marks *m)
{
	struct carla_start a = o->first, b = o->last;

	for (size_t i = 0; i < m->n; i++) {
		if (a.id == 0 || !carla_is_next(&a, &m->at[i].start))
			continue;
		m->at[i].sure = true;
		a = m->at[i].start;
	}
	for (size_t i = m->n; i-- > 0;) {
		if (!carla_is_next(&m->at[i].start, &b))
			continue;
		m->at[i].sure = true;
		b = m->at[i].start;
	}
}

/* The frames around; *begins: the log continues at the first lost byte. */
static enum slv_status
read_frames(struct carla_own *o, size_t next, bool *begins, struct slv_err *err)
{
	const struct carla *c = carla_of(o->scan);
	const struct carla_item *b = &c->items[next];
	const struct carla_item *a = next > 0 ? b - 1 : NULL;
	bool yes;

	o->leads = b->off == o->end;
	o->last = b->start;
	SLV_TRY(carla_frame_start(o->scan, b->off, &o->last, &yes, err));
	*begins = a != NULL
	    ? a->off + a->len == o->off
	    : c->header.len > 0 && o->off == o->scan->base + c->header.len;
	if (a == NULL || !a->is_frame)
		return SLV_OK;
	o->first = a->start;
	return carla_frame_start(o->scan, a->off, &o->first, &yes, err);
}

enum slv_status
carla_own_open(struct carla_own *o, struct slv_scan *s, uint64_t off,
    uint64_t end, size_t next, enum carla_vectors v, struct slv_err *err)
{
	uint32_t seen = 0;
	uint64_t at;
	struct marks *m = NULL;
	size_t cap = 0;
	enum slv_status st;
	bool begins;

	*o = (struct carla_own){ .scan = s,
		.off = off,
		.end = end,
		.vectors = v,
		.any = !carla_carries(carla_of(s)) };
	if (o->any)
		return SLV_OK;
	SLV_TRY(read_frames(o, next, &begins, err));
	SLV_TRY(slv_grow(&m, &cap, 1, sizeof(*m), err));
	st = find_marks(o, m, err);
	if (st == SLV_OK)
		judge_marks(o, m);
	if (st == SLV_OK && begins)
		st = follow(o, off, &o->known, &seen, &at, err);
	for (size_t i = 0; st == SLV_OK && i < m->n; i++) {
		seen = 0;
		st = follow(o, m->at[i].off,
		    m->at[i].sure ? &o->known : &o->other, &seen, &at, err);
	}
	slv_free(m);
	return st;
}

enum slv_status
carla_own_holds(struct carla_own *o, uint64_t off, uint64_t end, uint32_t seen,
    bool *yes, struct slv_err *err)
{
	uint64_t at;

	*yes = o->any || slv_ranges_hit(&o->known, off, 1);
	if (*yes || !o->leads || slv_ranges_hit(&o->other, off, 1))
		return SLV_OK;
	SLV_TRY(follow(o, end, NULL, &seen, &at, err));
	*yes = at == o->end && seen & BIT(CARLA_END);
	return SLV_OK;
}

void
carla_own_close(struct carla_own *o)
{
	slv_ranges_free(&o->known);
	slv_ranges_free(&o->other);
}
