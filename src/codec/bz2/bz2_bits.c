/* bz2_bits.c - bzip2 streams as bits. */
#include "codec/bz2/bz2_bits.h"

#include <string.h>

#include "base/mem.h"

#define HEADER_BITS 32 /* of a stream */

/* A byte string that grows by bits; it has space. */
struct writer {
	uint8_t *at;
	uint64_t bits; /* so far */
};

uint64_t
slv_bz2_bits(struct slv_span in, uint64_t from, unsigned count)
{
	uint64_t value = 0;

	for (uint64_t bit = from; bit < from + count; bit++) {
		size_t byte = (size_t)(bit / 8);

		value <<= 1;
		if (byte < in.len)
			value |= in.at[byte] >> (7 - bit % 8) & 1;
	}
	return value;
}

bool
slv_bz2_find(struct slv_span in, uint64_t from, struct slv_bz2_mark *mark)
{
	const uint64_t mask = (UINT64_C(1) << SLV_BZ2_MARK_BITS) - 1;
	uint64_t seen = 0;

	for (size_t i = (size_t)(from / 8); i < in.len; i++) {
		seen = seen << 8 | in.at[i];
		for (unsigned late = 8; late-- > 0;) {
			uint64_t word = seen >> late & mask;
			uint64_t end = (uint64_t)i * 8 + 8 - late;

			if ((word != SLV_BZ2_BLOCK && word != SLV_BZ2_END)
			    || end < from + SLV_BZ2_MARK_BITS)
				continue;
			mark->at = end - SLV_BZ2_MARK_BITS;
			mark->is_end = word == SLV_BZ2_END;
			return true;
		}
	}
	*mark = (struct slv_bz2_mark){ .at = (uint64_t)in.len * 8 };
	return false;
}

static void
put(struct writer *w, uint64_t value, unsigned count)
{
	while (count-- > 0) {
		unsigned shift = 7 - w->bits % 8;

		if (shift == 7)
			w->at[w->bits / 8] = 0;
		w->at[w->bits / 8] |= (uint8_t)((value >> count & 1) << shift);
		w->bits++;
	}
}

/* Append bits of the input; the writer is at a byte boundary. */
static void
put_input(struct writer *w, struct slv_span in, uint64_t from, uint64_t end)
{
	unsigned shift = (unsigned)(from % 8);

	for (; end - from >= 8; from += 8, w->bits += 8) {
		const uint8_t *p = in.at + from / 8;

		w->at[w->bits / 8] = (uint8_t)(p[0] << shift);
		if (shift > 0)
			w->at[w->bits / 8] |= (uint8_t)(p[1] >> (8 - shift));
	}
	put(w, slv_bz2_bits(in, from, (unsigned)(end - from)),
	    (unsigned)(end - from));
}

enum slv_status
slv_bz2_wrap(struct slv_span in, uint64_t from, uint64_t end,
    struct slv_buf *out, struct slv_err *err)
{
	uint64_t bits =
	    HEADER_BITS + (end - from) + SLV_BZ2_MARK_BITS + SLV_BZ2_SUM_BITS;
	struct writer w;

	SLV_TRY(
	    slv_grow(&out->at, &out->cap, (size_t)((bits + 7) / 8), 1, err));
	w = (struct writer){ .at = out->at };
	for (const char *c = "BZh9"; *c != '\0'; c++)
		put(&w, (uint8_t)*c, 8);
	put_input(&w, in, from, end);
	put(&w, SLV_BZ2_END, SLV_BZ2_MARK_BITS);
	put(&w, slv_bz2_bits(in, from + SLV_BZ2_MARK_BITS, SLV_BZ2_SUM_BITS),
	    SLV_BZ2_SUM_BITS);
	out->len = (size_t)((bits + 7) / 8);
	return SLV_OK;
}

uint32_t
slv_bz2_sum(const uint8_t *bytes, size_t n)
{
	uint32_t table[256], sum = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i << 24;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] << 1
			    ^ (table[i] >> 31 != 0 ? 0x04c11db7 : 0);
	}
	for (size_t i = 0; i < n; i++)
		sum = sum << 8 ^ table[sum >> 24 ^ bytes[i]];
	return ~sum;
}
