/* patch.h - bytes that are known better than the input has them.
 *
 * A driver that finds out what damaged bytes were (core/format/format.h, mend) says
 * so as patches: a few bytes at an offset, as long as what they stand for.
 * The input with patches laid over it is a source again, so that a mended log
 * is scanned, planned and proven like any other and all offsets stay those of
 * the input.
 */
#ifndef SLV_CORE_PATCH_H
#define SLV_CORE_PATCH_H

#include "base/buf.h"
#include "core/catalog/catalog.h"
#include "core/findings/problem.h"
#include "io/read/source.h"

struct slv_patch {
	uint64_t off;               /* in the input */
	size_t len;                 /* > 0 */
	size_t at;                  /* where its bytes stand in `bytes` */
	struct slv_problem problem; /* what to report, if it is used */
};

/* A stretch that is no part of the log, however well it reads. */
struct slv_aside {
	uint64_t off, end;          /* in the input */
	enum slv_fate fate;         /* what becomes of it: not KEPT */
	struct slv_problem problem; /* what to report; info NULL: nothing */
};

/* What a driver knows better. */
struct slv_mends {
	struct slv_patch *at; /* owned; in order and apart once sorted */
	size_t n, cap;
	struct slv_buf bytes;      /* owned */
	struct slv_ranges trusted; /* owned; a unit that begins here is whole,
	                            * whatever follows it */
	struct slv_ranges barred;  /* owned; these are of units that are lost:
	                            * no other begins inside one, and one that
	                            * looks whole is not */
	struct slv_aside *aside;   /* owned; in order and apart once sorted */
	size_t n_aside, cap_aside;
	bool needed; /* an index that can be believed has units where nothing
	              * is read as one: what was written is not without them */
};

/* Take n > 0 bytes down as what should stand at off. */
enum slv_status slv_mends_add(struct slv_mends *, uint64_t off,
    const void *bytes, size_t n, const struct slv_problem *, struct slv_err *);

/* Take down that a stretch is no part of the log. */
enum slv_status slv_mends_add_aside(
    struct slv_mends *, const struct slv_aside *, struct slv_err *);

/* Take down all patches and stretches of another one as well. */
enum slv_status slv_mends_append(
    struct slv_mends *, const struct slv_mends *more, struct slv_err *);

/* Put them in order; of two that overlap the later one is dropped. */
void slv_mends_sort(struct slv_mends *);

/* Whether a patch touches [off, off + len). */
bool slv_mends_hit(const struct slv_mends *, uint64_t off, uint64_t len);

/* The first patch that ends behind off; n where there is none. */
size_t slv_mends_from(const struct slv_mends *, uint64_t off);

/* The stretch in which off lies; NULL: none, or there are no mends. */
const struct slv_aside *slv_mends_aside(const struct slv_mends *, uint64_t off);

/* Where what is aside or barred begins, at or behind off, or goes on at off;
 * UINT64_MAX: nowhere. */
uint64_t slv_mends_ahead(const struct slv_mends *, uint64_t off);

void slv_mends_free(struct slv_mends *);

/* Serve the input with the sorted patches laid over it; both are borrowed. */
enum slv_status slv_patched_source(struct slv_source *input,
    const struct slv_mends *, struct slv_source **out, struct slv_err *);

#endif
