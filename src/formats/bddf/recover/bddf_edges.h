/* bddf_edges.h - where do the bytes of a head differ from what they must be, and
 * does the damage end inside it?
 */
#ifndef SLV_FORMATS_BDDF_EDGES_H
#define SLV_FORMATS_BDDF_EDGES_H

#include "formats/bddf/bddf_state.h"

/* Where a head differs from what it must be. */
struct bddf_edges {
	bool known;         /* what it must be could be told */
	bool any;           /* it differs */
	bool one_bit;       /* in nothing but one bit */
	bool left, right;   /* the damage stays inside, on that side */
	size_t first, last; /* bytes of the head */
};

/* Compare the bytes at off with the head.  Where the damage ends:
 *
 *	a run of 00 or FF    where another byte is
 *	one flipped bit      nothing else is hit
 *	other bytes          where two in a row are right */
enum slv_status bddf_edges(struct slv_scan *, uint64_t off,
    const struct slv_buf *head, struct bddf_edges *, struct slv_err *);

#endif
