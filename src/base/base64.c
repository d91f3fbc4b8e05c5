/* base64.c - bytes as letters, as RFC 4648 has them. */
#include "base/base64.h"

void
slv_base64(struct slv_buf *out, const void *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                             "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (const uint8_t *at = bytes; n > 0;) {
		size_t some = n < 3 ? n : 3;
		uint32_t v = (uint32_t)at[0] << 16;
		char four[4];

		if (some > 1)
			v |= (uint32_t)at[1] << 8;
		if (some > 2)
			v |= at[2];
		for (size_t i = 0; i < 4; i++)
			four[i] =
			    i <= some ? digits[v >> (18 - 6 * i) & 63] : '=';
		slv_buf_add(out, four, sizeof(four));
		at += some;
		n -= some;
	}
}
