/* json_object.h - build a JSON object, key by key.
 *
 *	struct slv_object o = slv_object();
 *
 *	slv_put(&o, "offset", slv_json_number(off));
 *	return slv_object_dump(&o);
 *
 * A failed allocation is remembered, so that a run of keys needs one check at
 * its end.
 */
#ifndef SLV_REPORT_JSON_OBJECT_H
#define SLV_REPORT_JSON_OBJECT_H

#include "base/buf.h"
#include "base/ranges.h"
#include "core/format/facts.h"
#include "report/json/json_text.h"

/* Grows when a key changes its meaning or is removed (docs/json.md). */
#define SLV_JSON_SCHEMA 1

struct slv_object {
	json_t *json;
	bool failed;
	struct slv_buf text; /* owned; with long lists: the part already
			      * written, before `json` */
};

struct slv_object slv_object(void);

/* An object for a line of its own: with type and schema. */
struct slv_object slv_object_of_type(const char *type);

/* Takes over the value; NULL counts as out of memory. */
void slv_put(struct slv_object *, const char *key, json_t *value);

/* A path, and its bytes as base64 under key64 if it is not UTF-8. */
void slv_put_path(
    struct slv_object *, const char *key, const char *key64, const char *path);

/* The path again, owned by the caller; NULL: there is none, or memory ran
 * out. */
char *slv_get_path(const json_t *, const char *key, const char *key64);

/* A moment as RFC 3339; one outside the calendar as null, with its seconds in
 * another key. */
void slv_put_moment(struct slv_object *, const char *key, struct slv_moment);

/* Why something failed: code, errno and text. */
void slv_put_error(struct slv_object *, const struct slv_err *);

/* The finished object, owned by the caller; NULL if it failed. */
json_t *slv_object_done(struct slv_object *);

/* The finished object as one line of pure ASCII, owned by the caller. */
char *slv_object_dump(struct slv_object *);

/* A list of many objects, for an object that is then dumped.  Each is written
 * at once, because a tree takes ten times as much memory as its text. */
void slv_rows_begin(struct slv_object *, const char *key);
void slv_rows_add(struct slv_object *, struct slv_object *row);
void slv_rows_end(struct slv_object *);

/* Append a finished object to an array; *failed is set if that fails. */
void slv_array_add(json_t *array, struct slv_object *, bool *failed);

/* The array, or NULL if something in it failed. */
json_t *slv_array_done(json_t *array, bool failed);

json_t *slv_json_number(uint64_t n);

/* A list of offset and length, for the first 1,000 ranges. */
json_t *slv_json_set(const struct slv_ranges *);

/* Bytes as hexadecimal digits. */
json_t *slv_json_hex(const uint8_t *bytes, size_t n);

#endif
