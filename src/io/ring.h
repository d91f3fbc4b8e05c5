/* ring.h - hand the bytes of a stream to other threads, in order.
 *
 * One thread fills pieces, others process them, each thread every piece: while
 * one reads, another one hashes and a third one writes.  These functions must
 * keep their failures to themselves, and touch nothing that another thread uses
 * until the ring is drained.
 */
#ifndef SLV_IO_RING_H
#define SLV_IO_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes handed over at once. */
#define SLV_RING_PIECE ((size_t)64 << 10)

#define SLV_RING_WORKS 2 /* at most */

struct slv_ring;

/* The work of another thread. */
struct slv_ring_work {
	/* Process n bytes, 1 .. SLV_RING_PIECE. */
	void (*fn)(void *ctx, const uint8_t *bytes, size_t n);
	void *ctx; /* borrowed until the ring is freed */
};

/* Start a thread for each of n works.  NULL if it would not pay (one processor)
 * or is not possible: do without. */
struct slv_ring *slv_ring_start(const struct slv_ring_work *, size_t n);

/* A buffer for SLV_RING_PIECE bytes, until they are handed over or the next
 * call; waits while all pieces are in use. */
uint8_t *slv_ring_room(struct slv_ring *);

/* Hand over n bytes from that buffer; 0 does nothing. */
void slv_ring_give(struct slv_ring *, size_t n);

/* Wait until everything is processed: the results of the other threads are then
 * visible. */
void slv_ring_drain(struct slv_ring *);

/* Drain, end the threads, free everything; NULL is allowed. */
void slv_ring_free(struct slv_ring *);

#endif
