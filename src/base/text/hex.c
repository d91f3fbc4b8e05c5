/* hex.c - bytes as pairs of hexadecimal digits. */
#include "base/text/hex.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

void
slv_hex(char *text, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		*text++ = digits[bytes[i] >> 4];
		*text++ = digits[bytes[i] & 15];
	}
	*text = '\0';
}

bool
slv_hex_read(const char *text, uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < 2 * n; i++) {
		const char *digit = memchr(digits, text[i], 16);

		if (digit == NULL)
			return false;
		bytes[i / 2] =
		    (uint8_t)((bytes[i / 2] & 15) << 4 | (digit - digits));
	}
	return true;
}
