/* catalog.h - the fate of every byte of the input.
 *
 * Extents tile [0, end) with no gap and no overlap: they are added by length
 * only, so neither can be expressed.  Therefore the sums over all fates always
 * equal the size of the input.  Adjacent extents of one fate and part are
 * merged.
 */
#ifndef SLV_CORE_CATALOG_H
#define SLV_CORE_CATALOG_H

#include "base/status.h"

enum slv_fate {
	SLV_KEPT,    /* in the output, unchanged */
	SLV_REBUILT, /* rebuilt from the rest; nothing recorded is lost */
	SLV_LOST,    /* left out, and may have held records */
	SLV_FILLER,  /* left out: never written, or no part of the log */
	SLV_FOREIGN, /* left out: another recording */
	SLV_FATES
};

const char *slv_fate_name(enum slv_fate);

struct slv_extent {
	uint64_t off, len; /* in the input; len > 0 */
	enum slv_fate fate;
	unsigned
	    part; /* enum slv_part of the format, see core/format/format.h */
};

struct slv_catalog {
	struct slv_extent *at; /* owned */
	size_t n, cap;
	struct slv_extent *queue; /* changes to apply; owned */
	size_t n_queue, cap_queue;
	uint64_t end;             /* bytes tiled so far */
	uint64_t sums[SLV_FATES]; /* bytes of each fate */
	uint64_t moved; /* extents that changes of fate moved: their cost */
};

/* Append an extent of len bytes at the end; len may be 0. */
enum slv_status slv_catalog_add(struct slv_catalog *, uint64_t len,
    enum slv_fate, unsigned part, struct slv_err *);

/* Give [off, off + len), which is tiled already, another fate. */
enum slv_status slv_catalog_set(struct slv_catalog *, uint64_t off,
    uint64_t len, enum slv_fate, struct slv_err *);

/* Queue the same change until slv_catalog_apply(), so that any number of
 * changes costs one pass.  If two overlap, the later one counts. */
enum slv_status slv_catalog_queue(struct slv_catalog *, uint64_t off,
    uint64_t len, enum slv_fate, struct slv_err *);

/* Make the queued changes. */
enum slv_status slv_catalog_apply(struct slv_catalog *, struct slv_err *);

/* Index of the extent that holds off, which lies in [0, end). */
size_t slv_catalog_find(const struct slv_catalog *, uint64_t off);

/* Set bits 1 << fate for the fates in each of n equal parts of the catalog. */
void slv_catalog_map(const struct slv_catalog *, uint8_t *cells, size_t n);

void slv_catalog_free(struct slv_catalog *);

#endif
