/* lz4_chain.c - where an LZ4 frame continues after damage. */
#include "codec/lz4/lz4_chain.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

static bool
is_marked(const struct slv_lz4_chain *c, size_t at)
{
	return (c->marks[at / 8] >> at % 8 & 1) != 0;
}

static void
mark(struct slv_lz4_chain *c, size_t at)
{
	c->marks[at / 8] |= (uint8_t)(1u << at % 8);
}

enum slv_status
slv_lz4_chain_make(struct slv_lz4_chain *c, const struct slv_lz4_frame *f,
    const uint8_t *in, size_t n, struct slv_err *err)
{
	size_t behind = SLV_LZ4_WORD + (f->block_sums ? SLV_LZ4_WORD : 0);
	size_t end = SLV_LZ4_WORD + (f->content_sum ? SLV_LZ4_WORD : 0), last;

	if (c->marks != NULL)
		return SLV_OK;
	c->marks = slv_calloc(n / 8 + 1, 1);
	if (c->marks == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (n < end || slv_get_le32(in + n - end) != 0)
		return SLV_OK;
	last = n - end;
	mark(c, last);
	for (size_t at = last; at-- > 0;) {
		size_t len = slv_get_le32(in + at) & ~SLV_LZ4_STORED;

		if (len > 0 && len <= f->block_max
		    && slv_range_in(at + behind, len, last)
		    && is_marked(c, at + behind + len))
			mark(c, at);
	}
	return SLV_OK;
}

size_t
slv_lz4_chain_next(const struct slv_lz4_chain *c, size_t n, size_t at)
{
	while (at < n && !is_marked(c, at))
		at++;
	return at < n ? at : n;
}

void
slv_lz4_chain_free(struct slv_lz4_chain *c)
{
	slv_free(c->marks);
	*c = (struct slv_lz4_chain){ 0 };
}
