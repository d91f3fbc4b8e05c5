/* columns.h - lines of help in two columns: what to type, and what it means. */
#ifndef SLV_CLI_COLUMNS_H
#define SLV_CLI_COLUMNS_H

#include <stdbool.h>

#include "base/buf.h"

#define SLV_SCREEN_WIDTH 80 /* columns */

struct slv_example;
struct slv_option;

/* Append an option as these commands take it.
 *
 *   owners  all commands that take it are named */
void slv_columns_option(struct slv_buf *, const struct slv_option *,
    unsigned commands, bool owners);

/* Append an example. */
void slv_columns_example(struct slv_buf *, const struct slv_example *);

#endif
