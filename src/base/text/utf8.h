/* utf8.h - which bytes are text: UTF-8 as Unicode defines it, without overlong
 * forms, surrogates and code points above U+10FFFF. */
#ifndef SLV_BASE_UTF8_H
#define SLV_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state between two bytes of a text; { 0 } is its beginning.  A character
 * ends where `more` is 0. */
struct slv_utf8 {
	uint8_t more;      /* bytes that must follow */
	uint8_t low, high; /* range of the next one of them */
};

/* Accept the next byte; false: it is invalid there, and the state is
 * useless. */
static inline bool
slv_utf8_add(struct slv_utf8 *u, uint8_t b)
{
	bool good = u->more == 0 || (b >= u->low && b <= u->high);

	if (u->more == 0 && b < 0x80)
		return true;
	if (u->more > 0) {
		u->more--;
		u->low = 0x80;
		u->high = 0xbf;
		return good;
	}
	u->low = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
	u->high = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
	u->more = b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
	return b >= 0xc2 && b <= 0xf4;
}

/* The bytes of the character at the beginning of a text of n > 0 bytes, and its
 * code point; 0 if the bytes are not UTF-8. */
size_t slv_utf8_next(const uint8_t *text, size_t n, uint32_t *code);

/* How many columns a text takes on a terminal, if every character takes one. */
size_t slv_utf8_width(const char *text);

#endif
