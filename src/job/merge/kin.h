/* kin.h - are two copies of the same recording? */
#ifndef SLV_JOB_KIN_H
#define SLV_JOB_KIN_H

#include "core/copies/align.h"

#define SLV_KIN_TEXT 96 /* bytes, the final NUL included */

/* Write down what contradicts that, "" if nothing does.  Only a match of the
 * joined log with the recorder's digest is better evidence.
 *
 * SLV_E_UNRELATED: one is not a log, or they have different formats */
enum slv_status slv_kin_check(struct slv_copy *a, struct slv_copy *b,
    const struct slv_alignment *, char why[SLV_KIN_TEXT], struct slv_err *);

#endif
