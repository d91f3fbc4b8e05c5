/* patch.h - corrected bytes, laid over the input.
 *
 * A driver that finds out what damaged bytes were (core/format/format.h, mend)
 * states it as patches: a few bytes at an offset, as long as the bytes they
 * replace.  The input with patches laid over it is a source again.  A corrected
 * log is therefore scanned, planned and proven like any other, and all offsets
 * stay those of the input.
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
	size_t at;                  /* offset of its bytes in `bytes` */
	struct slv_problem problem; /* the finding to report if it is used */
};

/* A range that is not part of the log, however well it reads. */
struct slv_aside {
	uint64_t off, end;          /* in the input */
	enum slv_fate fate;         /* its fate: not KEPT */
	struct slv_problem problem; /* the finding to report; info NULL: none */
	uint64_t twin;              /* where the same bytes stay; 0: unknown */
};

/* What a driver can correct or exclude. */
struct slv_mends {
	struct slv_patch *at; /* owned; in order and apart once sorted */
	size_t n, cap;
	struct slv_buf bytes;      /* owned */
	struct slv_ranges trusted; /* owned; a unit that begins here is whole,
				    * whatever follows it */
	struct slv_ranges barred;  /* owned; ranges of lost units: no other unit
				    * begins inside one, and one that looks
				    * whole is not */
	struct slv_aside *aside;   /* owned; in order and apart once sorted */
	size_t n_aside, cap_aside;
	bool needed; /* a trusted index has units where no unit is read: what
		      * was written included them */
};

/* Add a patch: n > 0 bytes to be at off. */
enum slv_status slv_mends_add(struct slv_mends *, uint64_t off,
    const void *bytes, size_t n, const struct slv_problem *, struct slv_err *);

/* Exclude a range that is not part of the log. */
enum slv_status slv_mends_add_aside(
    struct slv_mends *, const struct slv_aside *, struct slv_err *);

/* Add all patches and ranges of another one. */
enum slv_status slv_mends_append(
    struct slv_mends *, const struct slv_mends *more, struct slv_err *);

/* Sort them; of two that overlap the later one is dropped. */
void slv_mends_sort(struct slv_mends *);

/* Return true if a patch touches [off, off + len). */
bool slv_mends_hit(const struct slv_mends *, uint64_t off, uint64_t len);

/* The first patch that ends after off; n if there is none. */
size_t slv_mends_from(const struct slv_mends *, uint64_t off);

/* The excluded range that contains off; NULL: none, or there are no mends. */
const struct slv_aside *slv_mends_aside(const struct slv_mends *, uint64_t off);

/* The first excluded or barred offset at or after off; UINT64_MAX: none. */
uint64_t slv_mends_ahead(const struct slv_mends *, uint64_t off);

void slv_mends_free(struct slv_mends *);

/* Serve the input with the sorted patches laid over it; both are borrowed. */
enum slv_status slv_patched_source(struct slv_source *input,
    const struct slv_mends *, struct slv_source **out, struct slv_err *);

#endif
