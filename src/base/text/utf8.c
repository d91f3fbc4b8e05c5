/* utf8.c - which bytes are text. */
#include "base/text/utf8.h"

size_t
slv_utf8_next(const uint8_t *text, size_t n, uint32_t *code)
{
	struct slv_utf8 u = { 0 };
	uint32_t c = 0;
	size_t at = 0;

	do {
		if (at == n || !slv_utf8_add(&u, text[at]))
			return 0;
		if (at > 0)
			c = c << 6 | (text[at] & 0x3fu);
		else
			c = u.more > 0 ? text[at] & (0x3fu >> u.more)
			               : text[at];
		at++;
	} while (u.more > 0);
	*code = c;
	return at;
}

size_t
slv_utf8_width(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((uint8_t)*text & 0xc0) != 0x80;
	return width;
}
