/* bddf_bit.c - correct one wrong bit in the declaration of a series.
 *
 * A valid declaration states the hash of its identifier, has the number that follows from
 * its place, and fills the space between two blocks.  A block that fails this (no block, an
 * unknown field, the number of another series) is corrected if exactly one bit makes it
 * valid.  After lost bytes the place of a declaration does not show its number: other
 * declarations may be lost.
 */
#include "formats/bddf/recover/bddf_bit.h"

#include "base/list.h"
#include "base/mem.h"
#include "base/sort.h"
#include "formats/bddf/judge/bddf_odd.h"
#include "formats/bddf/read/bddf_ident.h"

#define BLOCK_MAX 1024 /* bytes of the longest block that is tried */

/* Where a series is declared. */
struct place {
	uint64_t off;
	size_t series;
};

struct trial {
	struct slv_scan *s;
	struct slv_mends *out;
	uint8_t bytes[BLOCK_MAX];
	struct bddf_range block;
	uint64_t least, most; /* numbers that it can have */
	uint32_t got;         /* ... and the one that it has */
	uint64_t complete;    /* nothing is lost before this place */
	uint64_t tried;       /* bytes */
	struct place *places; /* owned; in order */
	size_t n_places;

	unsigned ways; /* to correct it, and the last one of them: */
	uint32_t number;
	size_t at;
	uint8_t byte;
};

SLV_ORDER(by_off, struct place, off)

static enum slv_status
list_places(struct trial *t, struct slv_err *err)
{
	const struct bddf *b = bddf_of(t->s);

	SLV_TRY(slv_new(&t->places, b->n_series, sizeof(*t->places), err));
	for (size_t i = 0; i < b->n_series; i++) {
		if (b->series[i].declared)
			t->places[t->n_places++] =
			    (struct place){ b->series[i].block.off, i };
	}
	slv_sort(t->places, t->n_places, sizeof(*t->places), by_off);
	return SLV_OK;
}

/* Find the least and greatest number that a declaration at off can have. */
static void
find_neighbours(struct trial *t, uint64_t off)
{
	size_t from = SLV_FROM(struct place, off, t->places, t->n_places, off);

	t->least = t->most = from > 0 ? t->places[from - 1].series + 1 : 0;
	/* The declaration at off itself is no neighbour. */
	from += from < t->n_places && t->places[from].off == off;
	if (from < t->n_places)
		t->most = slv_max64(t->places[from].series, 1) - 1;
}

static bool
is_free(const struct trial *t, uint32_t number)
{
	const struct bddf *b = bddf_of(t->s);

	return number >= t->least && number <= t->most
	    && (number >= b->n_series || !b->series[number].declared
	        || b->series[number].block.off == t->block.off);
}

/* Whether the blocks of the series have as many additional indexes as it names. */
static bool
is_of_blocks(const struct trial *t, const struct bddf_desc *d)
{
	const struct bddf *b = bddf_of(t->s);
	const struct bddf_series *series;

	if (d->series >= b->n_series)
		return true;
	series = &b->series[d->series];
	return series->declared || series->n == 0
	    || series->n_names == d->n_names;
}

/* Whether the block as it is now declares a series that is missing. */
static enum slv_status
is_declaration(
    struct trial *t, struct bddf_desc *d, bool *yes, struct slv_err *err)
{
	size_t n = (size_t)t->block.len - BDDF_HEADER_SIZE;
	const uint8_t *body = t->bytes + BDDF_HEADER_SIZE;
	const struct bddf_head head =
	    bddf_head_get(bddf_of(t->s)->dialect, t->bytes);
	enum bddf_read read;
	uint64_t hash;

	*yes = head.type == BDDF_DESCRIPTOR
	    && bddf_head_span(head) == t->block.len;
	if (!*yes)
		return SLV_OK;
	t->tried += t->block.len;
	SLV_TRY(bddf_desc_memory(body, n, d, &read, err));
	*yes = read == BDDF_WHOLE && d->member == BDDF_SERIES && !d->strange
	    && d->typed && !d->jumbled && d->n_idents == 1
	    && is_free(t, d->series) && is_of_blocks(t, d);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(bddf_ident_memory(
	    body + d->ident_off, (size_t)d->ident_len, &hash, yes, err));
	*yes = *yes && hash == d->hash;
	return SLV_OK;
}

static enum slv_status
try_bits(struct trial *t, size_t from, size_t end, struct slv_err *err)
{
	for (size_t bit = 8 * from; bit < 8 * end && t->ways < 2; bit++) {
		uint8_t mask = (uint8_t)(1u << bit % 8), *byte;
		struct bddf_desc d;
		bool yes;

		byte = &t->bytes[bit / 8];
		*byte ^= mask;
		SLV_TRY(is_declaration(t, &d, &yes, err));
		if (yes) {
			t->ways++;
			t->number = d.series;
			t->at = bit / 8;
			t->byte = *byte;
		}
		*byte ^= mask;
	}
	return SLV_OK;
}

/* Correct the block, if exactly one bit does it.
 *
 *   row  the finding to raise */
static enum slv_status
try_block(
    struct trial *t, struct bddf_range block, unsigned row, struct slv_err *err)
{
	const struct bddf *b = bddf_of(t->s);
	struct slv_problem p = {
		.info = &bddf_problems[row],
		.off = block.off,
		.len = block.len,
		.got = t->got,
	};
	struct bddf_head head;

