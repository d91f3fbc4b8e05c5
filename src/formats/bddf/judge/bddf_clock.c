/* bddf_clock.c - do the times of the blocks belong to one recording?
 *
 * The blocks fall into eras: in one, no time is further than the window from
 * the one before.  A log of one clock is one era, and each time the clock is
 * set begins another.  An era that is left again for the time before it is
 * none of this clock: a flipped bit, or blocks of an older log on a part of
 * the disk that was used before.  See docs/formats/bddf.md, "Times".
 */
#include "formats/bddf/judge/bddf_clock.h"

#include "base/bytes.h"
#include "base/list.h"
#include "formats/bddf/index/bddf_entries.h"

#define ERAS_MAX  4096 /* more than that is no clock, and not judged */
#define LOOK      64   /* eras in which time may come back */
#define MANY      16   /* blocks whose times are not all damaged */
#define JUDGE_MAX 128  /* eras that are looked at closely */

static uint64_t
window_of(const struct slv_scan *s)
{
	return s->opt.time_window != 0 ? s->opt.time_window : SLV_TIME_WINDOW;
}

static uint64_t
apart(int64_t x, int64_t y)
{
	return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static bool
near(const struct slv_scan *s, int64_t x, int64_t y)
{
	return apart(x, y) <= window_of(s);
}

bool
bddf_clock_far(const struct slv_scan *s, int64_t x, int64_t y)
{
	return x != 0 && y != 0 && !near(s, x, y);
}

enum slv_status
bddf_clock_note(struct slv_scan *s, uint64_t off, uint64_t len,
    struct slv_moment at, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_era *last = b->n_eras > 0 ? &b->eras[b->n_eras - 1] : NULL;

	/* A time of 0 was never set. */
	if (!at.known || at.sec == 0 || b->eras_full)
		return SLV_OK;
	if (last == NULL || !near(s, last->last, at.sec)) {
		b->eras_full = b->n_eras == ERAS_MAX;
		if (b->eras_full)
			return SLV_OK;
		SLV_TRY(SLV_ROOM(b, eras, 1, err));
		last = &b->eras[b->n_eras++];
		*last = (struct bddf_era){ .off = off, .first = at.sec };
	}
	last->end = off + len;
	last->last = at.sec;
	last->n++;
	return SLV_OK;
}

struct bddf_era *
bddf_clock_era(const struct bddf *b, uint64_t off)
{
	size_t i = SLV_FROM(struct bddf_era, end, b->eras, b->n_eras, off + 1);

	return i < b->n_eras && b->eras[i].off <= off ? &b->eras[i] : NULL;
}

/* The era after era i, of those that count, in which time is back from where
 * eras[good] left it; n_eras: it stays away. */
static size_t
comes_back(const struct slv_scan *s, size_t good, size_t i)
{
	const struct bddf *b = bddf_of(s);
	size_t stop = (size_t)slv_min64(b->n_eras, i + LOOK);

	for (i++; i < stop; i++) {
		if (near(s, b->eras[good].last, b->eras[i].first))
			return i;
	}
	return b->n_eras;
}

/* Whether time was like that before: one of several clocks. */
static bool
was_there(const struct slv_scan *s, size_t i)
{
	const struct bddf_era *era = bddf_of(s)->eras;

	for (size_t k = 1; k <= i && k <= LOOK; k++) {
		if (near(s, era[i - k].last, era[i].first))
			return true;
	}
	return false;
}

enum slv_status
bddf_clock_steps(struct slv_scan *s, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	for (size_t good = 0, i = 1; i < b->n_eras && !b->eras_full; i++) {
		const struct bddf_era *e = &b->eras[i];
		size_t back = comes_back(s, good, i);

		if (back == b->n_eras && !was_there(s, i))
			SLV_TRY(bddf_problem(s, BDDF_P_CLOCK_STEP, e->off, 0, 0,
			    apart(b->eras[good].last, e->first), err));
		else if (back < b->n_eras)
			i = back;
		good = i;
	}
	return SLV_OK;
}

/* Judging eras, when all is known. */

struct judging {
	struct slv_scan *s;
	const struct bddf_knowledge *k;
	struct slv_mends *out;
	bool named; /* an index names blocks of some era */
	size_t judged;
};

/* Whether nothing but kept blocks is between two eras. */
static bool
chained(const struct slv_scan *s, const struct bddf_era *x,
    const struct bddf_era *y)
{
	const struct slv_catalog *c = &s->catalog;

	return slv_catalog_find(c, x->end - 1) == slv_catalog_find(c, y->off);
}

/* One series held against an era. */
struct habit {
	struct bddf_entry before, first, last,
	    after; /* BDDF_NOWHERE: there is none */
};

static struct habit
habit_of(const struct bddf_series *series, const struct bddf_era *e)
{
	const struct bddf_entry none = { .off = BDDF_NOWHERE };
	struct habit h = { none, none, none, none };

	for (const struct bddf_chunk *c = series->first; c != NULL;
	     c = c->next) {
		if (bddf_chunk_get(c, c->n - 1).off < e->off) {
			h.before = bddf_chunk_get(c, c->n - 1);
			continue;
		}
		for (uint32_t i = 0; i < c->n; i++) {
			struct bddf_entry x = bddf_chunk_get(c, i);

			if (x.off < e->off)
				h.before = x;
			else if (x.off < e->end && h.first.off == BDDF_NOWHERE)
				h.first = h.last = x;
			else if (x.off < e->end)
				h.last = x;
			else
				h.after = x;
			if (h.after.off != BDDF_NOWHERE)
				return h;
		}
	}
	return h;
}

/* Whether a series of the era has such times elsewhere, too: a clock of its
 * own. */
static bool
is_habit(const struct slv_scan *s, const struct bddf_era *e)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_series; i++) {
		struct habit h = habit_of(&b->series[i], e);

		if (h.first.off == BDDF_NOWHERE)
			continue;
		if ((h.before.off != BDDF_NOWHERE
		        && near(s, h.before.sec, h.first.sec))
		    || (h.after.off != BDDF_NOWHERE
		        && near(s, h.last.sec, h.after.sec)))
			return true;
	}
	return false;
}

