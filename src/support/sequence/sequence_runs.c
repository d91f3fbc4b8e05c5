/* sequence_runs.c - runs of what is kept, and the chain of them that is the log.
 *
 * A run ends at a loss, where time goes back within a stream, and where the clock
 * jumps.
 */
#include "base/list.h"
#include "support/memory.h"
#include "support/sequence/sequence_parts.h"

#define NO_RUN  SIZE_MAX
#define BACK    64   /* runs that a chain may skip */
#define WATCHED 1024 /* streams; a robot has a few hundred */
#define FEW     4    /* one of so many streams may go back: a flip */
#define BONUS   256  /* messages of which a run that follows at once has more */

static enum slv_status
open_run(struct order *o, uint64_t off, bool repeats, struct slv_err *err)
{
	uint64_t memory = o->n_runs * sizeof(*o->runs);

	o->open = true;
	o->repeats = repeats;
	SLV_TRY(
	    slv_memory_take(o->scan, &memory, sizeof(*o->runs), "times", err));
	return SLV_ADD(o, runs, err,
	    (struct run){
	        .off = off, .end = off, .at = o->n_rows, .from = NO_RUN });
}

/* Note a time in the open run. */
static enum slv_status
note(struct order *o, const struct slv_message *k, bool instead,
    struct slv_err *err)
{
	struct course *c = &o->courses[k->stream];
	struct run *r = &o->runs[o->n_runs - 1];
	uint64_t memory = o->n_rows * sizeof(*o->rows);

	if (c->n == 0 || c->run != o->n_runs) {
		SLV_TRY(slv_memory_take(
		    o->scan, &memory, sizeof(*o->rows), "times", err));
		c->top = c->last;
		c->top_run = c->n > 0 ? c->run : 0;
		c->row = o->n_rows;
		SLV_TRY(SLV_ADD(o, rows, err,
		    (struct stamps){ k->stream, k->time, k->time }));
		r->rows++;
	}
	c->run = o->n_runs;
	o->rows[c->row].last = k->time;
	if (o->rows[c->row].first > k->time)
		o->rows[c->row].first = k->time;
	r->n += !instead;
	sequence_go_on(o, c, k, instead);
	r->first = r->n == 1 ? o->clock : slv_min64(r->first, o->clock);
	r->last = r->n == 1 ? o->clock : slv_max64(r->last, o->clock);
	return SLV_OK;
}

/* Does the message begin another run?  Within a stream time goes back, or gets past
 * what the open run repeats. */
static enum slv_status
place_own(struct order *o, const struct slv_message *k, bool jump,
    struct slv_err *err)
{
	struct course *c = &o->courses[k->stream];
	bool back = c->n > 0 && c->run == o->n_runs && k->time < c->last;
	bool instead = back && sequence_is_earlier_wrong(o, c, k);
	uint64_t top = c->run == o->n_runs ? c->top : c->last;
	bool ahead = o->repeats && c->n > 0 && k->time > top
	    && (c->run == o->n_runs ? c->top_run : c->run) == o->n_runs - 1;

	back &= !instead;
	if (back || ahead || jump)
		SLV_TRY(open_run(o, k->off, back && !ahead, err));
	return note(o, k, instead, err);
}

/* The same with one clock for all. */
static enum slv_status
place_common(struct order *o, const struct slv_message *k, bool jump,
    bool first, struct slv_err *err)
{
	struct run *r = &o->runs[o->n_runs - 1];
	uint64_t before = jump ? o->before : o->clock;
	bool ahead = o->repeats && k->time > o->top;

	/* The first time of a run, which no other one confirms, is wrong. */
	if (jump && r->n == 1) {
		r->n = r->rows = 0;
		o->n_rows = r->at;
		o->courses[o->rows[r->at].stream].run = 0;
		first = true;
	}
	/* On without a loss: the logger was silent. */
	jump &= k->time < before || o->doubted;
	o->doubted = false;
	if ((jump || ahead) && !first)
		SLV_TRY(open_run(o, k->off, false, err));
	if ((jump || first) && k->time < before) {
		o->repeats = true;
		o->top = before;
	}
	return note(o, k, false, err);
}

