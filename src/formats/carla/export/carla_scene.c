/* carla_scene.c - the actors as boxes, for a panel in three dimensions. */
#include "formats/carla/export/carla_scene.h"

#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/format/records.h"
#include "formats/carla/export/carla_viewer.h"
#include "support/wire.h"

#define ACTORS    65536 /* places; an actor that comes later may take one */
#define BLUEPRINT 96    /* bytes of the name of a blueprint that is shown */
#define VALUES    6     /* numbers of a box */
#define REPEATS   8192  /* boxes of an export that are repeated, ... */
#define EACH      8     /* ... and so many more for each that is new or gone */

/* Tags of the messages. */
enum {
	UPDATE_DELETIONS = 1,
	UPDATE_ENTITIES = 2,
	DELETION_TIME = 1,
	DELETION_ID = 3,
	ENTITY_TIME = 1,
	ENTITY_FRAME = 2,
	ENTITY_ID = 3,
	ENTITY_LOCKED = 5,
	ENTITY_METADATA = 6,
	ENTITY_CUBES = 8,
	CUBE_POSE = 1,
	CUBE_SIZE = 2,
	CUBE_COLOR = 3,
	POSE_POSITION = 1,
	POSE_ORIENTATION = 2,
};

struct carla_body {
	uint32_t id;
	uint8_t type;
	bool is_shown;
	bool is_fresh;        /* its box is new since the last message */
	uint16_t place;       /* among those that are shown */
	char name[BLUEPRINT]; /* of its blueprint; "": not known */
	double box[VALUES];   /* origin, half of its size; as in the log */
};

/* By the type of an actor: red, green, blue, opacity. */
static const double colors[][4] = {
	{ 0.6, 0.6, 0.6, 0.6 }, /* other */
	{ 0.2, 0.5, 1.0, 0.6 }, /* vehicle */
	{ 1.0, 0.6, 0.1, 0.6 }, /* walker */
	{ 0.2, 0.8, 0.3, 0.6 }, /* traffic light */
	{ 0.9, 0.2, 0.2, 0.6 }, /* traffic sign */
};
#define COLORS (sizeof(colors) / sizeof(*colors))

enum carla_change
carla_change_of(const char *packet)
{
	static const char *const names[] = {
		[CARLA_ACTOR_APPEARS] = "EventAdd",
		[CARLA_ACTOR_GOES] = "EventDel",
		[CARLA_ACTOR_HAS_BOX] = "BoundingBox",
	};

	for (unsigned i = CARLA_ACTOR_APPEARS; i <= CARLA_ACTOR_HAS_BOX; i++) {
		if (strcmp(packet, names[i]) == 0)
			return (enum carla_change)i;
	}
	return CARLA_CHANGES_NOTHING;
}

enum slv_status
carla_scene_begin(struct carla_scene *s, struct slv_err *err)
{
	SLV_TRY(slv_new(&s->actors, ACTORS, sizeof(*s->actors), err));
	SLV_TRY(slv_new(&s->shown, ACTORS, sizeof(*s->shown), err));
	SLV_TRY(slv_new(&s->fresh, ACTORS, sizeof(*s->fresh), err));
	s->credit = REPEATS;
	carla_scene_schema(&s->schema);
	s->channel = (struct slv_channel_info){
		.size_of = sizeof(s->channel),
		.name = "/actors",
		.type = "foxglove.SceneUpdate",
		.encoding = "protobuf",
		.schema_encoding = "protobuf",
		.schema = s->schema.at,
		.schema_len = s->schema.len,
	};
	return slv_buf_check(&s->schema, err);
}

/* A packet while it is read: a list of records. */
struct reading {
	struct carla_scene *scene;
	int64_t ns;
	enum carla_change what;
	unsigned depth;        /* in the list: 1, in a record: 2 */
	struct carla_body now; /* the record */
	unsigned n;            /* numbers of its box */
	bool changed;
};

