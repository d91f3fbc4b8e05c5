/* site.h - a name in a directory that is held open.
 *
 * Every call that takes a path looks it up again.  Another user who may write
 * to a directory can put a link under a name between two of these calls, and
 * the second call then reads, writes or removes a file of another directory.
 * So code that checks a file and then acts on it does both with a site.  The
 * directory is opened once, no call follows a link under the name, and the file
 * that is changed or removed is the one that was checked, by its inode.
 */
#ifndef SLV_IO_SITE_H
#define SLV_IO_SITE_H

#include <sys/stat.h>

#include "base/status.h"

struct slv_site {
	int dir;          /* the directory; -1: it does not exist */
	const char *path; /* borrowed; for messages; NULL: not open */
	const char *name; /* the last part of it */
};

/* Open the directory of a path.  A missing directory is not a failure: it holds
 * nothing.  { 0 } is a site that is not open.
 *
 * SLV_E_IO: the system refused */
enum slv_status slv_site_open(
    struct slv_site *, const char *path, struct slv_err *);

/* Another name in the same directory, which stays open as long as the first
 * site. */
struct slv_site slv_site_beside(const struct slv_site *, const char *path);

/* The status of the name, of a link itself; -1: errno says why not. */
int slv_site_look(const struct slv_site *, struct stat *);

/* Open the file under the name, which is not a link.  Does not block.
 *
 *   flags  of open(2)
 *   *fd    owned by the caller
 *
 * SLV_E_IO: the system refused; ->os is its errno, ELOOP for a link */
enum slv_status slv_site_file(const struct slv_site *, int flags, int *fd,
    struct stat *, struct slv_err *);

/* The same of what belongs to a log, for reading: it is opened only if it is to be
 * believed, by its name first, and judged again by its descriptor.
 *
 *   of      the log, see slv_site_doubt()
 *   st      as slv_site_look() gave it; then as it is opened
 *   *doubt  why it is not believed, and *fd is -1; NULL: it is */
enum slv_status slv_site_trusted(const struct slv_site *, const struct stat *of,
    int *fd, struct stat *st, const char **doubt, struct slv_err *);

/* Whether two are the same file. */
bool slv_site_same(const struct stat *, const struct stat *);

/* Remove the name, if it is still that of the file `it`; a name that is gone
 * counts as removed.
 *
 * SLV_E_ACTIVE: another file has the name now */
enum slv_status slv_site_remove(
    const struct slv_site *, const struct stat *it, struct slv_err *);

/* Make the present names in the directory survive a power loss. */
enum slv_status slv_site_sync(const struct slv_site *, struct slv_err *);

void slv_site_close(struct slv_site *);

/* Return true if another user may have put it there.  In a directory where
 * everyone may make files and remove only their own, such as /tmp, that is a
 * file that belongs neither to the caller nor to the owner of the directory.
 * The kernel judges links alike (protected_symlinks), if it is configured
 * to. */
bool slv_site_is_planted(int dir, const struct stat *it);

/* Why a file that belongs to a log is not trusted, for messages: "is no regular
 * file"; NULL: it is trusted.  A user who may write the log itself may also
 * write what belongs to it; nobody else but the caller may.
 *
 *   of  the log; NULL: there is none */
const char *slv_site_doubt(const struct stat *it, const struct stat *of);

#endif
