/* layout.c - the units of BDDF logs, bags, Cyber records, CARLA logs, MCAP files
 * and flight logs. */
#include "fuzz/layout.h"

#include <string.h>

#include "base/bytes.h"
#include "digest/crc32.h"
#include "formats/bddf/read/bddf_frame.h"

#define BAG_MAGIC   "#ROSBAG V2.0\n"
#define CYBER_START 2064 /* of the first section */
#define CARLA_MAGIC                                                            \
	"\x01\x00\x0e\x00"                                                     \
	"CARLA_RECORDER"
#define MCAP_MAGIC "\x89MCAP0\r\n"
#define ULOG_MAGIC "ULog\x01\x12\x35"
#define ULOG_START 16             /* of the first message */
#define FMT_MAGIC  "\xa3\x95\x80" /* of a DataFlash log, and of each format */
#define FMT_SIZE   89

/* From the beginning of a chunk of an MCAP file that is not compressed to its
 * fields. */
enum {
	CHUNK_SIZE = 25,
	CHUNK_CRC = 33,
	CHUNK_NAME = 37, /* how long that of its compression is */
	CHUNK_STORED = 41,
	CHUNK_DATA = 49,
};

static size_t
size_of(const char *magic)
{
	return strlen(magic);
}

static bool
begins_with(const uint8_t *bytes, size_t n, const void *magic, size_t len)
{
	return n >= len && memcmp(bytes, magic, len) == 0;
}

/* Add a unit whose head of so many bytes says how long the body is; false: it is
 * not all there, or there are enough. */
static bool
add(struct layout *l, size_t at, size_t head, size_t len_at, uint64_t len,
    size_t n)
{
	if (l->n == UNITS_MAX || head > n - at || len > n - at - head)
		return false;
	l->at[l->n++] = (struct unit){
		.at = at,
		.body = at + head,
		.end = at + head + (size_t)len,
		.len_at = len_at,
	};
	return true;
}

static void
put_4(uint8_t *at, uint64_t len)
{
	slv_put_le32(at, (uint32_t)len);
}

static void
put_8(uint8_t *at, uint64_t len)
{
	slv_put_le64(at, len);
}

/* u32 length, header, u32 length, data. */
static void
find_bag(struct layout *l, const uint8_t *bytes, size_t n)
{
	size_t at = size_of(BAG_MAGIC), header;

	l->put = put_4;
	for (;;) {
		if (n - at < 8)
			return;
		header = slv_get_le32(bytes + at);
		if (header > n - at - 8)
			return;
		if (!add(l, at, header + 8, at + 4 + header,
		        slv_get_le32(bytes + at + 4 + header), n))
			return;
		at = l->at[l->n - 1].end;
	}
}

/* u32 type, u32, u64 length, protobuf. */
static void
find_cyber(struct layout *l, const uint8_t *bytes, size_t n)
{
	size_t at = CYBER_START;

	l->put = put_8;
	while (at <= n && n - at >= 16
	    && add(l, at, 16, at + 8, slv_get_le64(bytes + at + 8), n))
		at = l->at[l->n - 1].end;
}

static void
put_2(uint8_t *at, uint64_t len)
{
	slv_put_le16(at, (uint16_t)len);
}

/* u16 length, u8 type, body. */
static void
find_ulog(struct layout *l, const uint8_t *bytes, size_t n)
{
	size_t at = ULOG_START;

	l->put = put_2;
	while (at <= n && n - at >= 3
	    && add(l, at, 3, at, slv_get_le16(bytes + at), n))
		at = l->at[l->n - 1].end;
}

/* A3 95, u8 type, body: the length is that of the type, in its format.  Messages
 * are moved as they are. */
static void
find_dataflash(struct layout *l, const uint8_t *bytes, size_t n)
{
	uint8_t sizes[256] = { [0x80] = FMT_SIZE };
	size_t at = 0;

	while (n - at >= 3 && memcmp(bytes + at, FMT_MAGIC, 2) == 0
	    && sizes[bytes[at + 2]] >= 3
	    && add(l, at, sizes[bytes[at + 2]], at, 0, n)) {
		if (bytes[at + 2] == 0x80 && bytes[at + 3] != 0x80)
			sizes[bytes[at + 3]] = bytes[at + 4];
		at = l->at[l->n - 1].end;
	}
}

/* u8 id, u32 length, body. */
static void
find_carla(struct layout *l, const uint8_t *bytes, size_t n)
{
	size_t at = 28;

	l->put = put_4;
	if (n < at)
		return;
	at += bytes[26] | bytes[27] << 8;
	while (at <= n && n - at >= 5
	    && add(l, at, 5, at + 1, slv_get_le32(bytes + at + 1), n))
		at = l->at[l->n - 1].end;
}

