/* memory.h - how much memory there really is for us. */
#ifndef SLV_BATCH_MEMORY_H
#define SLV_BATCH_MEMORY_H

#include <stdint.h>

/* Bytes that a process of ours may have unless the user says otherwise: a
 * quarter of the machine's memory, or of what its control group may have
 * (version 1 or 2) where that is less. */
uint64_t slv_memory_default(void);

/* The same by other files.
 *
 *   groups  the control groups of a process, as /proc/self/cgroup
 *   mount   where they are, as /sys/fs/cgroup */
uint64_t slv_memory_share(const char *groups, const char *mount);

/* Let this process have no more from now on.  An allocation beyond that fails;
 * in a build with a sanitizer, which needs terabytes, none does. */
void slv_memory_bound(uint64_t bytes);

#endif
