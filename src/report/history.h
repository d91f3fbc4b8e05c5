/* history.h - what earlier reports say about a log.
 *
 * A report next to a log is text from an unknown author.  It is trusted only
 * for a log with the size and the SHA-1 that it names.  A damaged log has
 * another SHA-1, even if the report is about it: so what the report says is
 * passed on, and marked as unconfirmed.
 */
#ifndef SLV_REPORT_HISTORY_H
#define SLV_REPORT_HISTORY_H

#include "report/report.h"

/* The log that a report claims to be about. */
struct slv_claim {
	uint64_t size;
	uint64_t from; /* where the bytes of the digest begin */
	uint8_t sha1[SLV_SHA1_SIZE];
};

/* Return true if the text is lines of reports and nothing else. */
bool slv_history_is_ours(const char *text, size_t n);

/* Return true if some line is about a lossy output of that size.
 *
 *   *from  where the bytes of its digest begin */
bool slv_history_mentions(
    const char *text, size_t n, uint64_t size, uint64_t *from);

/* Return true if some line is about exactly that output, and calls it lossy. */
bool slv_history_knows(const char *text, size_t n, const struct slv_claim *);

/* Find the line about a lossy output; h->line stays NULL if there is none.
 *
 * SLV_E_NOMEM */
enum slv_status slv_history_find(const char *text, size_t n,
    const struct slv_claim *, struct slv_history *h, struct slv_err *);

/* The same for any output, the latest line: h->changed is set. */
enum slv_status slv_history_of_other(
    const char *text, size_t n, struct slv_history *h, struct slv_err *);

/* A gap that an earlier report states. */
struct slv_history_gap {
	uint64_t off, bytes;        /* in the file that was repaired */
	char before[40], after[40]; /* the times around it, as RFC 3339; "": not
				     * stated */
};

/* Those of the report that was found, in its order; the caller frees *out. */
enum slv_status slv_history_gaps(const struct slv_history *,
    struct slv_history_gap **out, size_t *n, struct slv_err *);

/* Append all lines that are not about that output, each trimmed to so many
 * bytes. */
void slv_history_others(const char *text, size_t n, const struct slv_claim *,
    size_t most, struct slv_buf *out);

/* Append all lines except those about that output, made from an input of `from`
 * bytes. */
void slv_history_without(const char *text, size_t n, const struct slv_claim *,
    uint64_t from, struct slv_buf *out);

#endif
