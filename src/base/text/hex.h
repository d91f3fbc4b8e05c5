/* hex.h - bytes as pairs of hexadecimal digits, lower case, as digests are
 * written.
 */
#ifndef SLV_BASE_HEX_H
#define SLV_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of text that n bytes become, with its NUL. */
#define SLV_HEX(n) (2 * (n) + 1)

void slv_hex(char *text, const uint8_t *bytes, size_t n);

/* Read n bytes from the beginning of a text.  false: it does not begin with so
 * many digits, and what was read is of no use. */
bool slv_hex_read(const char *text, uint8_t *bytes, size_t n);

#endif
