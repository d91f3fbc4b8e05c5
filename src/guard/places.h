/* places.h - which places follow from a command line, and for what.
 *
 * If a job opens another file by name, add it here; otherwise the kernel
 * refuses it.
 */
#ifndef SLV_GUARD_PLACES_H
#define SLV_GUARD_PLACES_H

#include "guard/guard.h"

enum slv_right {
	SLV_MAY_READ,   /* the file; in a directory, its names */
	SLV_MAY_LOOK,   /* the same, and files in the directory and below */
	SLV_MAY_WRITE,  /* the same, and write to files that are not regular */
	SLV_MAY_MAKE,   /* make, read, write, shorten, rename and remove regular
			 * files in the directory and, because the kernel has no
			 * finer rule, everywhere below it */
	SLV_MAY_GROW,   /* the same, and make and remove directories */
	SLV_MAY_CHANGE, /* as MAKE, and make symbolic links */
};

/* Called with a place; borrowed.  false: stop. */
typedef bool (*slv_place_fn)(void *ctx, const char *path, enum slv_right);

/* Call fn for every place, whether or not it exists.  false: fn returned false,
 * or memory ran out. */
bool slv_places(const struct slv_guard_job *, slv_place_fn fn, void *ctx);

#endif
