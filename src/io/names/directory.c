/* directory.c - directories of outputs.
 *
 * Other processes may make and remove the same ones at any moment: a directory
 * that exists counts as made, and one that is gone counts as removed.
 */
#include "io/names/directory.h"

#include <errno.h>
#include <stdlib.h>

#include "io/sys.h"
#include "io/write/temp.h"

enum slv_status
slv_directory_make(const char *dir, unsigned *made, struct slv_err *err)
{
	char *above;
	enum slv_status st;

	*made = 0;
	if (slv_sys.mkdir(AT_FDCWD, dir, 0777) == 0) {
		*made = 1;
		return SLV_OK;
	}
	if (errno == EEXIST)
		return SLV_OK;
	if (errno != ENOENT)
		return slv_fail_errno(err, "%s: cannot make it", dir);
	above = slv_temp_directory(dir);
	if (above == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_directory_make(above, made, err);
	slv_free(above);
	SLV_TRY(st);
	if (slv_sys.mkdir(AT_FDCWD, dir, 0777) == 0)
		++*made;
	else if (errno != EEXIST)
		return slv_fail_errno(err, "%s: cannot make it", dir);
	return SLV_OK;
}

void
slv_directory_remove(const char *dir, unsigned n)
{
	char *above;

	if (n == 0 || slv_sys.rmdir(AT_FDCWD, dir) < 0)
		return;
	above = slv_temp_directory(dir);
	if (above != NULL)
		slv_directory_remove(above, n - 1);
	slv_free(above);
}

static enum slv_status
sync_one(const char *dir, struct slv_err *err)
{
	int fd =
	    slv_sys.open(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	enum slv_status st = SLV_OK;

	if (fd < 0)
		return slv_fail_errno(
		    err, "%s: cannot open the directory", dir);
	/* Some file systems cannot sync a directory and return EINVAL. */
	if (slv_sys.fsync(fd) < 0 && errno != EINVAL)
		st = slv_fail_errno(err,
		    "%s: what was done in it may not survive a power loss: "
		    "fsync",
		    dir);
	slv_sys.close(fd);
	return st;
}

enum slv_status
slv_directory_sync_made(const char *dir, unsigned n, struct slv_err *err)
{
	enum slv_status st;
	char *above;

	SLV_TRY(sync_one(dir, err));
	if (n == 0)
		return SLV_OK;
	above = slv_temp_directory(dir);
	if (above == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_directory_sync_made(above, n - 1, err);
	slv_free(above);
	return st;
}
