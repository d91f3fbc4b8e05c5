/* copy.h - one of several copies of a recording, as far as it is to be
 * believed. */
#ifndef SLV_CORE_COPY_H
#define SLV_CORE_COPY_H

#include "core/plan/patch.h"
#include "core/scan/scan.h"

/* A unit that a scan met. */
struct slv_noted {
	uint64_t off, len;
	uint64_t key; /* of its first bytes and its length */
	bool whole;   /* it is kept, or says what can be made anew */
	struct slv_moment time;
};

/* A copy, with what its scan said.  Where the driver knows damaged bytes for
 * sure, the scan is of the copy with these laid over it; the source is the
 * copy as it is. */
struct slv_copy {
	struct slv_source *source; /* borrowed */
	struct slv_scan scan;
	struct slv_source *mended; /* owned; NULL: nothing is mended */
	struct slv_mends mends;    /* owned */
	struct slv_noted *units;   /* owned; in order */
	size_t n, cap;
};

/* Scan a copy and note its units.  Free it, also after a failure. */
enum slv_status slv_copy_scan(struct slv_copy *, struct slv_source *,
    const struct slv_format *const *formats, const struct slv_scan_options *,
    struct slv_err *);

/* The same, and mend what is known for sure. */
enum slv_status slv_copy_mend(struct slv_copy *, struct slv_source *,
    const struct slv_format *const *formats, const struct slv_scan_options *,
    struct slv_err *);

/* How far a copy is to be believed at [off, off + len): the worst there is.
 * SLV_RANK_KEPT: the structure holds.  What is mended is lost: the copy has
 * other bytes. */
enum slv_rank { SLV_RANK_LOST, SLV_RANK_DERIVED, SLV_RANK_KEPT };
enum slv_rank slv_rank_of(enum slv_fate);
enum slv_rank slv_copy_rank(
    const struct slv_copy *, uint64_t off, uint64_t len);

/* Where what is said of the byte at off ends being said. */
uint64_t slv_copy_edge(const struct slv_copy *, uint64_t off);

/* How many of the bytes at the beginning (at the end) of [off, off + len) are
 * whole (whole = true) or not. */
uint64_t slv_copy_run(const struct slv_copy *, uint64_t off, uint64_t len,
    bool whole, bool from_end);

/* How many of the bytes of [off, off + len) are whole. */
uint64_t slv_copy_whole(const struct slv_copy *, uint64_t off, uint64_t len);

/* The first unit at or behind off; n where there is none. */
size_t slv_copy_unit_from(const struct slv_copy *, uint64_t off);

void slv_copy_free(struct slv_copy *);

#endif
