/* carla_own.h - which packets in lost bytes are the log's own.
 *
 * A user packet may carry a piece of another log.  If its head is lost, the
 * packets in the piece look like any other.  The log's own packets are where
 * one of its frames leads to them, or where they lead to one.
 */
#ifndef SLV_FORMATS_CARLA_OWN_H
#define SLV_FORMATS_CARLA_OWN_H

#include "formats/carla/carla_state.h"

/* Lost bytes before a kept frame. */
struct carla_own {
	struct slv_scan *scan;
	uint64_t off, end;
	enum carla_vectors vectors;
	bool any;                 /* nothing in them can be carried */
	bool leads;               /* the frame follows them */
	struct slv_ranges known;  /* owned; packets to which frames lead */
	struct slv_ranges other;  /* owned; ... that may belong to another
				   * log */
	struct carla_start first; /* the frame before them; id 0: none */
	struct carla_start last;  /* the frame after them */
};

/* Examine [off, end), which item `next` follows. */
enum slv_status carla_own_open(struct carla_own *, struct slv_scan *,
    uint64_t off, uint64_t end, size_t next, enum carla_vectors,
    struct slv_err *);

/* Return true if the content of [off, end), of a frame with the packets `seen`,
 * is the log's own. */
enum slv_status carla_own_holds(struct carla_own *, uint64_t off, uint64_t end,
    uint32_t seen, bool *yes, struct slv_err *);

void carla_own_close(struct carla_own *);

#endif
