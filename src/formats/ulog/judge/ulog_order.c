/* ulog_order.c - after damage: what contradicts the times of its subscription is
 * left out, and each loss gets its length.
 *
 * A cluster of an earlier flight, or one that was written twice, reads as well as
 * the log itself.  Only times show it: within a subscription they never go back.
 * What is kept is split into runs, at every loss and where time goes back.  Of
 * all chains of runs in which no subscription goes back the one with the most
 * messages is the log.  Subscriptions are not compared with each other: one may
 * be minutes ahead of all others.
 */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"
#include "support/memory.h"

#define BACK        64 /* runs that a chain may skip */
#define FEW         4  /* one of so many subscriptions may go back: a flip */
#define BONUS       256 /* messages of which a run that follows at once has more */
#define SOON        256 /* messages after a loss that show its length */
#define NONE        SIZE_MAX
#define JUMP        500000 /* us: more than topics shift against each other */
#define DROPOUT_MAX 65535  /* ms */

/* What a subscription has in a run. */
struct stamps {
	size_t sub;
	uint64_t first, last;
};

struct run {
	uint64_t off, end;
	uint64_t n;      /* messages of data */
	size_t at, rows; /* their stamps */
	bool declares;   /* it has formats or subscriptions */
	bool keep;
	uint64_t best; /* messages of the best chain that ends here */
	size_t from;   /* the run before it in that chain */
};

/* Where a subscription is. */
struct course {
	uint64_t n, off, len;   /* messages so far; the last one */
	uint64_t prev, last;    /* times */
	uint64_t prev_lag, lag; /* times minus the clock */
	uint64_t off_by; /* the last message differed by so much from what was
			  * expected */
	size_t run, row;
	uint64_t gap; /* losses before it */
	uint64_t top; /* its last time in the run `top_run` */
	size_t top_run;
};

/* A kept message; of data whose time is known, with its subscription. */
struct kept {
	uint64_t off, len, time;
	struct ulog_message msg;
	size_t sub; /* NONE: not data, or without a time */
};

struct order {
	struct slv_scan *scan;
	struct ulog *log;
	struct run *runs;
	size_t n_runs, cap_runs;
	struct stamps *rows;
	size_t n_rows, cap_rows;
	struct course *courses; /* by subscription */
	size_t run;             /* in the second pass */
	bool open, behind;      /* in a run; its times repeat earlier ones */
	uint64_t clock;         /* time at the last message, for most topics */

	struct kept held; /* a message that shows another time */

	/* The last loss. */
	uint64_t gaps, gap_at, step;
	unsigned left; /* messages that may still show how long it was */
};

typedef enum slv_status on_kept(
    struct order *, const struct kept *, struct slv_err *);

/* Read all that is kept, from message to message; NULL stands for a loss. */
static enum slv_status
each(struct order *o, on_kept *fn, struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	const struct ulog *m = o->log;
	uint64_t at = 0, end;

	o->clock = 0;
	o->held.sub = NONE;
	memset(o->courses, 0, m->n_subs * sizeof(*o->courses));
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate != SLV_KEPT || x->part == SLV_PART_FRAME)
			continue;
		if (at > 0 && at != x->off
		    && s->catalog.at[i - 1].part != SLV_PART_FRAME)
			SLV_TRY(fn(o, NULL, err));
		end = x->off + x->len;
		for (at = x->off; at < end;) {
			struct kept k = { .off = at, .sub = NONE };
			const struct ulog_sub *sub;
			bool whole;

			SLV_TRY(slv_scan_go_on(s, err));
			SLV_TRY(ulog_look(s, at, &k.msg, &whole, err));
			if (!whole)
				return slv_fail(err, SLV_E_ACTIVE,
				    "%s: changed while it was read",
				    s->source->name);
			k.len = ULOG_HEAD + k.msg.size;
			sub = k.msg.type == 'D'
			    ? ulog_sub_of(m, ulog_id(&k.msg))
			    : NULL;
			if (sub != NULL && sub->usable && sub->stamp > 0
			    && k.msg.size == sub->size) {
				k.sub = (size_t)(sub - m->subs);
				k.time = slv_get_le64(k.msg.body + sub->stamp);
			}
			SLV_TRY(fn(o, &k, err));
			at += k.len;
		}
	}
	return SLV_OK;
}

/* us between two times, or differences of times, of which one may be 0. */
static uint64_t
apart(uint64_t a, uint64_t b)
{
	return slv_min64(a - b, b - a);
}

/* The time at this message for most topics, if this one is as far from it as it
 * usually is. */
static uint64_t
clock_by(const struct order *o, const struct kept *k)
{
	const struct course *c = &o->courses[k->sub];

	return c->n < 2 ? o->clock : k->time - c->lag;
}

