/* pieces.c - a digest of each MiB of a source. */
#include "core/digest/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "digest/digest.h"

#define STRIDE ((uint64_t)1 << 17) /* bytes read at once */

uint64_t
slv_pieces(uint64_t size)
{
	return size / SLV_PIECE + (size % SLV_PIECE != 0);
}

/* The digest of the bytes [off, end). */
static enum slv_status
sum_of(struct slv_source *source, uint64_t off, uint64_t end, uint8_t *room,
    uint8_t *sum, struct slv_err *err)
{
	struct slv_digest d;

	slv_digest_init(&d, SLV_SHA256);
	while (off < end) {
		size_t n = (size_t)slv_min64(STRIDE, end - off);

		SLV_TRY(slv_source_read(source, off, room, n, err));
		slv_digest_add(&d, room, n);
		off += n;
	}
	slv_digest_get(&d, sum);
	return SLV_OK;
}

static enum slv_status
sum_all(struct slv_source *source, struct slv_meter *meter,
    const volatile sig_atomic_t *cancel, uint8_t *room, struct slv_buf *out,
    struct slv_err *err)
{
	uint8_t sum[SLV_DIGEST_MAX];

	slv_meter_begin(meter, SLV_PHASE_READ, source->size);
	for (uint64_t off = 0, end; off < source->size; off = end) {
		end = off + slv_min64(SLV_PIECE, source->size - off);
		if (slv_is_cancelled(cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(sum_of(source, off, end, room, sum, err));
		slv_buf_add(out, sum, SLV_PIECE_SUM);
		slv_meter_at(meter, end);
	}
	return out->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                   : SLV_OK;
}

enum slv_status
slv_pieces_sum(struct slv_source *source, struct slv_meter *meter,
    const volatile sig_atomic_t *cancel, struct slv_buf *out,
    struct slv_err *err)
{
	uint8_t *room = slv_calloc(1, STRIDE);
	enum slv_status st;

	if (room == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_source_onward(source);
	st = sum_all(source, meter, cancel, room, out, err);
	slv_free(room);
	return st;
}

enum slv_status
slv_pieces_compare(const uint8_t *was, const uint8_t *is, uint64_t size,
    struct slv_ranges *out, struct slv_err *err)
{
	for (uint64_t off = 0; off < size; off += SLV_PIECE) {
		if (memcmp(was, is, SLV_PIECE_SUM) != 0)
			SLV_TRY(slv_ranges_add(
			    out, off, slv_min64(SLV_PIECE, size - off), err));
		was += SLV_PIECE_SUM;
		is += SLV_PIECE_SUM;
	}
	return SLV_OK;
}
