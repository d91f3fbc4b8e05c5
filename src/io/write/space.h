/* space.h - check the free space before writing. */
#ifndef SLV_IO_SPACE_H
#define SLV_IO_SPACE_H

#include "base/status.h"

struct slv_space {
	bool known;          /* the file system reports it */
	uint64_t need, free; /* bytes */
	bool make_dirs;      /* the directory may not exist yet */
	bool more;           /* at least ->need: the total is unknown */
};

/* Find out how much is free in dir for this user, into ->free and ->known. */
void slv_space_look(const char *dir, struct slv_space *);

/* SLV_E_IO with ENOSPC if it is known that ->need bytes do not fit into dir.
 *
 *   name   the output; the message begins with it
 *   other  advice at the end of the message; NULL: none */
enum slv_status slv_space_check(const struct slv_space *, const char *name,
    const char *dir, const char *other, struct slv_err *);

#endif
