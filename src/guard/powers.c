/* powers.c - the capabilities that a job keeps: capabilities(7).
 *
 * The kernel's numbers are defined here, as in landlock.c.
 */
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard/walls.h"

#define VERSION_3 0x20080522

enum {
	CHOWN = 1 << 0,           /* an output belongs to the input's owner */
	DAC_OVERRIDE = 1 << 1,    /* root processes files of other users */
	DAC_READ_SEARCH = 1 << 2, /* and a backup user reads them */
	FOWNER = 1 << 3,          /* its mode and times */
	SYS_RESOURCE = 1 << 24,   /* the blocks reserved for root */
	LEASE = 1 << 28,          /* is the input open elsewhere? */
};

struct header {
	uint32_t version;
	int pid; /* 0: this thread */
};

struct sets {
	uint32_t effective, permitted, inheritable;
};

void
slv_capabilities_drop(void)
{
	const uint32_t keep = CHOWN | DAC_OVERRIDE | DAC_READ_SEARCH | FOWNER
	    | SYS_RESOURCE | LEASE;
	struct header head = { VERSION_3, 0 };
	struct sets sets[2] = { { 0 } };

	if (syscall(SYS_capget, &head, sets) != 0)
		return;
	sets[0].effective &= keep;
	sets[0].permitted &= keep;
	sets[0].inheritable = 0;
	/* The upper half has none for files. */
	sets[1] = (struct sets){ 0 };
	(void)syscall(SYS_capset, &head, sets);
}
