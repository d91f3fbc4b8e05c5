/* link.h - where a symbolic link points. */
#ifndef SLV_IO_LINK_H
#define SLV_IO_LINK_H

#include <sys/stat.h>

#include "base/status.h"

/* Follow path until it names no symbolic link; what it names need not be
 * there.  Where it leads to something that is no regular file, *out is path
 * itself.  *out is owned by the caller, NULL after a failure.
 *
 * SLV_E_IO:      the links lead in a circle, or one cannot be read
 * SLV_E_REFUSED: somebody else may have put a link there, see
 *                slv_site_is_planted() */
enum slv_status slv_link_follow(
    const char *path, char **out, struct slv_err *err);

/* The same; *link is the link that path itself was when it was followed, as
 * another one may have its name by now.  Its st_mode is 0 where path was none. */
enum slv_status slv_link_follow_seen(
    const char *path, char **out, struct stat *link, struct slv_err *err);

/* The same for a file that is to be written: a link of another user, who is not
 * root, decides for us where.  It is only followed to a regular file that is
 * there, as the caller has to say that such a file may be replaced.
 *
 * SLV_E_REFUSED: it is such a link, too */
enum slv_status slv_link_follow_new(
    const char *path, char **out, struct slv_err *err);

/* Open the device, FIFO or the like that path leads to, for writing.  The links
 * on the way are those that slv_link_follow_new() follows, and none is exchanged
 * between the check and the call that opens.
 *
 *   flags  of open(2)
 *   *fd    is the caller's
 *
 * SLV_E_IO:      the system refused; ->os is its errno
 * SLV_E_REFUSED: as slv_link_follow_new(), or somebody else may have put the
 *                FIFO itself there */
enum slv_status slv_link_open(
    const char *path, int flags, int *fd, struct slv_err *err);

#endif