/* Put a message into the open run, or into a new one. */
static enum slv_status
place(struct order *o, const struct slv_message *k, bool jump,
    struct slv_err *err)
{
	if (!o->open)
		SLV_TRY(open_run(o, k->off, false, err));
	if (k->timed && o->of->rules->slack > 0)
		SLV_TRY(place_common(
		    o, k, jump, o->runs[o->n_runs - 1].n == 0, err));
	else if (k->timed)
		SLV_TRY(place_own(o, k, jump, err));
	o->runs[o->n_runs - 1].declares |= k->declares;
	o->runs[o->n_runs - 1].end = k->off + k->len;
	return SLV_OK;
}

/* First pass: the runs.  A message that jumps waits for the next one. */
enum slv_status
sequence_collect(
    struct order *o, const struct slv_message *k, struct slv_err *err)
{
	struct slv_message held = o->held;
	bool jump;

	o->doubted |= k != NULL && k->unexplained;
	if (k != NULL && !k->timed && held.timed) {
		o->held.len = k->off + k->len - held.off;
		return SLV_OK;
	}
	if (held.timed) {
		jump = k != NULL && sequence_has_jumped(o, k);
		/* With one clock, a time that the next message contradicts is
		 * none. */
		held.timed = jump || k == NULL || o->of->rules->slack == 0;
		o->held.timed = false;
		SLV_TRY(place(o, &held, jump, err));
	}
	if (k == NULL)
		o->open = false;
	else if (k->timed && sequence_is_jump(o, k))
		o->held = *k;
	else
		return place(o, k, false, err);
	return SLV_OK;
}

/* How long bytes take on average, in us per KiB. */
static uint64_t
pace_of(const struct order *o)
{
	uint64_t us = 0, bytes = 0;

	for (size_t i = 0; i < o->n_runs; i++) {
		us += o->runs[i].last - o->runs[i].first;
		bytes += o->runs[i].end - o->runs[i].off;
	}
	return us / (bytes / 1024 + 1);
}

/* With one clock for all: is as much time missing between two runs as the bytes
 * between them take, about?  Without any, a logger may have been silent. */
static bool
is_next(const struct order *o, const struct run *before, const struct run *r)
{
	uint64_t usual = (r->off - before->end) * o->pace / 1024;
	uint64_t step = r->first - before->last;

	return r->off == before->end || o->of->seamless
	    || (step <= 2 * usual + SEQUENCE_JUMP
	        && step + SEQUENCE_JUMP >= usual / 2);
}

/* How many streams have their last times compared: to keep those of all after each
 * run of a log that has many thousands takes hours. */
static size_t
watched(const struct order *o)
{
	return (size_t)slv_min64(o->of->n_streams, WATCHED);
}

/* Can the run follow these last times, after that run?  *near: it does so at once. */
static bool
can_follow(const struct order *o, const uint64_t *lasts,
    const struct run *before, const struct run *r, bool *near)
{
	size_t n_streams = watched(o), common = 0, back = 0;

	*near = false;
	if (o->of->rules->slack > 0 && r->n > 0
	    && r->first + o->of->rules->slack < lasts[n_streams])
		return false;
	for (size_t i = 0; i < r->rows; i++) {
		const struct stamps *x = &o->rows[r->at + i];

		if (x->stream >= n_streams)
			continue;
		common += lasts[x->stream] > 0;
		back += x->first < lasts[x->stream];
		*near |= x->first - lasts[x->stream] < 2 * SEQUENCE_JUMP;
	}
	if (o->of->rules->slack > 0) {
		*near = is_next(o, before, r);
		if (back == 1)
			return true;
	}
	return back == 0 || back * FEW < common;
}

/* The last times after a chain, and the last one of all, in one of a few rooms. */
static uint64_t *
room(uint64_t *rooms, size_t n_streams, size_t i)
{
	return rooms + i * (n_streams + 1);
}

/* How good a chain is that ends with `before`, if the run follows. */
static uint64_t
score_of(const struct order *o, const struct run *before, const struct run *r,
    bool near)
{
	uint64_t bonus = near ? BONUS : 0;

	if (o->of->rules->slack > 0)
		bonus = slv_min64(bonus, r->n);
	/* Without a loss in between it is the same stretch. */
	if (o->of->rules->slack > 0 && before->end != r->off
	    && !o->of->seamless)
		bonus /= 2;
	return before->best + bonus;
}

