/* walk.c - unit after unit, and the fate of each byte. */
#include "core/scan/walk.h"

#include <string.h>

#include "base/bytes.h"
#include "core/plan/plan.h"
#include "core/readings/again.h"
#include "core/scan/resync.h"
#include "core/scan/show.h"

#define FEW  15 /* bytes of zeros that may end a unit by chance */
#define FAST ((uint64_t)64 << 10) /* bytes of a run, if none is hashed */

static enum slv_status
unit_problem(struct slv_scan *s, const struct slv_unit *u, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	if (u->problem >= s->format->n_problems)
		return SLV_OK;
	return slv_scan_problem(s, &s->format->problems[u->problem], off, len,
	    u->want, u->got, err);
}

/* Leave out everything up to end.  Lost bytes that were never written (zeros up
 * to the end of the file, or by the file system's map) hold no record: they are
 * padding. */
static enum slv_status
drop(struct slv_scan *s, uint64_t end, enum slv_fate fate, enum slv_part part,
    struct slv_err *err)
{
	struct slv_catalog *c = &s->catalog;
	enum slv_status st = SLV_OK;

	if (end <= c->end)
		return SLV_OK;
	SLV_TRY(slv_scan_mark(s, err));
	if (fate == SLV_REBUILT)
		slv_gaps_close(&s->gaps);
	if (fate != SLV_LOST)
		return slv_catalog_add(c, end - c->end, fate, part, err);
	if (end > s->logical_end)
		st =
		    slv_ranges_add(&s->holes, slv_max64(c->end, s->logical_end),
		        end - slv_max64(c->end, s->logical_end), err);
	while (st == SLV_OK && c->end < end) {
		const struct slv_range *hole =
		    slv_ranges_from(&s->holes, c->end);
		uint64_t upto = hole == NULL ? end
		    : hole->off > c->end     ? hole->off
		                             : hole->end;
		uint64_t len = slv_min64(upto, end) - c->end;
		bool written = hole == NULL || hole->off > c->end;

		if (written)
			st = slv_gaps_lost(&s->gaps, c->end, len, err);
		if (st == SLV_OK)
			st = slv_catalog_add(
			    c, len, written ? SLV_LOST : SLV_FILLER, part, err);
	}
	return st;
}

/* The counter for the users' word of a tag.  Few words differ, and most are found
 * without a look at their text. */
static struct slv_kind_count *
count_of(struct slv_scan *s, unsigned tag)
{
	const char *kind = s->format->kinds[tag];
	size_t i = 0;

	while (i < s->n_kinds && s->kinds[i].kind != kind)
		i++;
	if (i < s->n_kinds)
		return &s->kinds[i];
	i = 0;
	while (i < s->n_kinds && strcmp(s->kinds[i].kind, kind) != 0)
		i++;
	if (i == s->n_kinds)
		s->kinds[s->n_kinds++].kind = kind;
	return &s->kinds[i];
}

void
slv_scan_count(struct slv_scan *s, unsigned tag, uint64_t n)
{
	count_of(s, tag)->kept += n;
}

/* Leave out what is between the log and what follows it. */
static enum slv_status
leave_junk(struct slv_scan *s, uint64_t end, struct slv_err *err)
{
	uint64_t off = s->catalog.end;

	if (off >= end)
		return SLV_OK;
	SLV_TRY(slv_scan_core_problem(s, SLV_P_JUNK, off, end - off, err));
	SLV_TRY(slv_show(s, NULL, off, end - off, SLV_FILLER, err));
	return drop(s, end, SLV_FILLER, SLV_PART_DATA, err);
}

/* Leave out the unit at off, at or after the end of the catalog, if this log is
 * repeated there. */
static enum slv_status
leave_again(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	uint64_t end;

	if (u->fate != SLV_FOREIGN || !u->whole_log)
		return SLV_OK;
	SLV_TRY(slv_again(s, off, &end, err));
	if (end == off)
		return SLV_OK;
	SLV_TRY(leave_junk(s, off, err));
	SLV_TRY(slv_scan_core_problem(s, SLV_P_TWICE, off, end - off, err));
	SLV_TRY(slv_show(s, u, off, end - off, SLV_FILLER, err));
	return drop(s, end, SLV_FILLER, SLV_PART_DATA, err);
}

