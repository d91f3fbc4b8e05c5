/* exchange_fit.c - would two places read as whole units if the pieces there
 * were exchanged? */
#include "core/readings/exchange_fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "core/scan/probe.h"
#include "core/scan/resync.h"

#define BEFORE    ((uint64_t)64 << 10)  /* bytes read before what is lost */
#define BEFORE_IT ((uint64_t)2 << 20)   /* where units have checksums */
#define LOOKS     ((uint64_t)128 << 20) /* bytes examined for these units */
#define STARTS    ((size_t)1 << 17)     /* of units, remembered */
#define ANY       ((uint64_t)1 << 10)   /* bytes that any exchange may cost */
#define HEAD      ((uint64_t)256)       /* bytes that state a unit's length */
#define DECODED   64 /* bytes examined in the time of decoding one */
#define CHAIN     3u /* whole units in a row that are not chance */
#define LARGEST   ((uint64_t)1 << 20) /* possible size of a piece */
#define AT_ONCE   4096                /* bytes that are compared */

/* The places that consecutive units must lead through. */
struct through {
	struct slv_range at[2]; /* in order */
	size_t n;
	bool met[2];   /* a unit begins in it */
	bool first[2]; /* a checksum confirms its first byte */
	bool last[2];  /* and its last one */
	bool stated;   /* they end at one with a checksum that does not match */
};

/* The stated length of the unit at off, if it has a checksum of its own; *len =
 * 0: it has none.
 *
 *   cost  of comparing them, for each byte */
static enum slv_status
stated_at(const struct slv_scan *s, uint64_t off, uint64_t *len, unsigned *cost,
    struct slv_err *err)
{
	const struct slv_packs *packs = s->format->packs;
	uint64_t left = s->source->size - off;
	size_t n = (size_t)slv_min64(left, HEAD);
	const uint8_t *p;
	bool yes;

	*len = 0;
	*cost = DECODED;
	if (packs == NULL)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	SLV_TRY(packs->confirm(s, p, n, len, &yes, err));
	if (*len > 0 && packs->as_stored != NULL && packs->as_stored(p, n))
		*cost = 1;
	if (*len > left || *len > SLV_WINDOW_MAX)
		*len = 0;
	return SLV_OK;
}

/* A whole unit. */
struct whole {
	uint64_t len; /* 0: there is none */
	bool stated;  /* it has a checksum */
	bool summed;  /* that confirms it */
	bool ends;    /* the log ends after it */
};

/* Compare a unit with its checksum.  For the source as it is the last answer is
 * remembered, because many pieces are in one unit. */
static enum slv_status
hold(struct slv_exchange_fit *f, uint64_t off, unsigned cost, struct whole *w,
    struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	bool plain = s->source == f->plain;
	size_t n = (size_t)w->len;
	const uint8_t *p;

	if (plain && f->held == off + 1) {
		w->summed = f->holds;
		return SLV_OK;
	}
	f->work += cost * w->len;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	SLV_TRY(s->format->packs->confirm(s, p, n, &w->len, &w->summed, err));
	if (plain) {
		f->held = off + 1;
		f->holds = w->summed;
	}
	return SLV_OK;
}

/* Examine off.  A unit with a checksum is compared with it, because a driver
 * may remember what it read of the unit before. */
