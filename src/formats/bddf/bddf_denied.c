/* bddf_denied.c - blocks that this log's index does not know.
 *
 * Sectors that were used before hold blocks of other logs, those of a shift no
 * further away in time than this one's own, and payloads may carry blocks.  But
 * the index has every block of this log, in order.  Where every series still has
 * its index, what none names between two blocks that it has was never written
 * there.  Bytes that were put in or taken out move what follows them: a block
 * that the index has at another place is known by its series and its time.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "formats/bddf/bddf_known.h"

static int
compare_who(const struct bddf_missed *a, const struct bddf_missed *b)
{
	int way = slv_moment_compare(a->at, b->at);

	if (way != 0 || a->series == b->series)
		return way;
	return a->series < b->series ? -1 : 1;
}

static int
compare_missed(const void *x, const void *y)
{
	const struct bddf_missed *a = x, *b = y;
	int way = compare_who(a, b);

	if (way != 0 || a->off == b->off)
		return way;
	return a->off < b->off ? -1 : 1;
}

/* Orphans that an index has elsewhere agree with it. */
static void
count_moved(struct bddf_knowledge *k)
{
	for (size_t i = 0, m = 0; i < k->n_astray && m < k->n_missed;) {
		int way = compare_who(&k->astray[i], &k->missed[m]);

		if (way == 0) {
			k->moved = slv_min64(k->moved, k->astray[i].off);
			k->odd -= k->odd > 0;
			k->agreed++;
		}
		i += way <= 0;
		m += way >= 0;
	}
}

enum slv_status
bddf_list_missed(struct bddf_knowledge *k, struct slv_err *err)
{
	k->missed = slv_calloc(k->n + 1, sizeof(*k->missed));
	if (k->missed == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < k->n; i++) {
		const struct bddf_known *one = &k->at[i];

		if (one->kind != BDDF_K_DATA || one->found)
			continue;
		k->missed[k->n_missed++] = (struct bddf_missed){
			.at = { .sec = one->entry.sec,
			    .nanos = one->entry.nanos },
			.series = one->series,
			.off = one->off,
		};
	}
	qsort(k->missed, k->n_missed, sizeof(*k->missed), compare_missed);
	qsort(k->astray, k->n_astray, sizeof(*k->astray), compare_missed);
	count_moved(k);
	return SLV_OK;
}

/* The first of this time, and of this series unless it is BDDF_ANY; NULL: there
 * is none. */
static const struct bddf_missed *
find(const struct bddf_missed *list, size_t n, struct slv_moment at,
    uint32_t series)
{
	struct slv_search f = { .high = n };

	while (slv_search(&f))
		slv_search_on(&f, slv_moment_compare(list[f.mid].at, at) < 0);
	while (f.low < n && series != BDDF_ANY && list[f.low].series != series
	    && slv_moment_compare(list[f.low].at, at) == 0)
		f.low++;
	return f.low < n && slv_moment_compare(list[f.low].at, at) == 0
	    ? &list[f.low]
	    : NULL;
}

const struct bddf_missed *
bddf_known_missed(
    const struct bddf_knowledge *k, struct slv_moment at, uint32_t series)
{
	return find(k->missed, k->n_missed, at, series);
}

bool
bddf_known_astray(
    const struct bddf_knowledge *k, struct slv_moment at, uint32_t series)
{
	return find(k->astray, k->n_astray, at, series) != NULL;
}

#define SHIFTS 8 /* places where bytes were put in or taken out */

/* The log held against the indexes. */
struct holding {
	struct slv_scan *s;
	const struct bddf_knowledge *k;
	struct slv_mends *out;
	struct slv_aside a; /* what is excluded and not yet added */
	uint64_t upto;      /* where the last block is that has its place */
	uint64_t from, end; /* the first and the last that an index has,
	                          * here or at another place */
	uint64_t shifts[SHIFTS]; /* of blocks that are at another place */
	size_t n_shifts;
};

