/* brief.h - what --help shows on one screen: the options most people need. */
#ifndef SLV_CLI_BRIEF_H
#define SLV_CLI_BRIEF_H

#include "base/buf.h"

#define SLV_SCREEN_LINES 24 /* that a page has at most */
#define SLV_SCREEN_WIDTH 80 /* columns, likewise */

/* Append the options and examples of a command.
 *
 *   command  SLV_CMD_*, not NONE or LOOK */
void slv_brief_put(struct slv_buf *, unsigned command);

#endif
