/* places.h - which places follow from a command line, and what for.
 *
 * Who adds a file that a job may touch by name adds it here, or the kernel
 * refuses it.
 */
#ifndef SLV_GUARD_PLACES_H
#define SLV_GUARD_PLACES_H

#include "guard/guard.h"

enum slv_right {
	SLV_MAY_READ,   /* the file; of a directory, its names */
	SLV_MAY_LOOK,   /* the same, and files in the directory and beneath */
	SLV_MAY_WRITE,  /* the same, and write to what is no regular file */
	SLV_MAY_MAKE,   /* make, read, write, shorten, rename and remove
	                * regular files in the directory and, as the kernel
	                * knows no less, everywhere beneath it */
	SLV_MAY_GROW,   /* the same, and make and remove directories */
	SLV_MAY_CHANGE, /* as MAKE, and make symbolic links */
};

/* Called with a place; borrowed.  false: stop. */
typedef bool (*slv_place_fn)(void *ctx, const char *path, enum slv_right);

/* Call fn for every place, whether or not anything is there.  false: fn said
 * so, or memory ran out. */
bool slv_places(const struct slv_guard_job *, slv_place_fn fn, void *ctx);

#endif
