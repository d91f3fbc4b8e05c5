/* bddf_known.c - which block was where, by the surviving indexes. */
#include "formats/bddf/recover/bddf_known.h"

#include "base/list.h"
#include "formats/bddf/index/bddf_entries.h"
#include "formats/bddf/judge/bddf_clock.h"

#define PLACES_MAX ((size_t)1 << 20) /* more than that is no index */

/* One SeriesBlockIndex held against the scan. */
struct gathering {
	struct slv_scan *s;
	struct bddf_knowledge *k;
	uint32_t series;
	struct bddf_cursor cursor; /* the scan's entries of the series */
	uint64_t last;             /* offset of the entry before */
	uint64_t extra_at;         /* where in our pool its numbers begin */
	struct slv_err *err;
	enum slv_status status;
};

static enum slv_status
add(struct bddf_knowledge *k, const struct bddf_known *one, struct slv_err *err)
{
	k->full |= k->n == PLACES_MAX;
	if (k->full)
		return SLV_OK;
	return SLV_ADD_AT(k, err, *one);
}

enum slv_status
bddf_know_place(struct slv_scan *s, struct bddf_knowledge *k,
    const struct bddf_known *one, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;

	if (one->off >= c->end || one->off < BDDF_MAGIC_SIZE) {
		k->odd++;
		return SLV_OK;
	}
	if (one->found && c->at[slv_catalog_find(c, one->off)].off != one->off)
		return SLV_OK;
	return add(k, one, err);
}

static void
note_extra(struct bddf_entries *e, uint64_t value)
{
	struct gathering *g = e->ctx;

	/* The count is in front, and is set when it is known. */
	if (e->n_extra == 0) {
		g->extra_at = g->k->extras.n;
		bddf_pool_push(&g->k->extras, 0);
	}
	bddf_pool_push(&g->k->extras, (int64_t)value);
}

static void
drop_extras(struct gathering *g, const struct bddf_entries *e)
{
	if (e->n_extra > 0)
		g->k->extras.n = g->extra_at;
}

/* Whether the scan's entry says the same. */
static bool
agrees(const struct gathering *g, const struct bddf_entries *e,
    const struct bddf_entry *mine)
{
	const struct bddf *b = bddf_of(g->s);

	if (mine->sec != e->entry.sec || mine->nanos != e->entry.nanos
	    || bddf_extras(b, mine) != e->n_extra)
		return false;
	for (uint64_t i = 0; i < e->n_extra; i++) {
		if (bddf_pool_at(&b->extras, mine->extra + i)
		    != bddf_pool_at(&g->k->extras, g->extra_at + 1 + i))
			return false;
	}
	return true;
}

/* The index does not name this block of the scan. */
static void
note_orphan(struct gathering *g, const struct bddf_entry *mine)
{
	struct bddf_knowledge *k = g->k;

	k->odd++;
	g->cursor.i++;
	if (g->status != SLV_OK || k->n_orphans == PLACES_MAX)
		return;
	g->status = SLV_ROOM(k, orphans, 1, g->err);
	if (g->status == SLV_OK)
		g->status = SLV_ROOM(k, astray, 1, g->err);
	if (g->status != SLV_OK)
		return;
	k->orphans[k->n_orphans++] = mine->off;
	k->astray[k->n_astray++] = (struct slv_moment){
		.sec = mine->sec,
		.nanos = mine->nanos,
	};
}

static void
note_entry(struct bddf_entries *e)
{
	struct gathering *g = e->ctx;
	const struct bddf_entry *mine = bddf_cursor_at(&g->cursor);
	struct bddf_known one = {
		.off = e->entry.off,
		.kind = BDDF_K_DATA,
		.series = g->series,
		.entry = e->entry,
	};

	/* What found no memory cannot be compared; gather() says so. */
	if (g->k->extras.failed)
		return;
	for (; mine != NULL && mine->off < e->entry.off;
	     mine = bddf_cursor_at(&g->cursor))
		note_orphan(g, mine);
	if (mine != NULL && mine->off == e->entry.off) {
		struct bddf_era *era = bddf_clock_era(bddf_of(g->s), mine->off);

		one.found = agrees(g, e, mine);
		g->k->agreed += one.found;
		if (era != NULL)
			era->vouched |= one.found;
		g->k->odd += !one.found;
		g->cursor.i++;
	}
	g->k->odd += e->entry.off <= g->last;
	g->last = e->entry.off;
	if (one.found) {
		drop_extras(g, e);
	} else if (e->n_extra > 0 && g->extra_at < UINT32_MAX - 1) {
		bddf_pool_set(&g->k->extras, g->extra_at, (int64_t)e->n_extra);
		one.entry.extra = (uint32_t)g->extra_at + 1;
	}
	if (g->status == SLV_OK)
		g->status = bddf_know_place(g->s, g->k, &one, g->err);
}

