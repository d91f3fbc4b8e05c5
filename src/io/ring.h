/* ring.h - hand the bytes of a stream to other threads, in order.
 *
 * One thread fills pieces, others work them off, each of them all: while one
 * reads, another hashes and a third one writes.  What they do must keep its
 * failures to itself and touch nothing that another thread does, until the
 * ring is drained.
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

/* What another thread does. */
struct slv_ring_work {
	/* Work off n bytes, 1 .. SLV_RING_PIECE. */
	void (*fn)(void *ctx, const uint8_t *bytes, size_t n);
	void *ctx; /* borrowed until the ring is freed */
};

/* Start a thread for each of n works.  NULL where it would be no gain (one
 * processor) or cannot be had: do without. */
struct slv_ring *slv_ring_start(const struct slv_ring_work *, size_t n);

/* Room for SLV_RING_PIECE bytes, until they are given or the next call; waits
 * while all pieces are under way. */
uint8_t *slv_ring_room(struct slv_ring *);

/* Hand over n bytes that stand in the room; 0 is nothing. */
void slv_ring_give(struct slv_ring *, size_t n);

/* Wait until all is worked off: what the other threads did can be seen. */
void slv_ring_drain(struct slv_ring *);

/* Drain, end the threads, free all; NULL is allowed. */
void slv_ring_free(struct slv_ring *);

#endif