/* Does the message show another time than those around it? */
static bool
is_jump(const struct order *o, const struct kept *k)
{
	return o->clock != 0 && apart(clock_by(o, k), o->clock) > JUMP;
}

/* Time went back within a subscription.  Is the earlier message the wrong one?
 * That is the one further away from what it usually has around it. */
static bool
is_earlier_wrong(
    const struct order *o, const struct course *c, const struct kept *k)
{
	uint64_t lag = c->n < 2 ? 0 : c->prev_lag;

	return c->n < 2 || k->time == c->prev
	    ? c->off_by > apart(k->time - lag, o->clock) || c->n > 1
	    : k->time > c->prev && c->off_by > apart(k->time - lag, o->clock);
}

/* Go on to this message; instead of the last one if that was wrong.  One that
 * jumps does not set the clock: it may be wrong. */
static void
go_on(struct order *o, struct course *c, const struct kept *k, bool instead)
{
	uint64_t lag = instead ? c->prev_lag : c->lag;

	c->off_by = apart(k->time - (c->n > 0 ? lag : 0), o->clock);
	if (o->clock == 0)
		o->clock = k->time;
	else if (!is_jump(o, k))
		o->clock = clock_by(o, k);
	if (!instead) {
		c->prev = c->last;
		c->prev_lag = c->lag;
		c->n++;
	}
	c->lag = k->time - o->clock;
	c->last = k->time;
	c->off = k->off;
	c->len = k->len;
	c->gap = o->gaps;
}

/* Two messages in a row of different topics show another time: the clock jumps.
 * *held is the first one, as soon as there is one. */
static bool
has_jumped(struct order *o, const struct kept *k)
{
	uint64_t by = clock_by(o, k);

	if (o->held.sub == NONE || o->held.sub == k->sub || !is_jump(o, k)
	    || apart(by, clock_by(o, &o->held)) > JUMP)
		return false;
	o->clock = by;
	return true;
}

static enum slv_status
open_run(struct order *o, uint64_t off, bool behind, struct slv_err *err)
{
	uint64_t memory = o->n_runs * sizeof(*o->runs);

	o->open = true;
	o->behind = behind;
	SLV_TRY(
	    slv_memory_take(o->scan, &memory, sizeof(*o->runs), "times", err));
	return SLV_ADD(o, runs, err,
	    (struct run){
	        .off = off, .end = off, .at = o->n_rows, .from = NONE });
}

/* Note a time in the open run. */
static enum slv_status
note(struct order *o, const struct kept *k, bool instead, struct slv_err *err)
{
	struct course *c = &o->courses[k->sub];
	struct run *r = &o->runs[o->n_runs - 1];
	uint64_t memory = o->n_rows * sizeof(*o->rows);

	if (c->n == 0 || c->run != o->n_runs) {
		SLV_TRY(slv_memory_take(
		    o->scan, &memory, sizeof(*o->rows), "times", err));
		c->top = c->last;
		c->top_run = c->n > 0 ? c->run : 0;
		c->row = o->n_rows;
		SLV_TRY(SLV_ADD(
		    o, rows, err, (struct stamps){ k->sub, k->time, k->time }));
		r->rows++;
	}
	c->run = o->n_runs;
	o->rows[c->row].last = k->time;
	if (o->rows[c->row].first > k->time)
		o->rows[c->row].first = k->time;
	r->n += !instead;
	go_on(o, c, k, instead);
	return SLV_OK;
}

/* Put a message into the open run, or into a new one. */
static enum slv_status
place(struct order *o, const struct kept *k, bool jump, struct slv_err *err)
{
	bool back, instead, ahead;
	struct course *c;
	uint64_t top;

	if (!o->open)
		SLV_TRY(open_run(o, k->off, false, err));
	if (k->sub != NONE) {
		c = &o->courses[k->sub];
		back = c->n > 0 && c->run == o->n_runs && k->time < c->last;
		instead = back && is_earlier_wrong(o, c, k);
		top = c->run == o->n_runs ? c->top : c->last;
		ahead = o->behind && c->n > 0 && k->time > top
		    && (c->run == o->n_runs ? c->top_run : c->run)
		        == o->n_runs - 1;
		back &= !instead;
		if (back || ahead || jump)
			SLV_TRY(open_run(o, k->off, back && !ahead, err));
		SLV_TRY(note(o, k, instead, err));
	}
	o->runs[o->n_runs - 1].declares |=
	    k->msg.type == 'A' || k->msg.type == 'F';
	o->runs[o->n_runs - 1].end = k->off + k->len;
	return SLV_OK;
}

