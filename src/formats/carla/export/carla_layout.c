/* carla_layout.c - how packets are laid out, in the words of CARLA's recorder.
 *
 * What a vehicle is made of (PhysicsControl) differs from version to version and is
 * left as bytes.
 */
#include <string.h>

#include "core/format/records.h"
#include "core/layout/layout.h"
#include "formats/carla/carla_state.h"

/* Shapes of a layout. */
enum { RECORD, VECTOR, INNER };

/* A value; VECTOR and INNER are structs. */
struct field {
	const char *name; /* NULL: no more */
	enum slv_value_type type;
	unsigned shape;
	enum slv_many many;
};

/* clang-format off */
#define ONE(name, type) { name, SLV_VALUE_##type, 0, SLV_MANY_ONE }
#define PLACE(name)     { name, SLV_VALUE_STRUCT, VECTOR, SLV_MANY_ONE }
#define LIST(name, n)   { name, SLV_VALUE_STRUCT, INNER, SLV_MANY_COUNTED##n }
#define ACTOR           ONE("database_id", U32)
/* clang-format on */

#define FIELDS 15 /* of a struct, at most, with the end */

static const struct packet {
	const char *name;
	bool is_list; /* a u16 count, and so many of: */
	struct field fields[FIELDS], inner[FIELDS];
} packets[] = {
	{ "FrameStart", false,
	    { ONE("id", U64), ONE("duration", F64), ONE("elapsed", F64) },
	    { { 0 } } },
	{ "FrameEnd", false, { { 0 } }, { { 0 } } },
	{ "EventAdd", true,
	    { ACTOR, ONE("type", U8), PLACE("location"), PLACE("rotation"),
	        ONE("uid", U32), ONE("id", TEXT16), LIST("attributes", 16) },
	    { ONE("type", U8), ONE("id", TEXT16), ONE("value", TEXT16) } },
	{ "EventDel", true, { ACTOR }, { { 0 } } },
	{ "EventParent", true, { ACTOR, ONE("database_id_parent", U32) },
	    { { 0 } } },
	{ "Collision", true,
	    { ONE("id", U32), ONE("database_id1", U32),
	        ONE("database_id2", U32), ONE("is_actor1_hero", BOOL),
	        ONE("is_actor2_hero", BOOL) },
	    { { 0 } } },
	{ "Position", true, { ACTOR, PLACE("location"), PLACE("rotation") },
	    { { 0 } } },
	{ "State", true,
	    { ACTOR, ONE("is_frozen", BOOL), ONE("elapsed_time", F32),
	        ONE("state", U8) },
	    { { 0 } } },
	{ "AnimVehicle", true,
	    { ACTOR, ONE("steering", F32), ONE("throttle", F32),
	        ONE("brake", F32), ONE("handbrake", BOOL), ONE("gear", I32) },
	    { { 0 } } },
	{ "AnimWalker", true, { ACTOR, ONE("speed", F32) }, { { 0 } } },
	{ "VehicleLight", true, { ACTOR, ONE("state", U32) }, { { 0 } } },
	{ "SceneLight", true,
	    { ONE("light_id", I32), ONE("intensity", F32), ONE("red", F32),
	        ONE("green", F32), ONE("blue", F32), ONE("alpha", F32),
	        ONE("on", BOOL), ONE("type", U8) },
	    { { 0 } } },
	{ "Kinematics", true,
	    { ACTOR, PLACE("linear_velocity"), PLACE("angular_velocity") },
	    { { 0 } } },
	{ "BoundingBox", true, { ACTOR, PLACE("origin"), PLACE("extension") },
	    { { 0 } } },
	{ "PlatformTime", false, { ONE("time", F64) }, { { 0 } } },
	{ "TrafficLightTime", true,
	    { ACTOR, ONE("green_time", F32), ONE("yellow_time", F32),
	        ONE("red_time", F32) },
	    { { 0 } } },
	{ "TriggerVolume", true, { ACTOR, PLACE("origin"), PLACE("extension") },
	    { { 0 } } },
	{ "FrameCounter", false, { ONE("frame_counter", U64) }, { { 0 } } },
	{ "WalkerBones", true, { ACTOR, LIST("bones", 16) },
	    { ONE("bone", TEXT16), PLACE("location"), PLACE("rotation") } },
	{ "VisualTime", false, { ONE("time", F64) }, { { 0 } } },
	{ "VehicleDoor", true, { ACTOR, ONE("door", U8), ONE("is_open", BOOL) },
	    { { 0 } } },
	{ "AnimVehicleWheels", true, { ACTOR, LIST("wheels", 32) },
	    { ONE("location", U8), ONE("steering_angle", F32),
	        ONE("tire_rotation", F32) } },
	{ "AnimBiker", true,
	    { ACTOR, ONE("forward_speed", F32), ONE("engine_rotation", F32) },
	    { { 0 } } },
	{ "Weather", true,
	    { ONE("cloudiness", F32), ONE("precipitation", F32),
	        ONE("precipitation_deposits", F32), ONE("wind_intensity", F32),
	        ONE("sun_azimuth_angle", F32), ONE("sun_altitude_angle", F32),
	        ONE("fog_density", F32), ONE("fog_distance", F32),
	        ONE("fog_falloff", F32), ONE("wetness", F32),
	        ONE("scattering_intensity", F32),
	        ONE("mie_scattering_scale", F32),
	        ONE("rayleigh_scattering_scale", F32), ONE("dust_storm", F32) },
	    { { 0 } } },
};

