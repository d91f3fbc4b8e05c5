/* walls.h - what the kernel can forbid a process.
 *
 * Two walls, each useful alone, so that a kernel without one still has the
 * other:
 *
 *	Landlock  no file but in places that were allowed, no TCP, no signal
 *	          or abstract socket to the outside; which of these depends
 *	          on its version, which it calls ABI
 *	seccomp   no system call but those on a list
 *
 * Neither can be undone.  Capabilities are not a wall: both walls and the lack
 * of capabilities work together.
 */
#ifndef SLV_GUARD_WALLS_H
#define SLV_GUARD_WALLS_H

#include <stdbool.h>

#include "guard/carries.h"
#include "guard/places.h"

/* The kernel's version of Landlock; 0: it has none. */
int slv_landlock_version(void);

/* Begin a wall without exceptions, for a kernel of this version or later.  A
 * descriptor, or -1. */
int slv_landlock_begin(int version);

/* Allow a place.  A place that does not exist needs no rule; false: it exists
 * and cannot be allowed, and the wall must not be put up. */
bool slv_landlock_allow(int wall, const char *path, enum slv_right);

/* Put the wall up. */
bool slv_landlock_up(int wall);

/* Return true if the kernel has seccomp and this build has a list for the
 * machine. */
bool slv_seccomp_known(void);

/* What a job needs. */
struct slv_calls {
	enum slv_right most; /* READ: no file may be opened for writing,
	                      * renamed, removed;
	                      * GROW: directories may be made and removed, too
	                      * CHANGE: and symbolic links made */
	bool starts;         /* worker processes, which confine themselves */
	struct slv_carries carries;
};

/* Forbid every system call that is not on the lists. */
bool slv_seccomp_up(const struct slv_calls *);

/* Give up the capabilities that no job needs: the rest can read, make and own
 * files.  If there is nothing to give up, that is not a failure. */
void slv_capabilities_drop(void);

/* The number of close_range(2). */
#ifdef __alpha__
#define SLV_CLOSE_RANGE 546
#else
#define SLV_CLOSE_RANGE 436
#endif

/* Close all descriptors from 3 on that are not kept. */
void slv_descriptors_close(const struct slv_kept_open *);

/* Make the lower ones copies of `null`. */
bool slv_descriptors_mute(const struct slv_kept_open *, int null);

/* Both need it: no program that this process could start gains rights. */
bool slv_walls_found(void);

#endif
