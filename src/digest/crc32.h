/* crc32.h - CRC-32, and what it says about a single flipped bit.
 *
 * The ordinary one, of zlib, gzip and Ethernet: reflected, polynomial
 * 0xEDB88320.  Bit b of a message is bit b % 8 of its byte b / 8, where bit 0 is
 * the lowest of a byte.
 */
#ifndef SLV_DIGEST_CRC32_H
#define SLV_DIGEST_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of a message that begins with bytes whose CRC is `crc` (0: with none)
 * and goes on with these n bytes; they may be NULL where n is 0. */
uint32_t slv_crc32(uint32_t crc, const void *bytes, size_t n);

/* The CRC of two messages in a row, of which the second has len2 bytes. */
uint32_t slv_crc32_combine(uint32_t crc1, uint32_t crc2, uint64_t len2);

/* The longest message, in bytes, of which one flipped bit can be located: each
 * bit of it and of its CRC has a syndrome of its own. */
#define SLV_CRC32_LOCATE_MAX ((UINT64_C(1) << 29) - 5)

enum slv_crc32_place {
	SLV_CRC32_NOWHERE, /* no single bit makes this difference */
	SLV_CRC32_MESSAGE, /* bit *bit of the message */
	SLV_CRC32_FIELD,   /* bit *bit of the stored CRC, as a number */
};

/* Which single flipped bit makes the CRC of a message differ from the stored
 * one?  The time is the same for every length, some tens of microseconds.
 *
 *   len       bytes of the message; over SLV_CRC32_LOCATE_MAX: NOWHERE
 *   syndrome  the stored CRC xor the computed one; 0: NOWHERE
 *   bit       set unless NOWHERE
 *
 * Any other error has the syndrome of some bit with a probability of
 * (8 * len + 32) / 2^32.  The caller needs more evidence than this answer; only
 * two flipped bits in a message of 11 KB or less are never taken for one. */
enum slv_crc32_place slv_crc32_locate(
    uint64_t len, uint32_t syndrome, uint64_t *bit);

#endif
