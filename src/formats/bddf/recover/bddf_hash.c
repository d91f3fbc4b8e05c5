/* bddf_hash.c - a declaration whose hash does not belong to its identifier.
 *
 * The hash has 64 bits.  If it is, except for a few bits, the one of the identifier as
 * it is or with one bit flipped, then those bits are damaged: by chance that is so
 * once in 10^10 identifiers.  So it is if only bits next to each other differ from
 * the hash of the identifier as it is: a byte or two that were overwritten.
 * Otherwise the identifier may be wrong, and so the series of each of its blocks.
 */
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_ident.h"
#include "formats/bddf/recover/bddf_bit.h"

#define IDENT_MAX 1024 /* bytes of an identifier of which bits are tried */
#define BITS_MAX  4    /* of the hash, that may be wrong */
#define RUN_MAX   14   /* ... next to each other: two bytes of a varint */

/* Whether few bits differ.
 *
 *   run  or those that do are next to each other */
static bool
is_near(uint64_t a, uint64_t b, bool run)
{
	uint64_t wrong = a ^ b;

	return __builtin_popcountll(wrong) <= BITS_MAX
	    || (run
	        && 64 - __builtin_clzll(wrong) - __builtin_ctzll(wrong)
	            <= RUN_MAX);
}

/* A declaration and what is right of it. */
struct repairing {
	uint8_t bytes[IDENT_MAX]; /* the identifier */
	size_t n;
	uint64_t hash;  /* of the right one */
	size_t at;      /* its byte that is wrong; n: none */
	uint8_t byte;   /* what that must be */
	unsigned ways;  /* to correct it */
	uint64_t tried; /* bytes */
};

/* The identifier as it is now: does the hash that is there belong to it? */
static enum slv_status
try_hash(struct repairing *r, uint64_t stored, size_t at, struct slv_err *err)
{
	uint64_t hash;
	bool known;

	r->tried += r->n;
	SLV_TRY(bddf_ident_memory(r->bytes, r->n, &hash, &known, err));
	if (!known || !is_near(hash, stored, at == r->n))
		return SLV_OK;
	r->hash = hash;
	r->at = at;
	r->byte = at < r->n ? r->bytes[at] : 0;
	r->ways++;
	return SLV_OK;
}

static enum slv_status
try_all(struct repairing *r, uint64_t stored, struct slv_err *err)
{
	SLV_TRY(try_hash(r, stored, r->n, err));
	for (size_t bit = 0; r->ways == 0 && bit < 8 * r->n; bit++) {
		uint8_t mask = (uint8_t)(1u << bit % 8);

		r->bytes[bit / 8] ^= mask;
		SLV_TRY(try_hash(r, stored, bit / 8, err));
		r->bytes[bit / 8] ^= mask;
	}
	return SLV_OK;
}

/* Write the right bytes over those that are not. */
static enum slv_status
patch(const struct repairing *r, const struct bddf_series *series,
    struct bddf_range hash, struct slv_mends *out, struct slv_err *err)
{
	uint8_t bytes[10];
	struct slv_problem p = {
		.info = &bddf_problems[BDDF_P_HASH_BITS],
		.off = series->block.off,
		.len = series->block.len,
	};

	if (r->at < r->n)
		SLV_TRY(slv_mends_add(
		    out, series->ident.off + r->at, &r->byte, 1, &p, err));
	if (r->hash == series->hash)
		return SLV_OK;
	bddf_varint_put(bytes, r->hash);
	return slv_mends_add(out, hash.off, bytes, (size_t)hash.len, &p, err);
}

static enum slv_status
mend_one(struct slv_scan *s, const struct bddf_series *series, uint64_t *tried,
    struct slv_mends *out, struct slv_err *err)
{
	struct repairing r = { .n = (size_t)series->ident.len };
	struct bddf_range hash;

	if (series->ident.len > IDENT_MAX)
		return SLV_OK;
	SLV_TRY(
	    slv_source_read(s->source, series->ident.off, r.bytes, r.n, err));
	SLV_TRY(try_all(&r, series->hash, err));
	*tried += r.tried;
	if (r.ways == 0)
		return SLV_OK;
	SLV_TRY(bddf_hash_bytes(s, series->block, &hash, err));
	if (r.hash != series->hash && hash.len != bddf_varint_size(r.hash))
		return SLV_OK;
	return patch(&r, series, hash, out, err);
}

/* Whether something is known of the hash of the series already. */
static bool
is_settled(const struct bddf_series *series)
{
	return !series->declared || !series->hash_odd || series->hash_again
	    || series->mend.at.len > 0;
}

enum slv_status
bddf_mend_hashes(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const uint64_t most = bddf_tried_most(s->source->size);
	uint64_t tried = 0;

	for (size_t i = 0; i < b->n_series && tried <= most; i++) {
		if (!is_settled(&b->series[i]))
			SLV_TRY(mend_one(s, &b->series[i], &tried, out, err));
	}
	return SLV_OK;
}

/* Where all declarations are like that, the writer computes hashes otherwise. */
void
bddf_doubt_hashes(struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);
	uint64_t declared = 0, odd = 0, blocks = 0;

	for (size_t i = 0; i < b->n_series; i++) {
		declared += b->series[i].declared;
		if (is_settled(&b->series[i]))
			continue;
		odd++;
		blocks += b->series[i].n;
	}
	if (odd < declared)
		s->units_unsure =
		    slv_min64(s->units_unsure + blocks, s->units_kept);
}
