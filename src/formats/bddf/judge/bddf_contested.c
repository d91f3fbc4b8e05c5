/* bddf_contested.c - kept blocks that an index contradicts.
 *
 * A block and its entry in an index repeat series, time and additional indexes.
 * If they differ, one of them is damaged.  bddf_mend.c corrects the block if something
 * shows that the entry is right.  If nothing shows which is right, the block is kept,
 * but may not be what was recorded.
 *
 * The entry may also be that of a block at another place: bytes were lost or inserted
 * before it, or blocks were exchanged.  Then neither is damaged.
 */
#include "base/fnv.h"
#include "base/list.h"
#include "formats/bddf/recover/bddf_known.h"

/* The values in a block or in an entry. */
struct saying {
	int64_t sec;
	uint32_t nanos, series;
	uint64_t extras; /* a hash of the additional indexes */
};

/* A kept block at or around the place where an index has another block. */
struct contested {
	uint64_t off, len; /* the block */
	struct saying entry;
};

struct contest {
	struct slv_scan *s;
	struct bddf_knowledge k;
	struct contested *at; /* owned; in order */
	size_t n, cap;
	struct saying *astray; /* owned; sorted: what contested blocks say, and
	                        * those that no index has */
	size_t n_astray, cap_astray;
	uint64_t looked;
};

static void
hash_extra(void *ctx, uint64_t value)
{
	uint64_t *hash = ctx;

	*hash = slv_fnv(*hash, &value, sizeof(value));
}

static struct saying
entry_saying(const struct bddf_knowledge *k, const struct bddf_known *one)
{
	struct saying x = {
		.sec = one->entry.sec,
		.nanos = one->entry.nanos,
		.series = one->series,
		.extras = SLV_FNV,
	};
	uint64_t n = 0;

	if (one->entry.extra != 0)
		n = (uint64_t)bddf_pool_at(&k->extras, one->entry.extra - 1);
	for (uint64_t i = 0; i < n; i++)
		hash_extra(&x.extras,
		    (uint64_t)bddf_pool_at(&k->extras, one->entry.extra + i));
	return x;
}

