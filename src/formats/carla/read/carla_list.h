/* carla_list.h - the body of a packet that is a list: a u16 count, and records.
 */
#ifndef SLV_FORMATS_CARLA_LIST_H
#define SLV_FORMATS_CARLA_LIST_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_VEHICLES 3 /* forms that a vehicle may have, by version */

/* Records that are not all of one length, and what their lengths depend on. */
enum carla_list {
	CARLA_LIST_ACTORS,   /* that appear: bytes of a vector */
	CARLA_LIST_WALKERS,  /* and their bones: bytes of a vector */
	CARLA_LIST_VEHICLES, /* and their parts: its form */
	CARLA_LIST_WHEELS,   /* of vehicles: nothing, 0 */
};

/* Read the list in the packet's body from end to end.
 *
 *   end     where the body must be over, in the input
 *   *whole  it is; n and len of the packet are filled in */
enum slv_status carla_list_read(const struct slv_scan *, struct carla_packet *,
    enum carla_list, uint32_t depends, uint64_t end, bool *whole,
    struct slv_err *);

/* The same of records of `each` bytes. */
enum slv_status carla_list_pass(const struct slv_scan *, struct carla_packet *,
    uint64_t each, uint64_t end, bool *whole, struct slv_err *);

#endif
