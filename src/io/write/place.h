/* place.h - a file that is changed in place.
 *
 * The caller holds an exclusive lock on the file.  Changes are not atomic: see
 * job/inplace/undo_record.h for how a change is undone.
 */
#ifndef SLV_IO_PLACE_H
#define SLV_IO_PLACE_H

#include "io/names/site.h"

struct slv_place {
	int fd;              /* -1: not open */
	const char *name;    /* its path, for messages */
	struct stat st;      /* status when the lock was taken */
	uint64_t begun, end; /* range that was written last, in order, and not
			      * yet flushed */
};

/* Open the regular file of that name for reading and writing, and lock it.  The
 * site's path is borrowed while it is open.
 *
 * SLV_E_ACTIVE:  another process has the lock, or the name now belongs to
 *                another file or is a link
 * SLV_E_REFUSED: not a regular file
 * SLV_E_IO:      the system refused */
enum slv_status slv_place_open(
    struct slv_place *, const struct slv_site *, struct slv_err *);

/* Reserve space for [off, off + len) without changing the file's size; does
 * nothing if the file system cannot.
 *
 * SLV_E_IO: there is no space */
enum slv_status slv_place_reserve(
    struct slv_place *, uint64_t off, uint64_t len, struct slv_err *);

enum slv_status slv_place_write(struct slv_place *, uint64_t off,
    const void *bytes, size_t n, struct slv_err *);

enum slv_status slv_place_resize(
    struct slv_place *, uint64_t size, struct slv_err *);

/* Wait until everything so far is on the disk. */
enum slv_status slv_place_sync(struct slv_place *, struct slv_err *);

/* Release the lock; does nothing if it is not open. */
void slv_place_close(struct slv_place *);

#endif
