/* carla_export.c - packets and where actors are, for viewers of other formats.
 *
 * Packets become messages with descriptions of ours.  Of each Position a message
 * foxglove.FrameTransforms is made on the channel /tf, from which viewers know where the
 * actors are.  Their boxes are in carla_scene.c.
 */
#include "core/format/exporting.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/format/records.h"
#include "formats/carla/carla.h"
#include "formats/carla/carla_state.h"
#include "formats/carla/export/carla_message.h"
#include "formats/carla/export/carla_scene.h"
#include "formats/carla/export/carla_viewer.h"
#include "support/schema.h"
#include "support/wire.h"

#define WORLD "map"
#define COUNT 2 /* bytes before the records of a list */

struct export
{
	uint32_t positions; /* the channel of Position; UINT32_MAX: none */
	struct slv_channel_info channel;
	struct slv_buf schema;  /* owned */
	struct slv_buf payload; /* owned */
	struct kind *kinds;     /* owned; of each channel */
	uint32_t n;
	struct slv_buf message; /* owned */
	uint32_t boxes;         /* their channel; UINT32_MAX: none */
	struct carla_scene scene;
};

/* What packets of a channel become. */
struct kind {
	bool described; /* messages; otherwise they stay as they are */
	enum carla_change change; /* of the scene */
	struct slv_layout layout;
	struct slv_buf schema; /* owned */
	char name[CARLA_MESSAGE_NAME];
};

/* Tags of the messages. */
enum {
	TRANSFORM_TIME = 1,
	TRANSFORM_PARENT = 2,
	TRANSFORM_CHILD = 3,
	TRANSFORM_TRANSLATION = 4,
	TRANSFORM_ROTATION = 5,
};

static const struct slv_schema_field time_fields[] = {
	{ "seconds", 1, SLV_SCHEMA_INT64, false, NULL },
	{ "nanos", 2, SLV_SCHEMA_INT32, false, NULL },
	{ .name = NULL },
};
static const struct slv_schema_message time_messages[] = {
	{ "Timestamp", time_fields, NULL },
	{ .name = NULL },
};

static const struct slv_schema_field vector_fields[] = {
	{ "x", 1, SLV_SCHEMA_DOUBLE, false, NULL },
	{ "y", 2, SLV_SCHEMA_DOUBLE, false, NULL },
	{ "z", 3, SLV_SCHEMA_DOUBLE, false, NULL },
	{ .name = NULL },
};
static const struct slv_schema_message vector_messages[] = {
	{ "Vector3", vector_fields, NULL },
	{ .name = NULL },
};

static const struct slv_schema_field quaternion_fields[] = {
	{ "x", 1, SLV_SCHEMA_DOUBLE, false, NULL },
	{ "y", 2, SLV_SCHEMA_DOUBLE, false, NULL },
	{ "z", 3, SLV_SCHEMA_DOUBLE, false, NULL },
	{ "w", 4, SLV_SCHEMA_DOUBLE, false, NULL },
	{ .name = NULL },
};
static const struct slv_schema_message quaternion_messages[] = {
	{ "Quaternion", quaternion_fields, NULL },
	{ .name = NULL },
};

static const struct slv_schema_field transform_fields[] = {
	{ "timestamp", TRANSFORM_TIME, SLV_SCHEMA_MESSAGE, false,
	    ".google.protobuf.Timestamp" },
	{ "parent_frame_id", TRANSFORM_PARENT, SLV_SCHEMA_STRING, false, NULL },
	{ "child_frame_id", TRANSFORM_CHILD, SLV_SCHEMA_STRING, false, NULL },
	{ "translation", TRANSFORM_TRANSLATION, SLV_SCHEMA_MESSAGE, false,
	    ".foxglove.Vector3" },
	{ "rotation", TRANSFORM_ROTATION, SLV_SCHEMA_MESSAGE, false,
	    ".foxglove.Quaternion" },
	{ .name = NULL },
};
static const struct slv_schema_message transform_messages[] = {
	{ "FrameTransform", transform_fields, NULL },
	{ .name = NULL },
};

static const struct slv_schema_field transforms_fields[] = {
	{ "transforms", 1, SLV_SCHEMA_MESSAGE, true,
	    ".foxglove.FrameTransform" },
	{ .name = NULL },
};
static const struct slv_schema_message transforms_messages[] = {
	{ "FrameTransforms", transforms_fields, NULL },
	{ .name = NULL },
};