static void
put_pose(struct slv_buf *to, const double box[VALUES])
{
	static const double straight[] = { 0, 0, 0, 1 };
	const double at[] = { box[0] / 100, -box[1] / 100, box[2] / 100 };
	struct slv_buf b = { 0 };

	carla_viewer_doubles(&b, POSE_POSITION, at, 3);
	carla_viewer_doubles(&b, POSE_ORIENTATION, straight, 4);
	slv_wire_message(to, CUBE_POSE, &b);
}

static double
size_of(double half)
{
	return (half < 0 ? -half : half) / 50;
}

static void
put_cube(struct slv_buf *to, const struct carla_body *a)
{
	const double size[] = { size_of(a->box[3]), size_of(a->box[4]),
		size_of(a->box[5]) };
	struct slv_buf b = { 0 };

	put_pose(&b, a->box);
	carla_viewer_doubles(&b, CUBE_SIZE, size, 3);
	carla_viewer_doubles(
	    &b, CUBE_COLOR, colors[a->type < COLORS ? a->type : 0], 4);
	slv_wire_message(to, ENTITY_CUBES, &b);
}

static void
put_entity(struct slv_buf *to, const struct carla_body *a, int64_t ns)
{
	struct slv_buf b = { 0 }, pair = { 0 };
	char frame[CARLA_FRAME_NAME];

	carla_viewer_frame(a->id, frame);
	carla_viewer_time(&b, ENTITY_TIME, ns);
	slv_wire_text(&b, ENTITY_FRAME, slv_span_of(frame));
	slv_wire_text(&b, ENTITY_ID, slv_span_of(frame));
	slv_wire_number(&b, ENTITY_LOCKED, 1);
	if (a->name[0] != '\0') {
		slv_wire_text(&pair, 1, slv_span_of("blueprint"));
		slv_wire_text(&pair, 2, slv_span_of(a->name));
		slv_wire_message(&b, ENTITY_METADATA, &pair);
	}
	put_cube(&b, a);
	slv_wire_message(to, UPDATE_ENTITIES, &b);
}

static void
put_deletion(struct slv_buf *to, uint32_t id, int64_t ns)
{
	struct slv_buf b = { 0 };
	char frame[CARLA_FRAME_NAME];

	carla_viewer_frame(id, frame);
	carla_viewer_time(&b, DELETION_TIME, ns);
	slv_wire_text(&b, DELETION_ID, slv_span_of(frame));
	slv_wire_message(to, UPDATE_DELETIONS, &b);
}

/* Take the box of the actor out of the scene. */
static void
hide(struct reading *r, struct carla_body *a)
{
	struct carla_scene *s = r->scene;
	uint16_t last;

	if (!a->is_shown)
		return;
	last = s->shown[--s->n_shown];
	s->shown[a->place] = last;
	s->actors[last].place = a->place;
	put_deletion(&s->payload, a->id, r->ns);
	a->is_shown = false;
	r->changed = true;
	s->credit += EACH;
}

/* Is it a box with a place and a size? */
static bool
is_box(const struct reading *r)
{
	const double *v = r->now.box;
	bool good = r->n == VALUES;

	for (unsigned i = 0; good && i < VALUES; i++)
		good = carla_viewer_holds(v[i]);
	return good && (v[3] != 0 || v[4] != 0 || v[5] != 0);
}

/* Give the actor the box that was read.  Some versions repeat it in every frame. */
static void
show(struct reading *r, struct carla_body *a)
{
	struct carla_scene *s = r->scene;
	uint16_t number = (uint16_t)(a - s->actors);

	if (a->is_shown && memcmp(a->box, r->now.box, sizeof(a->box)) == 0)
		return;
	memcpy(a->box, r->now.box, sizeof(a->box));
	if (!a->is_shown) {
		a->place = (uint16_t)s->n_shown;
		s->shown[s->n_shown++] = number;
	}
	if (!a->is_fresh)
		s->fresh[s->n_fresh++] = number;
	a->is_shown = a->is_fresh = r->changed = true;
	s->credit += EACH;
}

