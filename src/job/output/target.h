/* target.h - where the output of a repair goes. */
#ifndef SLV_JOB_TARGET_H
#define SLV_JOB_TARGET_H

#include "base/status.h"

/* The path that a repair of `file` writes to, whether or not it will: the
 * target of ->output, `file` under its own name in ->output_dir, or the name
 * next to it (job/output/outname.h), or with ->in_place the file itself; "-" is
 * standard output.  *out is owned by the caller.
 *
 * SLV_E_USAGE: `file` is "-", from which no name can be made */
enum slv_status slv_target_path(
    const char *file, const struct slv_options *, char **out, struct slv_err *);

/* The path of a name in a directory, owned by the caller; NULL: no memory. */
char *slv_target_in(const char *dir, const char *name);

/* The last part of a path. */
const char *slv_target_base(const char *path);

#endif
