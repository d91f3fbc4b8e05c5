/* schema_sums.h - digests of the schemas of channels.
 *
 * Thousands of channels may share a schema of megabytes, and so may those of two logs.
 * Each schema is read once here; after that, channels are compared by 32 bytes.
 */
#ifndef SLV_CORE_SCHEMA_SUMS_H
#define SLV_CORE_SCHEMA_SUMS_H

#include "base/status.h"
#include "digest/digest.h"
#include "salvor_read.h"

struct slv_schema_sum {
	uint8_t sha256[SLV_SHA256_SIZE];
};

/* The digest of the schema of each of n channels, owned by the caller.  A channel
 * without a schema has that of nothing. */
enum slv_status slv_schema_sums(const struct slv_channel_info *, size_t n,
    struct slv_schema_sum **out, struct slv_err *);

/* The order of two digests; 0: the schemas are equal. */
int slv_schema_order(
    const struct slv_schema_sum *, const struct slv_schema_sum *);

#endif
