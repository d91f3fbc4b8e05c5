/* link.c - where a symbolic link points. */
#include "io/link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/sys.h"

#define LINKS_MAX 40 /* as the kernel has it */

/* The name that `to` is, seen from the directory of the link `from`; NULL: out
 * of memory. */
static char *
seen_from(const char *from, const char *to)
{
	const char *slash = strrchr(from, '/');
	size_t dir =
	    *to == '/' || slash == NULL ? 0 : (size_t)(slash - from) + 1;
	size_t n = strlen(to) + 1;
	char *path = slv_realloc(NULL, dir + n);

	if (path == NULL)
		return NULL;
	memcpy(path, from, dir);
	memcpy(path + dir, to, n);
	return path;
}

enum slv_status
slv_link_follow(const char *path, char **out, struct slv_err *err)
{
	char to[PATH_MAX], *at = slv_strdup(path);
	struct stat st;

	*out = NULL;
	/* Links of /proc name what has no other name, such as a pipe. */
	if (at != NULL && slv_sys.stat(at, &st) == 0 && !S_ISREG(st.st_mode)) {
		*out = at;
		return SLV_OK;
	}
	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		ssize_t n = slv_sys.readlink(at, to, sizeof(to) - 1);
		char *next;

		/* What can have no such name is not there either. */
		if (n < 0
		    && (errno == EINVAL || errno == ENOENT
		        || errno == ENAMETOOLONG)) {
			*out = at;
			return SLV_OK;
		}
		if (n < 0) {
			slv_fail_errno(err, "%s: cannot look at it", at);
			free(at);
			return err->code;
		}
		to[n] = '\0';
		next = seen_from(at, to);
		free(at);
		at = next;
	}
	if (at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	free(at);
	errno = ELOOP;
	return slv_fail_errno(err, "%s: cannot follow it", path);
}
