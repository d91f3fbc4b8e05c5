/* plan.h - the repaired log as a list of segments.
 *
 * While a driver builds a plan, `size` *is* the offset in the output of the
 * next segment, which is what an index needs.  Nothing is written.  A plan can
 * be read like a file (slv_plan_source), compared, shown, and streamed to a
 * sink (slv_plan_run).
 */
#ifndef SLV_CORE_PLAN_H
#define SLV_CORE_PLAN_H

#include "base/buf.h"
#include "core/digest/hasher.h"
#include "core/plan/patch.h"
#include "io/write/sink.h"

#define SLV_MADE_MAX   ((size_t)2 << 20) /* bytes of one made segment */
#define SLV_MADE_SLACK 8 /* bytes after them, may be overwritten */

enum slv_seg_kind {
	SLV_SEG_COPY,   /* a range of the input */
	SLV_SEG_BYTES,  /* literal bytes, held by the plan */
	SLV_SEG_FILL,   /* one byte n times */
	SLV_SEG_MADE,   /* bytes that the driver encodes when asked */
	SLV_SEG_DIGEST, /* the digest of everything before it */
};

/* Encode a made segment: all its len bytes, at out.  Up to SLV_MADE_SLACK bytes
 * after them may be overwritten. */
typedef enum slv_status (*slv_make_fn)(
    const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *);

/* Decode the len bytes of a made segment: do they say what they should?
 *
 * SLV_E_BUG: no */
typedef enum slv_status (*slv_made_fn)(const void *ctx, uint64_t arg,
    const uint8_t *bytes, size_t len, struct slv_err *);

struct slv_seg {
	uint64_t out, len; /* where in the output; len > 0 */
	enum slv_seg_kind kind;
	uint8_t fill;
	uint64_t arg; /* COPY: offset in the input; BYTES: in the literals;
		       * MADE: for the function */
	slv_make_fn make;
	slv_made_fn check; /* done once; NULL: none */
	const void *ctx;   /* borrowed from the driver's state */
};

struct slv_plan {
	struct slv_source *input;      /* borrowed */
	const struct slv_mends *mends; /* patches over the file that the input
				        * is; borrowed; NULL: none */
	struct slv_seg *at;            /* owned; in order, tiling [0, size) */
	size_t n, cap;
	uint64_t size;
	struct slv_buf literals; /* owned */
	enum slv_digest_kind digest_kind;
	struct slv_meter *meter; /* borrowed; NULL: none */

	bool closed; /* nothing can be added any more */

	/* Set when the plan is sealed: all of it can be read. */
	bool sealed, has_digest;
	uint64_t digest_off;            /* of the DIGEST segment */
	uint8_t digest[SLV_DIGEST_MAX]; /* its value */

	/* Set by slv_plan_know, or by sealing if that computes them. */
	bool known;
	struct slv_hash_mark
	    prefix_mark;                 /* the state after the bytes that equal
	                                   * those of the input */
	struct slv_hash_mark whole_mark; /* the state at the end */
	uint64_t whole_from; /* offset where `whole` begins; 0 unless only
	                                  * the end is known */
	uint8_t whole[SLV_DIGEST_MAX]; /* digest of the whole output */
};

void slv_plan_init(
    struct slv_plan *, struct slv_source *input, enum slv_digest_kind);

/* Append segments; a length of 0 adds nothing. */
enum slv_status slv_plan_copy(
    struct slv_plan *, uint64_t off, uint64_t len, struct slv_err *);
enum slv_status slv_plan_bytes(
    struct slv_plan *, const void *bytes, size_t n, struct slv_err *);
enum slv_status slv_plan_fill(
    struct slv_plan *, uint8_t byte, uint64_t len, struct slv_err *);
enum slv_status slv_plan_digest(struct slv_plan *, struct slv_err *);

/* Append what a buffer holds, and empty it.
 *
 * SLV_E_NOMEM: also if an append to the buffer has failed */
enum slv_status slv_plan_buf(
    struct slv_plan *, struct slv_buf *, struct slv_err *);

/* Replace segment i by these bytes, of the same length. */
enum slv_status slv_plan_replace(
    struct slv_plan *, size_t i, const void *bytes, struct slv_err *);

/*   len  1 .. SLV_MADE_MAX bytes, always the same for ctx and arg */
enum slv_status slv_plan_make(struct slv_plan *, size_t len, slv_make_fn,
    slv_made_fn, const void *ctx, uint64_t arg, struct slv_err *);

/* Return true if the output is the file itself, byte for byte. */
bool slv_plan_is_identity(const struct slv_plan *);

/* How many leading bytes of the output equal those of the input. */
uint64_t slv_plan_prefix(const struct slv_plan *);

/* How many leading bytes of the output equal those of the file: up to the first correction.
 * 0 if the input is the file in another order. */
uint64_t slv_plan_unchanged(const struct slv_plan *);

/* The offset in the output of the byte of the input at off, or of the next one
 * that is copied; the output's size if there is none. */
uint64_t slv_plan_where(const struct slv_plan *, uint64_t off);

/* The segment that holds byte off of the output, which exists. */
size_t slv_plan_find(const struct slv_plan *, uint64_t off);

/* Mark the plan as complete.  A plan without a digest in it is then sealed. */
void slv_plan_close(struct slv_plan *);

/* Close the plan and compute the digest that is part of the output.  `hasher`
 * has passed over the input and may have kept a state to start from. */
enum slv_status slv_plan_seal(
    struct slv_plan *, const struct slv_hasher *, struct slv_err *);

/* Compute all digests of a closed plan, and check what is made, unless sealing
 * did that.
 *
 *   sink  gets the output while it is read, unless it has it already; NULL:
 *         not wanted
 *   from  the sink holds the output up to there, with this digest */
enum slv_status slv_plan_know(struct slv_plan *, const struct slv_hasher *,
    struct slv_sink *, const struct slv_hash_mark *from, struct slv_err *);

/* The same for an output that is not read whole: compute the digest of what is not
 * shared with the file, and of up to SLV_PLAN_TAIL bytes before that.  The plan has no
 * digest in it. */
#define SLV_PLAN_TAIL ((uint64_t)4 << 10)
enum slv_status slv_plan_know_end(
    struct slv_plan *, const volatile sig_atomic_t *cancel, struct slv_err *);

/* Return true if a digest of so many bytes from an offset on is what such a plan has, or
 * one of all: others may say that of a few bytes, which many files have. */
static inline bool
slv_plan_is_end(uint64_t from, uint64_t size)
{
	return from == 0 || (from <= size && size - from >= SLV_PLAN_TAIL);
}

/* The output as a source, read from the input and the sealed plan; both are
 * borrowed while it lives. */
enum slv_status slv_plan_source(
    const struct slv_plan *, struct slv_source **out, struct slv_err *);

/* Stream a known plan into a sink, counting and hashing the bytes.  The sink is
 * neither committed nor discarded.
 *
 *   from  the sink holds the output up to there, with this digest; NULL: it
 *         is empty
 *
 * SLV_E_BUG: the bytes are not what the plan promised; this also catches an
 *            input that changed since it was scanned */
enum slv_status slv_plan_run(const struct slv_plan *, struct slv_sink *,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    struct slv_err *);

/* Set *yes if a source holds exactly the output of the sealed plan. */
enum slv_status slv_plan_compare(const struct slv_plan *, struct slv_source *,
    const volatile sig_atomic_t *cancel, bool *same, struct slv_err *);

void slv_plan_free(struct slv_plan *);

#endif