/* Whether the block of the scan is where the index of its series has it. */
static bool
has_place(const struct bddf_knowledge *k, uint64_t off)
{
	const struct bddf_known *one = bddf_known_at(k, off);

	return !bddf_known_orphan(k, off) && (one == NULL || one->found);
}

/* Whether nothing before off was left out. */
static bool
is_kept_upto(const struct slv_catalog *c, uint64_t off)
{
	for (size_t i = 0; i < c->n && c->at[i].off < off; i++) {
		if (c->at[i].fate != SLV_KEPT)
			return false;
	}
	return true;
}

/* The first and the last block of the scan that have their place.  What follows
 * the start of the file without a gap may be a log without an index, joined with
 * one that has it. */
static void
find_held(struct holding *h)
{
	const struct bddf *b = bddf_of(h->s);

	if (is_kept_upto(&h->s->catalog, h->k->orphans[0]))
		h->from = BDDF_NOWHERE;
	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_cursor at = { .chunk = b->series[i].first };
		const struct bddf_entry *e;

		for (; (e = bddf_cursor_at(&at)) != NULL; at.i++) {
			if (!has_place(h->k, e->off))
				continue;
			h->from = slv_min64(h->from, e->off);
			h->upto = slv_max64(h->upto, e->off);
		}
	}
}

/* How many of the list are of this time and series; *at: the first. */
static size_t
count(const struct bddf_missed *list, size_t n, struct slv_moment at,
    uint32_t series, const struct bddf_missed **first)
{
	const struct bddf_missed *one = find(list, n, at, series);
	size_t same = 0;

	*first = one;
	for (; one != NULL && one < list + n
	     && slv_moment_compare(one->at, at) == 0;
	     one++)
		same += one->series == series;
	return same;
}

/* Whether an index has the orphan at another place.  Of more blocks of one time
 * than are missed those count which are as far away as others. */
static bool
is_moved(const struct holding *h, uint64_t off, const struct slv_unit *u,
    uint64_t *place)
{
	const struct bddf_knowledge *k = h->k;
	const struct bddf_missed *one, *other;
	size_t n = count(k->missed, k->n_missed, u->time, u->channel, &one);
	size_t here =
	    count(k->astray, k->n_astray, u->time, u->channel, &other);

	*place = n == 1 && here == 1 ? one->off : BDDF_NOWHERE;
	if (here <= n)
		return n > 0;
	for (; n > 0 && one < k->missed + k->n_missed; one++) {
		if (slv_moment_compare(one->at, u->time) != 0)
			return false;
		for (size_t i = 0; i < h->n_shifts; i++) {
			if (one->series == u->channel
			    && one->off + h->shifts[i] == off)
				return true;
		}
	}
	return false;
}

/* The block of the orphan at off; one without a time says too little. */
static enum slv_status
orphan_at(struct holding *h, uint64_t off, struct slv_unit *u, bool *yes,
    struct slv_err *err)
{
	SLV_TRY(bddf_block(h->s, off, SLV_ASK_NEXT, u, err));
	*yes = u->verdict == SLV_UNIT_GOOD && u->time.known;
	return SLV_OK;
}

/* How far blocks are from where the indexes have them, and up to where. */
static enum slv_status
find_shifts(struct holding *h, struct slv_err *err)
{
	for (size_t i = 0; i < h->k->n_orphans; i++) {
		uint64_t off = h->k->orphans[i], place;
		struct slv_unit u;
		bool yes;

		SLV_TRY(orphan_at(h, off, &u, &yes, err));
		if (!yes || !is_moved(h, off, &u, &place))
			continue;
		h->from = slv_min64(h->from, off);
		h->end = off;
		if (place == BDDF_NOWHERE || h->n_shifts == SHIFTS
		    || (h->n_shifts > 0
		        && h->shifts[h->n_shifts - 1] == off - place))
			continue;
		h->shifts[h->n_shifts++] = off - place;
	}
	return SLV_OK;
}

/* Whether an index has another block where this one of the scan is, with the
 * next one where this one ends: then one of the two is damaged. */
