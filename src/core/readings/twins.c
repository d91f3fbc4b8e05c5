/* twins.c - pages near damage with the same bytes as another page. */
#include "core/readings/twins.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/list.h"
#include "core/compare.h"
#include "core/readings/repeats.h"
#include "core/sweep.h"

#define NEAR    ((uint64_t)64 << 10) /* bytes before and after damage */
#define SECTORS 4096                 /* that are searched for, at most */
#define PLACES  4  /* of the same bytes: in more, they are no page */
#define MARK    64 /* first bytes of a sector that identify it */
#define CHANGES 64 /* least number of bytes of it that differ from the last */

struct sector {
	uint64_t off, key;
	uint64_t places[PLACES]; /* where such bytes are, itself included */
	unsigned n;              /* in how many places; PLACES + 1: in more */
};

struct search {
	struct slv_scan *s;
	struct sector *at; /* sorted by key */
	size_t n;
};

/* Return true if the bytes of a sector identify it. */
static bool
is_telling(const uint8_t *p)
{
	unsigned changes = 0;

	for (size_t i = 1; i < SLV_SECTOR; i++)
		changes += p[i] != p[i - 1];
	return changes >= CHANGES;
}

/* Walking from damage to damage, each record once: what is near one is near many. */
struct steps {
	uint64_t off;           /* of the next record */
	struct slv_moment last; /* of the record before it */
	uint64_t before;        /* where that one begins */
	uint64_t step;          /* 1 + where the last one begins that an earlier
	                         * one follows, or may follow, inside a
	                         * compressed unit; 0: none */
};

/* One record or extent further. */
static enum slv_status
walk_on(struct slv_scan *s, struct steps *w, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	const struct slv_extent *e = &c->at[slv_catalog_find(c, w->off)];
	struct slv_unit u = { 0 };

	if (e->part == SLV_PART_PACK)
		w->step = w->off + 1;
	if (e->fate == SLV_KEPT || e->fate == SLV_REBUILT)
		SLV_TRY(s->format->unit(s, w->off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || u.len == 0) {
		w->off = e->off + e->len;
		return SLV_OK;
	}
	if (u.time.known && w->last.known
	    && slv_moment_seconds(w->last, u.time) < 0)
		w->step = slv_max64(w->step, w->before + 1);
	if (u.time.known) {
		w->last = u.time;
		w->before = w->off;
	}
	w->off += u.len;
	return SLV_OK;
}

/* Return true if a record near damage is earlier than one before it, or may be,
 * inside a compressed unit.  Each time from where it was called before, or later. */
static enum slv_status
steps_back(struct slv_scan *s, struct steps *w, uint64_t from, uint64_t upto,
    bool *yes, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;

	if (from < c->end)
		from = c->at[slv_catalog_find(c, from)].off;
	if (w->off < from)
		*w = (struct steps){ .off = from };
	while (w->off < slv_min64(upto, c->end))
		SLV_TRY(walk_on(s, w, err));
	*yes = w->step > from;
	return SLV_OK;
}

/* Add the sectors near an offset that tell something, from *done on. */
static enum slv_status
add_sectors(
    struct search *x, uint64_t near, uint64_t *done, struct slv_err *err)
{
	uint64_t upto = slv_min64(near + NEAR, x->s->source->size);
	uint64_t off = slv_max64(*done, near - slv_min64(near, NEAR));
	uint8_t buf[SLV_SECTOR];

	for (off -= off % SLV_SECTOR;
	     off + SLV_SECTOR <= upto && x->n < SECTORS; off += SLV_SECTOR) {
		SLV_TRY(
		    slv_source_read(x->s->source, off, buf, sizeof(buf), err));
		*done = off + SLV_SECTOR;
		if (!is_telling(buf))
			continue;
		x->at[x->n++] = (struct sector){
			.off = off,
			.key = slv_fnv(SLV_FNV, buf, MARK),
		};
	}
	return SLV_OK;
}

/* Collect the sectors near both ends of damage where times step back. */
static enum slv_status
collect(struct search *x, struct slv_err *err)
{
	const struct slv_catalog *c = &x->s->catalog;
	struct steps steps = { 0 };
	uint64_t done = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *e = &c->at[i];
		uint64_t end = e->off + e->len;
		bool yes;

		if (!slv_extent_is_torn(e) || end == c->end)
			continue;
		SLV_TRY(steps_back(x->s, &steps,
		    e->off - slv_min64(e->off, NEAR), end + NEAR, &yes, err));
		if (!yes)
			continue;
		SLV_TRY(add_sectors(x, e->off, &done, err));
		SLV_TRY(add_sectors(x, end, &done, err));
	}
	return SLV_OK;
}

SLV_ORDER(by_key, struct sector, key)
SLV_ORDER(by_offset, struct sector, off)

/* Note that a sector of the file is like some of those: of several with one key the
 * first one has all places. */
static void
meet(struct search *x, uint64_t off, uint64_t key)
{
	struct slv_search f = { .high = x->n };
	struct sector *first;

	while (slv_search(&f))
		slv_search_on(&f, x->at[f.mid].key < key);
	first = &x->at[f.low];
	if (f.low == x->n || first->key != key || first->n > PLACES)
		return;
	if (first->n < PLACES)
		first->places[first->n] = off;
	first->n++;
}

