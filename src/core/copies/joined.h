/* joined.h - a source that is made of pieces of other sources.
 *
 * Copies of one recording that are damaged in different places are joined piece
 * by piece (core/copies/align.h, core/copies/choose.h).  The result is scanned,
 * planned and proven like any other log, and offsets are offsets of the joined
 * log.
 */
#ifndef SLV_CORE_JOINED_H
#define SLV_CORE_JOINED_H

#include "base/buf.h"
#include "io/read/source.h"

struct slv_piece {
	struct slv_source *source; /* borrowed; NULL: bytes held here */
	uint64_t off;              /* in the source, or in `made` */
	uint64_t at, len;          /* in the joined source; len > 0 */
};

struct slv_joint {
	struct slv_piece *at; /* owned; in order, tiling [0, size) */
	size_t n, cap;
	uint64_t size;
	struct slv_buf made; /* owned */

	/* Owned; ranges where copies that both look whole differ, and ranges
	 * where none looks whole and the right bytes are unknown. */
	struct slv_ranges disputed, torn;

	/* Owned; units that their own checksum confirms, whatever they were
	 * joined from. */
	struct slv_ranges confirmed;
};

/* Append [off, off + len) of a source; len may be 0.  A range that continues
 * the last piece becomes part of it. */
enum slv_status slv_joint_add(struct slv_joint *, struct slv_source *,
    uint64_t off, uint64_t len, struct slv_err *);

/* The same as a piece of its own, whatever precedes it. */
enum slv_status slv_joint_apart(struct slv_joint *, struct slv_source *,
    uint64_t off, uint64_t len, struct slv_err *);

/* Append a copy of n bytes. */
enum slv_status slv_joint_bytes(
    struct slv_joint *, const void *bytes, size_t n, struct slv_err *);

/* Index of the piece that holds off, which lies inside. */
size_t slv_joint_find(const struct slv_joint *, uint64_t off);

void slv_joint_free(struct slv_joint *);

/* Serve the pieces, which are borrowed and must not move; the source of each
 * may change.  Ranges known as `torn` by now are unreadable, and so is what a
 * piece cannot read. */
enum slv_status slv_joined_source(const struct slv_joint *, const char *name,
    struct slv_source **out, struct slv_err *);

#endif
