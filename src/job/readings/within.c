/* within.c - several recordings in one file: which logs are in it in addition
 * to the scanned one, and which is the main one?
 */
#include "job/readings/within.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "core/compare.h"
#include "job/readings/heads.h"
#include "job/readings/reading_ways.h"

#define TRIES 8 /* times the size of the file that may be scanned, in all */

/* Return true if the scan kept or rebuilt something in [from, to) that begins
 * there.  Data that it calls rebuilt are the rest of data that it does not
 * have. */
static bool
has_own(const struct slv_scan *s, uint64_t from, uint64_t to)
{
	const struct slv_catalog *c = &s->catalog;
	size_t i = from < c->end ? slv_catalog_find(c, from) : c->n;

	for (; i < c->n && c->at[i].off < to; i++) {
		const struct slv_extent *e = &c->at[i];

		if (e->off >= from
		    && (e->fate == SLV_KEPT
		        || (e->fate == SLV_REBUILT
		            && e->part != SLV_PART_DATA)))
			return true;
	}
	return false;
}

/* Skip later logs of the same recording: the log repeated, or a download that
 * was started again.  The driver of the log handles these. */
static enum slv_status
find_again(struct slv_heads *h, struct slv_err *err)
{
	struct slv_scan *s = &h->a->scan;
	uint64_t own = 0, same;

	for (size_t i = 0; i < h->n; i++) {
		struct slv_head *x = &h->at[i];

		if (x->off < s->base)
			continue;
		if (own == 0)
			own = x->off - s->base;
		if (x->format != s->format)
			continue;
		SLV_TRY(slv_compare(
		    s, s->base, x->off, x->end - x->off, &same, err));
		x->again = same == x->end - x->off;
		x->same = !x->again && same >= own / 2;
	}
	return SLV_OK;
}

/* Return true if a lost unit may carry the log at x: one that ends where that
 * does, or that is long enough for a log without a known end. */
static enum slv_status
is_carried(struct slv_scan *s, const struct slv_extent *e,
    const struct slv_head *x, bool *yes, struct slv_err *err)
{
	struct slv_unit u = { 0 };
	uint64_t end;

	*yes = false;
	if (e->fate != SLV_LOST || e->off == x->off)
		return SLV_OK;
	SLV_TRY(s->format->unit(s, e->off, SLV_ASK_NEXT, &u, err));
	end = e->off + slv_min64(u.len, UINT64_MAX - e->off);
	/* A log that is cut at the end of the file does not state its
	 * length. */
	if (u.verdict == SLV_UNIT_SHORT && end <= s->source->size)
		return SLV_OK;
	*yes = end >= x->end && (end - x->end < SLV_HEAD || !x->ends);
	return SLV_OK;
}

/* Return true if what the scan keeps from x on belongs to the log there, most
 * of which precedes all losses of the scanned log: after that the scanned log
 * may continue, with the other one in a payload. */
static bool
explains(const struct slv_scan *s, const struct slv_head *x)
{
	const struct slv_catalog *c = &s->catalog;
	uint64_t own = 0, first = 0;

	for (size_t i = slv_catalog_find(c, x->off); i < c->n; i++) {
		if (c->at[i].fate != SLV_KEPT || c->at[i].off >= x->end)
			continue;
		own += c->at[i].len;
		if (c->at[i].off < x->whole_upto)
			first += c->at[i].len;
	}
	return own <= x->kept && first > own / 2;
}

/* Return true if the log at x, which follows the start of the scanned one, is
 * not carried by it: if the scan has kept something in it, that was a
 * mistake. */
static enum slv_status
is_apart(struct slv_scan *s, const struct slv_head *x, bool *yes,
    struct slv_err *err)
{
	size_t i = slv_catalog_find(&s->catalog, x->off);
	const struct slv_extent *e = &s->catalog.at[i];
	bool before = e->fate == SLV_KEPT && e->off < x->off;
	bool sure = x->format != s->format
	    ? x->complete
	    : x->ends || (e->fate != SLV_KEPT && explains(s, x));
	bool carried;

