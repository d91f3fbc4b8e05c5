/* flip.h - find the one bit to flip back so that the digest matches.
 *
 * If nothing but the log's own digest objects, the damage may be a single bit
 * that nothing else confirms.  Each candidate costs a digest of what follows
 * it, so there is a budget.
 */
#ifndef SLV_CORE_FLIP_H
#define SLV_CORE_FLIP_H

#include "base/ranges.h"
#include "core/digest/hasher.h"
#include "core/digest/seal.h"

#define SLV_FLIP_HASHES  1000 /* digests of the input per effort, or */
#define SLV_FLIP_SECONDS 10   /* seconds of hashing; whichever is less */
#define SLV_FLIP_LEAST   ((uint64_t)2 << 30) /* bytes hashed, for small files */

/* Bytes that nothing else confirms. */
struct slv_doubt {
	uint64_t off, end;
	struct slv_range unit; /* the unit that contains them; empty: not
			        * known */
};

/* Places where only the digest would notice a flipped bit.  The likeliest
 * first; they may overlap. */
struct slv_doubts {
	struct slv_doubt *at; /* owned */
	size_t n, cap;
};

/* Add [off, off + len) after the earlier doubts; len may be 0. */
enum slv_status slv_doubt(struct slv_doubts *, uint64_t off, uint64_t len,
    struct slv_range unit, struct slv_err *);

/* Return true if the unit would still be a unit with another byte at off.
 * Otherwise the candidate need not be hashed. */
typedef enum slv_status (*slv_sensible_fn)(void *ctx, struct slv_range unit,
    uint64_t off, uint8_t byte, bool *yes, struct slv_err *);

void slv_doubts_free(struct slv_doubts *);

struct slv_flip {
	struct slv_source *source;      /* borrowed */
	const struct slv_seal *seal;    /* the digest to match; borrowed */
	const struct slv_doubts *where; /* candidates; borrowed */
	slv_sensible_fn sensible;       /* NULL: hash all */
	void *ctx;
	unsigned effort; /* multiplies the budget; 0: do not try */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */

	bool found;
	uint64_t off; /* if found: offset of the byte */
	uint8_t byte; /* and its correct value */
};

enum slv_status slv_flip_find(struct slv_flip *, struct slv_err *);

#endif