static enum slv_status
is_claimed(struct holding *h, uint64_t off, uint64_t len, uint64_t shift,
    bool *yes, struct slv_err *err)
{
	const struct bddf_known *one = bddf_known_at(h->k, off - shift);
	const struct slv_catalog *c = &h->s->catalog;
	uint64_t next = off + len, place;
	struct slv_unit u;

	*yes = one != NULL && !one->found && next < c->end
	    && c->at[slv_catalog_find(c, next)].fate == SLV_KEPT;
	if (!*yes || !bddf_known_orphan(h->k, next)) {
		*yes &= shift == 0;
		return SLV_OK;
	}
	SLV_TRY(orphan_at(h, next, &u, yes, err));
	*yes = *yes && is_moved(h, next, &u, &place)
	    && bddf_known_at(h->k, next - shift) != NULL;
	return SLV_OK;
}

/* The same, wherever the index has what follows bytes that were put in or taken
 * out. */
static enum slv_status
is_damaged(struct holding *h, uint64_t off, uint64_t len, bool *yes,
    struct slv_err *err)
{
	SLV_TRY(is_claimed(h, off, len, 0, yes, err));
	for (size_t i = 0; i < h->n_shifts && !*yes; i++)
		SLV_TRY(is_claimed(h, off, len, h->shifts[i], yes, err));
	return SLV_OK;
}

/* Where in the block at off, which no index has, one begins that an index has
 * there: it was swallowed. */
static enum slv_status
find_swallowed(struct holding *h, uint64_t off, uint64_t shift, uint64_t *end,
    struct slv_err *err)
{
	const struct bddf_knowledge *k = h->k;

	for (size_t i = bddf_known_from(k, off - shift + 1);
	     i < k->n && k->at[i].off + shift < *end; i++) {
		const struct bddf_known *one = &k->at[i];
		struct slv_moment at = { .sec = one->entry.sec,
			.nanos = one->entry.nanos };
		struct slv_unit u;
		bool yes;

		if (one->kind != BDDF_K_DATA || one->found)
			continue;
		SLV_TRY(orphan_at(h, one->off + shift, &u, &yes, err));
		if (yes && u.channel == one->series
		    && slv_moment_compare(u.time, at) == 0)
			*end = one->off + shift;
	}
	return SLV_OK;
}

/* Set the orphan at off aside, with the one before if they touch. */
static enum slv_status
judge(struct holding *h, uint64_t off, struct slv_err *err)
{
	uint64_t place;
	struct slv_unit u;
	bool yes;

	if (off >= h->upto && (off < h->from || off >= h->end))
		return SLV_OK;
	SLV_TRY(orphan_at(h, off, &u, &yes, err));
	if (!yes || is_moved(h, off, &u, &place))
		return SLV_OK;
	SLV_TRY(is_damaged(h, off, u.len, &yes, err));
	if (yes)
		return SLV_OK;
	if (h->a.end != off) {
		if (h->a.end > 0)
			SLV_TRY(slv_mends_add_aside(h->out, &h->a, err));
		h->a = (struct slv_aside){
			.off = off,
			.fate = SLV_FOREIGN,
			.problem.info = &bddf_problems[BDDF_P_NOT_INDEXED],
		};
	}
	h->a.end = off + u.len;
	SLV_TRY(find_swallowed(h, off, 0, &h->a.end, err));
	for (size_t i = 0; i < h->n_shifts; i++)
		SLV_TRY(find_swallowed(h, off, h->shifts[i], &h->a.end, err));
	return SLV_OK;
}

enum slv_status
bddf_denied(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, struct slv_err *err)
{
	struct holding h = { .s = s, .k = k, .out = out };

	if (!k->whole || k->n_orphans == 0 || s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	find_held(&h);
	SLV_TRY(find_shifts(&h, err));
	for (size_t i = 0; i < k->n_orphans; i++)
		SLV_TRY(judge(&h, k->orphans[i], err));
	return h.a.end > 0 ? slv_mends_add_aside(out, &h.a, err) : SLV_OK;
}
