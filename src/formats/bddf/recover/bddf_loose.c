/* bddf_loose.c - the entries of damaged index blocks.
 *
 * An index block of which one byte is wrong does not parse, or is not found, but most
 * of its entries are as they were.  They are found by their form.  The series of
 * entries in a row is the one of the blocks that agree with them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/recover/bddf_known.h"
#include "proto/bddf.pb.h"

#define FIELD(message, name) bosdyn_api_##message##_##name##_tag
#define KEY(tag)             ((uint8_t)((tag) << 3 | 2))

#define REGION_MAX           ((uint64_t)64 << 20) /* bytes that are searched */
#define ENTRY_MAX            (2 + 127)            /* of one entry */
#define ENTRY_MIN            8

/* Entries in a row, their places in order. */
struct loose {
	struct slv_scan *s;
	struct bddf_knowledge *k;
	struct bddf_known *run; /* owned */
	size_t n, cap;
	uint32_t series; /* by most that agree so far */
	uint64_t votes;
	uint64_t looked;
};

static void
take_extra(void *ctx, uint64_t value)
{
	bddf_pool_push(ctx, (int64_t)value);
}

/* Whether the additional indexes of the entry are the next n of the pool. */
struct matching {
	const struct bddf_pool *pool;
	uint64_t at, n;
	bool same;
};

static void
match_extra(void *ctx, uint64_t value)
{
	struct matching *m = ctx;

	m->same &= m->n > 0 && (uint64_t)bddf_pool_at(m->pool, m->at) == value;
	m->at++;
	m->n -= m->n > 0;
}