	*yes = false;
	if (x->off < s->own_upto || has_own(s, x->made_upto, x->end)
	    || (before && e->off + e->len >= x->kept_upto)
	    || (!sure && has_own(s, x->off, x->end))
	    || (!sure && before && x->format == s->format))
		return SLV_OK;
	SLV_TRY(is_carried(s, e, x, &carried, err));
	*yes = !carried;
	return SLV_OK;
}

/* Of the logs that follow the start of the log keep those after its end.  From
 * the first one on, the log may only be inside complete ones, which were mixed
 * up with it.  What that log takes from a copy that was started again is its
 * own. */
static enum slv_status
keep_behind(struct slv_heads *h, struct slv_err *err)
{
	struct slv_scan *s = &h->a->scan;
	uint64_t upto = s->source->size;
	size_t first, n = 0;

	for (first = h->n; first > 0; first--) {
		struct slv_head *x = &h->at[first - 1];
		bool apart;

		if (x->off < s->base || has_own(s, x->end, upto))
			break;
		x->same = x->same && has_own(s, x->off, x->end);
		if (x->same)
			continue;
		SLV_TRY(is_apart(s, x, &apart, err));
		if (!apart)
			break;
		upto = x->off;
	}
	for (size_t i = 0; i < h->n; i++) {
		if (h->at[i].off < s->base || (i >= first && !h->at[i].same))
			h->at[n++] = h->at[i];
	}
	h->n = n;
	return SLV_OK;
}

/* Return true if a file of this name holds logs of the format. */
static bool
speaks_for(const char *name, const struct slv_format *f)
{
	const char *slash = strrchr(name, '/');
	const char *hit = strstr(slash != NULL ? slash : name, f->suffix);

	return hit != NULL
	    && (hit[strlen(f->suffix)] == '\0'
	        || hit[strlen(f->suffix)] == '.');
}

static bool
is_better(const struct slv_heads *h, const struct slv_head *a,
    const struct slv_head *b)
{
	bool x = speaks_for(h->a->input->name, a->format);
	bool y = speaks_for(h->a->input->name, b->format);

	return x != y ? x : a->kept > b->kept;
}

/* Return true if the scan kept something that is in none of them. */
static bool
keeps_own(const struct slv_heads *h)
{
	const struct slv_catalog *c = &h->a->scan.catalog;

	for (size_t i = 0, j = 0; i < c->n; i++) {
		const struct slv_extent *e = &c->at[i];

		while (j < h->n && h->at[j].end <= e->off)
			j++;
		if (e->fate == SLV_KEPT && (j == h->n || e->off < h->at[j].off))
			return true;
	}
	return false;
}

/* The scanned log as one of them; records = 0: it is not a log, because
 * everything it kept belongs to the others. */
static struct slv_head
scanned(const struct slv_heads *h)
{
	const struct slv_scan *s = &h->a->scan;
	const uint64_t *sums = s->catalog.sums;
	struct slv_head x = { .off = s->base, .format = s->format };

	x.records = keeps_own(h) ? s->units_kept : 0;
	if (x.records > 0)
		x.kept = sums[SLV_KEPT] + sums[SLV_REBUILT];
	x.end = s->source->size;
	for (size_t i = 0; i < h->n; i++) {
		if (h->at[i].off > s->base)
			x.end = slv_min64(x.end, h->at[i].off);
	}
	return x;
}

/* Return true if the log at x is in a payload of the scanned one.  A download
 * that was started again may have been broken off there. */
static enum slv_status
is_payload(struct slv_scan *s, const struct slv_head *x, bool *yes,
    struct slv_err *err)
{
	*yes = false;
	return s->format->holds == NULL || x->off <= s->base || x->same
	    ? SLV_OK
	    : s->format->holds(s, x->off, x->end, yes, err);
}

/* Make another log than the scanned one the main log, unless the start of the
 * file contradicts that, or the scanned one carries it: then it keeps none of
 * its records only because what explains them is lost. */