/* The declaration that an index points at. */
static enum slv_status
note_declaration(
    struct gathering *g, const struct bddf_entries *e, struct slv_err *err)
{
	const struct bddf *b = bddf_of(g->s);
	struct bddf_known one = {
		.off = e->descriptor,
		.kind = BDDF_K_SERIES,
		.series = g->series,
	};

	if (g->series < b->n_series && b->series[g->series].declared) {
		one.found = b->series[g->series].block.off == e->descriptor;
		g->k->odd += !one.found;
	}
	return bddf_know_place(g->s, g->k, &one, err);
}

/* One SeriesBlockIndex; *whole = it was read to its end. */
static enum slv_status
gather(struct slv_scan *s, struct bddf_knowledge *k,
    const struct bddf_found_index *index, bool *whole, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct gathering g = {
		.s = s,
		.k = k,
		.series = index->series,
		.err = err,
	};
	struct bddf_entries e = {
		.base = s->base,
		.ctx = &g,
		.extra = note_extra,
		.done = note_entry,
	};
	struct bddf_range body = { index->block.off + BDDF_HEADER_SIZE,
		index->block.len - BDDF_HEADER_SIZE };
	enum bddf_read read;

	if (g.series < b->n_series)
		g.cursor.chunk = b->series[g.series].first;
	SLV_TRY(bddf_entries_read(s->window, body, &e, &read, err));
	SLV_TRY(g.status);
	if (k->extras.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (bddf_cursor_at(&g.cursor) != NULL)
		note_orphan(&g, bddf_cursor_at(&g.cursor));
	SLV_TRY(g.status);
	*whole = read == BDDF_WHOLE;
	return note_declaration(&g, &e, err);
}

/* The places of the index itself and of the footer. */
static enum slv_status
add_frame(struct slv_scan *s, struct bddf_knowledge *k, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_known first = {
		.off = s->base + BDDF_MAGIC_SIZE,
		.kind = BDDF_K_FIRST,
		.found = b->first.len > 0 && !b->first_late,
	};
	struct bddf_known file = {
		.off = b->file_index.len > 0 ? b->file_index.off
		                             : b->end_index + s->base,
		.kind = BDDF_K_FILE_INDEX,
		.found = b->file_index.len > 0,
	};
	struct bddf_known end = {
		.off = b->end.off,
		.kind = BDDF_K_END,
		.found = true,
	};

	SLV_TRY(bddf_know_place(s, k, &first, err));
	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_known one = {
			.off = b->series[i].index_at != 0
			    ? b->series[i].index_at + s->base
			    : b->series[i].index.off,
			.kind = BDDF_K_SERIES_INDEX,
			.series = (uint32_t)i,
		};

		one.found = one.off == b->series[i].index.off;
		if (one.off != 0)
			SLV_TRY(bddf_know_place(s, k, &one, err));
	}
	if (file.off != 0)
		SLV_TRY(bddf_know_place(s, k, &file, err));
	return b->end.len > 0 ? bddf_know_place(s, k, &end, err) : SLV_OK;
}

static int
compare_known(const void *x, const void *y)
{
	const struct bddf_known *a = x, *b = y;

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return (int)b->found - (int)a->found;
}

