/* link.h - where a symbolic link points. */
#ifndef SLV_IO_LINK_H
#define SLV_IO_LINK_H

#include "base/status.h"

/* Follow path until it names no symbolic link; what it names need not be
 * there.  Where it leads to something that is no regular file, path names it
 * already.  *out is owned by the caller, NULL after a failure.
 *
 * SLV_E_IO:      the links lead in a circle, or one cannot be read
 * SLV_E_REFUSED: somebody else may have put a link there, see
 *                slv_site_is_planted() */
enum slv_status slv_link_follow(
    const char *path, char **out, struct slv_err *err);

/* The same for a file that is to be made: a link of another user to what is not
 * there decides for us where.
 *
 * SLV_E_REFUSED: it is such a link, too */
enum slv_status slv_link_follow_new(
    const char *path, char **out, struct slv_err *err);

#endif
