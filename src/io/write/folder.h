/* folder.h - a folder of files that appears under its name when it is complete.
 *
 * Until then it is a folder beside it, as a temporary is (temp.h), locked and with a
 * mark in it: what a killed process left is found by the next one for the same name.  All
 * of its files are written a piece at a time, and none of them is kept open, because
 * there may be more of them than a process can open.
 */
#ifndef SLV_IO_FOLDER_H
#define SLV_IO_FOLDER_H

#include "io/names/site.h"
#include "io/write/temp.h"

struct slv_folder {
	struct slv_site at;      /* its name */
	int dir;                 /* the folder; -1: it is not open */
	const struct stat *from; /* borrowed */
	char temp[SLV_TEMP_NAME];
	bool made;    /* it is there under that name */
	char **files; /* owned; their names */
	size_t n_files, cap_files;
};

/* Begin one.
 *
 *   path  borrowed while it lives
 *   from  status of the file that the bytes are taken from; only users who have
 *         access to it get access; borrowed while it lives, or NULL
 *
 * SLV_E_IO: the system refused */
enum slv_status slv_folder_begin(struct slv_folder *, const char *path,
    const struct stat *from, struct slv_err *);

/* Create a file; it gets the next number, from 0 on. */
enum slv_status slv_folder_add(
    struct slv_folder *, const char *name, struct slv_err *);

/* Append bytes to a file. */
enum slv_status slv_folder_append(struct slv_folder *, size_t file,
    const void *bytes, size_t n, struct slv_err *);

/* Is the folder that has the name the same: are these files in it and no others,
 * with the same bytes?  If there is nothing, or an empty folder, *there = false. */
enum slv_status slv_folder_compare(
    struct slv_folder *, bool *there, bool *same, struct slv_err *);

/* Give it its name, when all of it is on the disk.
 *
 * SLV_E_EXISTS: something has the name, other than an empty folder */
enum slv_status slv_folder_commit(struct slv_folder *, struct slv_err *);

/* Remove what has not got its name; free it.  { .dir = -1 } is allowed. */
void slv_folder_free(struct slv_folder *);

#endif