/* One more unit is lost, or, unless it is `single`, any number of them: does it
 * have the same channel as those before? */
static void
note_loser(struct slv_scan *s, const struct slv_unit *u, bool single)
{
	slv_scan_lose(s, 1, u->has_channel ? &u->channel : NULL);
	count_of(s, u->tag)->lost++;
	s->lost_loose |= !single;
}

/* The unit at the end of the catalog belongs to the log.  Notes about it remain
 * true whatever else accept() finds: its bytes may go into the output, where
 * nothing hides them. */
static enum slv_status
take(struct slv_scan *s, struct slv_unit *u, struct slv_err *err)
{
	uint64_t off = s->catalog.end, end = off + u->len;
	struct slv_unit own = *u;

	SLV_TRY(leave_again(s, off, u, err));
	if (s->catalog.end > off)
		return SLV_OK;
	SLV_TRY(s->format->accept(s, off, u, err));
	if (u->problem != own.problem
	    && (u->fate == SLV_KEPT || u->fate == SLV_REBUILT))
		SLV_TRY(unit_problem(s, &own, off, u->len, err));
	SLV_TRY(unit_problem(s, u, off, u->len, err));
	SLV_TRY(slv_show(s, u, off, u->len, u->fate, err));
	SLV_TRY(slv_show_pack(s, u, off, err));
	if (u->fate == SLV_LOST && u->part == SLV_PART_PACK) {
		note_loser(s, u, false);
		SLV_TRY(drop(s, end, u->fate, u->part, err));
		return slv_gaps_blame(&s->gaps, NULL, err);
	}
	if (u->fate != SLV_KEPT)
		return drop(s, end, u->fate, u->part, err);
	slv_gaps_close(&s->gaps);
	if (u->part == SLV_PART_DATA && u->has_channel && u->time.known)
		SLV_TRY(
		    slv_gaps_block(&s->gaps, u->channel, u->time, u->len, err));
	s->units_kept += u->part == SLV_PART_DATA;
	s->units_unsure += u->unsure && u->has_channel && u->time.known;
	count_of(s, u->tag)->kept++;
	if (u->part == SLV_PART_DATA)
		s->last_unit = off;
	if (!s->opt.no_digest && s->hasher.blind && u->sure
	    && u->part == SLV_PART_PACK)
		SLV_TRY(slv_hasher_pass_by(&s->hasher, off, end, err));
	else if (!s->opt.no_digest)
		SLV_TRY(slv_hasher_step(&s->hasher,
		    slv_scan_trails(s) && !s->hasher.blind ? off : end, err));
	return slv_catalog_add(&s->catalog, u->len, SLV_KEPT, u->part, err);
}

/* Return true if the driver may continue without being asked about every
 * unit.  A proof that inherits reads the new bytes alone, each by every test. */
static bool
may_run(const struct slv_scan *s)
{
	const struct slv_catalog *c = &s->catalog;

	return s->format->run != NULL && s->opt.on_block == NULL
	    && !s->inherited && s->source->unreadable.n == 0 && c->n > 0
	    && c->at[c->n - 1].fate == SLV_KEPT;
}

/* Ordinary units, about as many as are hashed at once; more if none is. */
static enum slv_status
run(struct slv_scan *s, bool *any, struct slv_err *err)
{
	uint64_t off = s->catalog.end;
	struct slv_run r;

	*any = false;
	if (!may_run(s))
		return SLV_OK;
	SLV_TRY(s->format->run(
	    s, off, off + (s->hasher.blind ? FAST : SLV_HASHER_STEP), &r, err));
	*any = r.end > off;
	if (!*any)
		return SLV_OK;
	s->units_kept += r.n;
	if (r.n > 0)
		slv_scan_count(s, r.tag, r.n);
	if (!s->opt.no_digest)
		SLV_TRY(slv_hasher_pace(&s->hasher, off, r.end, err));
	return slv_catalog_add(
	    &s->catalog, r.end - off, SLV_KEPT, SLV_PART_DATA, err);
}

