/* digests.h - digests of whole files, beyond those that a repair needs. */
#ifndef SLV_JOB_DIGESTS_H
#define SLV_JOB_DIGESTS_H

#include "job/audit/audit.h"
#include "report/report.h"

/* Compute the digest of a whole source into out.
 *
 *   from  a state to continue from; NULL: begin */
enum slv_status slv_digest_of(struct slv_source *, enum slv_digest_kind,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    uint8_t *out, struct slv_err *);

/* The SHA-1 of the bytes from an offset on. */
enum slv_status slv_digest_end(struct slv_source *, uint64_t from,
    const volatile sig_atomic_t *cancel, uint8_t *out, struct slv_err *);

/* Put the SHA-256 of the input into the report; none if sectors cannot be read,
 * because the content is then not known. */
enum slv_status slv_digest_input(struct slv_report *, struct slv_source *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Put the SHA-256 of the sealed plan's output into the report. */
enum slv_status slv_digest_output(struct slv_report *, const struct slv_plan *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Compute the SHA-1 of the whole input, from where the audit's own pass
 * ended. */
enum slv_status slv_digest_sha1(
    const struct slv_audit *, uint8_t *out, struct slv_err *);

/* Put into the report what the report next to a log says about it.  `name` is
 * the log.  It is trusted if it names the size and the SHA-1 of the log, or of
 * the result of its repair.  For a damaged log, a report about other bytes is
 * passed on with that doubt.  Does nothing if there is a history already.
 *
 *   of  the log: see slv_site_doubt() */
enum slv_status slv_digest_history(struct slv_report *,
    const struct slv_audit *, const char *name, const struct stat *of,
    struct slv_err *);

#endif
