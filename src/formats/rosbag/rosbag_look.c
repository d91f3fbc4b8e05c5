/* rosbag_look.c - records of a bag in the file. */
#include <string.h>

#include "formats/rosbag/rosbag_state.h"

#define GUESS    ((size_t)256)      /* bytes of most headers, and more */
#define STRIDE   ((size_t)64 << 10) /* bytes searched at once */
#define OVERLAP  ((size_t)ROSBAG_FIELDS_MAX + 8)
#define LZ4_HEAD 7  /* bytes of a frame's header as ROS writes it */
#define BZ2_HEAD 10 /* ... of a stream's, with the mark of its first block */
#define FORGIVEN 4  /* bytes of a header that may be wrong */

static const uint8_t lz4_magic[] = { 0x04, 0x22, 0x4d, 0x18 };
static const uint8_t bz2_block[] = { 0x31, 0x41, 0x59, 0x26, 0x53, 0x59 };

enum slv_status
rosbag_look(struct slv_scan *s, uint64_t off, struct rosbag_record *r,
    enum rosbag_read *read, struct slv_err *err)
{
	uint64_t there = slv_max64(s->source->size, off) - off;
	size_t n = (size_t)slv_min64(there, GUESS);
	const uint8_t *p;

	*read = ROSBAG_SHORT;
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off, n, &p, err));
	*read = rosbag_record_get(p, n, r);
	if (*read != ROSBAG_SHORT || n == there)
		return SLV_OK;
	n = (size_t)slv_min64(there, (uint64_t)slv_get_le32(p) + 8);
	SLV_TRY(slv_window_view(&s->window, off, n, &p, err));
	*read = rosbag_record_get(p, n, r);
	return SLV_OK;
}

/* Headers that follow a message, as the C++ library writes them; '-' is any
 * byte. */
static const struct {
	const char *like;
	size_t n;
} followers[] = {
#define LIKE(text)                                                             \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}
	LIKE("\x26\0\0\0"
	     "\x09\0\0\0conn=----"
	     "\x04\0\0\0op=\x02"
	     "\x0d\0\0\0time=--------"),
	LIKE("\x2f\0\0\0"
	     "\x09\0\0\0conn=----"
	     "\x0a\0\0\0count=----"
	     "\x04\0\0\0op=\x04"
	     "\x08\0\0\0ver=\x01\0\0\0"),
#undef LIKE
};

/* Whether a header stands at p, but for a few bytes. */
static bool
is_alike(const uint8_t *p, const char *like, size_t n)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += like[i] != '-' && p[i] != (uint8_t)like[i];
	return wrong <= FORGIVEN;
}

enum slv_status
rosbag_goes_on(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;
	enum rosbag_read read;
	const uint8_t *p;

	SLV_TRY(rosbag_look(s, off, &r, &read, err));
	*yes = read != ROSBAG_BAD;
	for (size_t i = 0; !*yes && i < sizeof(followers) / sizeof(*followers);
	     i++) {
		size_t n = followers[i].n;

		if (s->source->size - off < n)
			continue;
		SLV_TRY(slv_window_view(&s->window, off, n, &p, err));
		*yes = is_alike(p, followers[i].like, n);
	}
	return SLV_OK;
}

enum slv_status
rosbag_find(struct slv_scan *s, uint64_t from, uint64_t to, unsigned ops,
    uint64_t *out, struct slv_err *err)
{
	uint64_t end = slv_min64(to, s->logical_end);

	*out = to;
	while (from < end) {
		size_t upto = (size_t)slv_min64(end - from, STRIDE);
		size_t n =
		    (size_t)slv_min64(s->logical_end - from, upto + OVERLAP);
		const uint8_t *p;
		size_t at;

		SLV_TRY(slv_window_view(&s->window, from, n, &p, err));
		at = rosbag_record_find(p, n, 0, upto, ops);
		if (at < upto) {
			*out = from + at;
			break;
		}
		from += upto;
	}
	return SLV_OK;
}

/* What kind of stream begins at p, of which n bytes are there. */
static bool
is_stream(const uint8_t *p, size_t n, enum slv_codec_kind *codec)
{
	if (n >= LZ4_HEAD && memcmp(p, lz4_magic, sizeof(lz4_magic)) == 0
	    && p[4] >> 6 == 1) {
		*codec = SLV_CODEC_LZ4;
		return true;
	}
	if (n >= BZ2_HEAD && memcmp(p, "BZh", 3) == 0
	    && memcmp(p + 4, bz2_block, sizeof(bz2_block)) == 0) {
		*codec = SLV_CODEC_BZ2;
		return true;
	}
	return false;
}

enum slv_status
rosbag_find_stream(struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, enum slv_codec_kind *codec, struct slv_err *err)
{
	while (from < to) {
		size_t n =
		    (size_t)slv_min64(s->logical_end - from, STRIDE + BZ2_HEAD);
		size_t upto =
		    (size_t)slv_min64(slv_min64(n, STRIDE), to - from);
		const uint8_t *p;

		SLV_TRY(slv_window_view(&s->window, from, n, &p, err));
		for (size_t i = 0; i < upto; i++) {
			if ((p[i] != 0x04 && p[i] != 'B')
			    || !is_stream(p + i, n - i, codec))
				continue;
			*out = from + i;
			return SLV_OK;
		}
		from += upto;
	}
	*out = to;
	return SLV_OK;
}

enum slv_status
rosbag_packed_upto(
    struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	enum slv_codec_kind codec = b->usual;
	struct rosbag_record r;
	enum rosbag_read read;

	*end = s->source->size;
	SLV_TRY(rosbag_look(s, off, &r, &read, err));
	if (read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK) {
		codec = r.codec;
		if (rosbag_span(&r) < *end - off
		    && (b->plain || b->usual == SLV_CODEC_NONE))
			*end = off + rosbag_span(&r);
	} else if (b->open && !b->in_index) {
		codec = b->chunks[b->n_chunks - 1].codec;
	}
	if (codec == SLV_CODEC_NONE)
		*end = off;
	return SLV_OK;
}