static enum slv_status
choose(struct slv_heads *h, struct slv_head *main, struct slv_err *err)
{
	struct slv_head first = scanned(h), *best = NULL;
	struct slv_scan *s = &h->a->scan;

	*main = first;
	if (first.off == 0 && first.records > 0)
		return SLV_OK;
	for (size_t i = 0; i < h->n; i++) {
		struct slv_head *x = &h->at[i];
		bool payload;

		SLV_TRY(is_payload(s, x, &payload, err));
		if (x->format->based && !x->again && !payload
		    && is_better(h, x, best != NULL ? best : &first))
			best = x;
	}
	if (best == NULL)
		return SLV_OK;
	*main = *best;
	memmove(
	    best, best + 1, (size_t)(&h->at[h->n] - best - 1) * sizeof(*best));
	h->n--;
	if (first.records == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&h->at, &h->cap, h->n + 1, sizeof(*h->at), err));
	h->at[h->n++] = first;
	slv_sort(h->at, h->n, sizeof(*h->at), slv_heads_compare);
	return SLV_OK;
}

/* Bytes between the logs, and after the last one, may belong to another log:
 * count them to the previous one, so that they are not called junk. */
static void
fill_gaps(struct slv_heads *h, uint64_t main, uint64_t zeros)
{
	for (size_t i = 0; i < h->n; i++) {
		struct slv_head *x = &h->at[i];
		uint64_t next = i + 1 < h->n ? h->at[i + 1].off : zeros;

		if (x->off > main && !x->again)
			x->end = slv_max64(x->end, next);
	}
}

/* Give the reason for a log that is left out. */
static enum slv_status
name_other(struct slv_view *view, const struct slv_head *x, struct slv_err *err)
{
	const struct slv_format *f = x->format;
	struct slv_problem p = {
		.info = &slv_core_problems[x->again ? SLV_P_TWICE
		                                    : SLV_P_OTHER_LOG],
		.off = x->off,
		.len = x->end - x->off,
		.got = x->records,
	};

	slv_problem_quote(p.name, f->title, strlen(f->title));
	slv_problem_quote(p.here, f->name, strlen(f->name));
	return slv_view_note(view, &p, err);
}

/* Give the reason for bytes up to an offset that are left out and are not a
 * log. */
static enum slv_status
name_junk(struct slv_view *view, enum slv_core_problem row, uint64_t from,
    uint64_t to, struct slv_err *err)
{
	return from < to
	    ? slv_view_why(view, &slv_core_problems[row], from, to - from, err)
	    : SLV_OK;
}

/* The same between the logs, or after the last one. */
static enum slv_status
name_between(const struct slv_heads *h, struct slv_view *view, uint64_t from,
    uint64_t to, struct slv_err *err)
{
	uint64_t zeros = slv_max64(from, h->a->scan.logical_end);

	SLV_TRY(name_junk(view, SLV_P_JUNK, from, slv_min64(to, zeros), err));
	return name_junk(view, SLV_P_ZEROS, zeros, to, err);
}

/* Make the view of the main log alone: up to the first log that follows it. */
static enum slv_status
leave_others(const struct slv_heads *h, const struct slv_head *main,
    struct slv_view *view, struct slv_err *err)
{
	uint64_t size = h->a->read->size, end = size, at = 0;
	size_t i = 0;

	for (; i < h->n && h->at[i].off < main->off; i++) {
		SLV_TRY(
		    name_junk(view, SLV_P_JUNK_BEFORE, at, h->at[i].off, err));
		SLV_TRY(name_other(view, &h->at[i], err));
		at = h->at[i].end;
	}
	SLV_TRY(name_junk(view, SLV_P_JUNK_BEFORE, at, main->off, err));
	if (i < h->n)
		end = h->at[i].off;
	SLV_TRY(slv_joint_add(
	    view->joint, h->a->read, main->off, end - main->off, err));
	for (at = end; i < h->n; i++) {
		SLV_TRY(name_between(h, view, at, h->at[i].off, err));
		SLV_TRY(name_other(view, &h->at[i], err));
		at = h->at[i].end;
	}
	return name_between(h, view, at, size, err);
}