/* Note the values in the block at off, and its length. */
static enum slv_status
note_astray(struct contest *c, uint64_t off, uint64_t *len, struct slv_err *err)
{
	struct saying x = { .extras = SLV_FNV };
	struct bddf_data d;
	const uint8_t *p;
	struct slv_unit u;

	*len = 0;
	SLV_TRY(bddf_block(c->s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	SLV_TRY(slv_window_view(
	    c->s->window, off + BDDF_HEADER_SIZE + 4, d.size, &p, err));
	bddf_data_get(p, d.size, d.size, &d, hash_extra, &x.extras);
	x.sec = d.sec;
	x.nanos = d.has_time ? (uint32_t)d.nanos : BDDF_NO_TIME;
	x.series = d.series;
	SLV_TRY(SLV_ADD(c, astray, err, x));
	*len = u.len;
	return SLV_OK;
}

/* Whether the entry has values that a writer writes; otherwise it is damaged. */
static bool
is_witness(const struct bddf *b, const struct bddf_known *one)
{
	return one->entry.nanos < 1000000000
	    && (one->series >= b->n_series
	        || (one->entry.extra == 0)
	            == (b->series[one->series].n_names == 0));
}

/* Offset of the kept block that the entry contradicts: the block at its place or, if the
 * indexes are complete, the one around its place; BDDF_NOWHERE: none. */
static uint64_t
contested_by(struct contest *c, const struct bddf_known *one)
{
	const struct slv_catalog *catalog = &c->s->catalog;
	struct bddf_entry e;

	if (one->found || !is_witness(bddf_of(c->s), one)
	    || (one->kind != BDDF_K_DATA && one->kind != BDDF_K_UNSURE)
	    || catalog->at[slv_catalog_find(catalog, one->off)].fate
	        != SLV_KEPT)
		return BDDF_NOWHERE;
	e = bddf_entry_before(bddf_of(c->s), one->off + 1, &c->looked);
	return e.off == one->off || c->k.complete ? e.off : BDDF_NOWHERE;
}

static enum slv_status
find(struct contest *c, struct slv_err *err)
{
	for (size_t i = 0; i < c->k.n && c->looked <= BDDF_LOOKS; i++) {
		const struct bddf_known *one = &c->k.at[i];
		uint64_t off = contested_by(c, one), len;

		if (off == BDDF_NOWHERE)
			continue;
		SLV_TRY(note_astray(c, off, &len, err));
		if (len <= one->off - off
		    || (off == one->off && !bddf_known_orphan(&c->k, off)
		        && c->astray[c->n_astray - 1].series != one->series))
			continue;
		SLV_TRY(SLV_ADD_AT(c, err,
		    (struct contested){
		        .off = off,
		        .len = len,
		        .entry = entry_saying(&c->k, one),
		    }));
	}
	for (size_t i = 0; c->n > 0 && i < c->k.n_orphans; i++) {
		uint64_t len;

		SLV_TRY(note_astray(c, c->k.orphans[i], &len, err));
	}
	return SLV_OK;
}

static int
compare(const void *x, const void *y)
{
	const struct saying *a = x, *b = y;

	if (a->sec != b->sec)
		return a->sec < b->sec ? -1 : 1;
	if (a->nanos != b->nanos)
		return a->nanos < b->nanos ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return a->extras < b->extras ? -1 : a->extras > b->extras;
}

/* Whether a block at another offset matches this index entry. */
static bool
is_elsewhere(const struct contest *c, const struct saying *entry)
{
	struct slv_search f = { .high = c->n_astray };

	while (slv_search(&f))
		slv_search_on(&f, compare(&c->astray[f.mid], entry) < 0);
	return f.low < c->n_astray && compare(&c->astray[f.low], entry) == 0;
}

/* Drop the contested blocks that are explained, and all but one entry for each. */
static void
keep_unexplained(struct contest *c)
{
	size_t n = 0;

	slv_sort(c->astray, c->n_astray, sizeof(*c->astray), compare);
	for (size_t i = 0; i < c->n; i++) {
		if (!is_elsewhere(c, &c->at[i].entry)
		    && (n == 0 || c->at[n - 1].off != c->at[i].off))
			c->at[n++] = c->at[i];
	}
	c->n = n;
}

/* Report them, unless the index contradicts more blocks than it confirms: then it is of
 * another log. */
static enum slv_status
report(struct contest *c, struct slv_err *err)
{
	struct slv_scan *s = c->s;

	keep_unexplained(c);
	if (c->n > c->k.agreed)
		return SLV_OK;
	for (size_t i = 0; i < c->n; i++)
		SLV_TRY(bddf_problem(s, BDDF_P_CONTESTED, c->at[i].off,
		    c->at[i].len, 0, 0, err));
	s->units_unsure = slv_min64(s->units_unsure + c->n, s->units_kept);
	return SLV_OK;
}

/* Whether an index contradicts the blocks, or is damaged. */
static bool
any_differs(const struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_found; i++) {
		uint32_t series = b->found[i].series;

		if (series >= b->n_series || !b->series[series].index_same)
			return true;
	}
	return b->n_found < b->n_series && b->data_end < s->catalog.end;
}

enum slv_status
bddf_contested(struct slv_scan *s, struct slv_err *err)
{
	struct contest c = { .s = s };
	enum slv_status st;

	/* If the digest confirms the bytes, all blocks are right. */
	if (s->seal.as_is == SLV_SEAL_EQUAL || s->seal.as_is == SLV_SEAL_FIELD
	    || !any_differs(s))
		return SLV_OK;
	st = bddf_know(s, &c.k, err);
	if (st == SLV_OK)
		st = find(&c, err);
	if (st == SLV_OK)
		st = report(&c, err);
	slv_free(c.at);
	slv_free(c.astray);
	bddf_knowledge_free(&c.k);
	return st;
}
