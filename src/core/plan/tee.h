/* tee.h - write the output while the input is still being judged.
 *
 * A log that was cut by a power failure is repaired by a copy with a new end.
 * The bytes that the first pass reads therefore go into the output at once, and
 * when the plan is known the common part is already written.
 */
#ifndef SLV_CORE_TEE_H
#define SLV_CORE_TEE_H

#include "io/write/sink.h"

struct slv_tee {
	/* Open the sink; a failure means that nothing is written early. */
	enum slv_status (*open)(
	    void *ctx, struct slv_sink **, struct slv_err *);
	void *ctx; /* borrowed */

	struct slv_sink *sink; /* owned; NULL: not open, or no longer */
	uint64_t n;            /* bytes in it: the first ones of the input, or
			        * the whole output */
	bool failed;           /* a write failed; the sink is of no use */
};

/* Open it, once.  *yes: it is open; if it cannot be opened, that is no
 * failure. */
enum slv_status slv_tee_open(struct slv_tee *, bool *yes, struct slv_err *);

/* The next n bytes of the input.  May be called on another thread. */
void slv_tee_write(struct slv_tee *, const uint8_t *bytes, size_t n);

/* Cut the sink to its first n bytes, at most as many as it has, and hand it over.
 * NULL: that is not possible, and what was written is discarded. */
struct slv_sink *slv_tee_take(struct slv_tee *, uint64_t n);

/* Take back a sink that was handed over, with n bytes in it now. */
void slv_tee_give(struct slv_tee *, struct slv_sink *, uint64_t n);

/* Discard what was written and not handed over. */
void slv_tee_free(struct slv_tee *);

#endif