static const char *const transform_imports[] = {
	"google/protobuf/timestamp.proto",
	"foxglove/Vector3.proto",
	"foxglove/Quaternion.proto",
	NULL,
};
static const char *const transforms_imports[] = {
	"foxglove/FrameTransform.proto",
	NULL,
};

/* Each after those that it imports. */
static const struct slv_schema_file files[] = {
	{ "google/protobuf/timestamp.proto", "google.protobuf", time_messages,
	    NULL },
	{ "foxglove/Vector3.proto", "foxglove", vector_messages, NULL },
	{ "foxglove/Quaternion.proto", "foxglove", quaternion_messages, NULL },
	{ "foxglove/FrameTransform.proto", "foxglove", transform_messages,
	    transform_imports },
	{ "foxglove/FrameTransforms.proto", "foxglove", transforms_messages,
	    transforms_imports },
};

static enum slv_status
describe(struct kind *k, struct slv_channel_info *c, struct slv_err *err)
{
	k->change = carla_change_of(c->name);
	SLV_TRY(carla_layout(c, &k->layout, &k->described, err));
	if (!k->described)
		return SLV_OK;
	SLV_TRY(carla_message_describe(
	    c->name, &k->layout, &k->schema, k->name, err));
	c->encoding = c->schema_encoding = "protobuf";
	c->type = k->name;
	c->schema = k->schema.at;
	c->schema_len = k->schema.len;
	return SLV_OK;
}

static enum slv_status
begin(void *state, const struct slv_export_help *help,
    struct slv_channel_info *channels, uint32_t n, struct slv_err *err)
{
	struct export *x = state;

	(void)help;
	x->positions = x->boxes = UINT32_MAX;
	x->n = n;
	SLV_TRY(slv_new(&x->kinds, n, sizeof(*x->kinds), err));
	for (uint32_t i = 0; i < n; i++) {
		SLV_TRY(describe(&x->kinds[i], &channels[i], err));
		if (x->kinds[i].change == CARLA_ACTOR_HAS_BOX)
			x->boxes = i;
		if (strcmp(
		        channels[i].name, carla_packet_name(CARLA_POSITION, 0))
		    == 0)
			x->positions = i;
	}
	if (x->boxes != UINT32_MAX)
		SLV_TRY(carla_scene_begin(&x->scene, err));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		slv_schema_put(&x->schema, &files[i]);
	x->channel = (struct slv_channel_info){
		.size_of = sizeof(x->channel),
		.name = "/tf",
		.type = "foxglove.FrameTransforms",
		.encoding = "protobuf",
		.schema_encoding = "protobuf",
		.schema = x->schema.at,
		.schema_len = x->schema.len,
	};
	return slv_buf_check(&x->schema, err);
}

static enum slv_status
record(void *state, struct slv_record *r, struct slv_err *err)
{
	struct export *x = state;
	const struct kind *k = &x->kinds[r->channel];

	if (!k->described)
		return SLV_OK;
	x->message.len = 0;
	SLV_TRY(carla_message_put(&k->layout,
	    (struct slv_span){ r->data, r->len }, &x->message, err));
	r->data = x->message.at != NULL ? x->message.at : (const uint8_t *)"";
	r->len = x->message.len;
	return SLV_OK;
}

enum { TRANSFORMS, SCENE, MORE };

static const struct slv_channel_info *
more(void *state, unsigned i, uint32_t *of)
{
	struct export *x = state;

	*of = i == TRANSFORMS ? x->positions : x->boxes;
	if (i >= MORE)
		return NULL;
	return i == TRANSFORMS ? &x->channel : &x->scene.channel;
}