static enum slv_status
whole_at(struct slv_exchange_fit *f, uint64_t off, struct whole *w,
    struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	struct slv_unit u = { 0 };
	unsigned cost;

	*w = (struct whole){ .len = 0 };
	SLV_TRY(stated_at(s, off, &w->len, &cost, err));
	if (w->len > 0) {
		w->stated = true;
		SLV_TRY(hold(f, off, cost, w, err));
		w->len = w->summed ? w->len : 0;
		return SLV_OK;
	}
	SLV_TRY(s->format->unit(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict == SLV_UNIT_GOOD) {
		w->len = u.len;
		w->ends = u.ends;
	}
	return SLV_OK;
}

static enum slv_status
add_start(struct slv_exchange_fit *f, uint64_t off, struct slv_err *err)
{
	if (f->n_starts >= STARTS
	    || (f->n_starts > 0 && f->starts[f->n_starts - 1] >= off))
		return SLV_OK;
	SLV_TRY(slv_grow(&f->starts, &f->cap_starts, f->n_starts + 1,
	    sizeof(*f->starts), err));
	f->starts[f->n_starts++] = off;
	return SLV_OK;
}

/* Start of a unit before off, or at off if there is none before; UINT64_MAX:
 * unknown.  A unit that begins at off now may belong to another piece. */
static uint64_t
start_before(const struct slv_exchange_fit *f, uint64_t off)
{
	struct slv_search w = { .high = f->n_starts };

	while (slv_search(&w))
		slv_search_on(&w, f->starts[w.mid] < off);
	if (w.low > 0)
		return f->starts[w.low - 1];
	return f->n_starts > 0 && f->starts[0] == off ? off : UINT64_MAX;
}

/* Ask about a unit other than that at `at`: a driver may remember the last one
 * that it read, and its bytes have changed. */
static enum slv_status
forget(struct slv_exchange_fit *f, uint64_t at, struct slv_err *err)
{
	uint64_t last = f->starts[f->n_starts - 1];
	struct slv_unit u = { 0 };

	return f->scan->format->unit(
	    f->scan, at != last ? last : f->starts[0], SLV_ASK_NEXT, &u, err);
}

static void
meet(struct through *t, uint64_t at, const struct whole *w)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct slv_range *r = &t->at[i];

		t->met[i] |= at >= r->off && at < r->end;
		t->first[i] |=
		    w->summed && at <= r->off && at + w->len > r->off;
		t->last[i] |= w->summed && at < r->end && at + w->len >= r->end;
	}
}

/* Return true if units follow each other from `at` on past the last range. */
static enum slv_status
is_chained(struct slv_exchange_fit *f, uint64_t at, struct through *t,
    bool *yes, struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	uint64_t end = t->n > 0 ? t->at[t->n - 1].end : at;
	struct whole w = { .len = 0 };
	unsigned behind = 0;

	*yes = false;
	if (at == UINT64_MAX)
		return SLV_OK;
	if (f->n_starts > 0)
		SLV_TRY(forget(f, at, err));
	while (behind < CHAIN && !w.ends && at < s->logical_end) {
		SLV_TRY(whole_at(f, at, &w, err));
		t->stated = w.stated;
		if (w.len == 0)
			return SLV_OK;
		meet(t, at, &w);
		at += w.len;
		behind += at >= end;
	}
	*yes = at >= end;
	return SLV_OK;
}

/* Return true if enough was examined to know where units begin. */
static bool
is_spent(const struct slv_exchange_fit *f)
{
	return f->work + f->scan->window->viewed - f->viewed > LOOKS;
}

/* The first place in [off, end) from which units follow each other; end:
 * none. */
static enum slv_status
find_chain(struct slv_exchange_fit *f, uint64_t off, uint64_t end,
    uint64_t *out, struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	struct through none = { .n = 0 };
	unsigned cost;
	uint64_t len;
	bool yes = false;

	for (*out = off; *out < end && !is_spent(f); ++*out) {
		SLV_TRY(slv_next_mark(s, *out, end, out, err));
		if (*out >= end)
			break;
		SLV_TRY(stated_at(s, *out, &len, &cost, err));
		if (len > 0)
			return SLV_OK;
		SLV_TRY(is_chained(f, *out, &none, &yes, err));
		if (yes)
			return SLV_OK;
	}
	*out = end;
	return SLV_OK;
}

/* Remember where units begin in [off, end), and where the first of those begins
 * that are not units any more. */
