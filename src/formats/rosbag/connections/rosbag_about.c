/* rosbag_about.c - what a connection says of itself: fields of text, which
 * readers decode as UTF-8, and stop at what is none.
 */
#include <string.h>

#include "formats/rosbag/read/rosbag_record.h"
#include "support/ros.h"

bool
rosbag_about_get(const uint8_t *p, size_t n, struct rosbag_about *out)
{
	struct {
		const char *name;
		bool (*ok)(struct slv_span);
		struct slv_span *value;
	} wanted[] = {
		{ "type", slv_ros_is_type, &out->type },
		{ "md5sum", slv_ros_is_sum, &out->md5sum },
		{ "message_definition", slv_ros_is_text, &out->definition },
	};
	struct slv_ros_field f;
	bool good = true;
	uint32_t len;

	*out = (struct rosbag_about){ .type = { .len = 0 } };
	for (size_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			return false;
		good &= slv_ros_is_name(f.name) && slv_ros_is_text(f.value);
		for (size_t i = 0; i < 3; i++) {
			if (slv_ros_is(f.name, wanted[i].name)
			    && wanted[i].ok(f.value))
				*wanted[i].value = f.value;
		}
	}
	return good && out->type.at != NULL && out->md5sum.at != NULL
	    && out->definition.at != NULL;
}

static bool
is_letter(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "/robot1/imu"; a relative name begins with a letter, a private one with ~. */
static bool
is_ros_name(struct slv_span t)
{
	if (t.len == 0 || (!is_letter(*t.at) && *t.at != '/' && *t.at != '~'))
		return false;
	for (size_t i = 1; i < t.len; i++) {
		uint8_t c = t.at[i];

		if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_'
		    && (c != '/' || t.at[i - 1] == '/'))
			return false;
	}
	return true;
}

/* "sensor_msgs/Imu": two names with a slash between them. */
static bool
is_ros_type(struct slv_span t)
{
	const uint8_t *slash = memchr(t.at, '/', t.len);

	if (t.len == 1 && *t.at == '*')
		return true;
	return slash != NULL && is_ros_name(t) && is_letter(*t.at)
	    && slash + 1 < t.at + t.len && is_letter(slash[1])
	    && memchr(slash + 1, '/', (size_t)(t.at + t.len - slash - 1))
	    == NULL;
}

static bool
is_flag(struct slv_span t)
{
	return t.len == 1 && (*t.at == '0' || *t.at == '1');
}

static bool
is_anything(struct slv_span t)
{
	(void)t;
	return true;
}

bool
rosbag_names_legal(const uint8_t *record, const struct rosbag_record *r)
{
	static const struct {
		const char *name;
		bool (*ok)(struct slv_span);
	} known[] = {
		{ "topic", is_ros_name },
		{ "callerid", is_ros_name },
		{ "type", is_ros_type },
		{ "latching", is_flag },
		{ "md5sum", slv_ros_is_sum },
		{ "message_definition", is_anything },
	};
	const uint8_t *p = record + rosbag_head(r);
	bool good =
	    is_ros_name((struct slv_span){ record + r->topic, r->topic_len });
	struct slv_ros_field f;
	uint32_t len;

	for (uint32_t at = 0; good && at < r->data; at += len) {
		len = slv_ros_field_get(p + at, r->data - at, &f);
		if (len == 0)
			return false;
		good = false;
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
			good |= slv_ros_is(f.name, known[i].name)
			    && known[i].ok(f.value);
	}
	return good;
}

/* Whether one of the fields is this. */
static bool
has_field(const uint8_t *p, size_t n, const uint8_t *field, uint32_t len)
{
	struct slv_ros_field f;
	uint32_t here;

	for (size_t at = 0; at < n; at += here) {
		here = slv_ros_field_get(p + at, n - at, &f);
		if (here == 0)
			return false;
		if (here == len && memcmp(p + at, field, len) == 0)
			return true;
	}
	return false;
}

bool
rosbag_fields_same(const uint8_t *p, size_t n, const uint8_t *q, size_t m)
{
	struct slv_ros_field f;
	uint32_t len;

	if (n != m)
		return false;
	if (memcmp(p, q, n) == 0)
		return true;
	for (size_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0 || !has_field(q, m, p + at, len))
			return false;
	}
	return true;
}

/* The field of that name, as name=value; empty: none is. */
static struct slv_span
named(const uint8_t *p, uint32_t n, struct slv_span name)
{
	struct slv_ros_field f;
	uint32_t len;

	for (uint32_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			break;
		if (f.name.len == name.len
		    && memcmp(f.name.at, name.at, name.len) == 0)
			return (struct slv_span){ f.name.at, len - 4 };
	}
	return (struct slv_span){ (const uint8_t *)"", 0 };
}

void
rosbag_fields_differ(const uint8_t *p, uint32_t n, const uint8_t *q, uint32_t m,
    struct slv_span *here, struct slv_span *there)
{
	struct slv_ros_field f;
	uint32_t len;

	*here = *there = (struct slv_span){ (const uint8_t *)"", 0 };
	for (uint32_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			return;
		if (has_field(q, m, p + at, len))
			continue;
		*here = (struct slv_span){ f.name.at, len - 4 };
		*there = named(q, m, f.name);
		return;
	}
}
