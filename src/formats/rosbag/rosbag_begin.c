/* rosbag_begin.c - is it a bag, and how are its chunks compressed? */
#include "formats/rosbag/rosbag_state.h"
#include "support/seek.h"

#include <string.h>

/* Bits of evidence. */
#define BID_MAGIC 104 /* the whole first line */
#define BID_CHAIN 60  /* two records, somewhere */

#define SEARCH    ((uint64_t)8 << 20) /* bytes in which there must be a record */

/* "#ROSRECORD V1.1" and its like; version 1.2 is a format of its own. */
static bool
is_old(const uint8_t *p, size_t n, uint32_t version[2])
{
	static const char line[] = "#ROSRECORD V";
	const size_t at = sizeof(line) - 1;

	if (n < at + 4 || memcmp(p, line, at) != 0 || p[at + 1] != '.'
	    || p[at] < '0' || p[at] > '9' || p[at + 2] < '0' || p[at + 2] > '9')
		return false;
	version[0] = p[at] - (uint32_t)'0';
	version[1] = p[at + 2] - (uint32_t)'0';
	return version[0] != 1 || version[1] != 2;
}

/* How the first chunk that can be found is compressed. */
static enum slv_status
find_usual(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint64_t to = slv_min64(s->logical_end, s->base + SEARCH), at;
	struct rosbag_record r;

	if (s->base + ROSBAG_DATA_START < s->logical_end) {
		SLV_TRY(rosbag_look(s, s->base + ROSBAG_DATA_START, &r, err));
		if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK) {
			b->usual = r.codec;
			return SLV_OK;
		}
	}
	SLV_TRY(rosbag_find(s, s->base, to, 1u << ROSBAG_CHUNK, &at, err));
	if (at == to)
		return rosbag_find_stream(s, s->base, to, &at, &b->usual, err);
	SLV_TRY(rosbag_look(s, at, &r, err));
	b->usual = r.codec;
	return SLV_OK;
}

/* Whether a record is somewhere, and another after it. */
static enum slv_status
find_chain(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const unsigned any = 1u << ROSBAG_CHUNK | 1u << ROSBAG_MESSAGE
	    | 1u << ROSBAG_CONN | 1u << ROSBAG_INDEX | 1u << ROSBAG_INFO;
	uint64_t to = slv_min64(s->logical_end, SEARCH), at = 0;
	struct rosbag_record r;

	*yes = false;
	while (!*yes) {
		SLV_TRY(rosbag_find(s, at, to, any, &at, err));
		if (at == to)
			return SLV_OK;
		SLV_TRY(rosbag_look(s, at, &r, err));
		at += r.op == ROSBAG_CHUNK && r.codec == SLV_CODEC_NONE
		    ? rosbag_head(&r)
		    : rosbag_span(&r);
		if (at >= s->logical_end)
			return SLV_OK;
		SLV_TRY(rosbag_look(s, at, &r, err));
		*yes = r.read == ROSBAG_WHOLE;
		at = slv_min64(at, to);
	}
	return SLV_OK;
}

enum slv_status
rosbag_find_magic(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	return slv_seek(s, from, to, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE, out, err);
}

/* Whether the bag that begins at off may be the rest of the file: a bag that a
 * payload carries is followed by records of the bag around it. */
static enum slv_status
is_last_log(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const unsigned tail = 1u << ROSBAG_CONN | 1u << ROSBAG_INFO;
	struct rosbag_record r;

	SLV_TRY(rosbag_look(s, off + ROSBAG_MAGIC_SIZE, &r, err));
	*yes = r.read == ROSBAG_WHOLE && r.op == ROSBAG_BAG_HEADER;
	if (!*yes || r.index_pos == 0 || r.index_pos >= s->logical_end)
		return SLV_OK;
	for (off += r.index_pos; off < s->logical_end; off += rosbag_span(&r)) {
		SLV_TRY(rosbag_look(s, off, &r, err));
		if (r.read != ROSBAG_WHOLE || (tail >> r.op & 1) == 0)
			break;
	}
	*yes = off >= s->logical_end || r.read != ROSBAG_WHOLE;
	return SLV_OK;
}

/* The bag begins after bytes that hold nothing of a bag: a transfer that put its
 * own in front, or what a disk had there. */
static enum slv_status
find_base(struct slv_scan *s, struct slv_err *err)
{
	const unsigned any = (1u << ROSBAG_OPS) - 1;
	uint64_t to = slv_min64(s->logical_end, SEARCH), at, own;
	enum slv_codec_kind codec;
	bool yes;

	SLV_TRY(rosbag_find_magic(s, 0, to, &at, err));
	if (at == to)
		return SLV_OK;
	SLV_TRY(rosbag_find(s, 0, at, any, &own, err));
	SLV_TRY(rosbag_find_stream(s, 0, own, &own, &codec, err));
	if (own < at)
		return SLV_OK;
	SLV_TRY(is_last_log(s, at, &yes, err));
	s->base = yes ? at : 0;
	return SLV_OK;
}

enum slv_status
rosbag_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	size_t n = (size_t)slv_min64(s->logical_end - s->base, 16);
	const uint8_t *p;
	bool yes;

	*bid = 0;
	b->version[0] = 2;
	SLV_TRY(slv_window_view(s->window, s->base, n, &p, err));
	if (is_old(p, n, b->version))
		*bid = BID_MAGIC;
	else if (n >= ROSBAG_MAGIC_SIZE
	    && memcmp(p, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE) == 0)
		*bid = BID_MAGIC;
	if (*bid == 0) {
		SLV_TRY(find_chain(s, &yes, err));
		SLV_TRY(find_base(s, err));
		*bid = yes || s->base > 0 ? BID_CHAIN : 0;
	}
	return *bid > 0 ? find_usual(s, err) : SLV_OK;
}