static void
end_record(struct reading *r)
{
	struct carla_scene *s = r->scene;
	struct carla_body *a = &s->actors[r->now.id % ACTORS];

	/* Another actor that has its place. */
	if (a->id != r->now.id) {
		hide(r, a);
		*a = (struct carla_body){
			.id = r->now.id,
			.is_fresh = a->is_fresh,
		};
	}
	if (r->what == CARLA_ACTOR_APPEARS) {
		a->type = r->now.type;
		memcpy(a->name, r->now.name, sizeof(a->name));
	} else if (r->what == CARLA_ACTOR_GOES) {
		hide(r, a);
	} else if (is_box(r)) {
		show(r, a);
	}
}

static void
open_part(void *ctx, const char *name, bool is_list, uint64_t n)
{
	struct reading *r = ctx;

	(void)name;
	(void)n;
	r->depth++;
	if (r->depth == 2 && !is_list) {
		r->now = (struct carla_body){ .id = 0 };
		r->n = 0;
	}
}

static void
close_part(void *ctx, bool is_list)
{
	struct reading *r = ctx;

	if (r->depth-- == 2 && !is_list)
		end_record(r);
}

/* Remember the name of a blueprint, if it is a text and not too long. */
static void
take_name(struct carla_body *a, struct slv_span text)
{
	struct slv_utf8 u = { 0 };
	bool good = text.len < sizeof(a->name);

	for (size_t i = 0; good && i < text.len; i++)
		good = text.at[i] != '\0' && slv_utf8_add(&u, text.at[i]);
	if (good && u.more == 0 && text.len > 0)
		memcpy(a->name, text.at, text.len);
}

static void
take_value(void *ctx, const char *name, const struct slv_value *v)
{
	struct reading *r = ctx;

	if (r->depth == 2 && strcmp(name, "database_id") == 0)
		r->now.id = (uint32_t)v->u;
	else if (r->depth == 2 && strcmp(name, "type") == 0)
		r->now.type = (uint8_t)v->u;
	else if (r->depth == 2 && strcmp(name, "id") == 0)
		take_name(&r->now, v->bytes);
	else if (r->depth == 3 && r->what == CARLA_ACTOR_HAS_BOX
	    && r->n < VALUES)
		r->now.box[r->n++] =
		    v->type == SLV_VALUE_F32 ? (double)v->f32 : v->f64;
}

/* The boxes that there are, as far as they may be repeated, or the new ones. */
static void
put_boxes(struct carla_scene *s, int64_t ns)
{
	bool all = s->n_shown <= s->credit;
	const uint16_t *list = all ? s->shown : s->fresh;
	size_t n = all ? s->n_shown : s->n_fresh;

	if (all)
		s->credit -= s->n_shown;
	for (size_t i = 0; i < n; i++) {
		if (s->actors[list[i]].is_shown)
			put_entity(&s->payload, &s->actors[list[i]], ns);
	}
	for (size_t i = 0; i < s->n_fresh; i++)
		s->actors[s->fresh[i]].is_fresh = false;
	s->n_fresh = 0;
}

enum slv_status
carla_scene_take(struct carla_scene *s, enum carla_change what,
    const struct slv_layout *layout, const struct slv_record *record,
    struct slv_record *out, bool *any, struct slv_err *err)
{
	static const struct slv_visitor visitor = {
		.open = open_part,
		.close = close_part,
		.value = take_value,
	};
	struct reading r = {
		.scene = s,
		.ns = record->log_ns,
		.what = what,
	};

	*any = false;
	s->payload.len = 0;
	if (record->log_ns == SLV_NO_STAMP
	    || !slv_layout_walk(layout,
	        (struct slv_span){ record->data, record->len }, &visitor, &r)
	    || !r.changed)
		return SLV_OK;
	put_boxes(s, record->log_ns);
	*any = true;
	*out = *record;
	out->data = s->payload.at;
	out->len = s->payload.len;
	return slv_buf_check(&s->payload, err);
}

void
carla_scene_free(struct carla_scene *s)
{
	slv_free(s->actors);
	slv_free(s->shown);
	slv_free(s->fresh);
	slv_buf_free(&s->schema);
	slv_buf_free(&s->payload);
}
