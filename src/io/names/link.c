/* link.c - where a symbolic link points. */
#include "io/names/link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/names/site.h"
#include "io/sys.h"

#define LINKS_MAX 40 /* the kernel's limit */

/* The name `to`, as seen from the directory of the link `from`; NULL: out of
 * memory. */
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
	char to[PATH_MAX]; /* "": it is not a link, or does not exist */
	bool trusted;      /* it belongs to the caller or to root */
	struct stat as;    /* status of the link */
};

/* The end of a path of links. */
struct way {
	char *to;     /* owned; not a link, except in /proc; NULL: unknown */
	bool trusted; /* every link on the way is trusted */
	bool proc;    /* ended at a link in /proc */

	struct stat first; /* status of the path itself, if it is a link; else
			    * st_mode 0 */
};

/* Read this link and no other: by its descriptor. */
static enum slv_status
read_link(const struct slv_site *site, struct step *step, struct slv_err *err)
{
	int fd = slv_sys.open(
	    site->dir, site->name, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
	enum slv_status status = SLV_OK;
	ssize_t n = -1;
	struct stat st;

	/* A name that is impossible does not exist either. */
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
	step->trusted = n > 0 && (st.st_uid == geteuid() || st.st_uid == 0);
	if (n > 0)
		step->as = st;
	slv_sys.close(fd);
	return status;
}

/* Links in /proc name files without another name, such as a pipe.  Only the
 * kernel makes them. */
static bool
is_proc(const struct slv_site *site)
{
	struct stat in, proc;

	return slv_sys.fstat(site->dir, &in) == 0
	    && slv_sys.stat("/proc", &proc) == 0 && in.st_dev == proc.st_dev;
}

/* through  it leads to a file that is not regular */
static enum slv_status
read_step(const char *at, bool through, struct way *way, struct step *step,
    struct slv_err *err)
{
	struct slv_site site;
	enum slv_status st = SLV_OK;

	*step->to = '\0';
	SLV_TRY(slv_site_open(&site, at, err));
	way->proc = through && site.dir >= 0 && is_proc(&site);
	/* A path that ends in a slash names a directory. */
	if (site.dir >= 0 && *site.name != '\0' && !way->proc)
		st = read_link(&site, step, err);
	slv_site_close(&site);
	return st;
}

static enum slv_status
follow(const char *path, bool through, struct way *way, struct slv_err *err)
{
	char *at = slv_strdup(path);

	*way = (struct way){ .trusted = true };
	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		struct step step;
		enum slv_status status =
		    read_step(at, through, way, &step, err);
		char *next;

		if (status == SLV_OK && *step.to == '\0') {
			way->to = at;
			return SLV_OK;
		}
		if (status != SLV_OK) {
			slv_free(at);
			return status;
		}
		way->trusted &= step.trusted;
		if (i == 0)
			way->first = step.as;
		next = seen_from(at, step.to);
		slv_free(at);
		at = next;
	}
	if (at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_free(at);
	errno = ELOOP;
	return slv_fail_errno(err, "%s: cannot follow it", path);
}

static bool
leads_through(const char *path)
{
	struct stat st;

	return slv_sys.stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static enum slv_status
hand_out(struct way *way, const char *path, bool through, char **out,
    struct slv_err *err)
{
	*out = way->to;
	if (!through)
		return SLV_OK;
	slv_free(way->to);
	*out = slv_strdup(path);
	return *out != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

enum slv_status
slv_link_follow(const char *path, char **out, struct slv_err *err)
{
	struct stat link;

	return slv_link_follow_seen(path, out, &link, err);
}

enum slv_status
slv_link_follow_seen(
    const char *path, char **out, struct stat *link, struct slv_err *err)
{
	bool through = leads_through(path);
	struct way way;

	*out = NULL;
	*link = (struct stat){ 0 };
	SLV_TRY(follow(path, through, &way, err));
	*link = way.first;
	return hand_out(&way, path, through, out, err);
}

/* Links of other users are followed only to an existing file. */
static enum slv_status
follow_to_write(
    const char *path, bool through, struct way *way, struct slv_err *err)
{
	struct stat st;

	SLV_TRY(follow(path, through, way, err));
	if (way->trusted
	    || (!through
	        && (slv_sys.stat(way->to, &st) == 0 || errno != ENOENT)))
		return SLV_OK;
	slv_free(way->to);
	way->to = NULL;
	if (through)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is a symbolic link of another user to something "
		    "that is no regular file; nothing is written through it; "
		    "name the file itself",
		    path);
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is a symbolic link of another user to a file that is not "
	    "there; nothing is created through it; name the file itself",
	    path);
}

enum slv_status
slv_link_follow_new(const char *path, char **out, struct slv_err *err)
{
	bool through = leads_through(path);
	struct way way;

	*out = NULL;
	SLV_TRY(follow_to_write(path, through, &way, err));
	return hand_out(&way, path, through, out, err);
}

/* A user who leaves a FIFO in /tmp reads what is written to it. */
static enum slv_status
check_owner(const struct slv_site *site, int fd, struct slv_err *err)
{
	struct stat st;

	if (slv_sys.fstat(fd, &st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", site->path);
	if (!slv_site_is_planted(site->dir, &st))
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: belongs to another user, in a directory where everybody can "
	    "make files; name another output",
	    site->path);
}

enum slv_status
slv_link_open(const char *path, int flags, int *fd, struct slv_err *err)
{
	struct slv_site site;
	enum slv_status st;
	struct way way;

	*fd = -1;
	SLV_TRY(follow_to_write(path, true, &way, err));
	st = slv_site_open(&site, way.to, err);
	if (st == SLV_OK) {
		*fd = slv_sys.open(site.dir, site.name,
		    flags | O_CLOEXEC | (way.proc ? 0 : O_NOFOLLOW), 0);
		st = *fd < 0
		    ? slv_fail_errno(err, "%s: cannot open for writing", path)
		    : check_owner(&site, *fd, err);
	}
	if (st != SLV_OK && *fd >= 0) {
		slv_sys.close(*fd);
		*fd = -1;
	}
	slv_site_close(&site);
	slv_free(way.to);
	return st;
}
