/* machine.h - the memory of the machine. */
#ifndef SLV_IO_MACHINE_H
#define SLV_IO_MACHINE_H

#include <stdint.h>

/* Bytes of memory; UINT64_MAX: the system does not report it. */
uint64_t slv_machine_memory(void);

#endif
