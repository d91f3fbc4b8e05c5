/* hasher.h - the running digest of a source, one pass from its beginning.
 *
 * It reads for itself, in large pieces, so that the scanner need not touch
 * payloads.  The digest can be had at any place not yet passed, and marks
 * keep the running state at places worth coming back to.
 */
#ifndef SLV_CORE_HASHER_H
#define SLV_CORE_HASHER_H

#include "core/catalog/pages.h"
#include "core/meter.h"
#include "core/plan/tee.h"
#include "digest/digest.h"
#include "io/read/window.h"
#include "io/ring.h"

#define SLV_HASHER_STRIDE SLV_RING_PIECE    /* bytes hashed at once */
#define SLV_HASHER_STEP   ((size_t)8 << 10) /* bytes taken at once */
#define SLV_HASHER_BEHIND                                                      \
	(3 * SLV_HASHER_STEP) /* bytes that a window keeps
                                                 * for a hasher that steps */
#define SLV_HASHER_ALONE                                                       \
	((uint64_t)1 << 20) /* bytes of a source; less than
                                               * that is no work for two */
#define SLV_HASHER_MARKS 8

struct slv_hash_mark {
	uint64_t off;
	struct slv_digest digest; /* of [0, off) */
};

struct slv_hasher {
	struct slv_source *source; /* borrowed */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL until somebody sets it */
	const struct slv_ranges
	    *holes;              /* borrowed; not read where nothing needs
	                                 * the bytes; NULL: not known */
	struct slv_pages *pages; /* borrowed; NULL: nobody asks for them */
	const struct slv_window *window; /* borrowed; what was read already;
	                                  * NULL: nothing */
	struct slv_sink *sink; /* borrowed; gets all that is read, on this
	                           * thread; NULL: none */
	bool blind;            /* reads and hashes nothing: nobody will ask */
	struct slv_tee *tee;   /* borrowed; gets all that is hashed, from the
	                           * first byte on; NULL: none */
	uint8_t *buf;          /* owned */
	struct slv_ring *ring; /* owned; NULL: all on this thread */
	size_t held;           /* bytes in its room, to be given with more */
	uint64_t along;        /* what is before it is hashed by and by */
	struct slv_hash_mark now; /* with a ring, only the offset is up to
	                           * date until the hasher is settled */
	struct slv_hash_mark marks[SLV_HASHER_MARKS];
	size_t n_marks;
};

enum slv_status slv_hasher_init(struct slv_hasher *, struct slv_source *,
    enum slv_digest_kind, const volatile sig_atomic_t *cancel,
    struct slv_err *);

/* Hash on another thread from now on, and write early on a third one, where
 * that is a gain; the hasher may not be moved until it has come to rest. */
void slv_hasher_spread(struct slv_hasher *);

/* Wait for the other threads: the state is that of all that was read. */
void slv_hasher_settle(struct slv_hasher *);

/* Settle, and do without other threads. */
void slv_hasher_rest(struct slv_hasher *);

/* Begin where another hasher of the same bytes stood. */
void slv_hasher_resume(struct slv_hasher *, const struct slv_hash_mark *);

/* Hash on to off; a place already passed is no work. */
enum slv_status slv_hasher_to(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* Hash on in whole steps, as far as they go up to off. */
enum slv_status slv_hasher_step(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* Leave what is before off for slv_hasher_along(), where no other thread is
 * there for it. */
void slv_hasher_leave(struct slv_hasher *, uint64_t off);

/* The same as slv_hasher_step() to end, but of what was looked at in one go,
 * [off, end), unless it is much: that may be left. */
enum slv_status slv_hasher_pace(
    struct slv_hasher *, uint64_t off, uint64_t end, struct slv_err *);

/* Hash a few of the bytes that were left, if any were and the window has them.
 * Each instruction of a digest waits for the one before: called between other
 * work, every hundred instructions or so, a processor does both at once. */
static inline void
slv_hasher_along(struct slv_hasher *h)
{
	enum { FEW = SLV_SHA_BLOCK }; /* bytes */
	const uint8_t *bytes;

	if (h->now.off + FEW > h->along)
		return;
	bytes = slv_window_peek(h->window, h->now.off, FEW);
	if (bytes == NULL || !slv_pages_pass(h->pages, h->now.off, bytes, FEW))
		return;
	slv_digest_add(&h->now.digest, bytes, FEW);
	h->now.off += FEW;
}

/* Hash on to off and keep the state there.  Where off is passed nothing is
 * done; where no mark is free nothing is kept. */
enum slv_status slv_hasher_mark(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* The last state at or before off that is kept; at worst that of off 0. */
const struct slv_hash_mark *slv_hasher_before(
    const struct slv_hasher *, uint64_t off);

void slv_hasher_free(struct slv_hasher *);

#endif
