/* copy.h - one of several copies of a recording, and how far it can be
 * trusted. */
#ifndef SLV_CORE_COPY_H
#define SLV_CORE_COPY_H

#include "core/plan/patch.h"
#include "core/scan/scan.h"

/* A unit that a scan met. */
struct slv_noted {
	uint64_t off, len;
	uint64_t key; /* hash of its first bytes and its length */
	bool whole;   /* it is kept, or can be rebuilt */
	struct slv_moment time;
};

/* A copy and the result of its scan.  If the driver knows the correct value of
 * damaged bytes for certain, the scan is of the copy with these patches; the
 * source is the copy itself. */
struct slv_copy {
	struct slv_source *source; /* borrowed */
	struct slv_scan scan;
	struct slv_source *mended; /* owned; NULL: nothing is corrected */
	struct slv_mends mends;    /* owned */
	struct slv_noted *units;   /* owned; in order */
	size_t n, cap;
};

/* Scan a copy and note its units.  Free it, also after a failure. */
enum slv_status slv_copy_scan(struct slv_copy *, struct slv_source *,
    const struct slv_format *const *formats, const struct slv_scan_options *,
    struct slv_err *);

/* The same, and correct what is certain. */
enum slv_status slv_copy_mend(struct slv_copy *, struct slv_source *,
    const struct slv_format *const *formats, const struct slv_scan_options *,
    struct slv_err *);

/* How far a copy can be trusted at [off, off + len): the lowest rank in it.
 * SLV_RANK_KEPT: the structure holds.  Corrected bytes count as lost, because
 * the copy has other bytes. */
enum slv_rank { SLV_RANK_LOST, SLV_RANK_DERIVED, SLV_RANK_KEPT };
enum slv_rank slv_rank_of(enum slv_fate);
enum slv_rank slv_copy_rank(
    const struct slv_copy *, uint64_t off, uint64_t len);

/* End of the range that has the same rank as off. */
uint64_t slv_copy_edge(const struct slv_copy *, uint64_t off);

/* How many bytes at the beginning (at the end) of [off, off + len) are whole
 * (whole = true) or not. */
uint64_t slv_copy_run(const struct slv_copy *, uint64_t off, uint64_t len,
    bool whole, bool from_end);

/* How many bytes of [off, off + len) are whole. */
uint64_t slv_copy_whole(const struct slv_copy *, uint64_t off, uint64_t len);

/* The first unit at or after off; n if there is none. */
size_t slv_copy_unit_from(const struct slv_copy *, uint64_t off);

void slv_copy_free(struct slv_copy *);

#endif
