/* shard.h - one part of many of an archive, for many machines. */
#ifndef SLV_BATCH_SHARD_H
#define SLV_BATCH_SHARD_H

#include <stdbool.h>
#include <stdint.h>

/* Part i of 1 .. n; { 0 } is all. */
struct slv_shard {
	uint64_t i, n;
};

/* "2/7", or "auto": what the environment of a job array says of the task that
 * this is, of Slurm or AWS Batch; "auto/7" where it does not say how many
 * there are (Kubernetes), or says so wrongly (one index that is run again).
 * Those count from 0.  false: it says nothing that makes sense. */
bool slv_shard_parse(const char *text, struct slv_shard *);

/* Whether a file that is called so belongs to the part: the same on every
 * machine and in every version. */
bool slv_shard_has(const struct slv_shard *, const char *name);

/* A number made of a name, ever the same. */
uint64_t slv_shard_hash(const char *name);

#endif
