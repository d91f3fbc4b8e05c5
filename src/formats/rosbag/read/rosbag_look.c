/* rosbag_look.c - records of a bag in the file. */
#include <limits.h>
#include <string.h>

#include "base/find.h"
#include "formats/rosbag/rosbag_state.h"

#define GUESS      ((size_t)256)      /* bytes of most headers, and more */
#define STRIDE     ((size_t)64 << 10) /* bytes searched at once */
#define OVERLAP    ((size_t)ROSBAG_FIELDS_MAX + 8)
#define LZ4_HEAD   7  /* bytes of a frame's header as ROS writes it */
#define BZ2_HEAD   10 /* ... of a stream's, with the mark of its first block */
#define FORGIVEN   4  /* bytes of a header that may be wrong */
#define REACH      ((uint64_t)2 * ROSBAG_PAGE) /* bytes, for what follows it */
#define IN_A_ROW   3  /* records, of which none may be compressed */
#define CHUNK_HEAD 64 /* bytes, and more, of a chunk's header */
#define BEGUN      8  /* ... and so many from its first on show that it began */

static const uint8_t lz4_magic[] = { 0x04, 0x22, 0x4d, 0x18 };
static const uint8_t bz2_block[] = { 0x31, 0x41, 0x59, 0x26, 0x53, 0x59 };

static enum slv_status
look(const struct slv_scan *s, uint64_t off, struct rosbag_record *r,
    struct slv_err *err)
{
	uint64_t there = slv_max64(s->source->size, off) - off;
	size_t n = (size_t)slv_min64(there, GUESS);
	const uint8_t *p;

	*r = (struct rosbag_record){ .read = ROSBAG_SHORT };
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	rosbag_record_get(p, n, r);
	if (r->read == ROSBAG_WHOLE)
		slv_window_soon(s->window, off + rosbag_span(r));
	if (r->read != ROSBAG_SHORT || n == there)
		return SLV_OK;
	n = (size_t)slv_min64(there, (uint64_t)slv_get_le32(p) + 8);
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	rosbag_record_get(p, n, r);
	return SLV_OK;
}

enum slv_status
rosbag_look(const struct slv_scan *s, uint64_t off, struct rosbag_record *r,
    struct slv_err *err)
{
	const struct rosbag_record *known =
	    slv_cache_find(s->cache, ROSBAG_CACHED_RECORD, off);

	if (known != NULL) {
		*r = *known;
		return SLV_OK;
	}
	SLV_TRY(look(s, off, r, err));
	return r->read != ROSBAG_WHOLE
	    ? SLV_OK
	    : slv_cache_copy(s->cache, ROSBAG_CACHED_RECORD, off, r, err);
}

/* A field of a header: its length, its name and what must be its value, and
 * how many bytes that can be anything. */
struct likeness {
	const char *text;
	uint32_t n, any;
};

#define LIKE(text, any)                                                        \
	{                                                                      \
		text, sizeof(text) - 1, any                                    \
	}
#define KINDS 3 /* of fields, and one more in an index */

/* Headers that follow a message in a chunk; their fields come in any order. */
static const struct follower {
	uint32_t len; /* of the header; of a connection without its topic */
	struct likeness fields[KINDS + 1];
} followers[] = {
	{ 38,
	    { LIKE("\x09\0\0\0conn=", 4), LIKE("\x04\0\0\0op=\x02", 0),
	        LIKE("\x0d\0\0\0time=", 8) } },
	{ 47,
	    { LIKE("\x09\0\0\0conn=", 4), LIKE("\x04\0\0\0op=\x04", 0),
	        LIKE("\x0a\0\0\0count=", 4),
	        LIKE("\x08\0\0\0ver=\x01\0\0\0", 0) } },
};
static const struct follower connection = {
	31,
	{ LIKE("\x09\0\0\0conn=", 4), LIKE("\x04\0\0\0op=\x07", 0) },
};
#undef LIKE

