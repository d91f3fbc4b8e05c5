/* carla_event.h - actors that appear, vanish and are attached.
 *
 * A lost frame may have created actors that all later frames mention.  If the
 * packets with these events are still readable, the events are put into the
 * next kept frame.
 */
#ifndef SLV_FORMATS_CARLA_EVENT_H
#define SLV_FORMATS_CARLA_EVENT_H

#include "formats/carla/read/carla_record.h"

#define CARLA_EVENTS 3 /* kinds: EventAdd, EventDel, EventParent */

/* Numbers in order. */
struct carla_keys {
	uint64_t *at; /* owned */
	size_t n, cap;
};

/* An event of a lost frame. */
struct carla_carried {
	size_t item;   /* the frame that receives it */
	uint8_t id;    /* of its packet */
	uint64_t off;  /* in the input */
	uint64_t len;  /* bytes */
	uint64_t key;  /* identifies the event */
	bool headless; /* nothing confirms its beginning */
};

/* Events that are added to a packet of a kept frame. */
struct carla_merge {
	uint64_t packet; /* offset of the packet */
	uint8_t id;
	uint32_t size, n;   /* new values */
	size_t first, more; /* the added events */
};

/* An actor that a frame mentions. */
struct carla_actor {
	uint32_t id;
	uint64_t off; /* of the first packet that mentions it */
};

struct carla_events {
	uint8_t seen[CARLA_ACTORS / 8]; /* bits: ids of `actors` */
	struct carla_actor *actors;     /* owned; in order of appearance */
	uint32_t last;                  /* the largest id */
	size_t n_actors, cap_actors;
	struct carla_keys kept[CARLA_EVENTS]; /* in kept frames */
	struct carla_keys forms;              /* of the actors that these
					       * create */
	struct carla_carried *loose; /* owned; used if nothing better is
				      * found */
	size_t n_loose, cap_loose;
	struct carla_carried *carried; /* owned; in the order of the output */
	size_t n_carried, cap_carried;
	struct carla_merge *merges; /* owned; in order */
	size_t n_merges, cap_merges;
};

/* Remember what a packet of a kept frame says, if it holds events or positions
 * of actors. */
enum slv_status carla_event_note(struct slv_scan *, const struct carla_packet *,
    enum carla_vectors, struct slv_err *);

/* Everything is read: search lost bytes for events, and report actors that no
 * frame has created. */
enum slv_status carla_event_carry(struct slv_scan *, struct slv_err *);

/* Return true if a kept frame, or an event that is added to one, creates the actor; creates
 * one like it; states the position of the actor. */
bool carla_event_adds(const struct carla_events *, uint64_t actor);
bool carla_event_formed(const struct carla_events *, uint64_t form);
bool carla_event_tells(const struct carla_events *, uint64_t actor);

/* Receivers of actors: certain ones, those with an unconfirmed beginning and
 * those with an unconfirmed end. */
struct carla_takers {
	carla_record_fn sure, loose, headless;
	void *ctx;
};

/* carla_born.c - find records of actors in a row from off on, in lost bytes of a broken
 * packet up to `end`, and pass them to the takers (NULL: none).  *next: where to search
 * next.  And a hash of an actor's record without its id. */
enum slv_status carla_born_each(struct slv_scan *, uint64_t off, uint64_t end,
    enum carla_vectors, const struct carla_takers *, uint64_t *next,
    struct slv_err *);
enum slv_status carla_born_form(struct slv_scan *, uint64_t off, uint64_t len,
    uint64_t *form, struct slv_err *);

/* carla_merge.c - add the events to their frames, or to later ones if there is
 * no room. */
enum slv_status carla_event_merge(struct slv_scan *, struct slv_err *);

/* No frame receives the event of a packet of type id after all. */
void carla_event_forget(struct carla_events *, uint8_t id, uint64_t key);

void carla_events_free(struct carla_events *);

#endif