static enum slv_status
add_shape(
    struct slv_layout *out, const struct field *fields, struct slv_err *err)
{
	bool fits;

	SLV_TRY(slv_layout_shape(out, err));
	for (size_t i = 0; i < FIELDS && fields[i].name != NULL; i++) {
		const struct slv_member m = {
			.type = fields[i].type,
			.many = fields[i].many,
			.shape = fields[i].shape,
		};

		SLV_TRY(slv_layout_add(
		    out, slv_span_of(fields[i].name), &m, &fits, err));
	}
	return SLV_OK;
}

/* The numbers of a vector in packets of that channel. */
static enum slv_value_type
vectors_of(const struct slv_channel_info *c)
{
	const char *vectors = "";

	for (size_t i = 0; i < c->n_meta; i++) {
		if (strcmp(c->meta[i].key, "vectors") == 0)
			vectors = c->meta[i].value;
	}
	return strcmp(vectors, "f64") == 0
	        || (strcmp(vectors, "f32") != 0
	            && strcmp(c->name, "Position") == 0)
	    ? SLV_VALUE_F64
	    : SLV_VALUE_F32;
}

enum slv_status
carla_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	const enum slv_value_type each = vectors_of(c);
	const struct field vector[FIELDS] = {
		{ "x", each, 0, SLV_MANY_ONE },
		{ "y", each, 0, SLV_MANY_ONE },
		{ "z", each, 0, SLV_MANY_ONE },
	};
	const struct packet *p = NULL;

	for (size_t i = 0; i < sizeof(packets) / sizeof(*packets); i++) {
		if (strcmp(c->name, packets[i].name) == 0)
			p = &packets[i];
	}
	*known = p != NULL && strcmp(c->encoding, "carla") == 0;
	if (!*known)
		return SLV_OK;
	out->root = (struct slv_member){
		.type = SLV_VALUE_STRUCT,
		.many = p->is_list ? SLV_MANY_COUNTED16 : SLV_MANY_ONE,
		.shape = RECORD,
	};
	SLV_TRY(add_shape(out, p->fields, err));
	SLV_TRY(add_shape(out, vector, err));
	SLV_TRY(add_shape(out, p->inner, err));
	return slv_layout_settle(out, known, err);
}
