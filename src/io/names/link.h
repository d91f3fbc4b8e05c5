/* link.h - where a symbolic link points. */
#ifndef SLV_IO_LINK_H
#define SLV_IO_LINK_H

#include <sys/stat.h>

#include "base/status.h"

/* Follow path until it is not a symbolic link; the target need not exist.  If
 * the target is not a regular file, *out is path itself.  *out is owned by the
 * caller, NULL after a failure.
 *
 * SLV_E_IO:      the links form a loop, or one cannot be read
 * SLV_E_REFUSED: another user may have put a link there, see
 *                slv_site_is_planted() */
enum slv_status slv_link_follow(
    const char *path, char **out, struct slv_err *err);

/* The same; *link is the status of the link at path when it was followed,
 * because another one may have its name now.  Its st_mode is 0 if path was not
 * a link. */
enum slv_status slv_link_follow_seen(
    const char *path, char **out, struct stat *link, struct slv_err *err);

/* The same for a file that is to be written.  A link of another user, who is
 * not root, would decide where.  It is only followed to an existing regular
 * file, because the caller has to agree to replace such a file.
 *
 * SLV_E_REFUSED: also if it is such a link */
enum slv_status slv_link_follow_new(
    const char *path, char **out, struct slv_err *err);

/* Open the device, FIFO or similar that path leads to, for writing.  The same
 * links are followed as in slv_link_follow_new(), and none can be exchanged
 * between the check and the call that opens.
 *
 *   flags  of open(2)
 *   *fd    owned by the caller
 *
 * SLV_E_IO:      the system refused; ->os is its errno
 * SLV_E_REFUSED: as slv_link_follow_new(), or another user may have put the
 *                FIFO itself there */
enum slv_status slv_link_open(
    const char *path, int flags, int *fd, struct slv_err *err);

#endif