static enum slv_status
find_starts(
    struct slv_exchange_fit *f, uint64_t off, uint64_t end, struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	unsigned chained = 0;

	while (off < end && !is_spent(f)) {
		struct slv_unit u = { 0 };
		unsigned cost;
		uint64_t len;

		SLV_TRY(stated_at(s, off, &len, &cost, err));
		if (len > 0) {
			SLV_TRY(add_start(f, off, err));
			off += len;
			continue;
		}
		SLV_TRY(s->format->unit(s, off, SLV_ASK_NEXT, &u, err));
		if (chained >= CHAIN || off == s->base
		    || (u.verdict == SLV_UNIT_GOOD && u.sure
		        && s->format->packs == NULL))
			SLV_TRY(add_start(f, off, err));
		if (u.verdict == SLV_UNIT_GOOD && u.len > 0) {
			chained++;
			off += u.len;
			continue;
		}
		SLV_TRY(find_chain(f, off + 1, end, &off, err));
		chained = CHAIN;
	}
	return SLV_OK;
}

enum slv_status
slv_exchange_fit_init(
    struct slv_exchange_fit *f, const struct slv_scan *s, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	uint64_t before = s->format->packs != NULL ? BEFORE_IT : BEFORE;

	*f = (struct slv_exchange_fit){
		.scan = s,
		.plain = s->source,
		.viewed = s->window->viewed,
	};
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		uint64_t from = s->base;

		if (x->fate != SLV_LOST && x->fate != SLV_FOREIGN)
			continue;
		if (x->off - slv_min64(x->off, s->base) > before)
			from = x->off - before;
		if (f->n_starts > 0)
			from = slv_max64(from, f->starts[f->n_starts - 1]);
		SLV_TRY(find_starts(
		    f, from, slv_min64(x->off + x->len, s->logical_end), err));
	}
	f->all = !is_spent(f) && f->n_starts < STARTS;
	f->work = 0;
	return SLV_OK;
}

/* The units around two places. */
struct chains {
	bool yes;    /* they follow each other through both */
	bool met;    /* if only one chain leads through: units begin in both */
	bool summed; /* checksums confirm both ends of both */
};

/* Find out if units follow each other through both places. */
static enum slv_status
are_chained(struct slv_exchange_fit *f, const struct slv_exchange *x,
    struct chains *c, struct slv_err *err)
{
	struct through one = { .at = { { x->one, x->one + x->size } }, .n = 1 };
	struct through two = { .at = { { x->two, x->two + x->size } }, .n = 1 };
	uint64_t from = start_before(f, x->two);

	*c = (struct chains){ .met = true };
	/* A unit that begins in the first piece is no place to start from. */
	if (from != UINT64_MAX && from >= x->one && from < one.at[0].end) {
		one.at[1] = two.at[0];
		one.n = 2;
		SLV_TRY(
		    is_chained(f, start_before(f, x->one), &one, &c->yes, err));
		c->met = one.met[0] && one.met[1];
		c->summed =
		    one.first[0] && one.last[0] && one.first[1] && one.last[1];
		return SLV_OK;
	}
	SLV_TRY(is_chained(f, from, &two, &c->yes, err));
	/* A scan must judge the beginning of a log. */
	if (c->yes && !x->begins)
		SLV_TRY(
		    is_chained(f, start_before(f, x->one), &one, &c->yes, err));
	c->summed = (x->begins || (one.first[0] && one.last[0])) && two.first[0]
	    && two.last[0];
	return SLV_OK;
}

/* Ask the driver about the source with both pieces exchanged.
 *
 *   over  the places that units must lead through */
static enum slv_status
ask(struct slv_exchange_fit *f, const struct slv_exchange *x,
    const struct slv_exchange *over, struct chains *c, struct slv_err *err)
{
	const struct slv_scan *s = f->scan;
	struct slv_probe probe;
	struct slv_joint joint = { .at = NULL };
	struct slv_source *exchanged = NULL;
	enum slv_status st = slv_exchange_join(x, 1, s->source, &joint, err);

	f->asked = true;
	if (st == SLV_OK)
		st =
		    slv_joined_source(&joint, s->source->name, &exchanged, err);
	if (st == SLV_OK) {
		slv_probe_open(&probe, s, exchanged);
		f->scan = &probe.scan;
		st = are_chained(f, over, c, err);
		f->work += ANY + probe.window.viewed;
		f->scan = s;
		slv_probe_close(&probe);
	}
	slv_source_close(exchanged);
	slv_joint_free(&joint);
	return st;
}

