/* space.h - will it fit? */
#ifndef SLV_IO_SPACE_H
#define SLV_IO_SPACE_H

#include "base/status.h"

struct slv_space {
	bool known;          /* the file system tells */
	uint64_t need, free; /* bytes */
	bool make_dirs;      /* the directory may have to be made */
	bool more;           /* at least ->need: nobody knows how many */
};

/* How much is free in dir for this user, into ->free and ->known. */
void slv_space_look(const char *dir, struct slv_space *);

/* SLV_E_IO with ENOSPC when it is known that ->need bytes do not fit into
 * dir.
 *
 *   name   what is to be written; the message begins with it
 *   other  what may be done instead, to end the message; NULL: nothing */
enum slv_status slv_space_check(const struct slv_space *, const char *name,
    const char *dir, const char *other, struct slv_err *);

#endif
