/* link.c - where a symbolic link points. */
#include "io/link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/site.h"
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

/* One symbolic link on the way. */
struct step {
	char to[PATH_MAX]; /* "": it is no link, or nothing */
	bool ours;         /* it belongs to the caller */
};

/* Read the link itself and no other: by its descriptor. */
static enum slv_status
read_link(const struct slv_site *site, struct step *step, struct slv_err *err)
{
	int fd = slv_sys.open(
	    site->dir, site->name, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
	enum slv_status status = SLV_OK;
	ssize_t n = -1;
	struct stat st;

	/* What can have no such name is not there either. */
	if (fd < 0 && (errno == ENOENT || errno == ENAMETOOLONG))
		return SLV_OK;
	if (fd < 0)
		return slv_fail_errno(err, "%s: cannot look at it", site->path);
	if (slv_sys.fstat(fd, &st) < 0)
		status =
		    slv_fail_errno(err, "%s: cannot look at it", site->path);
	else if (S_ISLNK(st.st_mode) && slv_site_is_planted(site->dir, &st))
		status = slv_fail(err, SLV_E_REFUSED,
		    "%s: is a symbolic link of another user in a directory "
		    "where everybody can make one; name the file itself",
		    site->path);
	else if (S_ISLNK(st.st_mode)
	    && (n = slv_sys.readlink(fd, "", step->to, PATH_MAX - 1)) < 0)
		status =
		    slv_fail_errno(err, "%s: cannot look at it", site->path);
	step->to[n > 0 ? n : 0] = '\0';
	step->ours = n > 0 && st.st_uid == geteuid();
	slv_sys.close(fd);
	return status;
}

static enum slv_status
read_step(const char *at, struct step *step, struct slv_err *err)
{
	struct slv_site site;
	enum slv_status st;

	*step->to = '\0';
	SLV_TRY(slv_site_open(&site, at, err));
	/* A path that ends in a slash is that of a directory. */
	st = site.dir >= 0 && *site.name != '\0' ? read_link(&site, step, err)
	                                         : SLV_OK;
	slv_site_close(&site);
	return st;
}

/* *others: a link on the way belongs to another user. */
static enum slv_status
follow(const char *path, char **out, bool *others, struct slv_err *err)
{
	char *at = slv_strdup(path);
	struct stat st;

	*out = NULL;
	/* Links of /proc name what has no other name, such as a pipe. */
	if (at != NULL && slv_sys.stat(at, &st) == 0 && !S_ISREG(st.st_mode)) {
		*out = at;
		return SLV_OK;
	}
	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		struct step step;
		enum slv_status status = read_step(at, &step, err);
		char *next;

		if (status == SLV_OK && *step.to == '\0') {
			*out = at;
			return SLV_OK;
		}
		if (status != SLV_OK) {
			free(at);
			return status;
		}
		*others |= !step.ours;
		next = seen_from(at, step.to);
		free(at);
		at = next;
	}
	if (at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	free(at);
	errno = ELOOP;
	return slv_fail_errno(err, "%s: cannot follow it", path);
}

enum slv_status
slv_link_follow(const char *path, char **out, struct slv_err *err)
{
	bool others = false;

	return follow(path, out, &others, err);
}

enum slv_status
slv_link_follow_new(const char *path, char **out, struct slv_err *err)
{
	bool others = false;
	struct stat st;

	SLV_TRY(follow(path, out, &others, err));
	if (!others || slv_sys.stat(*out, &st) == 0 || errno != ENOENT)
		return SLV_OK;
	free(*out);
	*out = NULL;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is a symbolic link of another user to a file that is not "
	    "there; nothing is created through it; name the file itself",
	    path);
}
