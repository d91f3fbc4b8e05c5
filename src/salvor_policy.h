/* salvor_policy.h - rules that logs shall keep.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_POLICY_H
#define SALVOR_POLICY_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Add a rule to *policy, which is made where it is
 * NULL; salvor(1) tells what they mean:
 *
 *   name      value
 *   max-gap   "2s", "/imu=500ms", "/imu=none"
 *   max-lost  "0.1%", "4096"
 *   min-rate  "/imu=10"
 *   require   "/imu"
 *
 * SLV_E_USAGE: there is no such rule */
enum slv_status slv_policy_add(struct slv_policy **policy, const char *name,
    const char *value, struct slv_err *);

/* Add those of a file, one a line: "max-gap=2s"; what follows a # is a
 * comment.  "-" is standard input.
 *
 *   cancel  a pipe is waited for until this is not 0; NULL: for ever
 *
 * SLV_E_USAGE: a line, which is named, is no rule; or it is no file */
enum slv_status slv_policy_read(struct slv_policy **policy, const char *file,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* A short word that differs for other rules; NULL: out of memory. */
char *slv_policy_id(const struct slv_policy *);
void slv_policy_free(struct slv_policy *);

#ifdef __cplusplus
}
#endif

#endif