/* First pass: the runs.  A message that jumps waits for the next one. */
static enum slv_status
collect(struct order *o, const struct kept *k, struct slv_err *err)
{
	struct kept held = o->held;
	bool jump;

	if (k != NULL && k->sub == NONE && held.sub != NONE) {
		o->held.len = k->off + k->len - held.off;
		return SLV_OK;
	}
	if (held.sub != NONE) {
		jump = k != NULL && has_jumped(o, k);
		o->held.sub = NONE;
		SLV_TRY(place(o, &held, jump, err));
	}
	if (k == NULL)
		o->open = false;
	else if (k->sub != NONE && is_jump(o, k))
		o->held = *k;
	else
		return place(o, k, false, err);
	return SLV_OK;
}

/* Can the run follow these last times?  *near: it does so at once. */
static bool
can_follow(const struct order *o, const uint64_t *lasts, const struct run *r,
    bool *near)
{
	size_t common = 0, back = 0;

	*near = false;
	for (size_t i = 0; i < r->rows; i++) {
		const struct stamps *x = &o->rows[r->at + i];

		common += lasts[x->sub] > 0;
		back += x->first < lasts[x->sub];
		*near |= x->first - lasts[x->sub] < 2 * JUMP;
	}
	return back == 0 || back * FEW < common;
}

/* The last times after a chain, in one of a few rooms. */
static uint64_t *
room(uint64_t *rooms, size_t n_subs, size_t i)
{
	return rooms + i * n_subs;
}

/* For each run the best chain that ends with it; *best is the end of the best of
 * all. */
static void
chain(struct order *o, uint64_t *rooms, size_t *best)
{
	size_t n_subs = o->log->n_subs, leader = NONE;
	uint64_t *champion = room(rooms, n_subs, BACK);

	for (size_t i = 0; i < o->n_runs; i++) {
		struct run *r = &o->runs[i];
		uint64_t *own = room(rooms, n_subs, i % BACK), most = 0;
		const uint64_t *state = NULL;

		/* The last turn is for the best of all, however far it is. */
		for (size_t back = 1; back <= BACK && back <= i + 1; back++) {
			bool last = back == slv_min64(BACK, i + 1), near;
			size_t at = last ? leader : i - back;
			const uint64_t *lasts = last
			    ? champion
			    : room(rooms, n_subs, (i - back) % BACK);
			uint64_t score;

			if (at == NONE || o->runs[at].n == 0
			    || !can_follow(o, lasts, r, &near))
				continue;
			score = o->runs[at].best + (near ? BONUS : 0);
			if (score <= most)
				continue;
			most = score;
			state = lasts;
			r->from = at;
		}
		most = r->from == NONE ? 0 : o->runs[r->from].best;
		r->best = most + r->n;
		if (state != NULL)
			memcpy(own, state, n_subs * sizeof(*own));
		else
			memset(own, 0, n_subs * sizeof(*own));
		for (size_t k = 0; k < r->rows; k++) {
			const struct stamps *x = &o->rows[r->at + k];

			own[x->sub] = slv_max64(own[x->sub], x->last);
		}
		if (r->n > 0
		    && (leader == NONE || r->best > o->runs[leader].best)) {
			leader = i;
			memcpy(champion, own, n_subs * sizeof(*own));
		}
	}
	*best = leader;
}

/* Say which runs are not in the chain, and which ones between two losses nothing
 * shows to be of this flight. */
static enum slv_status
name_runs(struct order *o, size_t best, struct slv_err *err)
{
	struct slv_scan *s = o->scan;

	for (; best != NONE; best = o->runs[best].from)
		o->runs[best].keep = true;
	for (size_t i = 0; i < o->n_runs; i++) {
		struct run *r = &o->runs[i];
		uint64_t off = slv_max64(r->off, o->log->data_at);

		r->keep |= r->end <= off
		    || (r->n == 0
		        && (r->declares || i == 0 || i + 1 == o->n_runs));
		if (r->keep)
			continue;
		s->units_kept -= r->n;
		s->lost_mixed |= r->n == 0;
		s->lost_loose |= r->n == 0;
		SLV_TRY(ulog_problem(s, r->n > 0 ? ULOG_P_STALE : ULOG_P_ALONE,
		    off, r->end - off, 0, r->n, err));
	}
	return SLV_OK;
}

/* Does the message belong to a run that is left out?  Declarations stay: others
 * need them. */
static bool
is_left(struct order *o, const struct kept *k)
{
	while (o->run + 1 < o->n_runs && o->runs[o->run + 1].off <= k->off)
		o->run++;
	return o->n_runs > 0 && !o->runs[o->run].keep
	    && k->off >= o->log->data_at && k->msg.type != 'A'
	    && k->msg.type != 'F';
}

