/* sweep.c - read all of a log once, to search it. */
#include "core/sweep.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

#define PIECE SLV_SWEEP_PIECE

static enum slv_status
sweep(const struct slv_scan *s, uint8_t *buf, size_t more, slv_sweep_fn each,
    void *ctx, struct slv_err *err)
{
	uint64_t size = s->source->size;

	for (uint64_t off = 0; off < size; off += PIECE) {
		const struct slv_range *hole = slv_ranges_from(&s->holes, off);
		size_t n = (size_t)slv_min64(PIECE + more, size - off);

		SLV_TRY(slv_scan_go_on(s, err));
		if (hole != NULL && hole->off <= off && hole->end >= off + n) {
			/* As many pieces as are wholly inside it. */
			off += (hole->end - off - n) / PIECE * PIECE;
			continue;
		}
		SLV_TRY(slv_source_read(s->source, off, buf, n, err));
		SLV_TRY(each(ctx, off, buf, n, err));
	}
	return SLV_OK;
}

enum slv_status
slv_sweep(const struct slv_scan *s, size_t more, slv_sweep_fn each, void *ctx,
    struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, PIECE + more);
	enum slv_status st;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = sweep(s, buf, more, each, ctx, err);
	slv_free(buf);
	return st;
}
