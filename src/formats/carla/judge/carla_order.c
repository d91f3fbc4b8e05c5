/* carla_order.c - which frames belong to this log, and are in their place?
 *
 * After damage the walk continues with the next whole frame that is later than
 * those before.  That frame may be of a later page, or of a piece of another
 * log that a user packet carries; then it contradicts frames that belong there.
 * So all rows of frames are compared, and rows that contradict more frames than
 * they have are left out.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/readings/stray.h"
#include "formats/carla/judge/carla_rows.h"

#define MORE 4 /* a lost packet may be this many times the longest known one */

/* The cost of one row after another, in frames. */
enum {
	NEXT = 0,        /* the first of the two leads to the second */
	NEVER = 1 << 20, /* they contradict each other */
};

/* The search for the order of rows that costs the fewest frames. */
struct order {
	struct slv_scan *scan;
	struct carla_rows rows;
	int64_t *best; /* owned; best result of rows that end with each, in
		        * frames */
	size_t *prior; /* owned; the row before it in that result; SIZE_MAX:
		        * none */
	bool *chosen;  /* owned */
	bool anchored; /* some row begins the log */
	int apart;     /* cost of rows between which frames are lost */
	int odd;       /* ... and which the damage does not explain
		        * completely */
};

/* Return true if the log begins with the row. */
static bool
is_anchor(const struct slv_scan *s, const struct carla_row *r)
{
	const struct carla_header *h = &carla_of(s)->header;

	return h->len > 0 && r->off == s->base + h->len && r->frames > 0
	    && r->first.id == 1;
}

/* The cost of losing `n` frames before row b, after row a; NULL: after the
 * header.  Whole items that are left out between them are not the rest of
 * these. */
static int
gap_cost(const struct order *o, uint64_t n, const struct carla_row *a,
    const struct carla_row *b)
{
	uint64_t from = a != NULL ? a->end : o->scan->base;
	uint64_t whole = b > o->rows.at ? b[-1].whole : 0, len;

	whole -= a != NULL ? slv_min64(a->whole, whole) : 0;
	len = b->off - from;
	len -= slv_min64(whole, len);
	return n <= len * 2 / slv_max64(o->rows.least, 1) ? o->apart : o->odd;
}

/* The cost of b as the first row. */
static int
first_cost(const struct order *o, const struct carla_row *b)
{
	if (o->anchored)
		return is_anchor(o->scan, b) ? NEXT : NEVER;
	return b->first.id == 1 ? NEXT : gap_cost(o, b->first.id - 1, NULL, b);
}

/* The cost of b after a. */
static int
cost(
    const struct order *o, const struct carla_row *a, const struct carla_row *b)
{
	const struct carla_start *x = &a->last, *y = &b->first;

	if (b->off < a->end)
		return NEVER;
	if (carla_is_next(x, y))
		return NEXT;
	if (y->id <= x->id && y->elapsed <= x->elapsed)
		return NEVER;
	if (y->id > x->id + 1 && y->elapsed >= x->elapsed && !carla_is_last(x))
		return gap_cost(o, y->id - x->id - 1, a, b);
	/* A FrameStart put together from two leads from one to the other. */
	return a->frames > 0 && b->frames > 0 ? o->odd : NEVER;
}

/* The cost of a as the last row. */
static int
last_cost(const struct order *o, const struct carla_row *a)
{
	return carla_is_last(&a->last) ? NEXT : o->odd;
}

/* Find the rows that follow each other with as many frames as possible. */
static void
choose(struct order *o)
{
	const struct carla_row *at = o->rows.at;
	size_t end = SIZE_MAX;
	int64_t most = 0;

	for (size_t i = 0; i < o->rows.n; i++) {
		o->prior[i] = SIZE_MAX;
		o->best[i] = -first_cost(o, &at[i]);
		for (size_t k = 0; k < i; k++) {
			int64_t then = o->best[k] - cost(o, &at[k], &at[i]);

			if (then < o->best[i])
				continue;
			o->best[i] = then;
			o->prior[i] = k;
		}
		o->best[i] += (int64_t)at[i].frames;
		if (end != SIZE_MAX && o->best[i] - last_cost(o, &at[i]) < most)
			continue;
		end = i;
		most = o->best[i] - last_cost(o, &at[i]);
	}
	while (end != SIZE_MAX) {
		o->chosen[end] = true;
		end = o->prior[end];
	}
}

/* The chosen row before row i, or after it; SIZE_MAX: none. */
static size_t
chosen_before(const struct order *o, size_t i)
{
	while (i > 0 && !o->chosen[i - 1])
		i--;
	return i > 0 ? i - 1 : SIZE_MAX;
}

static size_t
chosen_after(const struct order *o, size_t i)
{
	do
		i++;
	while (i < o->rows.n && !o->chosen[i]);
	return i < o->rows.n ? i : SIZE_MAX;
}

/* Rows that lead to each other, and the cost of keeping them. */
struct thread {
	size_t first, last;
	size_t a, b; /* those before and after; SIZE_MAX: none */
	int before, after;
};

