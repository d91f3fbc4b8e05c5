/* no_walls.c - a system without Landlock and seccomp: salvor reads logs there with
 * all rights of the process, and says so.
 */
#include "guard/walls.h"

void
slv_carries_add(struct slv_carries *c, const char *path)
{
	(void)c, (void)path;
}

int
slv_landlock_version(void)
{
	return 0;
}

int
slv_landlock_begin(int version)
{
	(void)version;
	return -1;
}

bool
slv_landlock_allow(int wall, const char *path, enum slv_right right)
{
	(void)wall, (void)path, (void)right;
	return false;
}

bool
slv_landlock_up(int wall)
{
	(void)wall;
	return false;
}

bool
slv_seccomp_known(void)
{
	return false;
}

bool
slv_seccomp_up(const struct slv_calls *calls)
{
	(void)calls;
	return false;
}

void
slv_capabilities_drop(void)
{
}

void
slv_descriptors_close(const struct slv_kept_open *kept)
{
	(void)kept;
}

bool
slv_descriptors_mute(const struct slv_kept_open *kept, int null)
{
	(void)kept, (void)null;
	return true;
}

bool
slv_walls_found(void)
{
	return false;
}
