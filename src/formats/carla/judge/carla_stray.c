/* carla_stray.c - whole frames in the wrong place.
 *
 * Frames are numbered, and each begins where the one before it ends, to the
 * last bit.  So if nothing is damaged and some frames in a row were inserted,
 * the frame before them leads to the one after them; and where they were
 * removed, the frame there leads to them.
 */
#include "base/list.h"
#include "core/readings/stray.h"
#include "formats/carla/carla_state.h"

#define BREAKS 4 /* a stray makes two in one place and one in another */

struct frame {
	uint64_t off, end;
	struct carla_start start;
};

struct frames {
	struct frame *at; /* owned; all frames from the first one on */
	size_t n, cap;
	size_t
	    breaks[BREAKS]; /* frames to which the previous one does not lead */
	size_t n_breaks;
};

/* Return true if nothing is between two frames; NULL: beginning or end of the
 * log. */
static bool
leads_to(const struct frame *a, const struct frame *b)
{
	if (b == NULL)
		return a->start.duration <= -1 && a->start.duration >= -1;
	if (a == NULL)
		return b->start.id == 1;
	return b->start.id == a->start.id + 1
	    && carla_chained(&a->start, &b->start);
}

/* The frames, as long as there are few breaks. */
static enum slv_status
list(struct slv_scan *s, struct frames *out, struct slv_err *err)
{
	uint64_t off = s->base + carla_of(s)->header.len;

	while (off < s->logical_end && out->n_breaks < BREAKS) {
		const struct carla_frame *f;
		struct frame *now;

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(carla_read_ahead(s, off, err));
		SLV_TRY(carla_look(s, off, &f, err));
		if (f->read != CARLA_WHOLE)
			break;
		SLV_TRY(SLV_ROOM_AT(out, 1, err));
		now = &out->at[out->n];
		*now = (struct frame){ off, off + f->len, f->start };
		if (!leads_to(out->n > 0 ? now - 1 : NULL, now))
			out->breaks[out->n_breaks++] = out->n;
		out->n++;
		off = now->end;
	}
	return SLV_OK;
}

/* The i-th frame without [from, upto); NULL: there is none. */
static const struct frame *
frame_without(const struct frames *f, size_t i, size_t from, size_t upto)
{
	if (i >= from)
		i += upto - from;
	return i < f->n ? &f->at[i] : NULL;
}

/* Where the log without frames [from, upto) breaks such that they lead from one
 * side to the other. */
static bool
find_place(const struct frames *f, size_t from, size_t upto, uint64_t *to)
{
	const struct frame *before = NULL, *after;
	size_t n = f->n - (upto - from);

	for (size_t i = 0; i <= n; i++, before = after) {
		after = frame_without(f, i, from, upto);
		if (after != NULL && leads_to(before, after))
			continue;
		*to = after != NULL ? after->off : before->end;
		return leads_to(before, &f->at[from])
		    && leads_to(&f->at[upto - 1], after);
	}
	return false;
}

/* Return true if the log without frames [from, upto) breaks nowhere. */
static bool
is_whole(const struct frames *f, size_t from, size_t upto)
{
	const struct frame *before = NULL, *after;
	size_t n = f->n - (upto - from);

	for (size_t i = 0; i < n; i++, before = after) {
		after = frame_without(f, i, from, upto);
		if (!leads_to(before, after))
			return false;
	}
	return true;
}

/* Propose frames [from, upto), if the others follow each other then, or with
 * these in another place. */
static void
propose(
    const struct frames *f, size_t from, size_t upto, struct slv_strays *out)
{
	struct slv_stray x = { f->at[from].off, f->at[upto - 1].end,
		f->at[from].off, 1, 0 };

	/* Some frame must remain to lead from. */
	if (upto - from == f->n)
		return;
	for (size_t i = 0; i < out->n; i++) {
		if (out->at[i].off == x.off && out->at[i].end == x.end)
			return;
	}
	if (!find_place(f, from, upto, &x.to)) {
		/* A log that ends before them may be one whose last frame
		 * before them lost its duration. */
		if (upto == f->n || !is_whole(f, from, upto))
			return;
		x.to = x.off;
	}
	slv_strays_add(out, &x);
}

/* Propose frames from a break on, up to where the count goes on; and those
 * before it, which may be the wrong ones as well. */
static void
propose_at(const struct frames *f, size_t at, struct slv_strays *out)
{
	const struct frame *before = at > 0 ? &f->at[at - 1] : NULL;

	for (size_t upto = at + 1; upto <= f->n; upto++) {
		if (upto == f->n || leads_to(before, &f->at[upto])) {
			propose(f, at, upto, out);
			break;
		}
		if (!leads_to(&f->at[upto - 1], &f->at[upto]))
			break;
	}
	for (size_t from = at; from-- > 0;) {
		before = from > 0 ? &f->at[from - 1] : NULL;
		if (leads_to(before, &f->at[at])) {
			propose(f, from, at, out);
			break;
		}
		if (before == NULL || !leads_to(before, &f->at[from]))
			break;
	}
}

/* Whether a frame is left out that looks whole, or says something else than
 * those around it. */
static bool
seems_odd(const struct slv_scan *s)
{
	const struct carla *c = carla_of(s);
	bool odd = s->units_suspect > 0;

	/* The last one of a log that was cut gets another duration. */
	for (size_t i = 0; i + 1 < c->n_items && !odd; i++)
		odd = c->items[i].changed;
	return odd && c->header.len > 0;
}

enum slv_status
carla_strays(struct slv_scan *s, struct slv_strays *out, struct slv_err *err)
{
	struct frames f = { .n = 0 };
	enum slv_status st = SLV_OK;

	if (seems_odd(s))
		st = list(s, &f, err);
	if (f.n_breaks < BREAKS) {
		for (size_t i = 0; i < f.n_breaks; i++)
			propose_at(&f, f.breaks[i], out);
	}
	slv_free(f.at);
	return st;
}
