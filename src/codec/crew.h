/* crew.h - decode streams ahead, in threads beside the one that reads.
 *
 * The reader submits streams as it comes by them, as long as there is room,
 * and fetches what became of each in the same order.  A stream that no worker
 * has begun by then is decoded where it is fetched: so it is with all of them
 * where there is one processor or no thread can be had, and what comes out is
 * the same.
 *
 * One thread uses a crew.
 */
#ifndef SLV_CODEC_CREW_H
#define SLV_CODEC_CREW_H

#include "codec/codec.h"

/* A stream to be decoded: what slv_decode() is told. */
struct slv_job {
	enum slv_codec_kind kind;
	uint8_t *in; /* of malloc(), or NULL where n is 0; the crew's to free */
	size_t n, expect, max;
	const volatile sig_atomic_t *cancel; /* or NULL */
	struct slv_buf room; /* to decode into, or empty; the crew's, too */
};

struct slv_crew;

/* Start one.  SLV_E_NOMEM; that a thread cannot be had is no failure. */
enum slv_status slv_crew_start(struct slv_crew **, struct slv_err *);

/* Whether one must be fetched before another can be submitted: as many are
 * under way as there is work for, or as much memory is taken as may be. */
bool slv_crew_full(const struct slv_crew *);

/* Submit a stream to a crew that is not full. */
void slv_crew_submit(struct slv_crew *, struct slv_job);

/* How many are submitted and not fetched. */
size_t slv_crew_waiting(const struct slv_crew *);

/* What became of the first of them, of which there is one; waits for that.
 *
 * SLV_E_NOMEM, SLV_E_CANCELLED: *out is empty.  Otherwise the caller frees
 * it. */
enum slv_status slv_crew_fetch(
    struct slv_crew *, struct slv_decode *out, struct slv_err *);

/* Forget all of them; waits for those that are begun. */
void slv_crew_clear(struct slv_crew *);

/* The same, and end the crew; NULL is allowed. */
void slv_crew_free(struct slv_crew *);

#endif
