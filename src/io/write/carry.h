/* carry.h - what a copy takes over from its original in addition to the
 * bytes. */
#ifndef SLV_IO_CARRY_H
#define SLV_IO_CARRY_H

#include <sys/stat.h>

#include "base/status.h"

/* Give the file `to` the owner, extended attributes, access control list, times
 * and mode of an original, as far as the file system and the user's rights
 * allow.  What is not possible is not an error, but the copy is never
 * accessible to more people than the original.
 *
 *   like  status of the original
 *   from  the original, open; -1: only `like` is known */
enum slv_status slv_carry_over(int to, const char *name,
    const struct stat *like, int from, struct slv_err *);

/* The part of a mode for a new file or folder of the caller that gives access to what
 * is in `from` only to users who have it.  All of it if that is NULL or no regular
 * file.  An access control list is not read: its mask counts as the group's part. */
mode_t slv_mode_within(const struct stat *from, mode_t mode);

#endif
