/* windows.h - the spans of time that a log is split into. */
#ifndef SLV_JOB_WINDOWS_H
#define SLV_JOB_WINDOWS_H

#include "job/read/log.h"

/* Each begins where the one before it ends; all of them have records. */
struct slv_windows {
	int64_t *at; /* owned; where they begin, in ns since 1970 */
	size_t n, cap;
	int64_t end; /* of the last one */
};

/* Divide the records that are chosen in the log's options.
 *
 *   span  ns of a window; 0: of any length
 *   size  bytes of records in one, and no record of the next time; 0: any number
 *
 * A failure is recorded in the log, and returned.  SLV_E_REFUSED: a record has no
 * time that a choice can state */
enum slv_status slv_windows_find(
    struct slv_windows *, struct slv_log *, uint64_t span, uint64_t size);

void slv_windows_free(struct slv_windows *);

#endif
