/* carla_time.c - ids and times that lead from one frame to the next.
 *
 * Frames are counted, and each begins where the one before it ends, to the last
 * bit.  So a number that was hit contradicts its neighbours, and they say what
 * it was.  Damaged numbers are corrected; ids that were left out stay left out.
 */
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

/* A frame and those around it, which are NULL where there is none or
 * something is missing between. */
struct place {
	struct slv_scan *scan;
	struct carla_item *before; /* the frame that is kept before it */
	struct carla_item *frame;
	struct carla_item *after; /* the one that is kept after it */
	struct carla_item *then;  /* ... and after that */
	struct carla_item *next;  /* ... and follows it */
	bool follows;             /* the one before leads to it */
};

/* The number next to v > 0, above or below. */
static double
neighbour(double v, int64_t step)
{
	int64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	bits += step;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* How long a frame lasts that leads from a to b, b > a: as the recorder would
 * have it, if so. */
static double
duration_between(double a, double b)
{
	double d = (double)(float)(b - a);

	if (a + d >= b && a + d <= b)
		return d;
	d = b - a;
	while (a + d < b)
		d = neighbour(d, 1);
	while (a + d > b)
		d = neighbour(d, -1);
	return d;
}

/* Whether a recorder could have counted from a to b: durations are f32. */
static bool
is_step(double a, double b)
{
	double d = (double)(float)(b - a);

	return b > a && a + d >= b && a + d <= b;
}

/* Whether a is b except for one bit. */
static bool
is_flipped(double a, double b)
{
	uint64_t x, y;

	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	x ^= y;
	return x != 0 && (x & (x - 1)) == 0;
}

static bool
is_f32(double d)
{
	return d >= (double)(float)d && d <= (double)(float)d;
}

static enum slv_status
set_id(struct place *p, uint64_t id, struct slv_err *err)
{
	struct carla_item *f = p->frame;
	uint64_t had = f->start.id;

	f->start.id = id;
	f->changed = true;
	return carla_problem(p->scan, CARLA_P_ID, f->off, f->len, id, had, err);
}

/* Let a duration, or the time of a frame, be another. */
static enum slv_status
set_time(struct place *p, struct carla_item *f, double *which, double v,
    unsigned row, struct slv_err *err)
{
	*which = v;
	f->changed = true;
	return carla_problem(p->scan, row, f->off, f->len, f->start.id, 0, err);
}

/* Whether the number of the frame is above those of the frames that come later,
 * which is at least `least`: one of them may be wrong, but not two. */
static bool
is_too_high(const struct place *p, uint64_t least)
{
	uint64_t id = p->frame->start.id;

	return p->after != NULL && p->after->start.id <= id
	    && p->after->start.id > least
	    && (p->then == NULL || p->then->start.id <= id);
}

/* The number of a frame before which something may be missing. */
static enum slv_status
settle_loose_id(struct place *p, struct slv_err *err)
{
	const struct carla_item *next = p->next;
	uint64_t least = p->before != NULL ? p->before->start.id + 1 : 1;
	uint64_t id = p->frame->start.id;

	if (next != NULL && next->start.id > least
	    && (id < least || id >= next->start.id))
		return set_id(p, next->start.id - 1, err);
	return id < least || is_too_high(p, least) ? set_id(p, least, err)
	                                           : SLV_OK;
}

/* Whether the number of the frame is the only thing that leads to it from the one
 * before, while its time leads to one with a later number: then a seam is between
 * its number and its time, and the rest of the frame is of the later place. */
static bool
is_of_next(const struct place *p)
{
	const struct carla_start *at = &p->frame->start;

	return p->next != NULL && p->next->start.id > at->id + 1
	    && !carla_chained(&p->before->start, at)
	    && carla_chained(at, &p->next->start);
}

/* Give such a frame the number of its place: what was between is not in the file. */
static enum slv_status
take_to_next(struct place *p, struct slv_err *err)
{
	uint64_t id = p->next->start.id - 1;

	slv_scan_lose(p->scan, id - p->frame->start.id, NULL);
	p->scan->absent = true;
	return set_id(p, id, err);
}

/* The number of a frame that follows another. */
static enum slv_status
settle_id(struct place *p, struct slv_err *err)
{
	uint64_t id = p->frame->start.id, want;

	if (!p->follows)
		return settle_loose_id(p, err);
	want = p->before->start.id + 1;
	if (id == want)
		return is_of_next(p) ? take_to_next(p, err) : SLV_OK;
	if (id < want || (p->next != NULL && p->next->start.id <= id)
	    || is_too_high(p, want))
		return set_id(p, want, err);
	return SLV_OK; /* frames were left out before, and that was corrected */
}

/* Whether the time of the frame is wrong, rather than the duration of the one
 * before. */
static bool
is_time_wrong(const struct place *p)
{
	const struct carla_start *a = &p->before->start, *b = &p->frame->start;
	struct carla_start moved = *b;
	bool time, duration;

	if (a->duration < 0)
		return false;
	moved.elapsed = a->elapsed + a->duration;
	if (p->next != NULL)
		return carla_chained(&moved, &p->next->start);
	time = is_flipped(b->elapsed, moved.elapsed);
	duration = b->elapsed > a->elapsed
	    && is_flipped(
	        a->duration, duration_between(a->elapsed, b->elapsed));
	if (time != duration)
		return time;
	return is_f32(a->duration) && !is_step(a->elapsed, b->elapsed);
}

/* Frame 1 begins at 0, if it leads to the next one from there, or is the only one
 * and one bit makes it so: that of a log of which the frames were counted again need
 * not. */
static enum slv_status
settle_first(struct place *p, struct slv_err *err)
{
	struct carla_start zero = p->frame->start;

	zero.elapsed = 0;
	if (zero.id != 1 || p->frame->start.elapsed <= 0)
		return SLV_OK;
	if (p->after != NULL ? !carla_chained(&zero, &p->after->start)
	                     : !is_flipped(p->frame->start.elapsed, 0))
		return SLV_OK;
	return set_time(
	    p, p->frame, &p->frame->start.elapsed, 0, CARLA_P_ELAPSED, err);
}

/* Let the frame before end where this one begins. */
static enum slv_status
settle_time(struct place *p, struct slv_err *err)
{
	struct carla_item *a = p->before, *b = p->frame;
	double end;

	if (a == NULL)
		return settle_first(p, err);
	if (carla_chained(&a->start, &b->start))
		return SLV_OK;
	end = a->start.elapsed + a->start.duration;
	if (b->start.elapsed <= a->start.elapsed
	    || (p->follows && is_time_wrong(p))) {
		if (a->start.duration < 0) {
			SLV_TRY(set_time(p, a, &a->start.duration, 0,
			    CARLA_P_DURATION, err));
			end = a->start.elapsed;
		}
		return set_time(
		    p, b, &b->start.elapsed, end, CARLA_P_ELAPSED, err);
	}
	return set_time(p, a, &a->start.duration,
	    duration_between(a->start.elapsed, b->start.elapsed),
	    CARLA_P_DURATION, err);
}

/* Numbers that are missing in the repaired log.  Where none shall be the frame
 * takes the first of them. */
static enum slv_status
note_gap(struct place *p, struct slv_err *err)
{
	unsigned row = slv_scan_setting(p->scan, CARLA_RENUMBER) != NULL
	    ? CARLA_P_RENUMBERED
	    : CARLA_P_GAP;
	const struct carla_item *f = p->frame;
	uint64_t want = p->before != NULL ? p->before->start.id + 1 : 1;

	if (f->start.id == want)
		return SLV_OK;
	p->frame->missing = f->start.id - want;
	return carla_problem(
	    p->scan, row, f->off, f->len, want, f->start.id, err);
}

/* The next frame from item i on; NULL: none. */
static struct carla_item *
frame_from(struct carla *c, size_t i)
{
	while (i < c->n_items && !c->items[i].is_frame)
		i++;
	return i < c->n_items ? &c->items[i] : NULL;
}

static bool
leads_to(const struct carla_item *a, const struct carla_item *b)
{
	return a != NULL && b != NULL && b->follows
	    && (b->start.id == a->start.id + 1
	        || carla_chained(&a->start, &b->start));
}

/* Count the frames again. */
static enum slv_status
renumber(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	struct place p = { .scan = s, .frame = frame_from(c, 0) };
	uint64_t id = 0;

	for (struct carla_item *f = p.frame; f != NULL;
	     f = frame_from(c, (size_t)(f - c->items) + 1)) {
		id++;
		f->changed |= f->start.id != id;
		f->start.id = id;
	}
	if (p.frame == NULL)
		return SLV_OK;
	p.after = frame_from(c, (size_t)(p.frame - c->items) + 1);
	return settle_first(&p, err);
}

enum slv_status
carla_settle(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	struct place p = { .scan = s, .frame = frame_from(c, 0) };

	while (p.frame != NULL) {
		p.after = frame_from(c, (size_t)(p.frame - c->items) + 1);
		p.then = p.after == NULL
		    ? NULL
		    : frame_from(c, (size_t)(p.after - c->items) + 1);
		p.follows = leads_to(p.before, p.frame);
		p.next = leads_to(p.frame, p.after) ? p.after : NULL;
		SLV_TRY(settle_id(&p, err));
		SLV_TRY(settle_time(&p, err));
		SLV_TRY(note_gap(&p, err));
		p.before = p.frame;
		p.frame = p.after;
	}
	if (p.before != NULL && !p.before->own_end)
		SLV_TRY(set_time(&p, p.before, &p.before->start.duration, -1,
		    CARLA_P_LAST, err));
	return slv_scan_setting(s, CARLA_RENUMBER) != NULL ? renumber(s, err)
	                                                   : SLV_OK;
}
