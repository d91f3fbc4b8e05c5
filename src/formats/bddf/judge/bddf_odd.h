/* bddf_odd.h - descriptors that few writers write. */
#ifndef SLV_BDDF_ODD_H
#define SLV_BDDF_ODD_H

#include "formats/bddf/bddf_state.h"

/* Note an accepted data block if its DataDescriptor is odd. */
enum slv_status bddf_odd_note(struct slv_scan *, uint64_t off, uint64_t len,
    const struct bddf_data *, struct slv_err *);

/* Whether a newer version may have fields that 1.0 does not have. */
bool bddf_is_newer(const struct bddf *);

/* Count as unsure the blocks of series that few declarations are like: a flipped bit in
 * the key of a field leaves one that their version does not have. */
void bddf_doubt_strange(struct slv_scan *);

#endif