/* For each run the best chain that ends with it; *best is the end of the best of
 * all. */
static void
chain(struct order *o, uint64_t *rooms, size_t *best)
{
	size_t n_streams = watched(o), leader = NO_RUN;
	uint64_t *champion = room(rooms, n_streams, BACK);

	for (size_t i = 0; i < o->n_runs; i++) {
		struct run *r = &o->runs[i];
		uint64_t *own = room(rooms, n_streams, i % BACK), most = 0;
		const uint64_t *state = NULL;

		/* The last turn is for the best of all, however far it is. */
		for (size_t back = 1; back <= BACK && back <= i + 1; back++) {
			bool last = back == slv_min64(BACK, i + 1), near;
			size_t at = last ? leader : i - back;
			const uint64_t *lasts = last
			    ? champion
			    : room(rooms, n_streams, (i - back) % BACK);
			uint64_t score;

			if (at == NO_RUN || o->runs[at].n == 0
			    || !can_follow(o, lasts, &o->runs[at], r, &near))
				continue;
			score = score_of(o, &o->runs[at], r, near);
			if (score <= most)
				continue;
			most = score;
			state = lasts;
			r->from = at;
		}
		if (o->of->rules->slack == 0)
			most = r->from == NO_RUN ? 0 : o->runs[r->from].best;
		else if (i == 0)
			most = slv_min64(r->n, BONUS);
		r->best = most + r->n;
		if (state != NULL)
			memcpy(own, state, (n_streams + 1) * sizeof(*own));
		else
			memset(own, 0, (n_streams + 1) * sizeof(*own));
		for (size_t k = 0; k < r->rows; k++) {
			const struct stamps *x = &o->rows[r->at + k];

			if (x->stream < n_streams)
				own[x->stream] =
				    slv_max64(own[x->stream], x->last);
		}
		own[n_streams] = slv_max64(own[n_streams], r->last);
		if (r->n > 0
		    && (leader == NO_RUN || r->best > o->runs[leader].best)) {
			leader = i;
			memcpy(champion, own, (n_streams + 1) * sizeof(*own));
		}
	}
	*best = leader;
}

/* Say which runs are not in the chain, and which ones between two losses nothing
 * shows to be of this log.  Without any time in it nothing contradicts that. */
static enum slv_status
name_runs(struct order *o, size_t best, struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	bool untimed = best == NO_RUN;

	for (; best != NO_RUN; best = o->runs[best].from)
		o->runs[best].keep = true;
	for (size_t i = 0; i < o->n_runs; i++) {
		struct run *r = &o->runs[i];
		uint64_t off = slv_max64(r->off, o->of->from);

		r->keep |= untimed || r->end <= off
		    || (r->n == 0
		        && (r->declares || i == 0 || i + 1 == o->n_runs));
		if (r->keep)
			continue;
		s->units_kept -= r->n;
		s->lost_mixed |= r->n == 0;
		s->lost_loose |= r->n == 0;
		SLV_TRY(slv_scan_problem(s,
		    r->n > 0 ? o->of->rules->stale : o->of->rules->alone, off,
		    r->end - off, 0, r->n, err));
	}
	return SLV_OK;
}

/* Does the message belong to a run that is left out?  Declarations stay: others
 * need them. */
bool
sequence_is_left(struct order *o, const struct slv_message *k)
{
	while (o->run + 1 < o->n_runs && o->runs[o->run + 1].off <= k->off)
		o->run++;
	return o->n_runs > 0 && !o->runs[o->run].keep && k->off >= o->of->from
	    && !k->declares;
}

enum slv_status
sequence_choose(struct order *o, struct slv_err *err)
{
	size_t best = NO_RUN;
	uint64_t *rooms;

	o->pace = pace_of(o);

	SLV_TRY(slv_new(&rooms, (size_t)(BACK + 1) * (watched(o) + 1),
	    sizeof(*rooms), err));
	chain(o, rooms, &best);
	slv_free(rooms);
	return name_runs(o, best, err);
}
