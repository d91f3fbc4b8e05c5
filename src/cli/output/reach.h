/* reach.h - can a file be written there?  Nothing is created to find out. */
#ifndef SLV_CLI_REACH_H
#define SLV_CLI_REACH_H

#include "base/buf.h"

enum slv_reach {
	SLV_REACH_GOOD,
	SLV_REACH_TAKEN,  /* a file of that name exists */
	SLV_REACH_DENIED, /* the directory cannot be written to */
	SLV_REACH_FULL,   /* not so many bytes are free */
};

/* Can a new file of so many bytes be written at path? */
enum slv_reach slv_reach_look(const char *path, uint64_t bytes);

/* The directory of path, without a slash at its end unless it is the root. */
void slv_reach_directory(struct slv_buf *out, const char *path);

/* A free name next to path, which exists: "x.2.bag".  Appends nothing if there
 * is none. */
void slv_reach_beside(struct slv_buf *out, const char *path, uint64_t bytes);

/* Another directory in which a new file of this name can be written; NULL:
 * none is known.  Static, or from the environment. */
const char *slv_reach_elsewhere(const char *name, uint64_t bytes);

#endif
