/* ros.c - headers of records as ROS 1 writes them. */
#include "support/ros.h"

#include "base/text/utf8.h"

#define NAME_LONGEST 32 /* bytes; recorders write 11 at most */

uint32_t
slv_ros_field_get(const uint8_t *p, size_t n, struct slv_ros_field *f)
{
	uint32_t len = n >= 4 ? slv_get_le32(p) : 0;
	const uint8_t *equals;

	if (len < 2 || len > n - 4)
		return 0;
	equals = memchr(p + 4, '=', len);
	if (equals == NULL || equals == p + 4)
		return 0;
	f->name = (struct slv_span){ p + 4, (size_t)(equals - p - 4) };
	f->value = (struct slv_span){ equals + 1, len - f->name.len - 1 };
	return len + 4;
}

bool
slv_ros_is(struct slv_span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.at, text, s.len) == 0;
}

struct slv_span
slv_ros_value(const uint8_t *p, size_t n, const char *name)
{
	struct slv_ros_field f;
	uint32_t len = 1;

	for (size_t at = 0; at < n && len > 0; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len > 0 && slv_ros_is(f.name, name))
			return f.value;
	}
	return (struct slv_span){ NULL, 0 };
}

static bool
get_value(enum slv_ros_type type, struct slv_span value, void *out)
{
	static const size_t lengths[] = {
		[SLV_ROS_U8] = 1,
		[SLV_ROS_U32] = 4,
		[SLV_ROS_U64] = 8,
		[SLV_ROS_TIME] = 8,
	};
	uint32_t number[2];
	uint64_t wide;

	if (type == SLV_ROS_SPAN) {
		memcpy(out, &value, sizeof(value));
		return true;
	}
	if (value.len != lengths[type])
		return false;
	if (type == SLV_ROS_U64) {
		wide = slv_get_le64(value.at);
		memcpy(out, &wide, sizeof(wide));
		return true;
	}
	number[0] = type == SLV_ROS_U8 ? *value.at : slv_get_le32(value.at);
	number[1] = type == SLV_ROS_TIME ? slv_get_le32(value.at + 4) : 0;
	memcpy(out, number, type == SLV_ROS_TIME ? 8 : 4);
	return number[1] < 1000000000;
}

bool
slv_ros_header_get(const uint8_t *p, uint32_t n, const struct slv_ros_row *rows,
    size_t n_rows, void *out, uint32_t *has)
{
	struct slv_ros_field f;
	uint32_t len;

	*has = 0;
	for (uint32_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			return false;
		for (size_t i = 0; i < n_rows; i++) {
			if (rows[i].name_len != f.name.len
			    || rows[i].name[0] != f.name.at[0]
			    || memcmp(rows[i].name, f.name.at, f.name.len) != 0)
				continue;
			if (!get_value(rows[i].type, f.value,
			        (uint8_t *)out + rows[i].at))
				return false;
			*has |= 1u << i;
			break;
		}
	}
	return true;
}

/* Whether a field of len bytes, of which n are there, may begin with a name. */
static bool
may_be_field(const uint8_t *p, size_t n, uint32_t len)
{
	const uint8_t *equals =
	    n == 0 ? NULL : memchr(p, '=', slv_min64(n, NAME_LONGEST + 1));
	struct slv_span name = { p, equals != NULL ? (size_t)(equals - p) : n };

	if (n == 0)
		return true;
	return (equals != NULL || (n < len && n <= NAME_LONGEST))
	    && slv_ros_is_name(name);
}

bool
slv_ros_may_be_header(const uint8_t *p, size_t n, uint32_t length)
{
	size_t at = 0;

	while (at < length && n - at >= 4) {
		uint32_t len = slv_get_le32(p + at);
		size_t there = slv_min64(n - at - 4, len);

		if (len < 2 || at + 4 + len > length
		    || !may_be_field(p + at + 4, there, len))
			return false;
		at += 4 + there;
	}
	return true;
}

bool
slv_ros_is_text(struct slv_span t)
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

bool
slv_ros_is_sum(struct slv_span t)
{
	if (slv_ros_is(t, "*"))
		return true;
	for (size_t i = 0; i < t.len; i++) {
		uint8_t c = t.at[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
			return false;
	}
	return t.len == 32;
}

bool
slv_ros_is_type(struct slv_span t)
{
	if (slv_ros_is(t, "*"))
		return true;
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] <= ' ' || t.at[i] >= 0x7f)
			return false;
	}
	return t.len > 0 && memchr(t.at, '/', t.len) != NULL;
}

bool
slv_ros_is_name(struct slv_span t)
{
	for (size_t i = 0; i < t.len; i++) {
		uint8_t c = t.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
		    && c != '_')
			return false;
	}
	return t.len > 0;
}

size_t
slv_ros_begin(struct slv_buf *b)
{
	slv_buf_put32(b, 0);
	return b->len;
}

void
slv_ros_put(struct slv_buf *b, const char *name, struct slv_span value)
{
	slv_buf_put32(b, (uint32_t)(strlen(name) + 1 + value.len));
	slv_buf_text(b, name);
	slv_buf_text(b, "=");
	slv_buf_add(b, value.at, value.len);
}

void
slv_ros_put_number(struct slv_buf *b, const char *name, uint64_t v, size_t n)
{
	uint8_t bytes[8];

	slv_put_le64(bytes, v);
	slv_ros_put(b, name, (struct slv_span){ bytes, n });
}

void
slv_ros_end(struct slv_buf *b, size_t begun, uint32_t data)
{
	if (!b->failed)
		slv_put_le32(b->at + begun - 4, (uint32_t)(b->len - begun));
	slv_buf_put32(b, data);
}
