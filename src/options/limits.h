/* limits.h - what a job may use, and what it keeps. */
#ifndef SLV_OPTIONS_LIMITS_H
#define SLV_OPTIONS_LIMITS_H

#include <stdint.h>

/* Limits.  0 means the default, which is given last. */
struct slv_limits {
	uint64_t max_memory;   /* bytes; a quarter of the machine's */
	uint32_t max_problems; /* problems listed one by one; 1,000 */
	uint64_t max_chunk;   /* decoded bytes of a compressed chunk; 512 MiB */
	uint64_t max_decoded; /* decoded bytes of all compressed chunks of a
			       * log; 64 MiB, and 256 for each byte that the
			       * file has on disk */
};

/* Bits of the option "keep". */
enum {
	SLV_KEEP_SUSPECT = 1 << 0, /* blocks that look whole but may be
				    * partially written */
	SLV_KEEP_SAMPLES = 1 << 1, /* the whole samples of cut blocks of plain
				    * data */
	SLV_KEEP_UNVERIFIED = 1 << 2, /* what can be decoded of compressed
				       * chunks with a wrong checksum */
};

#endif
