/* rosrecord_record.c - one record of a bag, decoded from bytes. */
#include "formats/rosrecord/rosrecord_record.h"

#include <stddef.h>
#include <string.h>

#include "base/fnv.h"
#include "base/text/utf8.h"

#define NAMED 14 /* bytes that hold the longest name of a field */

/* How to decode a header field. */
enum type { BYTE, U32, U64, TEXT };

enum { OP, SEC, NSEC, VER, COUNT, INDEX_POS, TOPIC, MD5, TYPE, DEF, FIELDS };

#define FIELD(name, type, member)                                              \
	{                                                                      \
		name, sizeof(name) - 1, type,                                  \
		    offsetof(struct rosrec_record, member)                     \
	}

static const struct field {
	const char *name;
	uint32_t name_len;
	enum type type;
	size_t at; /* in struct rosrec_record */
} fields[FIELDS] = {
	[OP] = FIELD("op", BYTE, op),
	[SEC] = FIELD("sec", U32, sec),
	[NSEC] = FIELD("nsec", U32, nsec),
	[VER] = FIELD("ver", U32, ver),
	[COUNT] = FIELD("count", U32, count),
	[INDEX_POS] = FIELD("index_pos", U64, index_pos),
	[TOPIC] = FIELD("topic", TEXT, topic),
	[MD5] = FIELD("md5", TEXT, md5),
	[TYPE] = FIELD("type", TEXT, type),
	[DEF] = FIELD("def", TEXT, def),
};

/* Other fields with which a record may begin. */
static const char *const others[] = { "callerid", "latching" };

/* The required fields of each op. */
static const uint32_t required[ROSREC_OPS] = {
	[ROSREC_DEF] = 1u << TOPIC | 1u << MD5 | 1u << TYPE | 1u << DEF,
	[ROSREC_MESSAGE] =
	    1u << TOPIC | 1u << MD5 | 1u << TYPE | 1u << SEC | 1u << NSEC,
	[ROSREC_HEADER] = 1u << INDEX_POS,
	[ROSREC_INDEX] = 1u << VER | 1u << TOPIC | 1u << COUNT,
};

/* Text without controls: readers decode it as UTF-8. */
static bool
is_text(struct slv_span t)
{
	for (size_t at = 0, len; at < t.len; at += len) {
		uint32_t code;

		len = slv_utf8_next(t.at + at, t.len - at, &code);
		if (len == 0
		    || (code < ' ' && code != '\n' && code != '\t'
		        && code != '\r'))
			return false;
	}
	return true;
}

/* 32 hexadecimal digits, or "*" for any type. */
static bool
is_sum(struct slv_span t)
{
	if (t.len == 1 && t.at[0] == '*')
		return true;
	for (size_t i = 0; i < t.len; i++) {
		uint8_t c = t.at[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
			return false;
	}
	return t.len == 32;
}

/* "sensor_msgs/Imu", or "*". */
static bool
is_type(struct slv_span t)
{
	if (t.len == 1 && t.at[0] == '*')
		return true;
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] <= ' ' || t.at[i] >= 0x7f)
			return false;
	}
	return memchr(t.at, '/', t.len) != NULL;
}

static bool
get_value(const struct field *f, struct slv_span value, struct rosrec_record *r)
{
	void *out = (uint8_t *)r + f->at;
	uint32_t number;
	uint64_t wide;

	switch (f->type) {
	case BYTE:
		number = value.len == 1 ? value.at[0] : 0;
		memcpy(out, &number, sizeof(number));
		return value.len == 1;
	case U32:
		number = value.len == 4 ? slv_get_le32(value.at) : 0;
		memcpy(out, &number, sizeof(number));
		if (f == &fields[SEC])
			r->sec_at = value.at;
		if (f == &fields[NSEC])
			r->nsec_at = value.at;
		return value.len == 4;
	case U64:
		wide = value.len == 8 ? slv_get_le64(value.at) : 0;
		memcpy(out, &wide, sizeof(wide));
		return value.len == 8;
	case TEXT: memcpy(out, &value, sizeof(value)); return true;
	}
	return false;
}

/* The field at p, with n bytes available: its length; 0: it is not a field. */
static uint32_t
get_field(
    const uint8_t *p, uint32_t n, struct slv_span *name, struct slv_span *value)
{
	uint32_t len = n >= 4 ? slv_get_le32(p) : 0;
	const uint8_t *equals;

	if (len < 2 || len > n - 4)
		return 0;
	equals = memchr(p + 4, '=', len);
	if (equals == NULL || equals == p + 4)
		return 0;
	*name = (struct slv_span){ p + 4, (size_t)(equals - p - 4) };
	*value = (struct slv_span){ equals + 1, len - name->len - 1 };
	return len + 4;
}

/* Readers decode names; recorders write only these. */
static bool
is_name(struct slv_span t)
{
	for (size_t i = 0; i < t.len; i++) {
		uint8_t c = t.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
		    && c != '_')
			return false;
	}
	return true;
}