static void
put_bddf(uint8_t *at, uint64_t len)
{
	for (int i = 0; i < 7; i++)
		at[i] = (uint8_t)(len >> 8 * i);
}

static void
walk_bddf(struct layout *l, struct bddf_dialect dialect, const uint8_t *bytes,
    size_t n)
{
	size_t at = BDDF_MAGIC_SIZE;

	l->n = 0;
	l->put = put_bddf;
	while (n - at >= BDDF_HEADER_SIZE) {
		struct bddf_head head = bddf_head_get(dialect, bytes + at);
		uint64_t span = bddf_head_span(head);
		size_t front = (size_t)(span - head.size);

		if (head.type == BDDF_END)
			front = BDDF_HEADER_SIZE;
		if (head.type == BDDF_NO_TYPE
		    || !add(
		        l, at, front, at + dialect.type_first, span - front, n))
			return;
		at = l->at[l->n - 1].end;
	}
}

/* In the dialect that makes most of them. */
static void
find_bddf(struct layout *best, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < 4; i++) {
		struct layout l;

		walk_bddf(&l, bddf_dialects[i], bytes, n);
		if (i == 0 || l.n > best->n)
			*best = l;
	}
}

/* Whether the unit is a chunk of an MCAP file that is not compressed. */
static bool
is_plain_chunk(const struct unit *u, const uint8_t *bytes)
{
	return bytes[u->at] == 6 && u->end - u->at >= CHUNK_DATA
	    && slv_get_le32(bytes + u->at + CHUNK_NAME) == 0;
}

/* u8 opcode, u64 length, body: records, up to `end`. */
static void
find_records(
    struct layout *l, const uint8_t *bytes, size_t at, size_t end, size_t outer)
{
	while (end - at >= 9
	    && add(l, at, 9, at + 1, slv_get_le64(bytes + at + 1), end)) {
		const struct unit u = l->at[l->n - 1];

		l->at[l->n - 1].outer = outer;
		if (outer == 0 && is_plain_chunk(&u, bytes))
			find_records(l, bytes, u.at + CHUNK_DATA, u.end, u.at);
		at = u.end;
	}
}

static void
find_mcap(struct layout *l, const uint8_t *bytes, size_t n)
{
	l->put = put_8;
	find_records(l, bytes, size_of(MCAP_MAGIC), n, 0);
}

void
layout_grow_chunk(uint8_t *bytes, size_t at, size_t more)
{
	static const size_t lengths[] = { 1, CHUNK_SIZE, CHUNK_STORED };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint8_t *p = bytes + at + lengths[i];

		slv_put_le64(p, slv_get_le64(p) + more);
	}
}

void
layout_seal_chunks(uint8_t *bytes, size_t n)
{
	struct layout l = { .n = 0 };

	if (!begins_with(bytes, n, MCAP_MAGIC, size_of(MCAP_MAGIC)))
		return;
	find_mcap(&l, bytes, n);
	for (size_t i = 0; i < l.n; i++) {
		const struct unit *u = &l.at[i];

		if (u->outer == 0 && is_plain_chunk(u, bytes))
			slv_put_le32(bytes + u->at + CHUNK_CRC,
			    slv_crc32(0, bytes + u->at + CHUNK_DATA,
			        u->end - u->at - CHUNK_DATA));
	}
}

void
layout_find(struct layout *l, const uint8_t *bytes, size_t n)
{
	*l = (struct layout){ .put = put_4 };
	if (begins_with(bytes, n, BAG_MAGIC, size_of(BAG_MAGIC)))
		find_bag(l, bytes, n);
	else if (begins_with(bytes, n, CARLA_MAGIC, 18))
		find_carla(l, bytes, n);
	else if (begins_with(bytes, n, BDDF_MAGIC, BDDF_MAGIC_SIZE))
		find_bddf(l, bytes, n);
	else if (begins_with(bytes, n, MCAP_MAGIC, size_of(MCAP_MAGIC)))
		find_mcap(l, bytes, n);
	else if (begins_with(bytes, n, ULOG_MAGIC, size_of(ULOG_MAGIC)))
		find_ulog(l, bytes, n);
	else if (begins_with(bytes, n, FMT_MAGIC, size_of(FMT_MAGIC)))
		find_dataflash(l, bytes, n);
	else if (n > CYBER_START)
		find_cyber(l, bytes, n);
}
