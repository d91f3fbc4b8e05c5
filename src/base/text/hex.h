/* hex.h - bytes as pairs of hexadecimal digits, lower case, like digests. */
#ifndef SLV_BASE_HEX_H
#define SLV_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the text for n bytes, with its NUL. */
#define SLV_HEX(n) (2 * (n) + 1)

void slv_hex(char *text, const uint8_t *bytes, size_t n);

/* Read n bytes from the beginning of a text.  false: it has too few digits, and
 * the bytes are useless. */
bool slv_hex_read(const char *text, uint8_t *bytes, size_t n);

#endif
