/* rosrecord_record.c - one record of a bag, decoded from bytes. */
#include "formats/rosrecord/rosrecord_record.h"

#include <stddef.h>

#include "base/fnv.h"
#include "support/ros.h"

#define NAMED 14 /* bytes that hold the longest name of a field */

enum { OP, SEC, NSEC, VER, COUNT, INDEX_POS, TOPIC, MD5, TYPE, DEF, FIELDS };

static const struct slv_ros_row fields[FIELDS] = {
	[OP] = SLV_ROS_ROW("op", U8, rosrec_record, op),
	[SEC] = SLV_ROS_ROW("sec", U32, rosrec_record, sec),
	[NSEC] = SLV_ROS_ROW("nsec", U32, rosrec_record, nsec),
	[VER] = SLV_ROS_ROW("ver", U32, rosrec_record, ver),
	[COUNT] = SLV_ROS_ROW("count", U32, rosrec_record, count),
	[INDEX_POS] = SLV_ROS_ROW("index_pos", U64, rosrec_record, index_pos),
	[TOPIC] = SLV_ROS_ROW("topic", SPAN, rosrec_record, topic),
	[MD5] = SLV_ROS_ROW("md5", SPAN, rosrec_record, md5),
	[TYPE] = SLV_ROS_ROW("type", SPAN, rosrec_record, type),
	[DEF] = SLV_ROS_ROW("def", SPAN, rosrec_record, def),
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

static bool
texts_are_legal(const struct rosrec_record *r)
{
	bool typed = r->op == ROSREC_DEF || r->op == ROSREC_MESSAGE;

	if (r->op != ROSREC_HEADER
	    && (r->topic.len == 0 || !slv_ros_is_text(r->topic)))
		return false;
	return !typed
	    || (slv_ros_is_sum(r->md5) && slv_ros_is_type(r->type)
	        && slv_ros_is_text(r->def));
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
	return (n <= NAMED || field_is_known(p, n, length))
	    && slv_ros_may_be_header(p, n, length);
}

enum rosrec_read
rosrec_record_get(const uint8_t *p, size_t have, struct rosrec_record *r)
{
	uint32_t has, need;

	*r = (struct rosrec_record){ .read = ROSREC_BAD };
	if (have < 4)
		return r->read = ROSREC_SHORT;
	r->fields = slv_get_le32(p);
	if (r->fields < ROSREC_FIELDS_MIN || r->fields > ROSREC_FIELDS_MAX)
		return r->read;
	if (have < rosrec_head(r)) {
		if (may_be_fields(p + 4, have - 4, r->fields))
			r->read = ROSREC_SHORT;
		return r->read;
	}
	/* Readers decode names; recorders write only plain ones. */
	if (!slv_ros_header_get(p + 4, r->fields, fields, FIELDS, r, &has)
	    || rosrec_fields_length(p + 4, r->fields) != r->fields
	    || !(has & 1u << OP) || r->op >= ROSREC_OPS)
		return r->read;
	need = required[r->op];
	if (need == 0 || (has & need) != need || r->nsec >= 1000000000
	    || r->ver != 0 || !texts_are_legal(r))
		return r->read;
	r->data = slv_get_le32(p + 4 + r->fields);
	return r->read = ROSREC_WHOLE;
}

size_t
rosrec_fields_length(const uint8_t *p, size_t n)
{
	struct slv_ros_field f;
	size_t at = 0;
	uint32_t len = 1;

	while (len > 0) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len > 0 && !slv_ros_is_name(f.name))
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