/* The sine of an angle in degrees: the same on every machine. */
static double
sine(double degrees)
{
	double turns = degrees / 360, x, term, sum;

	degrees -=
	    360 * (double)(int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
	if (degrees > 90)
		degrees = 180 - degrees;
	else if (degrees < -90)
		degrees = -180 - degrees;
	x = degrees * 0.017453292519943295;
	term = sum = x;
	for (int i = 2; i < 22; i += 2) {
		term *= -x * x / (i * (i + 1));
		sum += term;
	}
	return sum;
}

/* A rotation by these angles of CARLA, in right-handed axes: x, y, z, w. */
static void
turn(const double euler[3], double q[4])
{
	double sr = sine(euler[0] / 2), cr = sine(euler[0] / 2 + 90);
	double sp = sine(-euler[1] / 2), cp = sine(-euler[1] / 2 + 90);
	double sy = sine(-euler[2] / 2), cy = sine(-euler[2] / 2 + 90);

	q[0] = sr * cp * cy - cr * sp * sy;
	q[1] = cr * sp * cy + sr * cp * sy;
	q[2] = cr * cp * sy - sr * sp * cy;
	q[3] = cr * cp * cy + sr * sp * sy;
}

static double
number_at(const uint8_t *p, size_t size)
{
	uint32_t bits32;
	uint64_t bits;
	double wide;
	float narrow;

	if (size == 4) {
		bits32 = slv_get_le32(p);
		memcpy(&narrow, &bits32, sizeof(narrow));
		return (double)narrow;
	}
	bits = slv_get_le64(p);
	memcpy(&wide, &bits, sizeof(wide));
	return wide;
}

/* Append where an actor is; a place that means nothing is left out. */
static void
put_actor(struct slv_buf *out, const uint8_t *p, size_t size, int64_t ns)
{
	struct slv_buf b = { 0 };
	double at[3], euler[3], q[4];
	char child[CARLA_FRAME_NAME];

	for (unsigned i = 0; i < 3; i++) {
		at[i] = number_at(p + 4 + i * size, size) / 100;
		euler[i] = number_at(p + 4 + (3 + i) * size, size);
		if (!carla_viewer_holds(at[i]) || !carla_viewer_holds(euler[i]))
			return;
	}
	at[1] = -at[1];
	turn(euler, q);
	carla_viewer_frame(slv_get_le32(p), child);
	carla_viewer_time(&b, TRANSFORM_TIME, ns);
	slv_wire_text(&b, TRANSFORM_PARENT, slv_span_of(WORLD));
	slv_wire_text(&b, TRANSFORM_CHILD, slv_span_of(child));
	carla_viewer_doubles(&b, TRANSFORM_TRANSLATION, at, 3);
	carla_viewer_doubles(&b, TRANSFORM_ROTATION, q, 4);
	slv_wire_message(out, 1, &b);
}

static enum slv_status
derive_transforms(struct export *x, const struct slv_record *r,
    struct slv_record *out, bool *any, struct slv_err *err)
{
	const uint8_t *p = r->data;
	size_t n, each;

	*any = false;
	if (r->channel != x->positions || r->log_ns == SLV_NO_STAMP
	    || r->len < COUNT)
		return SLV_OK;
	n = slv_get_le16(p);
	each = n > 0 ? (r->len - COUNT) / n : 0;
	if (each != 4 + 6 * sizeof(float) && each != 4 + 6 * sizeof(double))
		return SLV_OK;
	x->payload.len = 0;
	for (size_t i = 0; i < n; i++)
		put_actor(&x->payload, p + COUNT + i * each, (each - 4) / 6,
		    r->log_ns);
	*any = x->payload.len > 0;
	*out = *r;
	out->data = x->payload.at;
	out->len = x->payload.len;
	return slv_buf_check(&x->payload, err);
}

static enum slv_status
derive(void *state, unsigned i, const struct slv_record *r,
    struct slv_record *out, bool *any, struct slv_err *err)
{
	struct export *x = state;
	const struct kind *k = &x->kinds[r->channel];

	if (i == TRANSFORMS)
		return derive_transforms(x, r, out, any, err);
	*any = false;
	if (!k->described || k->change == CARLA_CHANGES_NOTHING)
		return SLV_OK;
	return carla_scene_take(
	    &x->scene, k->change, &k->layout, r, out, any, err);
}

static void
release(void *state)
{
	struct export *x = state;

	for (uint32_t i = 0; x->kinds != NULL && i < x->n; i++) {
		slv_layout_free(&x->kinds[i].layout);
		slv_buf_free(&x->kinds[i].schema);
	}
	slv_free(x->kinds);
	carla_scene_free(&x->scene);
	slv_buf_free(&x->message);
	slv_buf_free(&x->schema);
	slv_buf_free(&x->payload);
}

const struct slv_exporting carla_exporting = {
	.state_size = sizeof(struct export),
	.begin = begin,
	.record = record,
	.more = more,
	.derive = derive,
	.release = release,
};
