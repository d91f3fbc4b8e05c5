/* carry.h - what a copy takes over from its original besides the bytes. */
#ifndef SLV_IO_CARRY_H
#define SLV_IO_CARRY_H

#include <sys/stat.h>

#include "base/status.h"

/* Give the file `to` the owner, extended attributes, access control list,
 * times and mode of an original, as far as the file system and the user's
 * rights go; what cannot be had is no error, but the copy never ends up open
 * to more people than the original.
 *
 *   like  what the original is
 *   from  it, open; -1: only what `like` tells */
enum slv_status slv_carry_over(int to, const char *name,
    const struct stat *like, int from, struct slv_err *);

#endif
