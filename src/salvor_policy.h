/* salvor_policy.h - rules that logs must keep.
 *
 * A part of salvor.h, which includes it; the conventions there apply.
 */
#ifndef SALVOR_POLICY_H
#define SALVOR_POLICY_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Add a rule to *policy, which is created if it is NULL.  salvor(1) explains
 * the rules:
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

/* Add the rules in a file, one per line: "max-gap=2s"; a # begins a comment.
 * "-" is standard input.
 *
 *   cancel  not 0: stop waiting for a pipe; NULL: wait for ever
 *
 * SLV_E_USAGE: a line, which is named, is not a rule; or it is not a file */
enum slv_status slv_policy_read(struct slv_policy **policy, const char *file,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* A short identifier of a set of rules; NULL: out of memory. */
char *slv_policy_id(const struct slv_policy *);
void slv_policy_free(struct slv_policy *);

#ifdef __cplusplus
}
#endif

#endif
