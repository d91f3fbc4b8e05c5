/* space.c - check the free space before writing. */
#include "io/write/space.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/temp.h"

/* For a directory that does not exist yet, it is that of its parent. */
static bool
look(const char *dir, bool above_too, struct statvfs *vfs)
{
	bool good = slv_sys.statvfs(dir, vfs) == 0;
	char *above;

	if (good || !above_too || errno != ENOENT)
		return good;
	above = slv_temp_directory(dir);
	good =
	    above != NULL && strcmp(above, dir) != 0 && look(above, true, vfs);
	slv_free(above);
	return good;
}

void
slv_space_look(const char *dir, struct slv_space *s)
{
	struct statvfs vfs;
	uint64_t blocks;

	/* Pseudo file systems have no blocks: they report no space. */
	s->known = look(dir, s->make_dirs, &vfs) && vfs.f_blocks > 0;
	if (!s->known)
		return;
	blocks = geteuid() == 0 ? vfs.f_bfree : vfs.f_bavail;
	if (__builtin_mul_overflow(blocks, (uint64_t)vfs.f_frsize, &s->free))
		s->free = UINT64_MAX;
}

enum slv_status
slv_space_check(const struct slv_space *s, const char *name, const char *dir,
    const char *other, struct slv_err *err)
{
	bool first = err != NULL && err->code == SLV_OK;
	char bytes[64];

	if (!s->known || s->need <= s->free)
		return SLV_OK;
	if (s->more)
		snprintf(bytes, sizeof(bytes), "%llu bytes free",
		    (unsigned long long)s->free);
	else
		snprintf(bytes, sizeof(bytes), "%llu bytes needed, %llu free",
		    (unsigned long long)s->need, (unsigned long long)s->free);
	slv_fail(err, SLV_E_IO,
	    "%s: does not fit: %s in %s; nothing was written%s%s", name, bytes,
	    dir, other != NULL ? "; " : "", other != NULL ? other : "");
	if (first)
		err->os = ENOSPC;
	return SLV_E_IO;
}
