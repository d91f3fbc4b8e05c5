/* tee.h - write the output while the input is still being judged.
 *
 * What a power cut leaves is repaired by a copy of it with a new end.  So the
 * bytes that the first pass reads go into the output at once, and when the
 * plan is known what it shares with them is there already.
 */
#ifndef SLV_CORE_TEE_H
#define SLV_CORE_TEE_H

#include "io/write/sink.h"

struct slv_tee {
	/* Open the sink; a failure means that there is no head start. */
	enum slv_status (*open)(
	    void *ctx, struct slv_sink **, struct slv_err *);
	void *ctx; /* borrowed */

	struct slv_sink *sink; /* owned; NULL: not open, or no more */
	uint64_t n;            /* bytes in it: the first of the input, or all
	                        * of the output */
	bool failed;           /* to write; the sink is of no use */
};

/* Open it, once; *yes: that could be done, and it is no failure if not. */
enum slv_status slv_tee_open(struct slv_tee *, bool *yes, struct slv_err *);

/* The next n bytes of the input.  May be called on another thread. */
void slv_tee_write(struct slv_tee *, const uint8_t *bytes, size_t n);

/* Hand the sink over with its first n bytes, at most as many as are in it;
 * NULL, and nothing is left behind, where that cannot be. */
struct slv_sink *slv_tee_take(struct slv_tee *, uint64_t n);

/* Take back a sink that was handed over, with n bytes in it now. */
void slv_tee_give(struct slv_tee *, struct slv_sink *, uint64_t n);

/* Throw away what was written and not taken. */
void slv_tee_free(struct slv_tee *);

#endif
