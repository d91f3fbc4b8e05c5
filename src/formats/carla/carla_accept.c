/* carla_accept.c - a unit belongs to the log: remember what it says. */
#include "base/bytes.h"
#include "base/list.h"
#include "formats/carla/carla_state.h"
#include "support/memory.h"

/* Frames that are remembered. */
struct tally {
	struct slv_scan *scan;
	struct carla *log;
	enum carla_vectors vectors;
};

uint64_t
carla_sum(const struct carla_start *f, uint64_t len)
{
	uint64_t bits[2], sum = len * 0x9e3779b97f4a7c15u;

	memcpy(&bits[0], &f->duration, 8);
	memcpy(&bits[1], &f->elapsed, 8);
	sum = (sum ^ f->id) * 0xff51afd7ed558ccdu;
	sum = (sum ^ bits[0] ^ sum >> 29) * 0xc4ceb9fe1a85ec53u;
	return (sum ^ bits[1] ^ sum >> 32) * 0x9e3779b97f4a7c15u;
}

/* Count a packet, and raise a note for the first one of an unknown kind. */
static enum slv_status
count(void *ctx, const struct carla_packet *p, struct slv_err *err)
{
	const struct tally *t = ctx;
	struct carla_count *n = &t->log->counts[p->id];
	bool first = n->packets++ == 0;

	SLV_TRY(carla_event_note(t->scan, p, t->vectors, err));
	n->records += p->n;
	n->bytes += p->len;
	if (p->id < CARLA_KNOWN || !first)
		return SLV_OK;
	return carla_problem(t->scan, CARLA_P_OTHER, p->body - CARLA_HEAD,
	    CARLA_HEAD + p->len, 0, p->id, err);
}

void
carla_note_end(struct carla *c, const struct carla_item *item)
{
	if (item->is_frame ? item->own_end : c->ended == item->off)
		c->ended = item->off + item->len;
	else
		c->ended = 0;
}

static enum slv_status
add_item(struct slv_scan *s, const struct carla_item *item, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	uint64_t memory = c->n_items * sizeof(*item);

	SLV_TRY(slv_memory_take(s, &memory, sizeof(*item), "frames", err));
	SLV_TRY(SLV_ADD(c, items, err, *item));
	carla_note_end(c, item);
	return SLV_OK;
}

/* Place and length of the number in a packet. */
static const struct {
	uint8_t at, len;
	unsigned row;
} places[] = {
	[CARLA_FIX_TYPE] = { 0, 1, CARLA_P_TYPE },
	[CARLA_FIX_SIZE] = { 1, 4, CARLA_P_SIZE },
	[CARLA_FIX_COUNT] = { CARLA_HEAD, 2, CARLA_P_SIZE },
};

/* Corrected numbers; those of the FrameStart, which is rewritten as a whole,
 * need no edit. */
static enum slv_status
accept_fixes(struct slv_scan *s, const struct carla_frame *f,
    const struct carla_item *item, struct slv_err *err)
{
	struct carla *c = carla_edit(s);

	for (size_t i = 0; i < f->n_fixes; i++) {
		const struct carla_fix *x = &f->fixes[i];
		struct carla_edit e = {
			.off = x->packet + places[x->what].at,
			.len = places[x->what].len,
		};

		slv_put_le32(e.bytes, x->should);
		SLV_TRY(SLV_ROOM(c, edits, 1, err));
		c->edits[c->n_edits] = e;
		c->n_edits += x->packet != item->off;
		SLV_TRY(carla_problem(s, places[x->what].row, e.off, e.len,
		    x->should, x->had, err));
	}
	return SLV_OK;
}

/* The frame continues where the one before it ends, or it is the first one: it
 * is certain.  If only the time continues, frames were left out before, or one
 * of the two numbers is wrong: the lower one is not later than it may be. */
static void
note_sure(
    struct carla *c, const struct carla_item *last, const struct carla_item *f)
{
	uint64_t next = c->sure.id + 1;

	if (c->sure.id == 0
	    || (f->follows && f->start.id == last->start.id + 1)) {
		c->sure = f->start;
	} else if (f->follows && carla_chained(&last->start, &f->start)) {
		c->sure = f->start;
		c->sure.id = slv_min64(f->start.id, next);
	}
}

/* Note the length of user packets in a frame. */
static void
note_users(struct carla *c, const struct carla_frame *f)
{
	if (f->read != CARLA_WHOLE || !(f->seen & CARLA_STRANGE))
		return;
	for (size_t i = 0; i < f->n_packets && i < CARLA_PACKETS; i++) {
		uint64_t len = f->packets[i].len;

		/* If one is empty, others are not. */
		if (len == 0)
			len = CARLA_CARRY;
		if (f->packets[i].id >= CARLA_USER)
			c->most = slv_max64(c->most, len);
	}
}

static enum slv_status
accept_frame(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	struct tally t = { s, c, CARLA_F32 };
	struct carla_item item = {
		.off = off, .len = u->len, .is_frame = true
	};
	const struct carla_item *last =
	    c->n_items > 0 ? &c->items[c->n_items - 1] : NULL;
	const struct carla_frame *f;

	SLV_TRY(carla_look(s, off, &f, err));
	note_users(c, f);
	t.vectors = f->vectors;
	item.start = f->start;
	item.own_end = f->start.duration <= -1 && f->start.duration >= -1;
	item.changed = f->n_fixes > 0 && f->fixes[0].packet == off;
	item.seen = f->seen;
	item.follows =
	    last != NULL && last->is_frame && last->off + last->len == off;
	note_sure(c, last, &item);
	c->likely = slv_max64(u->len, c->likely - c->likely / 8);
	c->sum += carla_sum(&f->start, u->len);
	c->n_frames++;
	if (f->vectors == CARLA_MIXED && c->dialect.vectors == CARLA_MIXED
	    && !c->lying) {
		c->lying = true;
		SLV_TRY(carla_problem(s, CARLA_P_LIES, off, u->len, 0, 0, err));
	}
	SLV_TRY(accept_fixes(s, f, &item, err));
	SLV_TRY(carla_frame_packets(s, off, f, count, &t, err));
	return add_item(s, &item, err);
}

static enum slv_status
accept_user(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct tally t = { s, carla_edit(s), CARLA_F32 };
	struct carla_packet p = { .body = off + CARLA_HEAD };
	const uint8_t *head;

	SLV_TRY(slv_window_view(s->window, off, CARLA_HEAD, &head, err));
	p.id = head[0];
	p.size = slv_get_le32(head + 1);
	p.len = p.size;
	SLV_TRY(count(&t, &p, err));
	return add_item(
	    s, &(struct carla_item){ .off = off, .len = u->len }, err);
}

enum slv_status
carla_leave(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	const struct carla_frame *f;

	if (u->verdict != SLV_UNIT_GOOD || u->tag != CARLA_TAG_FRAME)
		return SLV_OK;
	SLV_TRY(carla_look(s, off, &f, err));
	note_users(carla_edit(s), f);
	return SLV_OK;
}

enum slv_status
carla_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	if (u->tag == CARLA_TAG_FRAME && u->fate == SLV_KEPT)
		return accept_frame(s, off, u, err);
	if (u->tag == CARLA_TAG_USER && u->fate == SLV_KEPT)
		return accept_user(s, off, u, err);
	return SLV_OK;
}
