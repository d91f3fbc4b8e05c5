/* carla_list.h - the body of a packet that is a list: a u16 count, and records.
 */
#ifndef SLV_FORMATS_CARLA_LIST_H
#define SLV_FORMATS_CARLA_LIST_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_VEHICLES 3 /* forms of a vehicle, by version */

/* Records of varying length, and what the length depends on. */
enum carla_list {
	CARLA_LIST_ACTORS,   /* spawned actors: bytes of a vector */
	CARLA_LIST_WALKERS,  /* walkers and their bones: bytes of a vector */
	CARLA_LIST_VEHICLES, /* vehicles and their parts: the form */
	CARLA_LIST_WHEELS,   /* wheels of vehicles: nothing, 0 */
};

/* Read the list in the packet's body from end to end.
 *
 *   end     where the body must end, in the input
 *   *whole  it is a list; n and len of the packet are set */
enum slv_status carla_list_read(const struct slv_scan *, struct carla_packet *,
    enum carla_list, uint32_t depends, uint64_t end, bool *whole,
    struct slv_err *);

/* The same for records of `each` bytes. */
enum slv_status carla_list_pass(const struct slv_scan *, struct carla_packet *,
    uint64_t each, uint64_t end, bool *whole, struct slv_err *);

#endif
