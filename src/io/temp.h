/* temp.h - temporary files beside the outputs they will become, or without
 * any name; and the directories they are in. */
#ifndef SLV_IO_TEMP_H
#define SLV_IO_TEMP_H

#include <sys/types.h>

#include "base/status.h"

/* The directory that holds path; "." where it names none.  Owned by the
 * caller; NULL: out of memory. */
char *slv_temp_directory(const char *path);

/* Create .salvor- and random letters in dir, for reading and writing.  *path
 * is owned by the caller, who removes the file. */
enum slv_status slv_temp_create(
    const char *dir, mode_t mode, char **path, int *fd, struct slv_err *);

/* The same without a name: it is gone when it is closed, whatever happens. */
enum slv_status slv_temp_nameless(const char *dir, int *fd, struct slv_err *);

#endif
