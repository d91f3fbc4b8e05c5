/* directory.h - directories that outputs go to. */
#ifndef SLV_IO_DIRECTORY_H
#define SLV_IO_DIRECTORY_H

#include "base/status.h"

/* Make a directory and those that it is in, as far as they are missing.
 *
 *   *made  receives how many were made: the last ones of the path */
enum slv_status slv_directory_make(
    const char *dir, unsigned *made, struct slv_err *);

/* Remove the last n directories of the path, as far as nothing is in them. */
void slv_directory_remove(const char *dir, unsigned n);

/* Make the names in a directory as they are now survive a power loss, and those
 * of the last n directories of its path. */
enum slv_status slv_directory_sync_made(
    const char *dir, unsigned n, struct slv_err *);

#endif