/* Whether the scan has the block of an entry; *series: the one it has there. */
static enum slv_status
is_found(struct loose *l, const struct bddf_known *one, uint32_t *series,
    bool *yes, struct slv_err *err)
{
	const struct slv_catalog *c = &l->s->catalog;
	const struct bddf_entry *e = &one->entry;
	struct matching m = { .pool = &l->k->extras, .same = true };
	struct bddf_data d;
	struct slv_unit u;
	const uint8_t *p;

	*yes = false;
	if (one->off < BDDF_MAGIC_SIZE || one->off >= c->end
	    || c->at[slv_catalog_find(c, one->off)].fate != SLV_KEPT
	    || l->looked > BDDF_LOOKS
	    || bddf_entry_before(bddf_of(l->s), one->off + 1, &l->looked).off
	        != one->off)
		return SLV_OK;
	SLV_TRY(bddf_block(l->s, one->off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	if (e->extra != 0) {
		m.at = e->extra;
		m.n = (uint64_t)bddf_pool_at(m.pool, e->extra - 1);
	}
	SLV_TRY(slv_window_view(
	    l->s->window, one->off + BDDF_HEADER_SIZE + 4, d.size, &p, err));
	bddf_data_get(p, d.size, d.size, &d, match_extra, &m);
	*series = d.series;
	*yes = m.same && m.n == 0 && d.sec == e->sec && d.has_time
	    && (uint32_t)d.nanos == e->nanos;
	return SLV_OK;
}

/* The row has ended: of one series, if any block agrees. */
static enum slv_status
end_run(struct loose *l, struct slv_err *err)
{
	for (size_t i = 0; l->votes > 0 && i < l->n; i++) {
		struct bddf_era *era = NULL;

		l->run[i].series = l->series;
		if (l->run[i].found) {
			l->k->agreed++;
			era = bddf_clock_era(bddf_of(l->s), l->run[i].off);
		}
		if (era != NULL)
			era->vouched = true;
		SLV_TRY(bddf_know_place(l->s, l->k, &l->run[i], err));
	}
	l->n = 0;
	l->votes = 0;
	return SLV_OK;
}

static void
vote(struct loose *l, uint32_t series)
{
	if (l->votes == 0)
		l->series = series;
	if (series == l->series)
		l->votes++;
	else
		l->votes--;
}

static enum slv_status
add(struct loose *l, struct bddf_known *one, struct slv_err *err)
{
	uint32_t series = 0;

	if (l->n > 0 && one->off <= l->run[l->n - 1].off)
		SLV_TRY(end_run(l, err));
	SLV_TRY(is_found(l, one, &series, &one->found, err));
	if (one->found)
		vote(l, series);
	SLV_TRY(slv_grow(&l->run, &l->cap, l->n + 1, sizeof(*l->run), err));
	l->run[l->n++] = *one;
	return SLV_OK;
}

/* Decode the `size` bytes at p as an entry that a writer writes. */
static bool
decode(struct loose *l, const uint8_t *p, size_t size, struct bddf_known *one)
{
	struct bddf_pool *pool = &l->k->extras;
	struct bddf_entry_more more;
	uint64_t at = pool->n;
	bool good;

	/* The count is in front, as bddf_known.c has it. */
	bddf_pool_push(pool, 0);
	good = bddf_entry_get(p, size, &one->entry, &more, take_extra, pool)
	        == BDDF_WHOLE
	    && !more.strange && one->entry.nanos < 1000000000
	    && pool->n < UINT32_MAX && !pool->failed;
	if (good && more.n_extra > 0) {
		bddf_pool_set(pool, at, more.n_extra);
		one->entry.extra = (uint32_t)at + 1;
	} else {
		pool->n = at;
	}
	return good;
}

/* Whether what follows an entry of `size` bytes shows that it is whole: another
 * entry, of which a bit may be wrong, or the total.  An entry that ends in zeros at
 * the end of what is there may have been cut. */
static bool
goes_on(const uint8_t *p, size_t n, size_t size)
{
	uint8_t key = KEY(FIELD(SeriesBlockIndex, block_entries));

	if (n <= size)
		return n == size && p[size - 1] != 0;
	return __builtin_popcount(p[size] ^ key) <= 1
	    || p[size] == FIELD(SeriesBlockIndex, total_bytes) << 3;
}

/* The entry at p, of which n bytes are there; *size = 0: there is none.  A bit of
 * its key or of its length may be wrong. */
static enum slv_status
try_entry(struct loose *l, const uint8_t *p, size_t n, size_t *size,
    struct slv_err *err)
{
	uint8_t key = KEY(FIELD(SeriesBlockIndex, block_entries));
	struct bddf_known one = { .kind = BDDF_K_DATA };
	bool found = false;

	*size = 0;
	/* The byte that few others are like comes first. */
	if (n < ENTRY_MIN || p[2] != KEY(FIELD(BlockEntry, timestamp))
	    || __builtin_popcount(p[0] ^ key) > 1)
		return SLV_OK;
	for (unsigned bit = 0; bit < 9 && !found; bit++) {
		size_t len = bit == 0 ? p[1] : p[1] ^ 1u << (bit - 1);

		if ((bit > 0 && p[0] != key) || !goes_on(p, n, len + 2))
			continue;
		found = decode(l, p + 2, len, &one);
		*size = found ? len + 2 : 0;
	}
	if (l->k->extras.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (!found)
		return SLV_OK;
	one.entry.off += l->s->base;
	one.off = one.entry.off;
	return add(l, &one, err);
}

static enum slv_status
search(struct loose *l, uint64_t off, uint64_t end, struct slv_err *err)
{
	const uint8_t *p;
	size_t size;

	end = slv_min64(end, off + REGION_MAX);
	while (off < end) {
		size_t n = (size_t)slv_min64(end - off, ENTRY_MAX);

		SLV_TRY(slv_window_view(l->s->window, off, n, &p, err));
		SLV_TRY(try_entry(l, p, n, &size, err));
		off += size > 0 ? size : 1;
	}
	return end_run(l, err);
}

/* Search what is in [off, end) beside the index blocks that were read, of which
 * found[*next] is the first that may end after off. */
static enum slv_status
search_beside(struct loose *l, uint64_t off, uint64_t end, size_t *next,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(l->s);

	while (off < end) {
		struct bddf_range read = { .off = end };

		while (*next < b->n_found
		    && b->found[*next].block.off + b->found[*next].block.len
		        <= off)
			++*next;
		if (*next < b->n_found)
			read = b->found[*next].block;
		if (off < read.off)
			SLV_TRY(search(l, off, slv_min64(read.off, end), err));
		off = slv_min64(read.off + read.len, end);
	}
	return SLV_OK;
}

enum slv_status
bddf_loose(struct slv_scan *s, struct bddf_knowledge *k, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct slv_catalog *c = &s->catalog;
	struct loose l = { .s = s, .k = k };
	enum slv_status st = SLV_OK;
	size_t next = 0;

	for (size_t i = 0; st == SLV_OK && i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];

		if (x->off >= b->data_end && x->fate != SLV_KEPT
		    && x->fate != SLV_FOREIGN)
			st = search_beside(
			    &l, x->off, x->off + x->len, &next, err);
	}
	slv_free(l.run);
	return st;
}
