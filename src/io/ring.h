/* ring.h - hand the bytes of a stream to another thread, in order.
 *
 * One thread fills pieces, the other works them off: while one reads, the
 * other hashes and writes.  What the other thread does must keep its failures
 * to itself and touch nothing that this one does, until the ring is drained.
 */
#ifndef SLV_IO_RING_H
#define SLV_IO_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes handed over at once. */
#define SLV_RING_PIECE ((size_t)64 << 10)

struct slv_ring;

/* Work off n bytes, 1 .. SLV_RING_PIECE, on the other thread. */
typedef void (*slv_ring_fn)(void *ctx, const uint8_t *bytes, size_t n);

/* Start the other thread; ctx is borrowed until the ring is freed.  NULL where
 * it would be no gain (one processor) or cannot be had: do without. */
struct slv_ring *slv_ring_start(slv_ring_fn, void *ctx);

/* Room for SLV_RING_PIECE bytes, until they are given or the next call; waits
 * while all pieces are under way. */
uint8_t *slv_ring_room(struct slv_ring *);

/* Hand over n bytes that stand in the room; 0 is nothing. */
void slv_ring_give(struct slv_ring *, size_t n);

/* Wait until all is worked off: what the other thread did can be seen. */
void slv_ring_drain(struct slv_ring *);

/* Drain, end the thread, free all; NULL is allowed. */
void slv_ring_free(struct slv_ring *);

#endif
