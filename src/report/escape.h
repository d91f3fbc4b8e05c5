/* escape.h - which bytes of a text are safe to show. */
#ifndef SLV_REPORT_ESCAPE_H
#define SLV_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character that text begins with, n > 0 bytes being there,
 * and its code point; 0 where the bytes are no UTF-8. */
size_t slv_utf8_next(const uint8_t *text, size_t n, uint32_t *code);

/* How many columns an escaped text takes on a terminal, taking every
 * character for one. */
size_t slv_utf8_width(const char *text);

#endif