static unsigned
wrong_bytes(const uint8_t *p, const char *like, size_t n)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += p[i] != (uint8_t)like[i];
	return wrong;
}

/* Whether the first bytes of a field, after a length, are at p. */
static bool
is_begun(const uint8_t *p, const struct follower *f)
{
	for (int i = 0; i < KINDS; i++) {
		if (wrong_bytes(p, f->fields[i].text, BEGUN - 4) == 0)
			return true;
	}
	return false;
}

/* Whether a header of f->len bytes is at p, except for a few of them, or the
 * beginning of one. */
static bool
is_alike(const uint8_t *p, const struct follower *f)
{
	const struct likeness *best, *end = f->fields + KINDS + 1;
	uint8_t len[8];
	unsigned wrong, least, taken = 0;

	slv_put_le64(len, f->len);
	wrong = wrong_bytes(p, (const char *)len, 4);
	if (wrong == 0 && is_begun(p + 4, f))
		return true;
	for (p += 4;; p += best->n + best->any) {
		best = NULL;
		least = UINT_MAX;
		for (const struct likeness *x = f->fields; x < end; x++) {
			unsigned w;

			if (x->n == 0 || taken >> (x - f->fields) & 1)
				continue;
			w = wrong_bytes(p, x->text, x->n);
			if (w < least) {
				least = w;
				best = x;
			}
		}
		if (best == NULL)
			return wrong <= FORGIVEN;
		taken |= 1u << (best - f->fields);
		wrong += least;
	}
}

/* The same of what is at off in the file. */
static enum slv_status
look_alike(const struct slv_scan *s, uint64_t off, const struct follower *f,
    bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (!slv_range_in(off, f->len + 4, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, f->len + 4, &p, err));
	*yes = is_alike(p, f);
	return SLV_OK;
}

/* The same of a connection, which is as long as its topic: so says the length
 * of the header at off, or that of the topic, wherever that is. */
static enum slv_status
look_alike_conn(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	static const uint8_t lengths[] = { 0, 4, 12, 17, 25 };
	static const char name[] = "topic=";
	const uint32_t n_name = sizeof(name) - 1;

	*yes = false;
	for (size_t i = 0; !*yes && i < sizeof(lengths); i++) {
		struct follower f = connection;
		uint8_t text[4 + sizeof(name)];
		uint64_t topic;
		const uint8_t *p;

		if (!slv_range_in(off, lengths[i] + 4u, s->source->size))
			break;
		SLV_TRY(
		    slv_window_view(s->window, off + lengths[i], 4, &p, err));
		topic = slv_get_le32(p);
		topic -= i == 0 ? f.len : n_name;
		if (topic > ROSBAG_FIELDS_MAX)
			continue;
		f.len += (uint32_t)topic;
		slv_put_le64(text, topic + n_name);
		memcpy(text + 4, name, sizeof(name));
		f.fields[2] = (struct likeness){ (const char *)text, 4 + n_name,
			(uint32_t)topic };
		SLV_TRY(look_alike(s, off, &f, yes, err));
	}
	return SLV_OK;
}

enum slv_status
rosbag_goes_on(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;

	SLV_TRY(rosbag_look(s, off, &r, err));
	*yes = r.read != ROSBAG_BAD;
	for (size_t i = 0; !*yes && i < sizeof(followers) / sizeof(*followers);
	     i++)
		SLV_TRY(look_alike(s, off, &followers[i], yes, err));
	return *yes ? SLV_OK : look_alike_conn(s, off, yes, err);
}

