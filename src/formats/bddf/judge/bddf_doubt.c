/* bddf_doubt.c - where would one flipped bit go unseen except for the digest?
 *
 * The magic, the first block and the declarations are in the file only once, except
 * for the identifiers, which also have a hash.
 */
#include "formats/bddf/recover/bddf_known.h"

#define LOST_MAX 4096 /* bytes left out that are worth trying as a whole */

/* Doubt bytes that are no block, or of unknown kind. */
static enum slv_status
doubt(struct slv_doubts *out, uint64_t off, uint64_t len, struct slv_err *err)
{
	return slv_doubt(out, off, len, (struct slv_range){ 0, 0 }, err);
}

/* Doubt the places where the index has a declaration and the scan found none. */
static enum slv_status
doubt_missing(struct slv_scan *s, struct slv_doubts *out, struct slv_err *err)
{
	struct bddf_knowledge k;
	enum slv_status st = bddf_know(s, &k, err);

	for (size_t i = 0; st == SLV_OK && i < k.n; i++) {
		const struct bddf_known *one = &k.at[i];
		uint64_t next = i + 1 < k.n ? k.at[i + 1].off : s->catalog.end;

		if (!one->found && one->kind <= BDDF_K_SERIES)
			st = doubt(out, one->off,
			    slv_min64(LOST_MAX, next - one->off), err);
	}
	bddf_knowledge_free(&k);
	return st;
}

/* Doubt what was left out: if it begins with a block that looks whole, first the bytes
 * after that block. */
static enum slv_status
doubt_lost(struct slv_scan *s, struct slv_doubts *out, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		struct slv_unit u;
		uint64_t whole;

		if (x->len > LOST_MAX || x->part != SLV_PART_DATA
		    || (x->fate != SLV_LOST && x->fate != SLV_FOREIGN))
			continue;
		SLV_TRY(bddf_block(s, x->off, SLV_ASK_NEXT, &u, err));
		whole = u.verdict == SLV_UNIT_GOOD ? u.len : 0;
		whole = slv_min64(whole, x->len);
		SLV_TRY(doubt(out, x->off + whole, x->len - whole, err));
		SLV_TRY(doubt(out, x->off, whole, err));
	}
	return SLV_OK;
}

/* Doubt the FileIndex, the last block of the index.  The rest of the index is rebuilt; only
 * the FileIndex has the order of keys in a spec. */
static enum slv_status
doubt_file_index(
    struct slv_scan *s, struct slv_doubts *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct slv_catalog *c = &s->catalog;
	const struct slv_extent *x;
	uint64_t len;

	if (b->index_same || b->end.off == 0)
		return SLV_OK;
	if (b->file_index.len > 0)
		return doubt(out, b->file_index.off, b->file_index.len, err);
	x = &c->at[slv_catalog_find(c, b->end.off - 1)];
	len = slv_min64(b->end.off - x->off, LOST_MAX);
	return doubt(out, b->end.off - len, len, err);
}

/* Doubt a declaration, except for its identifier if the hash confirms that. */
static enum slv_status
doubt_series(const struct bddf_series *series, struct slv_doubts *out,
    struct slv_err *err)
{
	struct slv_range block = { series->block.off,
		series->block.off + series->block.len };
	uint64_t ident = series->ident.off;
	uint64_t ident_end = ident + series->ident.len;

	if (series->hash_odd || series->ident.len == 0)
		return slv_doubt(out, block.off, series->block.len, block, err);
	SLV_TRY(slv_doubt(out, block.off, ident - block.off, block, err));
	return slv_doubt(out, ident_end, block.end - ident_end, block, err);
}

/* Whether data was left out: that explains why the digest does not match, so no flipped
 * bit is searched elsewhere. */
static bool
is_explained(const struct slv_scan *s)
{
	const struct slv_catalog *c = &s->catalog;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];

		if (x->part == SLV_PART_DATA
		    && (x->fate == SLV_LOST || x->fate == SLV_FOREIGN))
			return true;
	}
	return false;
}

enum slv_status
bddf_doubt(struct slv_scan *s, struct slv_doubts *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	SLV_TRY(doubt_missing(s, out, err));
	SLV_TRY(doubt_lost(s, out, err));
	if (is_explained(s))
		return SLV_OK;
	for (size_t i = 0; i < b->n_series; i++) {
		if (b->series[i].hash_odd)
			SLV_TRY(doubt_series(&b->series[i], out, err));
	}
	SLV_TRY(doubt_file_index(s, out, err));
	SLV_TRY(doubt(out, s->base, BDDF_MAGIC_SIZE, err));
	SLV_TRY(slv_doubt(out, b->first.off, b->first.len,
	    (struct slv_range){ b->first.off, b->first.off + b->first.len },
	    err));
	for (size_t i = 0; i < b->n_series; i++) {
		if (b->series[i].declared && !b->series[i].hash_odd)
			SLV_TRY(doubt_series(&b->series[i], out, err));
	}
	return SLV_OK;
}

/* A block that parses has been one before and after the bit was flipped. */
enum slv_status
bddf_sensible(const struct slv_scan *s, uint64_t block, uint64_t len,
    uint64_t off, uint8_t byte, bool *yes, struct slv_err *err)
{
	uint64_t body = block + BDDF_HEADER_SIZE;
	uint8_t bytes[LOST_MAX];
	enum bddf_read read;
	struct bddf_desc d;
	size_t n;

	*yes = true;
	if (len <= BDDF_HEADER_SIZE || len - BDDF_HEADER_SIZE > sizeof(bytes))
		return SLV_OK;
	n = (size_t)(len - BDDF_HEADER_SIZE);
	/* Its header is right, or no block would begin after it. */
	if (off < body) {
		*yes = false;
		return SLV_OK;
	}
	SLV_TRY(slv_source_read(s->source, body, bytes, n, err));
	bytes[off - body] = byte;
	SLV_TRY(bddf_desc_memory(bytes, n, &d, &read, err));
	*yes = read == BDDF_WHOLE;
	return SLV_OK;
}
