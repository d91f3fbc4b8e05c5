/* machine.c - the memory of the machine. */
#include "io/machine.h"

#include <sys/sysinfo.h>

uint64_t
slv_machine_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info) != 0)
		return UINT64_MAX;
	return (uint64_t)info.totalram * info.mem_unit;
}