static enum slv_status
look_in(void *ctx, uint64_t off, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	(void)err;
	for (size_t i = 0; i + SLV_SECTOR <= n; i += SLV_SECTOR)
		meet(ctx, off + i, slv_fnv(SLV_FNV, bytes + i, MARK));
	return SLV_OK;
}

/* Search for them in all of the log. */
static enum slv_status
look(struct search *x, struct slv_err *err)
{
	slv_sort(x->at, x->n, sizeof(*x->at), by_key);
	SLV_TRY(slv_sweep(x->s, 0, look_in, x, err));
	for (size_t i = 1; i < x->n; i++) {
		struct sector *one = &x->at[i];

		if (one->key != one[-1].key)
			continue;
		memcpy(one->places, one[-1].places, sizeof(one->places));
		one->n = one[-1].n;
	}
	slv_sort(x->at, x->n, sizeof(*x->at), by_offset);
	return SLV_OK;
}

/* Return true if the bytes before or after an offset are torn. */
static bool
is_torn_at(const struct slv_catalog *c, uint64_t off)
{
	return (off > 0 && off <= c->end
	           && slv_extent_is_torn(&c->at[slv_catalog_find(c, off - 1)]))
	    || (off < c->end
	        && slv_extent_is_torn(&c->at[slv_catalog_find(c, off)]));
}

/* Return true if nothing is torn in a page or next to it. */
static bool
is_in_place(const struct slv_catalog *c, uint64_t off, uint64_t len)
{
	if (is_torn_at(c, off) || is_torn_at(c, off + len))
		return false;
	for (size_t i = slv_catalog_find(c, off);
	     i < c->n && c->at[i].off < off + len; i++) {
		if (slv_extent_is_torn(&c->at[i]))
			return false;
	}
	return true;
}

/* The page around a sector: all sectors next to it that are alike in both places. */
static enum slv_status
widen(const struct search *x, uint64_t off, uint64_t twin,
    struct slv_twin *page, struct slv_err *err)
{
	uint64_t low = slv_min64(off, twin), high = slv_max64(off, twin);
	uint64_t most =
	    slv_min64(slv_min64(high - low, NEAR), x->s->source->size - high);
	uint64_t same;

	*page = (struct slv_twin){ .off = off, .twin = twin };
	SLV_TRY(slv_compare(x->s, off, twin, most, &same, err));
	page->len = same - same % SLV_SECTOR;
	while (page->len > 0 && page->len < most
	    && slv_min64(page->off, page->twin) >= SLV_SECTOR) {
		SLV_TRY(slv_compare(x->s, page->off - SLV_SECTOR,
		    page->twin - SLV_SECTOR, SLV_SECTOR, &same, err));
		if (same < SLV_SECTOR)
			break;
		page->off -= SLV_SECTOR;
		page->twin -= SLV_SECTOR;
		page->len += SLV_SECTOR;
	}
	return SLV_OK;
}

/* The page of a sector that tears what is around it.  Of several other places the
 * one where nothing is torn is its own; len = 0: there is no such page.
 *
 *   done  end of all pages with this sector that were compared */
static enum slv_status
find_page(const struct search *x, const struct sector *at,
    struct slv_twin *page, uint64_t *done, struct slv_err *err)
{
	const struct slv_catalog *c = &x->s->catalog;

	page->len = 0;
	for (unsigned i = 0; i < at->n && at->n <= PLACES; i++) {
		struct slv_twin one;

		if (at->places[i] == at->off)
			continue;
		SLV_TRY(widen(x, at->off, at->places[i], &one, err));
		*done = slv_max64(*done, one.off + one.len);
		if (one.len == 0
		    || !(is_torn_at(c, one.off)
		        || is_torn_at(c, one.off + one.len)))
			continue;
		one.sure = is_in_place(c, one.twin, one.len);
		if (one.sure || at->n == 2)
			*page = one;
		if (one.sure)
			break;
	}
	return SLV_OK;
}

/* List the pages that are out of place. */
static enum slv_status
judge(const struct search *x, struct slv_twins *out, struct slv_err *err)
{
	uint64_t done = 0, upto = 0;

	for (size_t i = 0; i < x->n && out->n < SLV_TWINS; i++) {
		struct slv_twin page;

		if (x->at[i].off < done)
			continue;
		SLV_TRY(find_page(x, &x->at[i], &page, &done, err));
		if (page.len > 0 && page.off >= upto) {
			upto = page.off + page.len;
			out->at[out->n++] = page;
		}
	}
	return SLV_OK;
}

enum slv_status
slv_twins_find(struct slv_scan *s, struct slv_twins *out, struct slv_err *err)
{
	struct search x = { .s = s };
	enum slv_status st;

	out->n = 0;
	SLV_TRY(slv_new(&x.at, SECTORS, sizeof(*x.at), err));
	st = collect(&x, err);
	if (st == SLV_OK && x.n > 0)
		st = look(&x, err);
	if (st == SLV_OK && x.n > 0)
		st = judge(&x, out, err);
	slv_free(x.at);
	return st;
}
