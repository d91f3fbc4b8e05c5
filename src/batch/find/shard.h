/* shard.h - one of N parts of an archive, for several machines. */
#ifndef SLV_BATCH_SHARD_H
#define SLV_BATCH_SHARD_H

#include <stdbool.h>
#include <stdint.h>

/* Part i of 1 .. n; { 0 } is everything. */
struct slv_shard {
	uint64_t i, n;
};

/* "2/7"; or "auto": the index of this task in a job array of Slurm or AWS
 * Batch, by the environment; or "auto/7" if the environment does not state how
 * many there are (Kubernetes), or states it wrongly (one index that is run
 * again).  Those count from 0.  false: no valid part. */
bool slv_shard_parse(const char *text, struct slv_shard *);

/* Return true if a file with this name belongs to the part: the same on every
 * machine and in every version. */
bool slv_shard_has(const struct slv_shard *, const char *name);

/* A hash of a name that never changes. */
uint64_t slv_shard_hash(const char *name);

#endif
