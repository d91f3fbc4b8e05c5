/* sequence.c - leave out what contradicts the times of its stream, and measure each
 * loss.
 */
#include "support/sequence/sequence.h"

#include "base/list.h"
#include "support/sequence/sequence_parts.h"

#define SOON 256 /* messages after a loss that show its length */

typedef enum slv_status on_kept(
    struct order *, const struct slv_message *, struct slv_err *);

/* Read all that is kept, from message to message; NULL means a loss. */
static enum slv_status
each(struct order *o, on_kept *fn, struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	uint64_t at = 0, end;

	o->clock = 0;
	o->held.timed = false;
	memset(o->courses, 0, o->of->n_streams * sizeof(*o->courses));
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate != SLV_KEPT || x->part == SLV_PART_FRAME)
			continue;
		if (!o->of->seamless && at > 0 && at != x->off
		    && s->catalog.at[i - 1].part != SLV_PART_FRAME)
			SLV_TRY(fn(o, NULL, err));
		end = x->off + x->len;
		for (at = x->off; at < end;) {
			struct slv_message k = { .off = at,
				.stream = SLV_NO_STREAM };

			SLV_TRY(slv_scan_go_on(s, err));
			SLV_TRY(o->of->rules->read(s, at, &k, err));
			SLV_TRY(fn(o, &k, err));
			at += k.len;
		}
	}
	return SLV_OK;
}

/* The last loss is over. */
static enum slv_status
close_gap(struct order *o, struct slv_err *err)
{
	o->left = 0;
	if (o->scan->reference != NULL || o->step == UINT64_MAX
	    || o->of->rules->gap == NULL)
		return SLV_OK;
	return o->of->rules->gap(o->scan, o->gap_at, o->step, err);
}

static enum slv_status
leave_one(struct order *o, uint64_t off, uint64_t len,
    struct slv_sequence_stream *of, const struct slv_problem_info *why,
    struct slv_err *err)
{
	struct slv_scan *s = o->scan;

	s->units_kept--;
	slv_scan_lose(s, 1, &of->channel);
	if (why != NULL)
		SLV_TRY(slv_scan_problem(s, why, off, len, 0, 0, err));
	return slv_catalog_queue(&s->catalog, off, len, SLV_LOST, err);
}

static enum slv_status
leave_wrong(struct order *o, uint64_t off, uint64_t len,
    struct slv_sequence_stream *of, struct slv_err *err)
{
	of->n--;
	return leave_one(o, off, len, of, o->of->rules->time, err);
}

/* A message that is kept, with a time. */
static enum slv_status
settle_time(struct order *o, const struct slv_message *k, struct slv_err *err)
{
	struct course *c = &o->courses[k->stream];
	struct slv_sequence_stream *of = &o->of->streams[k->stream];
	bool back = c->n > 0 && k->time + o->of->rules->slack < c->last;
	bool instead = back && sequence_is_earlier_wrong(o, c, k);

	if (of->n++ == 0)
		of->first_off = k->off;
	if (instead)
		SLV_TRY(leave_wrong(o, c->off, c->len, of, err));
	else if (back)
		return leave_wrong(o, k->off, k->len, of, err);
	if (instead && of->n == 1)
		of->first_off = k->off;
	/* Not of->n: it also counts messages without a time. */
	if (c->n == 0 || (instead && c->n == 1))
		of->first = k->time;
	of->last = k->time;
	if (o->left > 0 && c->n > 0 && c->gap < o->gaps && !back)
		o->step = slv_min64(o->step, k->time - c->last);
	if (o->left > 0 && --o->left == 0)
		SLV_TRY(close_gap(o, err));
	sequence_go_on(o, c, k, instead);
	return SLV_OK;
}

/* Each stream has a clock of its own. */
static enum slv_status
settle_own(struct order *o, const struct slv_message *k, struct slv_err *err)
{
	(void)sequence_has_jumped(o, k);
	o->held = *k;
	o->held.timed = sequence_is_jump(o, k);
	return settle_time(o, k, err);
}

/* The message that waits shows another time than the one before it.  If the one
 * after it does not follow it, its time is wrong. */
static enum slv_status
settle_held(
    struct order *o, const struct slv_message *next, struct slv_err *err)
{
	struct slv_message held = o->held;
	uint64_t before = o->clock;
	bool jumps;

	if (!held.timed || o->of->rules->slack == 0)
		return SLV_OK;
	jumps = next == NULL || sequence_has_jumped(o, next);
	o->held.timed = false;
	if (jumps
	    || held.time - before + o->of->rules->slack
	        < 2 * o->of->rules->slack)
		return settle_time(o, &held, err);
	return leave_one(o, held.off, held.len, &o->of->streams[held.stream],
	    o->of->rules->time, err);
}

/* All streams have one clock. */
static enum slv_status
settle_common(struct order *o, const struct slv_message *k, struct slv_err *err)
{
	SLV_TRY(settle_held(o, k, err));
	if (!sequence_is_jump(o, k))
		return settle_time(o, k, err);
	o->held = *k;
	return SLV_OK;
}

/* Second pass, over what is kept: single messages with a wrong time, the length
 * of losses, and what the log now has. */
static enum slv_status
settle(struct order *o, const struct slv_message *k, struct slv_err *err)
{
	struct slv_sequence_stream *of;

	if (k == NULL) {
		SLV_TRY(settle_held(o, NULL, err));
		if (o->left > 0)
			SLV_TRY(close_gap(o, err));
		o->gaps++;
		o->gap_at = 0;
		o->step = UINT64_MAX;
		o->left = SOON;
		return SLV_OK;
	}
	if (sequence_is_left(o, k))
		return slv_catalog_queue(&o->scan->catalog, k->off, k->len,
		    o->runs[o->run].n > 0 ? SLV_FOREIGN : SLV_LOST, err);
	if (o->gap_at == 0)
		o->gap_at = k->off;
	if (k->timed)
		return o->of->rules->slack > 0 ? settle_common(o, k, err)
		                               : settle_own(o, k, err);
	of = k->stream == SLV_NO_STREAM ? NULL : &o->of->streams[k->stream];
	if (of == NULL)
		return SLV_OK;
	if (k->unexplained) {
		if (of->unexplained++ == 0)
			of->unexplained_off = k->off;
		return leave_one(o, k->off, k->len, of, NULL, err);
	}
	/* Without a time it counts, and nothing contradicts it. */
	if (of->n++ == 0)
		of->first_off = k->off;
	return SLV_OK;
}

static enum slv_status
judge(struct order *o, struct slv_err *err)
{
	SLV_TRY(slv_new(&o->courses, slv_max64(o->of->n_streams, 1),
	    sizeof(*o->courses), err));
	SLV_TRY(each(o, sequence_collect, err));
	SLV_TRY(sequence_collect(o, NULL, err));
	SLV_TRY(sequence_choose(o, err));
	for (size_t i = 0; i < o->of->n_streams; i++)
		o->of->streams[i].n = 0;
	SLV_TRY(each(o, settle, err));
	SLV_TRY(settle_held(o, NULL, err));
	if (o->left > 0)
		SLV_TRY(close_gap(o, err));
	return slv_catalog_apply(&o->scan->catalog, err);
}

enum slv_status
slv_sequence_judge(
    struct slv_scan *s, const struct slv_sequence *of, struct slv_err *err)
{
	struct order o = { .scan = s, .of = of };
	enum slv_status st = judge(&o, err);

	slv_free(o.runs);
	slv_free(o.rows);
	slv_free(o.courses);
	return st;
}
