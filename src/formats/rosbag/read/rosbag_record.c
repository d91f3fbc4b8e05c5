/* rosbag_record.c - one record of a bag, taken from bytes. */
#include "formats/rosbag/read/rosbag_record.h"

#include <stddef.h>
#include <string.h>

#include "base/find.h"
#include "support/ros.h"

/* A mark that every header holds: the field of its op. */
#define MARK      "\x04\0\0\0op="
#define MARK_SIZE 7

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

/* A header as it is there. */
struct raw {
	struct rosbag_record r;
	struct slv_span codec, topic, encryptor;
};

static const struct slv_ros_row fields[FIELDS] = {
	[OP] = SLV_ROS_ROW("op", U8, raw, r.op),
	[CONN] = SLV_ROS_ROW("conn", U32, raw, r.conn),
	[COUNT] = SLV_ROS_ROW("count", U32, raw, r.count),
	[VER] = SLV_ROS_ROW("ver", U32, raw, r.ver),
	[SIZE] = SLV_ROS_ROW("size", U32, raw, r.size),
	[N_CONNS] = SLV_ROS_ROW("conn_count", U32, raw, r.n_conns),
	[N_CHUNKS] = SLV_ROS_ROW("chunk_count", U32, raw, r.n_chunks),
	[INDEX_POS] = SLV_ROS_ROW("index_pos", U64, raw, r.index_pos),
	[CHUNK_POS] = SLV_ROS_ROW("chunk_pos", U64, raw, r.chunk_pos),
	[TIME_OF] = SLV_ROS_ROW("time", TIME, raw, r.time),
	[START] = SLV_ROS_ROW("start_time", TIME, raw, r.start),
	[END] = SLV_ROS_ROW("end_time", TIME, raw, r.end),
	[COMPRESSION] = SLV_ROS_ROW("compression", SPAN, raw, codec),
	[TOPIC_OF] = SLV_ROS_ROW("topic", SPAN, raw, topic),
	[ENCRYPTOR] = SLV_ROS_ROW("encryptor", SPAN, raw, encryptor),
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

const char *const rosbag_codecs[ROSBAG_CODECS] = {
	[SLV_CODEC_NONE] = "none",
	[SLV_CODEC_LZ4] = "lz4",
	[SLV_CODEC_BZ2] = "bz2",
};

static bool
get_codec(struct slv_span name, enum slv_codec_kind *out)
{
	for (unsigned i = 0; i < ROSBAG_CODECS; i++) {
		*out = (enum slv_codec_kind)i;
		if (rosbag_codecs[i] != NULL
		    && slv_ros_is(name, rosbag_codecs[i]))
			return true;
	}
	return false;
}

#define CONN_BEGIN "\x09\0\0\0conn="
#define OP_MESSAGE "\x04\0\0\0op=\x02"
#define TIME_BEGIN "\x0d\0\0\0time="

/* Most records are messages, with their fields in one of two orders, which the libraries
 * of ROS for C++ and for Python write.  false: look at it field by field.
 *
 *   p  ROSBAG_MESSAGE_HEAD bytes */
static bool
get_message(const uint8_t *p, struct rosbag_record *r)
{
	enum { OP_SIZE = 8, NAME_SIZE = 9, CONN_SIZE = 13 };
	const uint8_t *f = p + 4, *time = f + CONN_SIZE + OP_SIZE, *conn;

	if (memcmp(f, CONN_BEGIN, NAME_SIZE) == 0
	    && memcmp(f + CONN_SIZE, OP_MESSAGE, OP_SIZE) == 0)
		conn = f;
	else if (memcmp(f, OP_MESSAGE, OP_SIZE) == 0
	    && memcmp(f + OP_SIZE, CONN_BEGIN, NAME_SIZE) == 0)
		conn = f + OP_SIZE;
	else
		return false;
	*r = (struct rosbag_record){
		.read = ROSBAG_WHOLE,
		.op = ROSBAG_MESSAGE,
		.fields = ROSBAG_MESSAGE_HEAD - 8,
		.data = slv_get_le32(p + ROSBAG_MESSAGE_HEAD - 4),
		.conn = slv_get_le32(conn + NAME_SIZE),
		.time = { slv_get_le32(time + NAME_SIZE),
		    slv_get_le32(time + NAME_SIZE + 4) },
	};
	return memcmp(time, TIME_BEGIN, NAME_SIZE) == 0
	    && r->time.nsec < 1000000000;
}

enum rosbag_read
rosbag_record_get(const uint8_t *p, size_t have, struct rosbag_record *r)
{
	struct raw raw = { .r = { .read = ROSBAG_BAD } };
	uint32_t has, need;
	bool good;

	if (have >= ROSBAG_MESSAGE_HEAD
	    && slv_get_le32(p) == ROSBAG_MESSAGE_HEAD - 8 && get_message(p, r))
		return ROSBAG_WHOLE;
	*r = raw.r;
	r->read = have < 4 ? ROSBAG_SHORT : ROSBAG_BAD;
	if (have < 4)
		return r->read;
	raw.r.fields = r->fields = slv_get_le32(p);
	if (r->fields < ROSBAG_FIELDS_MIN || r->fields > ROSBAG_FIELDS_MAX)
		return r->read;
	if (have < (size_t)r->fields + 8) {
		if (slv_ros_may_be_header(p + 4, have - 4, r->fields))
			r->read = ROSBAG_SHORT;
		return r->read;
	}
	good = slv_ros_header_get(p + 4, r->fields, fields, FIELDS, &raw, &has);
	*r = raw.r;
	if (has & 1u << TOPIC_OF) {
		r->topic = (uint32_t)(raw.topic.at - p);
		r->topic_len = (uint32_t)raw.topic.len;
	}
	r->encrypted = raw.encryptor.len > 0;
	if (has & 1u << COMPRESSION)
		good &= get_codec(raw.codec, &r->codec);
	if (!good || !(has & 1u << OP) || r->op >= ROSBAG_OPS)
		return r->read;
	need = required[r->op];
	if (need == 0 || (has & need) != need
	    || (need & 1u << VER && r->ver != 1))
		return r->read;
	r->data = slv_get_le32(p + 4 + r->fields);
	return r->read = ROSBAG_WHOLE;
}

bool
rosbag_inner_get(const uint8_t *p, size_t have, struct rosbag_record *r)
{
	if (rosbag_record_get(p, have, r) != ROSBAG_WHOLE
	    || (r->op != ROSBAG_MESSAGE && r->op != ROSBAG_CONN)
	    || rosbag_span(r) > have)
		return false;
	/* Another processor may have decoded the next one. */
	if (rosbag_span(r) < have)
		__builtin_prefetch(p + rosbag_span(r));
	return true;
}

/* Whether a record whose op follows the mark at `mark` begins at p. */
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
	enum { BEFORE = 400 }; /* bytes of other fields before the op */
	size_t end = n - upto > BEFORE ? upto + BEFORE : n;
	size_t at = from;

	while (end - at > MARK_SIZE) {
		const uint8_t *hit =
		    slv_find_bytes(p + at, end - at, MARK, MARK_SIZE);
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
