/* memory.h - how much memory a process may use. */
#ifndef SLV_BATCH_MEMORY_H
#define SLV_BATCH_MEMORY_H

#include <stdint.h>

/* Default limit of a process in bytes: a quarter of the machine's memory, or of
 * the limit of its control group (version 1 or 2) if that is less. */
uint64_t slv_memory_default(void);

/* The same from other files.
 *
 *   groups  the control groups of a process, like /proc/self/cgroup
 *   mount   where they are, like /sys/fs/cgroup */
uint64_t slv_memory_share(const char *groups, const char *mount);

/* Limit this process from now on.  An allocation beyond that fails; in a build
 * with a sanitizer, which needs terabytes, none does. */
void slv_memory_bound(uint64_t bytes);

#endif
