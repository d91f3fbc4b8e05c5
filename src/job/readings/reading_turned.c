/* reading_turned.c - the end of the log is before its start. */
#include "core/findings/problem.h"
#include "job/readings/reading_ways.h"

#define STEP 0.1 /* seconds between the units at the seam, at most */

/* Return true if no unit of the log ends where the file does. */
static bool
is_cut(const struct slv_catalog *c)
{
	enum slv_fate last = c->n > 0 ? c->at[c->n - 1].fate : SLV_KEPT;

	return last != SLV_KEPT && last != SLV_REBUILT;
}

/* Find where a log may begin, if none begins at the start of the reading. */
static enum slv_status
find_starts(struct slv_way_input *in, struct slv_err *err)
{
	struct slv_audit *a = in->audit;
	struct slv_scan *s = &a->scan;
	uint64_t size = a->read->size, at;

	in->n_turns = 0;
	if (!s->format->based || a->read->unreadable.n > 0
	    || !is_cut(&s->catalog))
		return SLV_OK;
	SLV_TRY(slv_begun_next(s, s->format, 0, 1, &at, err));
	while (at > 0 && at < size && in->n_turns < SLV_TURNS) {
		SLV_TRY(slv_begun_next(s, s->format, at, size, &at, err));
		if (at < size)
			in->turns[in->n_turns++] = at++;
	}
	return SLV_OK;
}

enum slv_status
slv_way_turned(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	struct slv_source *read = in->audit->read;
	uint64_t start;

	if (i == 0)
		SLV_TRY(find_starts(in, err));
	*any = i < in->n_turns;
	if (!*any)
		return SLV_OK;
	start = in->turns[i];
	in->seam = read->size - start;
	in->spanned = false;
	in->until = in->from = (struct slv_moment){ .known = false };
	SLV_TRY(
	    slv_view_why(view, &slv_core_problems[SLV_P_MOVED], 0, start, err));
	view->why[0].want = read->size;
	SLV_TRY(slv_joint_add(view->joint, read, start, in->seam, err));
	return slv_joint_add(view->joint, read, 0, start, err);
}

bool
slv_way_turned_hear(void *ctx, const struct slv_block *b)
{
	struct slv_way_input *in = ctx;
	const struct slv_moment at = { b->sec, b->nanos, b->has_time };

	in->spanned |= b->off < in->seam && in->seam < b->off + b->len;
	if (b->has_time && b->off + b->len <= in->seam)
		in->until = at;
	if (b->has_time && b->off >= in->seam && !in->from.known)
		in->from = at;
	return true;
}

/* The parts of two recordings of one vehicle can fit together, too: so the end of the log
 * must state what the log contains, or the times must continue. */
bool
slv_way_turned_holds(struct slv_way_input *in)
{
	const struct slv_scan *s = &in->audit->scan;
	double step = slv_moment_seconds(in->until, in->from);

	if (!in->spanned || !slv_scan_is_sound(s))
		return false;
	return s->end != SLV_END_UNKNOWN
	    || (in->until.known && in->from.known && -STEP <= step
	        && step <= STEP);
}
