/* status.h - how a call failed: the first cause wins.
 *
 * enum slv_status and struct slv_err are in salvor.h, because callers of
 * the library see them too.  Damage in a log is not a failure: it travels
 * as a problem (core/findings/problem.h).
 */
#ifndef SLV_BASE_STATUS_H
#define SLV_BASE_STATUS_H

#include "salvor.h"

#ifdef __GNUC__
#define SLV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SLV_PRINTF(fmt, args)
#endif

/* Return from the calling function if expr fails.  For functions that have
 * nothing to undo; others use `goto fail`. */
#define SLV_TRY(expr)                                                          \
	do {                                                                   \
		enum slv_status try_status_ = (expr);                          \
		if (try_status_ != SLV_OK)                                     \
			return try_status_;                                    \
	} while (0)

/* Record why, unless an earlier cause is recorded, and return code.  err may
 * be NULL. */
enum slv_status slv_fail(struct slv_err *err, enum slv_status code,
    const char *fmt, ...) SLV_PRINTF(3, 4);

/* The same for a system call: SLV_E_IO with errno, and its text is appended;
 * ENOMEM becomes SLV_E_NOMEM. */
enum slv_status slv_fail_errno(struct slv_err *err, const char *fmt, ...)
    SLV_PRINTF(2, 3);

/* Return true if the flag of slv_options_cancel(), which may be NULL, is set: another
 * thread may be setting it. */
static inline bool
slv_is_cancelled(const volatile sig_atomic_t *flag)
{
	return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

/* "SLV_E_IO" and so on, for messages and tests. */
const char *slv_status_name(enum slv_status);

#endif