/* The fate of a unit that is left out. */
static enum slv_fate
fate_of_skipped(const struct slv_unit *u)
{
	if (u->verdict != SLV_UNIT_GOOD && u->fate != SLV_KEPT)
		return u->fate;
	return u->part == SLV_PART_INDEX ? SLV_REBUILT : SLV_LOST;
}

/* Leave out the bytes up to the mark that are not a unit. */
static enum slv_status
skip_gap(struct slv_scan *s, uint64_t mark, struct slv_err *err)
{
	uint64_t off = s->catalog.end, len = mark - off;

	SLV_TRY(slv_scan_core_problem(s, SLV_P_GAP, off, len, err));
	s->lost_mixed = true;
	s->lost_loose = true;
	SLV_TRY(slv_show(s, NULL, off, len, SLV_LOST, err));
	SLV_TRY(drop(s, mark, SLV_LOST, SLV_PART_DATA, err));
	return slv_gaps_blame(&s->gaps, NULL, err);
}

/* Where the log continues after the unit at off, skipping what a payload
 * carries. */
static enum slv_status
find_next(struct slv_scan *s, const struct slv_unit *u, uint64_t off,
    uint64_t *mark, struct slv_err *err)
{
	uint64_t from = off + 1, before;
	bool spent;

	for (;;) {
		SLV_TRY(slv_resync(s, from, s->logical_end, SLV_ASK_SEARCH,
		    mark, &spent, err));
		if (!spent && *mark < s->logical_end
		    && s->format->carried != NULL && slv_resync_is_spent(s)) {
			*mark = s->logical_end;
			spent = true;
		}
		if (spent)
			return slv_scan_core_problem(
			    s, SLV_P_BUDGET, off, *mark - off, err);
		from = *mark;
		if (s->format->carried == NULL || *mark >= s->logical_end)
			return SLV_OK;
		before = s->window->viewed;
		SLV_TRY(s->format->carried(s, off, u, *mark, &from, err));
		s->cache->searched += s->window->viewed - before;
		if (from == *mark)
			return SLV_OK;
	}
}

/* The log ends at *end inside this unit.  Zeros after that which are not a
 * whole sector, and do not fill the last one, were not left by a file system:
 * they belong to the unit too. */
static void
take_zeros(struct slv_scan *s, struct slv_unit *u, uint64_t *end)
{
	uint64_t size = s->source->size, off = s->catalog.end;

	if (slv_scan_zeros(s, *end, size) != SLV_VOUCHED
	    || (size % SLV_SECTOR == 0 && size - *end > FEW))
		return;
	if (u->len >= *end - off)
		u->len = slv_max64(u->len, size - off);
	*end = s->logical_end = size;
}

/* Leave out the unit at the end of the catalog, which is broken or doubtful,
 * and continue where the log does. */
