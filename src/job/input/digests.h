/* digests.h - digests of whole files, beyond what the repair itself needs. */
#ifndef SLV_JOB_DIGESTS_H
#define SLV_JOB_DIGESTS_H

#include "job/audit/audit.h"
#include "report/report.h"

/* The digest of a whole source, into out.
 *
 *   from  a state to go on from; NULL: begin */
enum slv_status slv_digest_of(struct slv_source *, enum slv_digest_kind,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    uint8_t *out, struct slv_err *);

/* Put the SHA-256 of the input into the report; none where sectors cannot be
 * read, because what the file holds is then not known. */
enum slv_status slv_digest_input(struct slv_report *, struct slv_source *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Put the SHA-256 of what the sealed plan makes into the report. */
enum slv_status slv_digest_output(struct slv_report *, const struct slv_plan *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* The SHA-1 of the whole input, from where the audit's own pass ended. */
enum slv_status slv_digest_sha1(
    const struct slv_audit *, uint8_t *out, struct slv_err *);

/* Put into the report what the report beside a log, called name, tells of it.
 * It is believed when it names the size and the SHA-1 of the log, or of what
 * its repair gives back; what it says of other bytes is passed on with that
 * doubt where the log is damaged.  Nothing is done where there is a history
 * already.
 *
 *   of  what the log is: see slv_site_doubt() */
enum slv_status slv_digest_history(struct slv_report *,
    const struct slv_audit *, const char *name, const struct stat *of,
    struct slv_err *);

#endif
