/* carla_scene.h - the actors as boxes, for a panel in three dimensions.
 *
 * A message foxglove.SceneUpdate on the channel /actors whenever boxes are new or gone.
 * Each has all boxes that there are then: a viewer that goes to another time gets the
 * last message before it, and no others.  Where actors come and go in crowds, so that
 * the export would be much larger than the log, a message has only what changed.
 */
#ifndef SLV_FORMATS_CARLA_SCENE_H
#define SLV_FORMATS_CARLA_SCENE_H

#include "core/layout/layout.h"
#include "salvor_read.h"

struct carla_body;

/* Starts as { 0 }. */
struct carla_scene {
	struct slv_channel_info channel;
	struct slv_buf schema;     /* owned */
	struct carla_body *actors; /* owned; by a part of their numbers */
	uint16_t *shown;           /* owned; those with a box */
	uint16_t *fresh;           /* owned; those with a new box */
	size_t n_shown, n_fresh;
	uint64_t credit;        /* boxes that may be repeated */
	struct slv_buf payload; /* owned */
};

enum slv_status carla_scene_begin(struct carla_scene *, struct slv_err *);

/* What packets of a name change in it. */
enum carla_change {
	CARLA_CHANGES_NOTHING,
	CARLA_ACTOR_APPEARS,
	CARLA_ACTOR_GOES,
	CARLA_ACTOR_HAS_BOX,
};
enum carla_change carla_change_of(const char *packet);

/* The message for what a packet changes, if that is anything; borrowed until the next
 * call.
 *
 *   *any  false: there is none */
enum slv_status carla_scene_take(struct carla_scene *, enum carla_change,
    const struct slv_layout *, const struct slv_record *,
    struct slv_record *out, bool *any, struct slv_err *);

void carla_scene_free(struct carla_scene *);

/* carla_scene_schema.c - append the description of the message. */
void carla_scene_schema(struct slv_buf *);

#endif
