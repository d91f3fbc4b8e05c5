/* carla_scene_schema.c - foxglove.SceneUpdate, as viewers know it.
 *
 * All fields are described, also those that stay empty: a viewer takes a list that it
 * does not find for a mistake.  Source: the published schemas of Foxglove.
 */
#include "formats/carla/export/carla_scene.h"
#include "support/schema.h"

/* clang-format off */
#define ONE(name, tag, type)   { name, tag, SLV_SCHEMA_##type, false, NULL }
#define LIST(name, tag, type)  { name, tag, SLV_SCHEMA_##type, true, NULL }
#define OF(name, tag, message) { name, tag, SLV_SCHEMA_MESSAGE, false, message }
#define ALL(name, tag, message) { name, tag, SLV_SCHEMA_MESSAGE, true, message }
#define ENUM(name, tag, type)  { name, tag, SLV_SCHEMA_ENUM, false, type }
#define END                    { .name = NULL }
#define FOX                    ".foxglove."
#define TIME                   ".google.protobuf.Timestamp"
#define DURATION               ".google.protobuf.Duration"

static const struct slv_schema_field moment[] = {
	ONE("seconds", 1, INT64), ONE("nanos", 2, INT32), END };
static const struct slv_schema_field vector[] = {
	ONE("x", 1, DOUBLE), ONE("y", 2, DOUBLE), ONE("z", 3, DOUBLE), END };
static const struct slv_schema_field quaternion[] = {
	ONE("x", 1, DOUBLE), ONE("y", 2, DOUBLE), ONE("z", 3, DOUBLE),
	ONE("w", 4, DOUBLE), END };
static const struct slv_schema_field color[] = {
	ONE("r", 1, DOUBLE), ONE("g", 2, DOUBLE), ONE("b", 3, DOUBLE),
	ONE("a", 4, DOUBLE), END };
static const struct slv_schema_field pose[] = {
	OF("position", 1, FOX "Vector3"), OF("orientation", 2, FOX "Quaternion"),
	END };
static const struct slv_schema_field pair[] = {
	ONE("key", 1, STRING), ONE("value", 2, STRING), END };
static const struct slv_schema_field arrow[] = {
	OF("pose", 1, FOX "Pose"), ONE("shaft_length", 2, DOUBLE),
	ONE("shaft_diameter", 3, DOUBLE), ONE("head_length", 4, DOUBLE),
	ONE("head_diameter", 5, DOUBLE), OF("color", 6, FOX "Color"), END };
static const struct slv_schema_field cube[] = {
	OF("pose", 1, FOX "Pose"), OF("size", 2, FOX "Vector3"),
	OF("color", 3, FOX "Color"), END };
static const struct slv_schema_field cylinder[] = {
	OF("pose", 1, FOX "Pose"), OF("size", 2, FOX "Vector3"),
	ONE("bottom_scale", 3, DOUBLE), ONE("top_scale", 4, DOUBLE),
	OF("color", 5, FOX "Color"), END };
static const struct slv_schema_field line[] = {
	ENUM("type", 1, FOX "LinePrimitive.Type"), OF("pose", 2, FOX "Pose"),
	ONE("thickness", 3, DOUBLE), ONE("scale_invariant", 4, BOOL),
	ALL("points", 5, FOX "Point3"), OF("color", 6, FOX "Color"),
	ALL("colors", 7, FOX "Color"), LIST("indices", 8, FIXED32), END };
static const struct slv_schema_field triangles[] = {
	OF("pose", 1, FOX "Pose"), ALL("points", 2, FOX "Point3"),
	OF("color", 3, FOX "Color"), ALL("colors", 4, FOX "Color"),
	LIST("indices", 5, FIXED32), END };
static const struct slv_schema_field words[] = {
	OF("pose", 1, FOX "Pose"), ONE("billboard", 2, BOOL),
	ONE("font_size", 3, DOUBLE), ONE("scale_invariant", 4, BOOL),
	OF("color", 5, FOX "Color"), ONE("text", 6, STRING), END };
static const struct slv_schema_field model[] = {
	OF("pose", 1, FOX "Pose"), OF("scale", 2, FOX "Vector3"),
	OF("color", 3, FOX "Color"), ONE("override_color", 4, BOOL),
	ONE("url", 5, STRING), ONE("media_type", 6, STRING),
	ONE("data", 7, BYTES), END };
static const struct slv_schema_field entity[] = {
	OF("timestamp", 1, TIME), ONE("frame_id", 2, STRING),
	ONE("id", 3, STRING), OF("lifetime", 4, DURATION),
	ONE("frame_locked", 5, BOOL), ALL("metadata", 6, FOX "KeyValuePair"),
	ALL("arrows", 7, FOX "ArrowPrimitive"),
	ALL("cubes", 8, FOX "CubePrimitive"),
	ALL("spheres", 9, FOX "SpherePrimitive"),
	ALL("cylinders", 10, FOX "CylinderPrimitive"),
	ALL("lines", 11, FOX "LinePrimitive"),
	ALL("triangles", 12, FOX "TriangleListPrimitive"),
	ALL("texts", 13, FOX "TextPrimitive"),
	ALL("models", 14, FOX "ModelPrimitive"), END };
static const struct slv_schema_field deletion[] = {
	OF("timestamp", 1, TIME),
	ENUM("type", 2, FOX "SceneEntityDeletion.Type"), ONE("id", 3, STRING),
	END };
static const struct slv_schema_field update[] = {
	ALL("deletions", 1, FOX "SceneEntityDeletion"),
	ALL("entities", 2, FOX "SceneEntity"), END };

static const char *const line_types[] = {
	"LINE_STRIP", "LINE_LOOP", "LINE_LIST", NULL };
static const char *const deletion_types[] = { "MATCHING_ID", "ALL", NULL };

static const struct slv_schema_message times[] = {
	{ "Timestamp", moment, NULL }, END };
static const struct slv_schema_message durations[] = {
	{ "Duration", moment, NULL }, END };
static const struct slv_schema_message messages[] = {
	{ "Vector3", vector, NULL },
	{ "Point3", vector, NULL },
	{ "Quaternion", quaternion, NULL },
	{ "Color", color, NULL },
	{ "Pose", pose, NULL },
	{ "KeyValuePair", pair, NULL },
	{ "ArrowPrimitive", arrow, NULL },
	{ "CubePrimitive", cube, NULL },
	{ "SpherePrimitive", cube, NULL },
	{ "CylinderPrimitive", cylinder, NULL },
	{ "LinePrimitive", line, line_types },
	{ "TriangleListPrimitive", triangles, NULL },
	{ "TextPrimitive", words, NULL },
	{ "ModelPrimitive", model, NULL },
	{ "SceneEntity", entity, NULL },
	{ "SceneEntityDeletion", deletion, deletion_types },
	{ "SceneUpdate", update, NULL },
	END };

static const char *const imports[] = {
	"google/protobuf/timestamp.proto", "google/protobuf/duration.proto",
	NULL };

/* Each after those that it imports. */
static const struct slv_schema_file files[] = {
	{ "google/protobuf/timestamp.proto", "google.protobuf", times, NULL },
	{ "google/protobuf/duration.proto", "google.protobuf", durations, NULL },
	{ "foxglove/SceneUpdate.proto", "foxglove", messages, imports },
};
/* clang-format on */

void
carla_scene_schema(struct slv_buf *out)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		slv_schema_put(out, &files[i]);
}
