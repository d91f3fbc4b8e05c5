/* temp.h - temporary files next to the outputs that they become, or without a
 * name; and their directories. */
#ifndef SLV_IO_TEMP_H
#define SLV_IO_TEMP_H

#include <stdint.h>
#include <sys/types.h>

#include "io/names/site.h"

#define SLV_TEMP_NAME  24 /* bytes of a temporary's name, with its NUL */
#define SLV_TEMP_SLOTS 4  /* names derived from that of the output */

/* The name that belongs to a number: .salvor- and letters. */
void slv_temp_name(char name[SLV_TEMP_NAME], uint64_t bits);

/* The directory that holds path; "." if path has none.  Owned by the caller;
 * NULL: out of memory. */
char *slv_temp_directory(const char *path);

/* A temporary in the directory of its output. */
struct slv_temp {
	int dir; /* borrowed: the directory */
	int fd;  /* for reading and writing; -1: none.  While it or a duplicate
		  * of it is open, the file is locked. */
	struct stat as;
	char name[SLV_TEMP_NAME]; /* .salvor- and letters */
};

/* Create one for an output.  Temporaries that killed processes left for the
 * same output are removed, if they belong to the caller and no process has them
 * open.
 *
 * SLV_E_IO: the system refused; ->os is its errno */
enum slv_status slv_temp_create(
    const struct slv_site *, mode_t mode, struct slv_temp *, struct slv_err *);

/* Return true if the name is still that of the file, or if the system cannot
 * say. */
bool slv_temp_is_named(const struct slv_temp *);

/* Remove the name, if it is still that of the file. */
bool slv_temp_remove(const struct slv_temp *);

/* One without a name: it disappears when it is closed, whatever happens. */
enum slv_status slv_temp_nameless(const char *dir, int *fd, struct slv_err *);

#endif
