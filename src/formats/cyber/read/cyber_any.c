/* cyber_any.c - a field of any protobuf, such as a message holds. */
#include "formats/cyber/cyber_state.h"

#define HEAD 20 /* bytes of a key and a number, at most */

/* How long what follows the key is, where n bytes of it are a varint. */
static bool
span_of(struct cyber_any *f, size_t n)
{
	switch (f->wire) {
	case CYBER_VARINT: f->len = n; return true;
	case CYBER_FIXED64: f->len = 8; return true;
	case CYBER_FIXED32: f->len = 4; return true;
	case CYBER_SPAN:
		f->len = f->number;
		f->off += n;
		return true;
	}
	return false; /* groups, which no writer uses any more, and nothing */
}

enum slv_status
cyber_any_get(const struct slv_scan *s, uint64_t off, uint64_t end,
    struct cyber_any *f, bool *good, struct slv_err *err)
{
	size_t have = (size_t)slv_min64(end - off, HEAD), n, m = 0;
	const uint8_t *p;
	uint64_t key;

	*good = false;
	SLV_TRY(slv_window_view(s->window, off, have, &p, err));
	if (cyber_varint_get(p, have, &key, &n) != CYBER_WHOLE || key >> 3 == 0
	    || key >> 3 > UINT32_MAX >> 3)
		return SLV_OK;
	*f = (struct cyber_any){
		.tag = (uint32_t)(key >> 3),
		.wire = (enum cyber_wire)(key & 7),
		.off = off + n,
	};
	if ((f->wire == CYBER_VARINT || f->wire == CYBER_SPAN)
	    && cyber_varint_get(p + n, have - n, &f->number, &m) != CYBER_WHOLE)
		return SLV_OK;
	*good = span_of(f, m) && slv_range_in(f->off, f->len, end);
	return SLV_OK;
}
