/* same.c - whether two names are of one file. */
#include "cli/files/same.h"

#include <stddef.h>

bool
slv_same_stat(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool
slv_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return a != NULL && b != NULL && stat(a, &x) == 0 && stat(b, &y) == 0
	    && slv_same_stat(&x, &y);
}