enum slv_status
rosbag_ends(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const unsigned in_bag = 1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN
	    | 1u << ROSBAG_INDEX | 1u << ROSBAG_INFO;
	struct rosbag_record r;
	uint64_t at = off, next;

	SLV_TRY(rosbag_look(s, end, &r, err));
	*yes = r.read != ROSBAG_BAD;
	if (!*yes)
		SLV_TRY(rosbag_goes_on(s, end, yes, err));
	if (!*yes || r.read == ROSBAG_WHOLE)
		return SLV_OK;
	for (;;) {
		SLV_TRY(rosbag_find(s, at + 1, end, in_bag, &at, err));
		if (at == end)
			return SLV_OK;
		SLV_TRY(rosbag_look(s, at, &r, err));
		next = at + rosbag_span(&r);
		if (r.read != ROSBAG_WHOLE || next <= end)
			continue;
		SLV_TRY(rosbag_look(s, next, &r, err));
		*yes = r.read != ROSBAG_WHOLE;
		if (!*yes)
			return SLV_OK;
	}
}

enum slv_status
rosbag_find(const struct slv_scan *s, uint64_t from, uint64_t to, unsigned ops,
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

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
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
rosbag_find_stream(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, enum slv_codec_kind *codec, struct slv_err *err)
{
	uint64_t end = slv_min64(to, s->logical_end);

	while (from < end) {
		size_t n =
		    (size_t)slv_min64(s->logical_end - from, STRIDE + BZ2_HEAD);
		size_t upto = (size_t)slv_min64(end - from, STRIDE);
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
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

/* Whether messages follow each other from `at` on.  In what is compressed no three
 * of them do. */
static enum slv_status
is_row(const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	*yes = true;
	for (int i = 0; *yes && i < IN_A_ROW; i++) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, at, &r, err));
		*yes = r.read == ROSBAG_WHOLE
		    && (r.op == ROSBAG_MESSAGE || r.op == ROSBAG_CONN);
		at += rosbag_span(&r);
	}
	return SLV_OK;
}

/* Whether what is at off, no record, is the header of a chunk that was not
 * compressed, or what is left of it: it says so, or messages follow.  The first of
 * them may be in a payload, and break off with it. */
static enum slv_status
is_plain(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	static const char says[] = "compression=none";
	uint64_t there = slv_max64(s->logical_end, off) - off, at;
	uint64_t end = off + slv_min64(there, REACH);
	size_t n = (size_t)slv_min64(there, CHUNK_HEAD);
	const uint8_t *p;

	*yes = false;
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	*yes = slv_find_bytes(p, n, says, sizeof(says) - 1) != NULL;
	for (at = off; !*yes && at < end; at++) {
		SLV_TRY(rosbag_find(s, at, end,
		    1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN, &at, err));
		if (at < end)
			SLV_TRY(is_row(s, at, yes, err));
	}
	return SLV_OK;
}

/* Where the data of the open chunk, which are compressed, end as far as is
 * known; 0: it is not. */
static uint64_t
open_end(const struct rosbag *b)
{
	const struct rosbag_chunk *c = &b->chunks[b->n_chunks - 1];

	if (c->stored)
		return c->data_end;
	return c->headed && b->claim.len > 0 ? c->data + b->claim.len : 0;
}

enum slv_status
rosbag_packed_upto(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	enum slv_codec_kind codec = b->usual;
	struct rosbag_record r;
	bool plain = false;

	*end = s->source->size;
	SLV_TRY(rosbag_look(s, off, &r, err));
	if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK) {
		codec = r.codec;
		if (rosbag_span(&r) < *end - off
		    && (b->plain || b->usual == SLV_CODEC_NONE))
			*end = off + rosbag_span(&r);
	} else if (b->open && !b->in_index) {
		codec = b->chunks[b->n_chunks - 1].codec;
		if (codec != SLV_CODEC_NONE && open_end(b) > 0)
			SLV_TRY(is_plain(s, open_end(b), &plain, err));
		if (plain)
			*end = slv_max64(off, open_end(b));
	} else if (codec != SLV_CODEC_NONE) {
		SLV_TRY(is_plain(s, off, &plain, err));
		if (plain)
			codec = SLV_CODEC_NONE;
	}
	if (codec == SLV_CODEC_NONE)
		*end = off;
	return SLV_OK;
}