/* The chosen rows that lead to row i, and those that row i leads to. */
static struct thread
thread_of(const struct order *o, size_t i)
{
	const struct carla_row *at = o->rows.at;
	struct thread t = { .first = i, .last = i };

	for (;;) {
		t.a = chosen_before(o, t.first);
		t.before = t.a != SIZE_MAX ? cost(o, &at[t.a], &at[t.first])
		                           : first_cost(o, &at[t.first]);
		if (t.a == SIZE_MAX || t.before != NEXT)
			break;
		t.first = t.a;
	}
	for (;;) {
		t.b = chosen_after(o, t.last);
		t.after = t.b != SIZE_MAX ? cost(o, &at[t.last], &at[t.b])
		                          : last_cost(o, &at[t.last]);
		if (t.b == SIZE_MAX || t.after != NEXT)
			break;
		t.last = t.b;
	}
	return t;
}

/* Return true if a user packet may carry the rows: some are as long. */
static bool
may_be_carried(const struct order *o, const struct thread *t)
{
	const struct carla_row *at = o->rows.at;

	uint64_t len = at[t->last].end - at[t->first].off;
	uint64_t most = slv_max64(carla_of(o->scan)->most, o->rows.least);

	return carla_carries(carla_of(o->scan)) && len <= MORE * most;
}

/* Return true if the row, which contradicts the chosen ones, may stay: one of
 * its numbers may be wrong. */
static bool
may_differ(const struct order *o, const struct thread *t)
{
	const struct carla_row *at = o->rows.at;
	int worse = t->before > t->after ? t->before : t->after;

	if (t->a != SIZE_MAX && t->b != SIZE_MAX
	    && (at[t->b].frames > 0 || may_be_carried(o, t))
	    && cost(o, &at[t->a], &at[t->b]) == NEXT)
		return false; /* no frame is missing at its place */
	return worse < (may_be_carried(o, t) ? o->odd : NEVER);
}

/* Return true if the row may stay. */
static bool
may_stay(const struct order *o, size_t i)
{
	struct thread t = thread_of(o, i);

	if (!o->chosen[i])
		return may_differ(o, &t);
	/* Only the end of the file may follow carried frames. */
	return t.a == SIZE_MAX || t.after < o->odd
	    || t.before < (t.b == SIZE_MAX ? o->apart : o->odd)
	    || !may_be_carried(o, &t);
}

/* Exclude a row. */
static enum slv_status
set_aside(struct order *o, size_t i, struct slv_mends *out, struct slv_err *err)
{
	const struct carla_row *r = &o->rows.at[i];
	size_t a = chosen_before(o, i);
	struct slv_strays one = { .n = 0 };
	struct slv_aside x = { .off = r->off, .end = r->end };

	slv_strays_add(
	    &one, &(struct slv_stray){ r->off, r->end, r->off, 0, 0 });
	SLV_TRY(slv_strays_twins(o->scan, &one, err));
	if (one.at[0].twin != UINT64_MAX) {
		x.fate = SLV_FILLER;
		x.problem.info = &slv_core_problems[SLV_P_REPEAT];
		x.problem.want = one.at[0].twin;
	} else {
		x.fate = SLV_LOST;
		x.problem.info = &carla_problems[CARLA_P_ORDER];
		x.problem.got = r->first.id;
		x.problem.want = a != SIZE_MAX ? o->rows.at[a].last.id : 0;
	}
	return slv_mends_add_aside(out, &x, err);
}

static enum slv_status
decide(struct order *o, struct slv_mends *out, struct slv_err *err)
{
	size_t cap[3] = { 0 }, n = o->rows.n;

	SLV_TRY(slv_grow(&o->best, &cap[0], n, sizeof(*o->best), err));
	SLV_TRY(slv_grow(&o->prior, &cap[1], n, sizeof(*o->prior), err));
	SLV_TRY(slv_grow(&o->chosen, &cap[2], n, sizeof(*o->chosen), err));
	for (size_t i = 0; i < n; i++) {
		o->chosen[i] = false;
		o->anchored |= is_anchor(o->scan, &o->rows.at[i]);
	}
	choose(o);
	for (size_t i = 0; i < n; i++) {
		if (o->rows.at[i].kept > 0 && !may_stay(o, i))
			SLV_TRY(set_aside(o, i, out, err));
	}
	return SLV_OK;
}

enum slv_status
carla_order(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	bool carries = carla_carries(carla_of(s));
	struct order o = {
		.scan = s, .apart = carries ? 4 : 1, .odd = carries ? 16 : 2
	};
	enum slv_status st;

	if (s->catalog.sums[SLV_LOST] == 0)
		return SLV_OK;
	st = carla_rows_list(s, &o.rows, err);
	if (st == SLV_OK && o.rows.n > 0 && !o.rows.more)
		st = decide(&o, out, err);
	slv_free(o.rows.at);
	slv_free(o.best);
	slv_free(o.prior);
	slv_free(o.chosen);
	return st;
}
