/* hasher.h - the running digest of a source, one pass from its beginning.
 *
 * It reads by itself, in large pieces, so that the scanner need not touch
 * payloads.  The digest is available at any place not yet passed, and marks
 * keep the running state at places that may be needed again.
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
	(3 * SLV_HASHER_STEP) /* bytes that a window keeps for a hasher that
			       * steps */
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
	struct slv_meter *meter; /* borrowed; NULL until it is set */
	const struct slv_ranges
	    *holes;              /* borrowed; not read if nothing needs their
				  * bytes; NULL: not known */
	struct slv_pages *pages; /* borrowed; NULL: not wanted */
	const struct slv_window *window; /* borrowed; bytes that were read
					  * already; NULL: none */
	struct slv_sink *sink; /* borrowed; gets all bytes read, on this thread;
			        * NULL: none */
	bool blind;            /* read and hash nothing: the digest is not
			        * needed */
	struct slv_tee *tee;   /* borrowed; gets all bytes hashed, from the
			        * first one on; NULL: none */
	uint8_t *buf;          /* owned */
	struct slv_ring *ring; /* owned; NULL: everything on this thread */
	size_t held;           /* bytes in its piece that are not yet handed
			        * over */
	uint64_t along;        /* bytes before it are hashed in small steps */
	struct slv_hash_mark now; /* with a ring, only the offset is current
				   * until the hasher is settled */
	struct slv_hash_mark marks[SLV_HASHER_MARKS];
	size_t n_marks;
};

enum slv_status slv_hasher_init(struct slv_hasher *, struct slv_source *,
    enum slv_digest_kind, const volatile sig_atomic_t *cancel,
    struct slv_err *);

/* From now on hash on another thread, and write early on a third one, if that
 * is faster.  The hasher must not be moved until it is settled. */
void slv_hasher_spread(struct slv_hasher *);

/* Wait for the other threads: the state then covers all bytes read. */
void slv_hasher_settle(struct slv_hasher *);

/* Settle, and stop using other threads. */
void slv_hasher_rest(struct slv_hasher *);

/* Begin at the state of another hasher of the same bytes. */
void slv_hasher_resume(struct slv_hasher *, const struct slv_hash_mark *);

/* Hash on to off; a place already passed costs nothing. */
enum slv_status slv_hasher_to(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* Hash on in whole steps, as far as they go up to off. */
enum slv_status slv_hasher_step(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* The bytes from off to end were read elsewhere, and a checksum confirms them: where
 * nothing is hashed they are not read again, and zeros in them were recorded.  Otherwise
 * as slv_hasher_step(). */
enum slv_status slv_hasher_pass_by(
    struct slv_hasher *, uint64_t off, uint64_t end, struct slv_err *);

/* Leave the bytes before off for slv_hasher_along(), if there is no other
 * thread for them. */
void slv_hasher_leave(struct slv_hasher *, uint64_t off);

/* The same as slv_hasher_step() to end, for bytes [off, end) that were read in
 * one call; a large amount may be left. */
enum slv_status slv_hasher_pace(
    struct slv_hasher *, uint64_t off, uint64_t end, struct slv_err *);

/* Hash a few of the bytes that were left, if there are some and the window has
 * them.  Each instruction of a digest waits for the one before.  Called between
 * other work, every hundred instructions or so, the processor does both at
 * once. */
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

/* Hash on to off and keep the state there.  If off is passed nothing is done;
 * if no mark is free nothing is kept. */
enum slv_status slv_hasher_mark(
    struct slv_hasher *, uint64_t off, struct slv_err *);

/* The last kept state at or before off; at worst that of off 0. */
const struct slv_hash_mark *slv_hasher_before(
    const struct slv_hasher *, uint64_t off);

void slv_hasher_free(struct slv_hasher *);

#endif