/* Whether no block from `off` on is where the index has it: then bytes were
 * inserted or cut out before it. */
static bool
is_shifted(const struct bddf_knowledge *k, uint64_t off)
{
	bool any = false;

	for (size_t i = 0; i < k->n; i++) {
		const struct bddf_known *one = &k->at[i];

		if (one->off < off || one->kind != BDDF_K_DATA)
			continue;
		if (one->found)
			return false;
		any = true;
	}
	return any;
}

/* If the index has a block at the beginning of an era, which has overwritten it,
 * the index confirms the block that ends there. */
static enum slv_status
trust_before(struct judging *j, const struct bddf_era *e, struct slv_err *err)
{
	const struct bddf *b = bddf_of(j->s);
	const struct bddf_known *here = bddf_known_at(j->k, e->off), *one;
	struct bddf_entry last;
	uint64_t looked = 0; /* few eras are judged */
	const uint8_t *p;

	if (here == NULL || here->kind != BDDF_K_DATA)
		return SLV_OK;
	last = bddf_entry_before(b, e->off, &looked);
	if (last.off == BDDF_NOWHERE)
		return SLV_OK;
	one = bddf_known_at(j->k, last.off);
	SLV_TRY(
	    slv_window_view(j->s->window, last.off, BDDF_HEADER_SIZE, &p, err));
	if ((one != NULL && !one->found) || is_shifted(j->k, e->end)
	    || last.off + bddf_head_span(bddf_head_get(b->dialect, p))
	        != e->off)
		return SLV_OK;
	return slv_ranges_add(&j->out->trusted, last.off, 1, err);
}

/* List the declarations in an era of series that have data or an index outside it.
 * They are right even if the era is of an older log, because the robot is the same. */
static enum slv_status
declared_in(const struct slv_scan *s, const struct bddf_era *e,
    struct slv_ranges *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *x = &b->series[i];
		struct habit h;

		if (!x->declared || x->block.off < e->off
		    || x->block.off >= e->end)
			continue;
		h = habit_of(x, e);
		if (h.before.off != BDDF_NOWHERE || h.after.off != BDDF_NOWHERE
		    || x->index.len > 0)
			SLV_TRY(slv_ranges_add(
			    out, x->block.off, x->block.len, err));
	}
	return SLV_OK;
}

/* Exclude what the scan kept of an era, except for the ranges in `said`. */
static enum slv_status
set_aside_but(struct judging *j, const struct bddf_era *e, int64_t from,
    const struct slv_ranges *said, struct slv_err *err)
{
	const struct slv_catalog *c = &j->s->catalog;
	bool one = e->n == 1;
	unsigned row = one ? BDDF_P_TIME_FAR : BDDF_P_TIME_FOREIGN;
	uint64_t end;

	for (uint64_t at = e->off; at < e->end; at = end) {
		const struct slv_extent *x = &c->at[slv_catalog_find(c, at)];
		const struct slv_range *r = slv_ranges_from(said, at);
		struct slv_aside a = {
			.off = at,
			.fate = one ? SLV_LOST : SLV_FOREIGN,
			.problem = { .info = &bddf_problems[row],
			    .got = apart(from, e->first) },
		};

		if (r != NULL && r->off <= at) {
			end = r->end;
			continue;
		}
		end = slv_min64(x->off + x->len, e->end);
		if (r != NULL)
			end = slv_min64(end, r->off);
		a.end = end;
		if (x->fate == SLV_KEPT)
			SLV_TRY(slv_mends_add_aside(j->out, &a, err));
	}
	return SLV_OK;
}

