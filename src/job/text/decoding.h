/* decoding.h - the layouts of the channels of a log, as they are needed. */
#ifndef SLV_JOB_DECODING_H
#define SLV_JOB_DECODING_H

#include "core/format/format.h"
#include "core/layout/layout.h"
#include "salvor_read.h"

struct slv_decoding {
	slv_layout_fn *layout; /* of the log's format; or NULL */
	const struct slv_channel_info *channels; /* borrowed */
	struct slv_layout *at;                   /* owned; by channel */
	enum { SLV_UNTRIED, SLV_KNOWN, SLV_UNKNOWN } * is; /* owned; ... */
	uint32_t n;
	uint32_t *owner; /* owned; the channel that has the layout of another */
	uint64_t spent;  /* bytes of descriptions that were read */
	uint64_t held;   /* ... and of layouts */
};

enum slv_status slv_decoding_begin(struct slv_decoding *, slv_layout_fn *,
    const struct slv_channel_info *, uint32_t n, struct slv_err *);

/* The layout of a channel, borrowed; *out = NULL: it is not known. */
enum slv_status slv_decoding_of(struct slv_decoding *, uint32_t channel,
    const struct slv_layout **out, struct slv_err *);

void slv_decoding_free(struct slv_decoding *);

#endif