static enum slv_status
skip(struct slv_scan *s, struct slv_unit *u, struct slv_err *err)
{
	uint64_t off = s->catalog.end, mark, own, gap;
	enum slv_fate fate = fate_of_skipped(u);
	bool single;

	if (s->format->leave != NULL)
		SLV_TRY(s->format->leave(s, off, u, err));
	SLV_TRY(find_next(s, u, off, &mark, err));
	if (u->verdict == SLV_UNIT_SHORT && mark == s->logical_end)
		take_zeros(s, u, &mark);
	/* The bytes between the unit and the rest of the log are a gap of their
	 * own. */
	own = u->len > 0 ? slv_min64(u->len, mark - off) : mark - off;
	gap = mark - off - own;
	/* It is not cut if the log continues after it. */
	if (u->problem < s->format->n_problems
	    && (u->verdict != SLV_UNIT_SHORT || mark == s->logical_end))
		SLV_TRY(unit_problem(s, u, off, own, err));
	else if (fate != SLV_FOREIGN)
		SLV_TRY(slv_scan_core_problem(s, SLV_P_GAP, off, own, err));
	/* A broken unit may be many; one that is cut at the end of the log is
	 * one. */
	single = u->verdict == SLV_UNIT_GOOD
	    || (u->verdict == SLV_UNIT_SHORT && mark == s->logical_end);
	if (fate == SLV_LOST) {
		note_loser(s, u, single);
		s->units_suspect += u->verdict == SLV_UNIT_GOOD;
	}
	SLV_TRY(slv_show(s, u, off, own, fate, err));
	SLV_TRY(drop(s, off + own, fate, u->part, err));
	if (fate == SLV_LOST)
		SLV_TRY(slv_gaps_blame(&s->gaps,
		    single && u->has_channel && u->time.known ? &u->channel
		                                              : NULL,
		    err));
	return gap > 0 ? skip_gap(s, mark, err) : SLV_OK;
}

/* Everything after the end of the log except zeros: the log repeated, another
 * one, or junk. */
static enum slv_status
walk_behind(struct slv_scan *s, struct slv_err *err)
{
	uint64_t off, end = s->logical_end, mark;
	struct slv_unit u;
	bool spent;

	do {
		off = s->catalog.end;
		if (off >= end)
			return SLV_OK;
		SLV_TRY(slv_resync(
		    s, off, end, SLV_ASK_STRANGER, &mark, &spent, err));
		if (mark >= end && !spent)
			return leave_junk(s, end, err);
		u = (struct slv_unit){ .whole_log = false };
		if (mark < end)
			SLV_TRY(s->format->unit(
			    s, mark, SLV_ASK_STRANGER, &u, err));
		SLV_TRY(leave_again(s, mark, &u, err));
	} while (s->catalog.end > off);
	/* The other log may end in zeros of its own. */
	if (u.whole_log)
		end = slv_max64(end, mark + u.len);
	SLV_TRY(slv_show(s, NULL, off, end - off, SLV_FOREIGN, err));
	return drop(s, end, SLV_FOREIGN, SLV_PART_DATA, err);
}

/* Return true if something other than the bytes after it confirms the unit at
 * off. */
static bool
is_known(const struct slv_scan *s, uint64_t off)
{
	return s->opt.mends != NULL
	    && slv_ranges_hit(&s->opt.mends->trusted, off, 1);
}

/* Read the unit at off and decide whether to trust it.  A doubtful unit that is
 * kept gets its finding here; accept() raises all other findings. */
static enum slv_status
judge(struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, bool *trusted, struct slv_err *err)
{
	enum slv_vouch vouch = SLV_VOUCHED;
	unsigned own;

	*trusted = false;
	SLV_TRY(s->format->unit(s, off, asking, u, err));
	if (u->verdict != SLV_UNIT_GOOD)
		return SLV_OK;
	/* What is in unreadable sectors is bad, not suspect. */
	if (slv_ranges_hit(&s->source->unreadable, off, u->len)) {
		u->verdict = SLV_UNIT_BAD;
		u->fate = SLV_LOST;
		u->problem = (unsigned)s->format->n_problems;
		return SLV_OK;
	}
	own = u->problem;
	if (s->format->vouch != NULL && !is_known(s, off))
		SLV_TRY(s->format->vouch(s, off, u, &vouch, err));
	u->unsure = vouch != SLV_VOUCHED;
	*trusted = vouch != SLV_SUSPECT || s->opt.keep & SLV_KEEP_SUSPECT;
	if (!*trusted || vouch == SLV_VOUCHED)
		return SLV_OK;
	SLV_TRY(unit_problem(s, u, off, u->len, err));
	u->problem = own;
	return SLV_OK;
}

