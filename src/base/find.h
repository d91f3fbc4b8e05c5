/* find.h - find bytes in memory, also where most of it is zeros.
 *
 * memmem(3) compares at each place, or hashes each pair of bytes: zeros cost it as much
 * as anything else.  Long runs of zeros are what lost writes leave.
 */
#ifndef SLV_BASE_FIND_H
#define SLV_BASE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first m bytes like those at `what` in the n bytes at p; NULL: there are none.
 * Takes time linear in n, whatever the bytes are. */
const uint8_t *slv_find_bytes(
    const void *p, size_t n, const void *what, size_t m);

/* Return true if all n bytes at p are zeros. */
bool slv_is_zero(const void *p, size_t n);

#endif
