/* maker.h - what a report says about the run that made it. */
#ifndef SLV_CLI_MAKER_H
#define SLV_CLI_MAKER_H

#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"
#include "salvor.h"

/* Read host, command line and SOURCE_DATE_EPOCH.  argv begins with the name of
 * the program; it is not needed afterwards.  false: out of memory. */
bool slv_maker_open(struct slv_maker *, char **argv, size_t n);

void slv_maker_close(struct slv_maker *);

#endif
