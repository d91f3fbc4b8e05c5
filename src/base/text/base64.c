/* base64.c - bytes as base64 (RFC 4648). */
#include "base/text/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789+/";

void
slv_base64(struct slv_buf *out, const void *bytes, size_t n)
{
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

bool
slv_base64_read(struct slv_buf *out, const char *text)
{
	size_t n = strlen(text);

	if (n % 4 != 0)
		return false;
	for (; n > 0; n -= 4, text += 4) {
		uint32_t v = 0;
		uint8_t three[3];
		size_t some = 0;

		/* Padding is allowed at the very end only. */
		while (some < 4 && text[some] != '=') {
			const char *digit = strchr(digits, text[some]);

			if (digit == NULL)
				return false;
			v |= (uint32_t)(digit - digits) << (18 - 6 * some++);
		}
		if (some < 2 || (some < 4 && n > 4)
		    || (some == 2 && text[3] != '='))
			return false;
		for (size_t i = 0; i < 3; i++)
			three[i] = (uint8_t)(v >> (16 - 8 * i));
		slv_buf_add(out, three, some - 1);
	}
	return true;
}