/* Leave out what the driver excludes. */
static enum slv_status
pass_by(struct slv_scan *s, const struct slv_aside *a, struct slv_err *err)
{
	uint64_t off = s->catalog.end;
	struct slv_problem problem = a->problem;
	struct slv_unit u = { 0 };
	const uint32_t *channel;
	bool one;

	SLV_TRY(s->format->unit(s, off, SLV_ASK_NEXT, &u, err));
	one = u.verdict == SLV_UNIT_GOOD && u.len == a->end - off;
	problem.off = off;
	problem.len = a->end - off;
	if (a->twin != 0)
		problem.want = a->twin + (off - a->off);
	if (problem.info != NULL)
		SLV_TRY(slv_problems_add(&s->problems, &problem, err));
	if (a->fate == SLV_LOST) {
		note_loser(s, &u, one);
		s->units_suspect += u.verdict == SLV_UNIT_GOOD;
	}
	SLV_TRY(slv_show_range(s, off, a->end, a->fate, err));
	SLV_TRY(drop(s, a->end, a->fate, SLV_PART_DATA, err));
	if (a->fate != SLV_LOST)
		return SLV_OK;
	channel = one && u.has_channel && u.time.known ? &u.channel : NULL;
	return slv_gaps_blame(&s->gaps, channel, err);
}

/* A proof need not walk over what the first scan knows. */
static enum slv_status
inherit(struct slv_scan *s, struct slv_err *err)
{
	uint64_t end;

	if (s->proving == NULL || s->format->inherit == NULL)
		return SLV_OK;
	SLV_TRY(s->format->inherit(s, slv_plan_prefix(s->proving), &end, err));
	if (end == 0)
		return SLV_OK;
	s->inherited = true;
	/* Little of a made segment needs to be read. */
	s->window->stride = SLV_WINDOW_GLANCE;
	return slv_catalog_add(&s->catalog, end, SLV_KEPT, SLV_PART_DATA, err);
}

/* Leave out what precedes the log. */
static enum slv_status
leave_front(struct slv_scan *s, struct slv_err *err)
{
	if (s->base == 0)
		return SLV_OK;
	SLV_TRY(slv_scan_core_problem(s, SLV_P_JUNK_BEFORE, 0, s->base, err));
	SLV_TRY(slv_show(s, NULL, 0, s->base, SLV_FILLER, err));
	return drop(s, s->base, SLV_FILLER, SLV_PART_DATA, err);
}

enum slv_status
slv_walk(struct slv_scan *s, struct slv_err *err)
{
	enum slv_asking asking = SLV_ASK_NEXT;
	uint64_t size = s->source->size, zeros;
	bool ended = false, trusted, any;

	SLV_TRY(inherit(s, err));
	SLV_TRY(leave_front(s, err));
	while (!ended && s->catalog.end < s->logical_end) {
		const struct slv_aside *aside =
		    slv_mends_aside(s->opt.mends, s->catalog.end);
		struct slv_unit u = { 0 };

		if (slv_is_cancelled(s->opt.cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		slv_meter_at(s->opt.meter, s->catalog.end);
		if (aside != NULL) {
			SLV_TRY(pass_by(s, aside, err));
			asking = SLV_ASK_NEXT;
			continue;
		}
		if (asking == SLV_ASK_NEXT)
			SLV_TRY(run(s, &any, err));
		if (asking == SLV_ASK_NEXT && any)
			continue;
		SLV_TRY(judge(s, s->catalog.end, asking, &u, &trusted, err));
		if (trusted)
			SLV_TRY(take(s, &u, err));
		else
			SLV_TRY(skip(s, &u, err));
		asking = trusted ? SLV_ASK_NEXT : SLV_ASK_SEARCH;
		ended = trusted && u.ends;
	}
	if (ended)
		SLV_TRY(walk_behind(s, err));
	zeros = slv_max64(s->catalog.end, s->logical_end);
	if (zeros < size)
		SLV_TRY(slv_scan_core_problem(
		    s, SLV_P_ZEROS, zeros, size - zeros, err));
	return drop(s, size, SLV_FILLER, SLV_PART_DATA, err);
}
