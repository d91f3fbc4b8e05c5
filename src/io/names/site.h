/* site.h - a name in a folder that is held open.
 *
 * A path is looked up again by every call that takes it.  Another user who may
 * write to a folder can put a link under a name between two of these calls, and
 * the second call then reads, writes or removes a file of another folder.  So
 * whoever looks at a file and then acts on it does both by a site: the folder
 * is opened once, no call follows a link under the name, and what is changed or
 * removed is the file that was looked at, by its inode.
 */
#ifndef SLV_IO_SITE_H
#define SLV_IO_SITE_H

#include <sys/stat.h>

#include "base/status.h"

struct slv_site {
	int dir;          /* the folder; -1: it is not there */
	const char *path; /* borrowed; for messages; NULL: not open */
	const char *name; /* the last part of it */
};

/* Open the folder of a path.  A folder that is not there is no failure: there
 * is nothing in it.  { 0 } is one that is not open.
 *
 * SLV_E_IO: the system refused */
enum slv_status slv_site_open(
    struct slv_site *, const char *path, struct slv_err *);

/* Another name in the same folder, which is open as long as the first site
 * is. */
struct slv_site slv_site_beside(const struct slv_site *, const char *path);

/* What is under the name, a link as such; -1: errno says why not. */
int slv_site_look(const struct slv_site *, struct stat *);

/* Open what is under the name, which is no link.  Nothing waits.
 *
 *   flags  of open(2)
 *   *fd    is the caller's
 *
 * SLV_E_IO: the system refused; ->os is its errno, ELOOP of a link */
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

/* Remove the name, if it is still that of the file `it`; one that is gone is
 * as good as removed.
 *
 * SLV_E_ACTIVE: another file has the name by now */
enum slv_status slv_site_remove(
    const struct slv_site *, const struct stat *it, struct slv_err *);

/* Make the names in the folder as they are now survive a power loss. */
enum slv_status slv_site_sync(const struct slv_site *, struct slv_err *);

void slv_site_close(struct slv_site *);

/* Whether somebody else may have put it there: in a folder where everybody may
 * make files and remove only their own, such as /tmp, what belongs neither to
 * the caller nor to the owner of the folder.  The kernel judges links alike
 * (protected_symlinks), where it was told to. */
bool slv_site_is_planted(int dir, const struct stat *it);

/* Why a file that belongs to a log is not to be believed, for messages: "is no
 * regular file"; NULL: it is.  Whoever may write the log itself may as well
 * write what belongs to it; nobody else but the caller may.
 *
 *   of  the log; NULL: there is none */
const char *slv_site_doubt(const struct stat *it, const struct stat *of);

#endif