static int
compare_offsets(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* Keep one block for each place.  The vendor's writer may index a block that it then
 * does not write: of two entries, the one that the scan found is right; if it found
 * none, the place is unsure. */
static enum slv_status
settle(const struct slv_scan *s, struct bddf_knowledge *k, struct slv_err *err)
{
	const volatile sig_atomic_t *cancel = s->opt.cancel;
	size_t n = 0;

	SLV_TRY(slv_sort_long(
	    k->at, k->n, sizeof(*k->at), compare_known, cancel, err));
	for (size_t i = 0; i < k->n; i++) {
		if (n > 0 && k->at[n - 1].off == k->at[i].off) {
			if (!k->at[n - 1].found)
				k->at[n - 1].kind = BDDF_K_UNSURE;
			continue;
		}
		k->at[n++] = k->at[i];
	}
	k->n = n;
	return slv_sort_long(k->orphans, k->n_orphans, sizeof(*k->orphans),
	    compare_offsets, cancel, err);
}

/* The first of n places at or after off. */
static size_t
first_from(const struct bddf_known *at, size_t n, uint64_t off)
{
	return SLV_FROM(struct bddf_known, off, at, n, off);
}

/* The last place before off among the first n, if the indexes have a data block there and
 * the scan lost it; else NULL. */
static const struct bddf_known *
lost_before(const struct slv_scan *s, const struct bddf_knowledge *k, size_t n,
    uint64_t off)
{
	const struct slv_catalog *c = &s->catalog;
	size_t i = first_from(k->at, n, off);

	if (i == 0 || k->at[i - 1].found || k->at[i - 1].kind != BDDF_K_DATA
	    || c->at[slv_catalog_find(c, k->at[i - 1].off)].fate != SLV_LOST)
		return NULL;
	return &k->at[i - 1];
}

static bool
is_found_data(const struct bddf_knowledge *k, const struct bddf_known *one)
{
	return one < k->at + k->n && one->found && one->kind == BDDF_K_DATA;
}

/* Count orphans in a row after the same lost block as one contradiction, if the block after
 * them is where the index has it: they are in the payload of the lost block, or have
 * overwritten it. */
static void
weigh_orphans(const struct slv_scan *s, struct bddf_knowledge *k)
{
	uint64_t looked = 0;

	for (size_t i = 1; i < k->n_orphans && looked <= BDDF_LOOKS; i++) {
		const struct bddf_known *one =
		    lost_before(s, k, k->n, k->orphans[i]);

		if (one != NULL && is_found_data(k, one + 1)
		    && one->off <= k->orphans[i - 1]
		    && bddf_entry_before(bddf_of(s), k->orphans[i], &looked).off
		        == k->orphans[i - 1])
			k->odd--;
	}
}

/* Add the data block at off if the scan has it: if no index contradicts, the index of its
 * series has the block, too. */
static enum slv_status
add_found(struct slv_scan *s, struct bddf_knowledge *k, size_t n, uint64_t off,
    struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	struct bddf_known one = {
		.off = off,
		.kind = BDDF_K_DATA,
		.found = true,
	};
	size_t i = first_from(k->at, n, off);
	struct slv_unit u;

	if (off >= c->end || (i < n && k->at[i].off == off)
	    || c->at[slv_catalog_find(c, off)].fate != SLV_KEPT)
		return SLV_OK;
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	one.series = u.channel;
	return u.verdict == SLV_UNIT_GOOD && bddf_is_data(&u)
	    ? add(k, &one, err)
	    : SLV_OK;
}

/* Where orphans in a row after a lost block end, the log goes on: with a block
 * that the index and the scan have. */
static enum slv_status
add_ends(struct slv_scan *s, struct bddf_knowledge *k, struct slv_err *err)
{
	size_t n = k->n;

	for (size_t i = 0; i < k->n_orphans; i++) {
		uint64_t off = k->orphans[i];
		struct slv_unit u;

		if (lost_before(s, k, n, off) == NULL)
			continue;
		SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict == SLV_UNIT_GOOD
		    && !bddf_known_orphan(k, off + u.len))
			SLV_TRY(add_found(s, k, n, off + u.len, err));
	}
	SLV_TRY(settle(s, k, err));
	return SLV_OK;
}

enum slv_status
bddf_know(struct slv_scan *s, struct bddf_knowledge *k, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	size_t whole = 0;
	uint64_t odd;

	*k = (struct bddf_knowledge){ 0 };
	for (size_t i = 0; i < b->n_found; i++) {
		const struct bddf_found_index *f = &b->found[i];
		bool yes = false;

		SLV_TRY(gather(s, k, f, &yes, err));
		whole += yes;
	}
	k->whole = whole > 0 && whole >= b->n_series;
	odd = k->odd;
	if (!k->whole)
		SLV_TRY(bddf_loose(s, k, err));
	SLV_TRY(add_frame(s, k, err));
	k->odd = odd;
	SLV_TRY(settle(s, k, err));
	if (k->n_orphans > 0)
		SLV_TRY(bddf_list_missed(k, err));
	if (k->whole)
		SLV_TRY(add_ends(s, k, err));
	weigh_orphans(s, k);
	/* One odd entry in eight, or two, may be what was hit. */
	k->complete = k->whole && !k->full
	    && (k->odd * 8 <= k->agreed
	        || (k->odd <= 2 && k->odd <= k->agreed));
	return SLV_OK;
}

size_t
bddf_known_from(const struct bddf_knowledge *k, uint64_t off)
{
	return first_from(k->at, k->n, off);
}

const struct bddf_known *
bddf_known_at(const struct bddf_knowledge *k, uint64_t off)
{
	size_t i = bddf_known_from(k, off);

	return i < k->n && k->at[i].off == off ? &k->at[i] : NULL;
}

bool
bddf_known_orphan(const struct bddf_knowledge *k, uint64_t off)
{
	return slv_find(
	           k->orphans, k->n_orphans, sizeof(off), 0, sizeof(off), off)
	    != NULL;
}

void
bddf_knowledge_free(struct bddf_knowledge *k)
{
	slv_free(k->at);
	bddf_pool_free(&k->extras);
	slv_free(k->orphans);
	slv_free(k->missed);
	slv_free(k->astray);
	*k = (struct bddf_knowledge){ 0 };
}
