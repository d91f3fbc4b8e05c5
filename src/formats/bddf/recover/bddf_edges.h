/* bddf_edges.h - where the bytes of a head differ from what they must be, and
 * whether the damage ends inside it.
 */
#ifndef SLV_FORMATS_BDDF_EDGES_H
#define SLV_FORMATS_BDDF_EDGES_H

#include "formats/bddf/bddf_state.h"

/* Where a head differs from what it must be. */
struct bddf_edges {
	bool known;         /* its correct bytes are known */
	bool any;           /* it differs */
	bool one_bit;       /* in exactly one bit */
	bool left, right;   /* the damage ends inside, on that side */
	size_t first, last; /* bytes of the head */
};

/* Compare the bytes at off with the head.  Where the damage ends:
 *
 *	a run of 00 or FF    at the first other byte
 *	one flipped bit      nothing else is damaged
 *	other bytes          where two in a row are right */
enum slv_status bddf_edges(struct slv_scan *, uint64_t off,
    const struct slv_buf *head, struct bddf_edges *, struct slv_err *);

#endif
