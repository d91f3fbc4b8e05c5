/* described.h - the channels of a log, as an export describes them.
 *
 * What the caller has of descriptions of messages is added, and for formats that do not
 * know what the log has of its own, that gets a description of its own.
 */
#ifndef SLV_JOB_DESCRIBED_H
#define SLV_JOB_DESCRIBED_H

#include "core/format/exporting.h"
#include "job/read/log.h"

struct slv_described {
	struct slv_channel_info *at;     /* owned; as many as the log has */
	const struct slv_exporting *how; /* NULL: the log's format has none */
	void *state;                     /* owned; of `how` */
	struct slv_buf descriptors;      /* owned */
};

/*   as_logged  payloads stay as they are: only messages are described
 *
 * Free it also after a failure. */
enum slv_status slv_described_make(
    struct slv_described *, struct slv_log *, bool as_logged);

void slv_described_free(struct slv_described *);

#endif
