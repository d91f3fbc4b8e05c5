/* temp.h - temporary files beside the outputs they will become, or without
 * any name; and the directories they are in. */
#ifndef SLV_IO_TEMP_H
#define SLV_IO_TEMP_H

#include <sys/types.h>

#include "io/names/site.h"

#define SLV_TEMP_NAME 24 /* bytes of a temporary's name, with its NUL */

/* The directory that holds path; "." where it names none.  Owned by the
 * caller; NULL: out of memory. */
char *slv_temp_directory(const char *path);

/* A temporary in the folder of what it will become. */
struct slv_temp {
	int dir; /* borrowed: the folder */
	int fd;  /* for reading and writing; -1: none.  While it or a duplicate
	          * of it is open, the file is locked. */
	struct stat as;
	char name[SLV_TEMP_NAME]; /* .salvor- and letters */
};

/* Create one for an output.  What killed processes have left of the same output
 * is removed, as far as it is the caller's and no process has it open.
 *
 * SLV_E_IO: the system refused; ->os is its errno */
enum slv_status slv_temp_create(
    const struct slv_site *, mode_t mode, struct slv_temp *, struct slv_err *);

/* Whether the name is still that of the file; true also where the system does
 * not tell. */
bool slv_temp_is_named(const struct slv_temp *);

/* Remove the name, if it is still that of the file. */
bool slv_temp_remove(const struct slv_temp *);

/* One without a name: it is gone when it is closed, whatever happens. */
enum slv_status slv_temp_nameless(const char *dir, int *fd, struct slv_err *);

#endif
