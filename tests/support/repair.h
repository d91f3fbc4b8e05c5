/* repair.h - repair bytes in memory and keep all that can be said about it.
 *
 * The same steps as slv_repair() takes, between opening the input and
 * writing the output, without a disk.
 */
#ifndef TESTS_SUPPORT_REPAIR_H
#define TESTS_SUPPORT_REPAIR_H

#include "core/catalog/catalog.h"
#include "support/blob.h"

struct repaired {
	enum slv_status status;
	struct slv_err err;
	enum slv_state state;
	bool contradicted; /* by the log's own digest */
	bool unsure;       /* a kept unit may not be what was recorded */
	enum slv_assurance assurance;
	bool proven, planned, verified;
	struct blob out;     /* what would be written; if planned */
	struct blob catalog; /* a struct slv_extent for each extent */
	uint64_t sums[SLV_FATES];
	uint64_t units_kept, units_lost;
	uint64_t damage;   /* findings that are no notes */
	struct blob words; /* every finding as a line, for comparing */
};

enum {
	REPAIR_RESEAL = 1 << 0,
	REPAIR_KEEP_SUSPECT = 1 << 1,
	REPAIR_EFFORT = 1 << 2, /* try what only the digest can prove, as the
	                         * program does */
};

/* The bytes are copied into memory of exactly their size first, so that a
 * sanitizer sees a read past the end. */
void repair_memory(
    struct repaired *, const uint8_t *bytes, size_t n, unsigned flags);

/* The same for what several copies hold together. */
void merge_memory(
    struct repaired *, const struct blob *copies, size_t n, unsigned flags);

/* The same for one log, with what a second recording has of its gaps.
 *
 *   added, left_out  blocks; see core/format/fill.h */
void fill_memory(struct repaired *, const struct blob *log,
    const struct blob *donor, uint64_t *added, uint64_t *left_out);

void repaired_free(struct repaired *);

#endif
