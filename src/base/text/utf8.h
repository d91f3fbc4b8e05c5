/* utf8.h - which bytes are text: UTF-8 as Unicode has it, with no overlong
 * forms, no surrogates and nothing above U+10FFFF. */
#ifndef SLV_BASE_UTF8_H
#define SLV_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Between two bytes of a text; { 0 } is the beginning of one.  Where `more` is
 * 0 a character ends. */
struct slv_utf8 {
	uint8_t more;      /* bytes that must follow */
	uint8_t low, high; /* between which the next one of them must be */
};

/* Take the next byte; false: it cannot stand there, and nobody may go on. */
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

/* The bytes of the character that text begins with, n > 0 bytes being there,
 * and its code point; 0 where the bytes are no UTF-8. */
size_t slv_utf8_next(const uint8_t *text, size_t n, uint32_t *code);

/* How many columns a text takes on a terminal, taking every character for
 * one. */
size_t slv_utf8_width(const char *text);

#endif
