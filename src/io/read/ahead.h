/* ahead.h - read a file ahead of the thread that processes it.
 *
 * Another thread reads the pieces that come next, as many as there is room for: copying
 * bytes out of the system takes longer than looking at them.  It keeps nothing but bytes
 * that the system has read as a whole.  At whatever it cannot read it stops, and the
 * caller meets the same failure with a read of its own.
 *
 * One thread uses a value of this kind.
 */
#ifndef SLV_IO_AHEAD_H
#define SLV_IO_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_AHEAD_PIECE ((size_t)256 << 10) /* bytes that are read at once */
#define SLV_AHEAD_ROOM  ((size_t)1 << 20)   /* bytes before the first place */
#define SLV_AHEAD_MAX   ((size_t)4 << 20)   /* bytes that can be kept */

struct slv_ahead;

/* Start the thread for a descriptor, which the caller keeps open.  NULL: it would not pay
 * (one processor), or is not possible: do without. */
struct slv_ahead *slv_ahead_start(int fd);

/* Forget what was read, and read from `from` to `end`; waits for a read in work.
 *
 *   most   bytes of pieces that will be needed at a time, as far as the caller knows:
 *          little memory stays in a processor's own cache */
void slv_ahead_seek(
    struct slv_ahead *, uint64_t from, uint64_t end, size_t most);

/* Where the next piece begins. */
uint64_t slv_ahead_at(const struct slv_ahead *);

/* The next piece and its length, > 0; waits for it.
 *
 *   keep   of the pieces before it, the bytes from this offset on are still needed, until
 *          the next call; the others are read over
 *
 * It is in memory after the piece before it, or has room for SLV_AHEAD_ROOM bytes before
 * it, to which the caller can copy what is needed.  NULL: it cannot be read, the end is
 * reached, or all memory is in use. */
uint8_t *slv_ahead_take(struct slv_ahead *, uint64_t keep, size_t *n);

/* End the thread, free everything; NULL is allowed. */
void slv_ahead_free(struct slv_ahead *);

#endif
