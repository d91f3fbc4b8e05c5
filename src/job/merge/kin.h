/* kin.h - are two copies of one recording? */
#ifndef SLV_JOB_KIN_H
#define SLV_JOB_KIN_H

#include "core/copies/align.h"

#define SLV_KIN_TEXT 96 /* bytes, the final NUL included */

/* Write down what speaks against it, "" where nothing does.  Only that the two
 * together match the recorder's digest is a better witness.
 *
 * SLV_E_UNRELATED: one is no log, or they are of two formats */
enum slv_status slv_kin_check(struct slv_copy *a, struct slv_copy *b,
    const struct slv_alignment *, char why[SLV_KIN_TEXT], struct slv_err *);

#endif
