/* same.h - whether two names are of one file. */
#ifndef SLV_CLI_SAME_H
#define SLV_CLI_SAME_H

#include <stdbool.h>
#include <sys/stat.h>

/* Also when one is NULL, or not there: they are not. */
bool slv_same_file(const char *a, const char *b);

bool slv_same_stat(const struct stat *, const struct stat *);

#endif
