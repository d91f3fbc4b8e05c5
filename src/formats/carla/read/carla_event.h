/* carla_event.h - actors that appear, vanish and are attached.
 *
 * A frame that is lost may have created actors that all later frames tell of.
 * Where the packets that say so can still be read, what they say is put into
 * the next frame that is kept.
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
	size_t item;   /* the frame into which it goes */
	uint8_t id;    /* of its packet */
	uint64_t off;  /* in the input */
	uint64_t len;  /* bytes */
	uint64_t key;  /* which event it is */
	bool headless; /* nothing confirms its beginning */
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
	uint32_t last;                  /* the greatest of their ids */
	size_t n_actors, cap_actors;
	struct carla_keys kept[CARLA_EVENTS]; /* in frames that are kept */
	struct carla_keys forms;              /* of actors that these create */
	struct carla_carried *loose; /* owned; if nothing better is found */
	size_t n_loose, cap_loose;
	struct carla_carried *carried; /* owned; as they go in */
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

/* Whether a frame that is kept, or what is carried into one, creates the actor;
 * or one like it; and whether one tells where the actor is. */
bool carla_event_adds(const struct carla_events *, uint64_t actor);
bool carla_event_formed(const struct carla_events *, uint64_t form);
bool carla_event_tells(const struct carla_events *, uint64_t actor);

/* Who takes actors: those that are sure, and those for whose beginning or end
 * nothing vouches. */
struct carla_takers {
	carla_record_fn sure, loose, headless;
	void *ctx;
};

/* carla_born.c - hand out the actors that stand one behind the other from off on,
 * in lost bytes that end at `end`, in a packet that is broken; *next: where to
 * look on.  NULL: to no one.  And a number that depends on all of an actor's record but its id. */
enum slv_status carla_born_each(struct slv_scan *, uint64_t off, uint64_t end,
    enum carla_vectors, const struct carla_takers *, uint64_t *next,
    struct slv_err *);
enum slv_status carla_born_form(struct slv_scan *, uint64_t off, uint64_t len,
    uint64_t *form, struct slv_err *);

/* carla_merge.c - put what is carried into its frames, or into later ones where
 * there is no room. */
enum slv_status carla_event_merge(struct slv_scan *, struct slv_err *);

/* No frame tells of the event of a packet of type id, after all. */
void carla_event_forget(struct carla_events *, uint8_t id, uint64_t key);

void carla_events_free(struct carla_events *);

#endif