static enum slv_status
choose(struct order *o, struct slv_err *err)
{
	size_t best = NONE;
	uint64_t *rooms;

	SLV_TRY(
	    slv_new(&rooms, (size_t)(BACK + 1) * slv_max64(o->log->n_subs, 1),
	        sizeof(*rooms), err));
	chain(o, rooms, &best);
	free(rooms);
	return name_runs(o, best, err);
}

/* The last loss is over: tell readers how long it was, as a logger does that had
 * no room. */
static enum slv_status
close_gap(struct order *o, struct slv_err *err)
{
	uint64_t ms = o->step == UINT64_MAX ? 0 : o->step / 1000;

	o->left = 0;
	if (o->scan->reference != NULL || ms > UINT32_MAX)
		return SLV_OK;
	for (; ms > 0; ms -= slv_min64(ms, DROPOUT_MAX))
		SLV_TRY(SLV_ADD(o->log, edits, err,
		    (struct ulog_edit){ o->gap_at, 0, ULOG_EDIT_DROPOUT,
		        slv_min64(ms, DROPOUT_MAX) }));
	return SLV_OK;
}

static enum slv_status
leave_one(struct order *o, uint64_t off, uint64_t len, size_t sub,
    struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	struct ulog_sub *of = &o->log->subs[sub];
	uint32_t channel = of->id;

	of->n--;
	s->units_kept--;
	slv_scan_lose(s, 1, &channel);
	SLV_TRY(ulog_problem(s, ULOG_P_TIME, off, len, 0, 0, err));
	return slv_catalog_queue(&s->catalog, off, len, SLV_LOST, err);
}

/* Second pass, over what is kept: single messages with a wrong time, the length
 * of losses, and what the log now has. */
static enum slv_status
settle(struct order *o, const struct kept *k, struct slv_err *err)
{
	struct ulog_sub *sub;
	struct course *c;
	bool back, instead;

	if (k == NULL) {
		if (o->left > 0)
			SLV_TRY(close_gap(o, err));
		o->gaps++;
		o->gap_at = 0;
		o->step = UINT64_MAX;
		o->left = SOON;
		return SLV_OK;
	}
	if (is_left(o, k))
		return slv_catalog_queue(&o->scan->catalog, k->off, k->len,
		    o->runs[o->run].n > 0 ? SLV_FOREIGN : SLV_LOST, err);
	if (o->gap_at == 0)
		o->gap_at = k->off;
	if (k->sub == NONE) {
		/* Without a time it counts, and nothing contradicts it. */
		sub = k->msg.type == 'D' ? ulog_sub_of(o->log, ulog_id(&k->msg))
		                         : NULL;
		if (sub != NULL && sub->n++ == 0)
			sub->first_off = k->off;
		return SLV_OK;
	}
	(void)has_jumped(o, k);
	o->held = *k;
	o->held.sub = is_jump(o, k) ? k->sub : NONE;
	c = &o->courses[k->sub];
	sub = &o->log->subs[k->sub];
	back = c->n > 0 && k->time < c->last;
	instead = back && is_earlier_wrong(o, c, k);
	if (sub->n++ == 0) {
		sub->first_off = k->off;
		sub->first = k->time;
	}
	if (instead)
		SLV_TRY(leave_one(o, c->off, c->len, k->sub, err));
	else if (back)
		return leave_one(o, k->off, k->len, k->sub, err);
	if (instead && sub->n == 1) {
		sub->first_off = k->off;
		sub->first = k->time;
	}
	sub->last = k->time;
	if (o->left > 0 && c->n > 0 && c->gap < o->gaps && !back)
		o->step = slv_min64(o->step, k->time - c->last);
	if (o->left > 0 && --o->left == 0)
		SLV_TRY(close_gap(o, err));
	go_on(o, c, k, instead);
	return SLV_OK;
}

static enum slv_status
judge(struct order *o, struct slv_err *err)
{
	struct ulog *m = o->log;

	SLV_TRY(slv_new(
	    &o->courses, slv_max64(m->n_subs, 1), sizeof(*o->courses), err));
	SLV_TRY(each(o, collect, err));
	SLV_TRY(collect(o, NULL, err));
	SLV_TRY(choose(o, err));
	for (size_t i = 0; i < m->n_subs; i++)
		m->subs[i].n = 0;
	SLV_TRY(each(o, settle, err));
	if (o->left > 0)
		SLV_TRY(close_gap(o, err));
	return slv_catalog_apply(&o->scan->catalog, err);
}

enum slv_status
ulog_order(struct slv_scan *s, struct slv_err *err)
{
	struct order o = { .scan = s, .log = ulog_edit(s) };
	enum slv_status st = judge(&o, err);

	free(o.runs);
	free(o.rows);
	free(o.courses);
	return st;
}