	t->ways = 0;
	if (block.len <= BDDF_HEADER_SIZE || block.len > BLOCK_MAX
	    || t->tried > bddf_tried_most(t->s->source->size))
		return SLV_OK;
	t->block = block;
	SLV_TRY(slv_source_read(
	    t->s->source, block.off, t->bytes, (size_t)block.len, err));
	head = bddf_head_get(b->dialect, t->bytes);
	if (head.type == BDDF_DESCRIPTOR && bddf_head_span(head) == block.len)
		SLV_TRY(try_bits(t, BDDF_HEADER_SIZE, (size_t)block.len, err));
	else
		SLV_TRY(try_bits(t, 0, BDDF_HEADER_SIZE, err));
	if (t->ways != 1)
		return SLV_OK;
	p.want = t->number;
	return slv_mends_add(t->out, block.off + t->at, &t->byte, 1, &p, err);
}

/* Whether the extent is lost, or looks like an index. */
static bool
is_out(const struct slv_extent *x)
{
	return x->fate == SLV_LOST
	    || (x->fate == SLV_REBUILT && x->part == SLV_PART_INDEX);
}

/* Lost bytes between two kept units may be a declaration, or end with one. */
static enum slv_status
try_lost(struct trial *t, struct slv_err *err)
{
	const struct slv_catalog *c = &t->s->catalog;

	for (size_t i = 0, end; i < c->n; i = slv_max64(end, i + 1)) {
		for (end = i; end < c->n && is_out(&c->at[end]);)
			end++;
		for (size_t k = i; k < end; k++) {
			uint64_t off = c->at[k].off;
			uint64_t len =
			    (end < c->n ? c->at[end].off : c->end) - off;

			find_neighbours(t, off);
			SLV_TRY(try_block(t, (struct bddf_range){ off, len },
			    BDDF_P_SERIES_BIT, err));
			if (t->ways == 1)
				break;
		}
	}
	return SLV_OK;
}

/* Correct a declaration directly after others, if its number is too high for its place, no
 * block uses it, and blocks use the expected number, which is not declared. */
static enum slv_status
try_early(struct trial *t, struct slv_err *err)
{
	const struct bddf *b = bddf_of(t->s);
	const struct slv_catalog *c = &t->s->catalog;

	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i], *right;
		uint64_t off = series->block.off;

		if (!series->declared || series->n > 0 || series->turn >= i
		    || off >= t->complete
		    || c->at[slv_catalog_find(c, off)].off == off)
			continue;
		right = &b->series[series->turn];
		if (right->declared || right->n == 0)
			continue;
		t->least = t->most = series->turn;
		t->got = (uint32_t)i;
		SLV_TRY(try_block(t, series->block, BDDF_P_NUMBER_BIT, err));
	}
	return SLV_OK;
}

/* Two declarations have the same number.  The first is wrong if its number is too high for
 * its place and no block uses it; otherwise the second is wrong. */
static enum slv_status
try_clash(struct trial *t, struct slv_err *err)
{
	const struct bddf *b = bddf_of(t->s);
	const struct bddf_series *first;
	bool early;

	SLV_TRY(try_early(t, err));
	if (b->clash_block.len == 0 || b->clash_block.off >= t->complete)
		return SLV_OK;
	first = &b->series[b->clash];
	early = first->turn < b->clash;
	if (early && first->n > 0)
		return SLV_OK;
	t->got = b->clash;
	t->least = t->most = early ? first->turn : b->n_declared;
	return try_block(
	    t, early ? first->block : b->clash_block, BDDF_P_NUMBER_BIT, err);
}

/* Offset of the first lost bytes; the end of the log if there are none. */
static uint64_t
first_lost(const struct slv_catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->at[i].fate == SLV_LOST)
			return c->at[i].off;
	}
	return c->end;
}

static enum slv_status
try_all(struct trial *t, struct slv_err *err)
{
	const struct bddf *b = bddf_of(t->s);

	SLV_TRY(list_places(t, err));
	SLV_TRY(try_clash(t, err));
	for (size_t i = 0; i < b->n_series && !bddf_is_newer(b); i++) {
		t->least = t->most = i;
		if (b->series[i].strange)
			SLV_TRY(try_block(
			    t, b->series[i].block, BDDF_P_SERIES_BIT, err));
	}
	for (size_t i = 0; i < b->n_unnamed && !bddf_is_newer(b); i++) {
		find_neighbours(t, b->unnamed[i].off);
		SLV_TRY(try_block(t, b->unnamed[i], BDDF_P_SERIES_BIT, err));
	}
	return try_lost(t, err);
}

enum slv_status
bddf_mend_bits(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct trial t = { .s = s, .out = out };
	size_t declared = 0, odd = 0;
	enum slv_status st;

	for (size_t i = 0; i < b->n_series; i++) {
		declared += b->series[i].declared;
		odd += b->series[i].hash_odd;
	}
	/* If every hash is wrong, the writer computes them otherwise: they prove
	 * nothing. */
	if (declared > 0 && odd == declared)
		return SLV_OK;
	t.complete = first_lost(&s->catalog);
	st = try_all(&t, err);
	slv_free(t.places);
	return st;
}
