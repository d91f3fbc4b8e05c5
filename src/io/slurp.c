/* slurp.c - read a small file as a whole. */
#include "io/slurp.h"

enum slv_status
slv_slurp(struct slv_source *s, struct slv_buf *out, struct slv_err *err)
{
	uint8_t bytes[4096];

	for (uint64_t off = 0; off < s->size; off += sizeof(bytes)) {
		uint64_t left = s->size - off;
		size_t n = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		SLV_TRY(slv_source_read(s, off, bytes, n, err));
		slv_buf_add(out, bytes, n);
		if (out->failed)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	if (s->unreadable.n > 0)
		return slv_fail(err, SLV_E_IO, "%s: cannot read", s->name);
	return SLV_OK;
}
