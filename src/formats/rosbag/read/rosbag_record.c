/* rosbag_record.c - one record of a bag, taken from bytes. */
#include "formats/rosbag/read/rosbag_record.h"

#include <stddef.h>
#include <string.h>

/* A mark that every header holds: the field of its op. */
#define MARK      "\x04\0\0\0op="
#define MARK_SIZE 7

/* How a field of a header is taken. */
enum type { BYTE, U32, U64, TIME, CODEC, TOPIC, CIPHER };

struct field {
	const char *name;
	uint32_t name_len;
	enum type type;
	size_t at; /* in struct rosbag_record */
};

enum {
	OP,
	CONN,
	COUNT,
	VER,
	SIZE,
	N_CONNS,
	N_CHUNKS,
	INDEX_POS,
	CHUNK_POS,
	TIME_OF,
	START,
	END,
	COMPRESSION,
	TOPIC_OF,
	ENCRYPTOR,
	FIELDS
};

#define FIELD(name, type, member)                                              \
	{                                                                      \
		name, sizeof(name) - 1, type,                                  \
		    offsetof(struct rosbag_record, member)                     \
	}

static const struct field fields[FIELDS] = {
	[OP] = FIELD("op", BYTE, op),
	[CONN] = FIELD("conn", U32, conn),
	[COUNT] = FIELD("count", U32, count),
	[VER] = FIELD("ver", U32, ver),
	[SIZE] = FIELD("size", U32, size),
	[N_CONNS] = FIELD("conn_count", U32, n_conns),
	[N_CHUNKS] = FIELD("chunk_count", U32, n_chunks),
	[INDEX_POS] = FIELD("index_pos", U64, index_pos),
	[CHUNK_POS] = FIELD("chunk_pos", U64, chunk_pos),
	[TIME_OF] = FIELD("time", TIME, time),
	[START] = FIELD("start_time", TIME, start),
	[END] = FIELD("end_time", TIME, end),
	[COMPRESSION] = FIELD("compression", CODEC, codec),
	[TOPIC_OF] = FIELD("topic", TOPIC, topic),
	[ENCRYPTOR] = FIELD("encryptor", CIPHER, encrypted),
};

/* What a header of each op must say. */
static const uint32_t required[ROSBAG_OPS] = {
	[ROSBAG_MESSAGE] = 1u << CONN | 1u << TIME_OF,
	[ROSBAG_BAG_HEADER] = 1u << INDEX_POS | 1u << N_CONNS | 1u << N_CHUNKS,
	[ROSBAG_INDEX] = 1u << VER | 1u << CONN | 1u << COUNT,
	[ROSBAG_CHUNK] = 1u << COMPRESSION | 1u << SIZE,
	[ROSBAG_INFO] =
	    1u << VER | 1u << CHUNK_POS | 1u << START | 1u << END | 1u << COUNT,
	[ROSBAG_CONN] = 1u << CONN | 1u << TOPIC_OF,
};

static bool
get_time(const uint8_t *p, void *out)
{
	struct rosbag_time t = { slv_get_le32(p), slv_get_le32(p + 4) };

	memcpy(out, &t, sizeof(t));
	return t.nsec < 1000000000;
}

static bool
get_codec(struct slv_span value, void *out)
{
	static const struct {
		const char *name;
		enum slv_codec_kind kind;
	} codecs[] = {
		{ "none", SLV_CODEC_NONE },
		{ "lz4", SLV_CODEC_LZ4 },
		{ "bz2", SLV_CODEC_BZ2 },
	};

	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++) {
		if (strlen(codecs[i].name) != value.len
		    || memcmp(codecs[i].name, value.at, value.len) != 0)
			continue;
		memcpy(out, &codecs[i].kind, sizeof(codecs[i].kind));
		return true;
	}
	return false;
}

/* Take the value of a field; `at` is where it stands in the record. */
static bool
get_value(const struct field *f, struct slv_span value, uint32_t at,
    struct rosbag_record *r)
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
		return value.len == 4;
	case U64:
		wide = value.len == 8 ? slv_get_le64(value.at) : 0;
		memcpy(out, &wide, sizeof(wide));
		return value.len == 8;
	case TIME: return value.len == 8 && get_time(value.at, out);
	case CODEC: return get_codec(value, out);
	case TOPIC:
		r->topic = at;
		r->topic_len = (uint32_t)value.len;
		return true;
	case CIPHER: r->encrypted = value.len > 0; return true;
	}
	return false;
}

static const struct field *
find_field(const uint8_t *name, uint32_t n)
{
	for (size_t i = 0; i < FIELDS; i++) {
		if (fields[i].name_len == n && fields[i].name[0] == name[0]
		    && memcmp(fields[i].name, name, n) == 0)
			return &fields[i];
	}
	return NULL;
}

