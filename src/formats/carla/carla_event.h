/* carla_event.h - actors that appear, vanish and are attached.
 *
 * A frame that is lost may have created actors that all later frames tell of.
 * Where the packets that say so can still be read, what they say is put into
 * the next frame that is kept.
 */
#ifndef SLV_FORMATS_CARLA_EVENT_H
#define SLV_FORMATS_CARLA_EVENT_H

#include "formats/carla/carla_record.h"

#define CARLA_EVENTS 3 /* kinds: EventAdd, EventDel, EventParent */

/* Numbers in order. */
struct carla_keys {
	uint64_t *at; /* owned */
	size_t n, cap;
};

/* An event of a lost frame. */
struct carla_carried {
	size_t item;  /* the frame into which it goes */
	uint8_t id;   /* of its packet */
	uint64_t off; /* in the input */
	uint64_t len; /* bytes */
};

/* Where events go into a packet of a frame that is kept. */
struct carla_merge {
	uint64_t packet; /* where it begins */
	uint8_t id;
	uint32_t size, n;   /* as they will be */
	size_t first, more; /* of the events that are carried */
};

/* An actor that a frame tells of. */
struct carla_actor {
	uint32_t id;
	uint64_t off; /* of the first packet that does */
};

struct carla_events {
	uint8_t seen[CARLA_ACTORS / 8]; /* bits: ids of `actors` */
	struct carla_actor *actors;     /* owned; as they came */
	size_t n_actors, cap_actors;
	struct carla_keys kept[CARLA_EVENTS]; /* in frames that are kept */
	struct carla_carried *carried;        /* owned; as they go in */
	size_t n_carried, cap_carried;
	struct carla_merge *merges; /* owned; in order */
	size_t n_merges, cap_merges;
};

/* Remember what a packet of a frame that is kept says, if it tells of events or
 * of where actors are. */
enum slv_status carla_event_note(struct slv_scan *, const struct carla_packet *,
    enum carla_vectors, struct slv_err *);

/* All is read: look for events in what is lost, and say which actors no frame
 * has created. */
enum slv_status carla_event_carry(struct slv_scan *, struct slv_err *);

void carla_events_free(struct carla_events *);

#endif