/* Decode all fields; *has = which ones are present. */
static bool
get_fields(const uint8_t *p, struct rosrec_record *r, uint32_t *has)
{
	struct slv_span name, value;
	uint32_t at = 0, len;

	for (*has = 0; at < r->fields; at += len) {
		len = get_field(p + at, r->fields - at, &name, &value);
		if (len == 0 || !is_name(name))
			return false;
		for (uint32_t i = 0; i < FIELDS; i++) {
			if (fields[i].name_len != name.len
			    || memcmp(fields[i].name, name.at, name.len) != 0)
				continue;
			if (!get_value(&fields[i], value, r))
				return false;
			*has |= 1u << i;
		}
	}
	return true;
}

static bool
texts_are_legal(const struct rosrec_record *r)
{
	bool typed = r->op == ROSREC_DEF || r->op == ROSREC_MESSAGE;

	if (r->op != ROSREC_HEADER && (r->topic.len == 0 || !is_text(r->topic)))
		return false;
	return !typed
	    || (is_sum(r->md5) && is_type(r->type) && is_text(r->def));
}

/* Return true if a field of at most `most` bytes begins at p, with n bytes
 * available, and has a name with which records begin. */
static bool
field_is_known(const uint8_t *p, size_t n, uint32_t most)
{
	uint32_t field = n > 4 ? slv_get_le32(p) : 0;
	size_t room = n > 4 ? slv_min64(n - 4, field) : 0;

	if (field < 2 || field > most)
		return false;
	for (size_t i = 0; i < FIELDS; i++) {
		size_t k = fields[i].name_len;

		if (room > k && p[4 + k] == '='
		    && memcmp(p + 4, fields[i].name, k) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		size_t k = strlen(others[i]);

		if (room > k && p[4 + k] == '='
		    && memcmp(p + 4, others[i], k) == 0)
			return true;
	}
	return false;
}

/* Return true if the n bytes at p may be the first of so many bytes of fields,
 * the first of which has a name with which records begin. */
static bool
may_be_fields(const uint8_t *p, size_t n, uint32_t length)
{
	size_t at = 0;

	if (n > NAMED && !field_is_known(p, n, length))
		return false;
	while (at < length && n - at >= 4) {
		uint32_t len = slv_get_le32(p + at);
		size_t there = slv_min64(n - at - 4, len);

		if (len < 2 || len > length - at - 4
		    || (there > 0 && p[at + 4] == '=')
		    || (there == len && memchr(p + at + 4, '=', len) == NULL))
			return false;
		at += 4 + there;
	}
	return true;
}

enum rosrec_read
rosrec_record_get(const uint8_t *p, size_t have, struct rosrec_record *r)
{
	uint32_t has, need;

	*r = (struct rosrec_record){ .op = 0 };
	if (have < 4)
		return ROSREC_SHORT;
	r->fields = slv_get_le32(p);
	if (r->fields < ROSREC_FIELDS_MIN || r->fields > ROSREC_FIELDS_MAX)
		return ROSREC_BAD;
	if (have < rosrec_head(r))
		return may_be_fields(p + 4, have - 4, r->fields) ? ROSREC_SHORT
		                                                 : ROSREC_BAD;
	if (!get_fields(p + 4, r, &has) || !(has & 1u << OP)
	    || r->op >= ROSREC_OPS)
		return ROSREC_BAD;
	need = required[r->op];
	if (need == 0 || (has & need) != need || r->nsec >= 1000000000
	    || r->ver != 0 || !texts_are_legal(r))
		return ROSREC_BAD;
	r->data = slv_get_le32(p + 4 + r->fields);
	return ROSREC_WHOLE;
}

size_t
rosrec_fields_length(const uint8_t *p, size_t n)
{
	struct slv_span name, value;
	size_t at = 0;
	uint32_t len = 1;

	while (len > 0) {
		uint32_t left = (uint32_t)slv_min64(n - at, ROSREC_FIELDS_MAX);

		len = get_field(p + at, left, &name, &value);
		if (len > 0 && !is_name(name))
			break;
		at += len;
	}
	return at;
}

size_t
rosrec_record_find(const uint8_t *p, size_t n, size_t upto)
{
	enum { LEAST = 16 }; /* bytes that show it */

	for (size_t i = 0; i < upto && n - i >= LEAST; i++) {
		uint32_t len;

		if (p[i + 3] != 0 || p[i + 7] != 0)
			continue;
		len = slv_get_le32(p + i);
		if (len >= ROSREC_FIELDS_MIN && len <= ROSREC_FIELDS_MAX
		    && field_is_known(p + i + 4, n - i - 4, len - 4))
			return i;
	}
	return upto;
}

uint64_t
rosrec_type_id(const struct rosrec_record *r)
{
	return slv_fnv(
	    slv_fnv(SLV_FNV, r->md5.at, r->md5.len), r->type.at, r->type.len);
}
