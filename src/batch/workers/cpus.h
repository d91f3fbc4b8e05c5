/* cpus.h - how many processors there really are for us. */
#ifndef SLV_BATCH_CPUS_H
#define SLV_BATCH_CPUS_H

/* Those that this process may run on, and no more than its control group (v2)
 * pays for; at least 1. */
unsigned slv_cpus(void);

#endif
