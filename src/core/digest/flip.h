/* flip.h - which one bit must be flipped back for the digest to be right?
 *
 * Where nothing but the log's own digest complains, the damage may be a single
 * bit of something that nothing else vouches for.  Each candidate costs a
 * digest of what follows it, so there is a budget.
 */
#ifndef SLV_CORE_FLIP_H
#define SLV_CORE_FLIP_H

#include "base/ranges.h"
#include "core/digest/hasher.h"
#include "core/digest/seal.h"

#define SLV_FLIP_HASHES  1000 /* of the whole input, an effort of 1, or */
#define SLV_FLIP_SECONDS 10   /* the same; whichever is less */
#define SLV_FLIP_LEAST   ((uint64_t)2 << 30) /* bytes hashed, for small files */

/* Bytes that nothing else vouches for. */
struct slv_doubt {
	uint64_t off, end;
	struct slv_range unit; /* of which they are; empty: not known */
};

/* Where one flipped bit would go unseen but for the digest.  The likeliest
 * first; they may overlap. */
struct slv_doubts {
	struct slv_doubt *at; /* owned */
	size_t n, cap;
};

/* Doubt [off, off + len), after what is doubted already; len may be 0. */
enum slv_status slv_doubt(struct slv_doubts *, uint64_t off, uint64_t len,
    struct slv_range unit, struct slv_err *);

/* Whether the unit would be one if the byte at off were another: what would
 * not need not be hashed. */
typedef enum slv_status (*slv_sensible_fn)(void *ctx, struct slv_range unit,
    uint64_t off, uint8_t byte, bool *yes, struct slv_err *);

void slv_doubts_free(struct slv_doubts *);

struct slv_flip {
	struct slv_source *source;      /* borrowed */
	const struct slv_seal *seal;    /* what it must come to; borrowed */
	const struct slv_doubts *where; /* bytes to try; borrowed */
	slv_sensible_fn sensible;       /* NULL: hash all */
	void *ctx;
	unsigned effort; /* times the budget; 0: do not try */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */

	bool found;
	uint64_t off; /* then: of the byte */
	uint8_t byte; /* and what it must be */
};

enum slv_status slv_flip_find(struct slv_flip *, struct slv_err *);

#endif
