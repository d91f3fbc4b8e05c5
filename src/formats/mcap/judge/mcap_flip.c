/* mcap_flip.c - correct one flipped bit in a chunk by its checksum.
 *
 * The difference between the checksum in the head and that of the data locates one bit
 * of the data, or of the checksum itself, or none.  The bit is corrected if the chunk
 * then holds records from end to end.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "digest/crc32.h"
#include "formats/mcap/judge/mcap_judge.h"

/* Bytes from the beginning of a chunk to its checksum. */
#define CRC_AT (MCAP_HEAD + 24)

bool
mcap_are_records(const uint8_t *bytes, uint64_t n)
{
	const struct mcap_bytes b = { NULL, bytes, n };
	bool yes = true;

	for (uint64_t at = 0; yes && at < n;) {
		struct mcap_record r;
		enum mcap_read read;

		/* Bytes in memory can always be read. */
		(void)mcap_record_get(&b, at, &r, &read, NULL);
		yes = read == MCAP_WHOLE && mcap_is_inner(&r);
		at += mcap_span(&r);
	}
	return yes;
}

static enum slv_status
add_patch(struct slv_mends *out, unsigned row, uint64_t off, const void *bytes,
    size_t n, struct slv_err *err)
{
	const struct slv_problem problem = {
		.info = &mcap_problems[row],
		.off = off,
		.len = n,
	};

	return slv_mends_add(out, off, bytes, n, &problem, err);
}

enum slv_status
mcap_mend_byte(
    uint64_t at, uint8_t byte, struct slv_mends *out, struct slv_err *err)
{
	return add_patch(out, MCAP_P_BIT, at, &byte, 1, err);
}

/* How much may be done for all chunks.  They may state that they hold each other, and
 * each of many small ones may be compared with each of many declarations. */
struct budget {
	uint64_t bytes; /* that are read */
	uint64_t tries; /* as mcap_restore_chunk() counts them */
};

/* Correct the data of the chunk if its checksum locates the error. */
static enum slv_status
mend_bytes(struct slv_scan *s, const struct mcap_chunk *c, uint8_t *bytes,
    struct budget *budget, struct slv_mends *out, struct slv_err *err)
{
	uint64_t n = c->claim.stored, bit;
	uint32_t crc = slv_crc32(0, bytes, (size_t)n);
	enum slv_crc32_place where =
	    slv_crc32_locate(n, crc ^ c->claim.crc, &bit);
	uint8_t mask, field[4];

	/* The checksum itself is wrong, unless a bit of the data explains it, too. */
	if (where != SLV_CRC32_MESSAGE && mcap_is_field_wrong(crc, c->claim.crc)
	    && mcap_are_records(bytes, n)) {
		slv_put_le32(field, crc);
		return add_patch(out,
		    where == SLV_CRC32_FIELD ? MCAP_P_BIT : MCAP_P_CHUNK_HEAD,
		    c->off + CRC_AT, field, sizeof(field), err);
	}
	if (where == SLV_CRC32_MESSAGE) {
		mask = (uint8_t)(1u << bit % 8);
		bytes[bit / 8] ^= mask;
		if (mcap_are_records(bytes, n))
			return mcap_mend_byte(
			    c->data + bit / 8, bytes[bit / 8], out, err);
		bytes[bit / 8] ^= mask;
	}
	return mcap_restore_chunk(s, c, bytes, &budget->tries, out, err);
}

static enum slv_status
mend_chunk(struct slv_scan *s, const struct mcap_chunk *c,
    struct budget *budget, struct slv_mends *out, struct slv_err *err)
{
	uint64_t n = c->claim.stored;
	enum slv_status st;
	uint8_t *bytes;

	if (c->codec != SLV_CODEC_NONE || c->strange || !c->headed || c->summed
	    || c->skimmed || c->claim.crc == 0 || n == 0
	    || n > s->opt.limits.max_chunk || n > budget->bytes
	    || !slv_range_in(c->data, n, s->source->size))
		return SLV_OK;
	budget->bytes -= n;
	bytes = slv_realloc(NULL, (size_t)n);
	if (bytes == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_source_read(s->source, c->data, bytes, (size_t)n, err);
	if (st == SLV_OK)
		st = mend_bytes(s, c, bytes, budget, out, err);
	slv_free(bytes);
	return st;
}

enum slv_status
mcap_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct budget budget = { 2 * s->source->size,
		MCAP_TRIES_MAX(s->source->size) };

	(void)bold;
	for (size_t i = 0; i < m->n_chunks; i++)
		SLV_TRY(mend_chunk(s, &m->chunks[i], &budget, out, err));
	SLV_TRY(mcap_mend_attachments(s, out, err));
	SLV_TRY(mcap_mend_heads(s, out, err));
	SLV_TRY(mcap_mend_summary(s, out, err));
	SLV_TRY(mcap_leave_unnamed(s, out, err));
	SLV_TRY(mcap_leave_strays(s, out, err));
	return mcap_leave_twice(s, out, err);
}
