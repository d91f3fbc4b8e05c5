/* fnv.h - FNV-1a of 64 bits (RFC 9923).  It compares byte ranges where only
 * damage, and no attacker, can make two alike.
 */
#ifndef SLV_BASE_FNV_H
#define SLV_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define SLV_FNV UINT64_C(0xcbf29ce484222325)

/* Continue `hash` with n more bytes. */
static inline uint64_t
slv_fnv(uint64_t hash, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
