/* place.h - a file that is changed where it lies.
 *
 * Whoever has one holds an exclusive lock on the file.  Nothing here is all
 * or nothing: see job/inplace/undo_record.h for how a change is taken back.
 */
#ifndef SLV_IO_PLACE_H
#define SLV_IO_PLACE_H

#include "io/names/site.h"

struct slv_place {
	int fd;              /* -1: not open */
	const char *name;    /* its path, for messages */
	struct stat st;      /* what it was when the lock was had */
	uint64_t begun, end; /* of what was written last, and in order: not on
	                      * its way to the disk yet */
};

/* Open the regular file of that name for reading and writing, and lock it.  The
 * site's path is borrowed while it is open.
 *
 * SLV_E_ACTIVE:  somebody else has the lock, or the name is no longer this
 *                file's, or a link's
 * SLV_E_REFUSED: no regular file
 * SLV_E_IO:      the system refused */
enum slv_status slv_place_open(
    struct slv_place *, const struct slv_site *, struct slv_err *);

/* Reserve room for [off, off + len) without changing the file's size; where
 * the file system cannot, nothing is done.
 *
 * SLV_E_IO: there is no room */
enum slv_status slv_place_reserve(
    struct slv_place *, uint64_t off, uint64_t len, struct slv_err *);

enum slv_status slv_place_write(struct slv_place *, uint64_t off,
    const void *bytes, size_t n, struct slv_err *);

enum slv_status slv_place_resize(
    struct slv_place *, uint64_t size, struct slv_err *);

/* Everything so far is on the disk. */
enum slv_status slv_place_sync(struct slv_place *, struct slv_err *);

/* Give up the lock; one that is not open is none of its business. */
void slv_place_close(struct slv_place *);

#endif