/* Return true if one of them precedes the scanned log, or has another
 * format. */
static bool
has_strangers(const struct slv_heads *h)
{
	const struct slv_scan *s = &h->a->scan;

	for (size_t i = 0; i < h->n; i++) {
		if (h->at[i].off < s->base || h->at[i].format != s->format)
			return true;
	}
	return false;
}

/* Remove those that follow the scanned log, up to the first one of another
 * format. */
static void
forget_kin(struct slv_heads *h)
{
	const struct slv_scan *s = &h->a->scan;
	bool passed = false;
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++) {
		const struct slv_head *x = &h->at[i];

		passed |= x->off > s->base && x->format != s->format;
		if (x->off < s->base || passed)
			h->at[n++] = *x;
	}
	h->n = n;
}

static enum slv_status
find(struct slv_heads *h, bool strangers, bool *deferred, struct slv_err *err)
{
	const struct slv_scan *s = &h->a->scan;
	size_t n = 0, again = 0;

	*deferred = false;
	SLV_TRY(slv_heads_find(h, err));
	if (strangers && !has_strangers(h)) {
		*deferred = h->n > 0;
		h->n = 0;
	}
	if (h->n == 0)
		return SLV_OK;
	SLV_TRY(slv_heads_confirm(h, 0, s->base, &n, err));
	SLV_TRY(slv_heads_confirm(h, s->base, s->source->size, &n, err));
	h->n = n;
	if (strangers && keeps_own(h))
		forget_kin(h);
	*deferred = h->n < n;
	SLV_TRY(find_again(h, err));
	SLV_TRY(keep_behind(h, err));
	for (size_t i = 0; i < h->n; i++)
		again += h->at[i].again;
	if (again == h->n)
		h->n = 0; /* that is known */
	return SLV_OK;
}

static enum slv_status
hunt(struct slv_way_input *in, bool strangers, struct slv_view *view, bool *any,
    struct slv_err *err)
{
	struct slv_audit *a = in->audit;
	struct slv_window window;
	struct slv_heads h = {
		.a = a,
		.how = &in->opt->scan,
		.probe = { .source = a->read,
		    .window = &window,
		    .logical_end = a->read->size,
		    .opt.cancel = in->opt->scan.cancel },
		.budget = TRIES * a->read->size,
	};
	struct slv_head main;
	bool deferred = false;
	enum slv_status st;

	slv_window_init(&window, a->read, h.how->cancel);
	st = find(&h, strangers, &deferred, err);
	*any = st == SLV_OK && h.n > 0;
	if (st == SLV_OK && !*any && !deferred)
		in->hunted = in->taken + 1;
	if (*any)
		st = choose(&h, &main, err);
	if (*any && st == SLV_OK && h.doubtful)
		fill_gaps(&h, main.off, a->scan.logical_end);
	if (*any && st == SLV_OK)
		st = leave_others(&h, &main, view, err);
	/* What was kept of the others is no reason to keep the reading. */
	in->mixed = *any;
	in->other_log = *any && st == SLV_OK && main.off != a->scan.base;
	slv_window_free(&window);
	slv_free(h.at);
	return st;
}

enum slv_status
slv_way_alone(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	*any = false;
	if (i > 0 || in->audit->read->unreadable.n > 0
	    || in->hunted == in->taken + 1)
		return SLV_OK;
	return hunt(in, false, view, any, err);
}

enum slv_status
slv_way_no_strangers(struct slv_way_input *in, unsigned i,
    struct slv_view *view, bool *any, struct slv_err *err)
{
	*any = false;
	if (i > 0 || in->audit->read->unreadable.n > 0)
		return SLV_OK;
	return hunt(in, true, view, any, err);
}

const struct slv_format *
slv_within_format(const struct slv_audit *a, const struct slv_problem *why)
{
	if (why->info != &slv_core_problems[SLV_P_OTHER_LOG])
		return NULL;
	for (size_t i = 0; a->formats[i] != NULL; i++) {
		if (strcmp(why->here, a->formats[i]->name) == 0)
			return a->formats[i];
	}
	return NULL;
}
