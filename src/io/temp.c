/* temp.c - temporary files.
 *
 * A temporary's name is random: a fixed one would make every later run fail
 * after one kill -9.
 */
#include "io/temp.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/sys.h"

#define TRIES 100 /* names to try before giving up */

char *
slv_temp_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir;

	if (slash == NULL)
		return slv_strdup(".");
	dir = slv_strdup(path);
	if (dir != NULL)
		dir[slash == path ? 1 : slash - path] = '\0';
	return dir;
}

static int
create(const char *dir, mode_t mode, char *path, size_t room)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";

	for (int i = 0; i < TRIES; i++) {
		uint8_t bits[12];
		char tail[sizeof(bits) + 1] = "";
		int fd;

		if (slv_sys.random(bits, sizeof(bits)) != sizeof(bits))
			return -1;
		for (size_t k = 0; k < sizeof(bits); k++)
			tail[k] = letters[bits[k] % 32];
		snprintf(path, room, "%s/.salvor-%s", dir, tail);
		fd = slv_sys.open(
		    path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

enum slv_status
slv_temp_create(
    const char *dir, mode_t mode, char **path, int *fd, struct slv_err *err)
{
	size_t room = strlen(dir) + 32;

	*path = slv_realloc(NULL, room);
	if (*path == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	*fd = create(dir, mode, *path, room);
	if (*fd >= 0)
		return SLV_OK;
	slv_fail_errno(err, "%s: cannot create a temporary there", dir);
	free(*path);
	*path = NULL;
	return err->code;
}

enum slv_status
slv_temp_nameless(const char *dir, int *fd, struct slv_err *err)
{
	char *path;

	*fd = slv_sys.open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (*fd >= 0)
		return SLV_OK;
	/* Not every file system has such files; a name that goes at once does
	 * as well. */
	SLV_TRY(slv_temp_create(dir, 0600, &path, fd, err));
	if (slv_sys.unlink(path) < 0) {
		slv_fail_errno(err, "%s: cannot remove its name", path);
		slv_sys.close(*fd);
	}
	free(path);
	return err->code;
}
