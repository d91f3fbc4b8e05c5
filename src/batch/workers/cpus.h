/* cpus.h - how many processors this process may use. */
#ifndef SLV_BATCH_CPUS_H
#define SLV_BATCH_CPUS_H

/* Those that this process may run on, within the quota of its control group
 * (v2); at least 1. */
unsigned slv_cpus(void);

#endif