uint32_t
rosbag_field_get(const uint8_t *p, uint32_t n, uint32_t *name_len)
{
	uint32_t len = n >= 4 ? slv_get_le32(p) : 0;
	const uint8_t *equals;

	if (len < 2 || len > n - 4)
		return 0;
	equals = memchr(p + 4, '=', len);
	if (equals == NULL || equals == p + 4)
		return 0;
	*name_len = (uint32_t)(equals - p - 4);
	return len + 4;
}

/* Take all fields; *has = which ones there are. */
static bool
get_fields(const uint8_t *p, struct rosbag_record *r, uint32_t *has)
{
	uint32_t at = 4, end = 4 + r->fields;

	*has = 0;
	while (at < end) {
		uint32_t name_len, len, value;
		const struct field *f;

		len = rosbag_field_get(p + at, end - at, &name_len);
		if (len == 0)
			return false;
		f = find_field(p + at + 4, name_len);
		value = at + 4 + name_len + 1;
		if (f != NULL) {
			struct slv_span v = { p + value, at + len - value };

			if (!get_value(f, v, value, r))
				return false;
			*has |= 1u << (f - fields);
		}
		at += len;
	}
	return true;
}

/* Whether the n bytes at p may be the first of so many bytes of fields. */
static bool
may_be_fields(const uint8_t *p, size_t n, uint32_t length)
{
	size_t at = 0;

	while (at < length && n - at >= 4) {
		uint32_t len = slv_get_le32(p + at);
		size_t there = slv_min64(n - at - 4, len);

		if (len < 2 || at + 4 + len > length
		    || (there > 0 && p[at + 4] == '=')
		    || (there == len && memchr(p + at + 4, '=', len) == NULL))
			return false;
		at += 4 + there;
	}
	return true;
}

enum rosbag_read
rosbag_record_get(const uint8_t *p, size_t have, struct rosbag_record *r)
{
	uint32_t has, need;

	*r = (struct rosbag_record){ .op = 0 };
	if (have < 4)
		return ROSBAG_SHORT;
	r->fields = slv_get_le32(p);
	if (r->fields < ROSBAG_FIELDS_MIN || r->fields > ROSBAG_FIELDS_MAX)
		return ROSBAG_BAD;
	if (have < (size_t)r->fields + 8)
		return may_be_fields(p + 4, have - 4, r->fields) ? ROSBAG_SHORT
		                                                 : ROSBAG_BAD;
	if (!get_fields(p, r, &has) || !(has & 1u << OP) || r->op >= ROSBAG_OPS)
		return ROSBAG_BAD;
	need = required[r->op];
	if (need == 0 || (has & need) != need
	    || (need & 1u << VER && r->ver != 1))
		return ROSBAG_BAD;
	r->data = slv_get_le32(p + 4 + r->fields);
	return ROSBAG_WHOLE;
}

bool
rosbag_inner_get(const uint8_t *p, size_t have, struct rosbag_record *r)
{
	return rosbag_record_get(p, have, r) == ROSBAG_WHOLE
	    && (r->op == ROSBAG_MESSAGE || r->op == ROSBAG_CONN)
	    && rosbag_span(r) <= have;
}

/* Whether a record whose op stands behind the mark at `mark` begins at p. */
static bool
begins(const uint8_t *p, size_t n, size_t start, size_t mark, unsigned ops)
{
	struct rosbag_record r;
	uint32_t len = slv_get_le32(p + start);

	return len >= ROSBAG_FIELDS_MIN && len <= ROSBAG_FIELDS_MAX
	    && start + 4 + len > mark + MARK_SIZE
	    && rosbag_record_get(p + start, n - start, &r) == ROSBAG_WHOLE
	    && (ops >> r.op & 1) != 0;
}

size_t
rosbag_record_find(
    const uint8_t *p, size_t n, size_t from, size_t upto, unsigned ops)
{
	enum { BEFORE = 400 }; /* bytes of other fields in front of the op */
	size_t end = n - upto > BEFORE ? upto + BEFORE : n;
	size_t at = from;

	while (end - at > MARK_SIZE) {
		const uint8_t *hit = memmem(p + at, end - at, MARK, MARK_SIZE);
		size_t mark = hit != NULL ? (size_t)(hit - p) : end, start;

		if (end - mark <= MARK_SIZE)
			break;
		start = mark - from > BEFORE ? mark - BEFORE : from;
		for (; start + 4 <= mark && start < upto; start++) {
			if (begins(p, n, start, mark, ops))
				return start;
		}
		at = mark + 1;
	}
	return upto;
}
