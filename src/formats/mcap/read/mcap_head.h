/* mcap_head.h - the head of a chunk: all of the record before the stored bytes. */
#ifndef SLV_FORMATS_MCAP_HEAD_H
#define SLV_FORMATS_MCAP_HEAD_H

#include "formats/mcap/mcap_state.h"

struct mcap_head {
	struct mcap_claim claim;
	uint64_t data; /* where the stored bytes begin in the file */
	uint64_t end;  /* ... and end, as far as is known */
	enum slv_codec_kind codec;
	bool strange; /* it names a compression that is unknown here */
	bool damaged; /* a part of it contradicts the others */
	bool open;    /* its writer never came back to it */
};

/* The head of the chunk at off.  Its length, the length of what it stores and the
 * opcode confirm each other: one of the three may be wrong.  *yes = false: there is
 * none. */
enum slv_status mcap_head_get(const struct slv_scan *, uint64_t off,
    struct mcap_head *, bool *yes, struct slv_err *);

#endif
