/* history.h - what earlier reports tell of a log.
 *
 * A report beside a log is text that anybody may have written: it is believed
 * only of a log that has the size and the SHA-1 that it names.  Of a damaged
 * log, which may be that one, it is passed on with this doubt.
 */
#ifndef SLV_REPORT_HISTORY_H
#define SLV_REPORT_HISTORY_H

#include "report/report.h"

/* What a report says that it is about. */
struct slv_claim {
	uint64_t size;
	uint8_t sha1[SLV_SHA1_SIZE];
};

/* Whether the text is lines of reports and nothing else. */
bool slv_history_is_ours(const char *text, size_t n);

/* Whether some line is about a lossy output of that size. */
bool slv_history_mentions(const char *text, size_t n, uint64_t size);

/* Whether some line is about that very output, and calls it lossy. */
bool slv_history_knows(const char *text, size_t n, const struct slv_claim *);

/* Look for the line about a lossy output; h->line stays NULL when there is
 * none.
 *
 * SLV_E_NOMEM */
enum slv_status slv_history_find(const char *text, size_t n,
    const struct slv_claim *, struct slv_history *h, struct slv_err *);

/* The same about whatever output, the latest: h->changed is set. */
enum slv_status slv_history_of_other(
    const char *text, size_t n, struct slv_history *h, struct slv_err *);

/* Append all lines that are not about that output, each trimmed to so many
 * bytes. */
void slv_history_others(const char *text, size_t n, const struct slv_claim *,
    size_t most, struct slv_buf *out);

/* Append all lines but those about that output, made of an input of `from`
 * bytes. */
void slv_history_without(const char *text, size_t n, const struct slv_claim *,
    uint64_t from, struct slv_buf *out);

#endif
