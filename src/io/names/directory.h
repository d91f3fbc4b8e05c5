/* directory.h - directories of outputs. */
#ifndef SLV_IO_DIRECTORY_H
#define SLV_IO_DIRECTORY_H

#include "base/status.h"

/* Make a directory and its missing parents.
 *
 *   *made  receives how many were made: the last ones of the path */
enum slv_status slv_directory_make(
    const char *dir, unsigned *made, struct slv_err *);

/* Remove the last n directories of the path, as far as they are empty. */
void slv_directory_remove(const char *dir, unsigned n);

/* Make the present names in a directory, and those of the last n directories of
 * its path, survive a power loss. */
enum slv_status slv_directory_sync_made(
    const char *dir, unsigned n, struct slv_err *);

#endif