enum slv_status
slv_exchange_fits(struct slv_exchange_fit *f, const struct slv_exchange *x,
    bool *yes, bool *summed, struct slv_err *err)
{
	struct chains c;

	SLV_TRY(ask(f, x, x, &c, err));
	*yes = c.yes && c.met;
	*summed = c.summed;
	return SLV_OK;
}

enum slv_status
slv_exchange_breaks(struct slv_exchange_fit *f, uint64_t off, uint64_t size,
    bool *yes, bool *stated, struct slv_err *err)
{
	struct through t = { .at = { { off, off + size } }, .n = 1 };
	uint64_t viewed = f->scan->window->viewed;

	SLV_TRY(is_chained(f, start_before(f, off), &t, yes, err));
	f->work += f->scan->window->viewed - viewed;
	*yes = !*yes;
	*stated = t.stated;
	return SLV_OK;
}

/* Return true if the n bytes at two offsets differ. */
static enum slv_status
differ(struct slv_exchange_fit *f, uint64_t one, uint64_t two, uint64_t n,
    bool *yes, struct slv_err *err)
{
	uint8_t a[AT_ONCE], b[AT_ONCE];

	*yes = false;
	for (uint64_t at = 0; !*yes && at < n; at += AT_ONCE) {
		size_t m = (size_t)slv_min64(n - at, AT_ONCE);

		SLV_TRY(slv_source_read(f->scan->source, one + at, a, m, err));
		SLV_TRY(slv_source_read(f->scan->source, two + at, b, m, err));
		*yes = memcmp(a, b, m) != 0;
	}
	return SLV_OK;
}

/* Return true if other pieces at the places, larger or smaller ones, give other
 * bytes that read as well. */
static enum slv_status
is_rival(struct slv_exchange_fit *f, const struct slv_exchange *x,
    const struct slv_exchange *other, bool *yes, struct slv_err *err)
{
	const struct slv_exchange *big = x->size > other->size ? x : other;
	const struct slv_exchange *small = big == x ? other : x;
	uint64_t before = small->one - big->one;
	uint64_t behind = before + small->size;
	struct chains c;

	*yes = false;
	if (other->two + other->size > f->scan->source->size
	    || other->one + other->size > other->two)
		return SLV_OK;
	SLV_TRY(differ(f, big->one, big->two, before, yes, err));
	if (!*yes)
		SLV_TRY(differ(f, big->one + behind, big->two + behind,
		    big->size - behind, yes, err));
	if (!*yes)
		return SLV_OK;
	SLV_TRY(ask(f, other, big, &c, err));
	*yes = c.yes;
	return SLV_OK;
}

enum slv_status
slv_exchange_stands_alone(struct slv_exchange_fit *f,
    const struct slv_exchange *x, bool *yes, struct slv_err *err)
{
	bool rival = false;

	for (uint64_t size = SLV_EXCHANGE_LEAST; !rival && size <= LARGEST;
	     size *= 2) {
		struct slv_exchange other = {
			.one = x->one / size * size,
			.two = x->two / size * size,
			.size = size,
			.begins = x->begins,
		};

		if (x->one - other.one != x->two - other.two)
			break;
		for (;
		     !rival && size != x->size && other.one < x->one + x->size;
		     other.one += size, other.two += size)
			SLV_TRY(is_rival(f, x, &other, &rival, err));
	}
	*yes = !rival;
	return SLV_OK;
}

void
slv_exchange_fit_free(struct slv_exchange_fit *f)
{
	slv_free(f->starts);
	*f = (struct slv_exchange_fit){ .n_starts = 0 };
}