static enum slv_status
set_aside(struct judging *j, const struct bddf_era *e, int64_t from,
    struct slv_err *err)
{
	struct slv_ranges said = { 0 };
	enum slv_status st = declared_in(j->s, e, &said, err);

	if (st == SLV_OK)
		st = trust_before(j, e, err);
	if (st == SLV_OK)
		st = set_aside_but(j, e, from, &said, err);
	slv_ranges_free(&said);
	return st;
}

/* Whether the index names blocks of about such times, here or where the scan
 * found none. */
static bool
is_named(const struct judging *j, const struct bddf_era *e)
{
	if (e->vouched)
		return true;
	for (size_t i = 0; i < j->k->n; i++) {
		const struct bddf_known *one = &j->k->at[i];

		if (one->kind == BDDF_K_DATA && !one->found
		    && (near(j->s, one->entry.sec, e->first)
		        || near(j->s, one->entry.sec, e->last)))
			return true;
	}
	return false;
}

/* Whether all series of an era have their index after it. */
static bool
is_covered(const struct slv_scan *s, const struct bddf_era *e)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_series; i++) {
		if (habit_of(&b->series[i], e).first.off != BDDF_NOWHERE
		    && b->series[i].index.off < e->end)
			return false;
	}
	return true;
}

/* Whether the index of this log, which names blocks of other times, should
 * name those of the era, and does not. */
static bool
is_denied(const struct judging *j, const struct bddf_era *e)
{
	return j->named && !e->mended && is_covered(j->s, e) && !is_named(j, e)
	    && !is_habit(j->s, e);
}

/* An era between two of one clock. */
static enum slv_status
judge_away(struct judging *j, const struct bddf_era *before,
    const struct bddf_era *e, const struct bddf_era *after, struct slv_err *err)
{
	bool older = e->first < before->last;

	if (e->vouched || e->mended || is_habit(j->s, e))
		return SLV_OK;
	if (e->n > 1 && !older && chained(j->s, before, e)
	    && chained(j->s, e, after) && !is_denied(j, e))
		return SLV_OK;
	return set_aside(j, e, before->last, err);
}

/* Whether an era that time does not come back from is the tail of an older
 * log: after damage, not in the index, and after more than a few blocks. */
static bool
is_stale_tail(const struct judging *j, const struct bddf_era *before,
    const struct bddf_era *e, uint64_t n_before)
{
	if (is_denied(j, e))
		return true;
	return e->first < before->last && !chained(j->s, before, e)
	    && !e->vouched && (n_before >= MANY || e->n <= n_before)
	    && !is_habit(j->s, e);
}

enum slv_status
bddf_clock_judge(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, struct slv_err *err)
{
	struct judging j = { .s = s, .k = k, .out = out };
	const struct bddf *b = bddf_of(s);
	const struct bddf_era *era = b->eras;
	uint64_t before = b->n_eras > 0 ? era[0].n : 0;
	size_t good = 0;

	if (b->n_eras < 2 || b->eras_full || s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	for (size_t i = 0; i < b->n_eras && i < JUDGE_MAX && !j.named; i++)
		j.named = is_named(&j, &era[i]);
	if (is_denied(&j, &era[0]))
		SLV_TRY(set_aside(&j, &era[0], era[1].first, err));
	for (size_t i = 1; i < b->n_eras && j.judged < JUDGE_MAX; i++) {
		bool here = near(s, era[good].last, era[i].first);
		size_t back = here ? b->n_eras : comes_back(s, good, i);

		j.judged += !here;
		for (; back < b->n_eras && i < back; i++)
			SLV_TRY(judge_away(
			    &j, &era[good], &era[i], &era[back], err));
		if (!here && back == b->n_eras
		    && is_stale_tail(&j, &era[good], &era[i], before)) {
			SLV_TRY(set_aside(&j, &era[i], era[good].last, err));
			continue;
		}
		good = i;
		before += era[i].n;
	}
	return SLV_OK;
}
