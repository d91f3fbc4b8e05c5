/* salvor_options.h - what a job is told, by the names of the command line.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_OPTIONS_H
#define SALVOR_OPTIONS_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Set an option as the command line does: salvor(1) lists the names, of which
 * those that only a program can have (--jobs, --journal, --json and so on) are
 * not known here; for rules see slv_policy_add().
 *
 *   name   without dashes: "output-dir"
 *   value  "24h", "512M", "suspect,samples"; of an option without argument
 *          NULL, "yes" or "no".  A text is borrowed as long as the options are
 *          in use.
 *
 * SLV_E_USAGE: there is no such option, or the value makes no sense; nothing was
 * set */
enum slv_status slv_options_set(struct slv_options *, const char *name,
    const char *value, struct slv_err *);

#ifdef __cplusplus
}
#endif

#endif
