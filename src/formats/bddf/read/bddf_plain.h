/* bddf_plain.h - the fields with which every DataDescriptor and BlockEntry
 * begins, as writers write them.
 *
 * A scan spends most of its time here, therefore inline.  Each number is read
 * at once, with the length of the previous one, which a processor predicts
 * faster than it counts.  Any other encoding is not an error: bddf_wire reads
 * it byte by byte.
 */
#ifndef SLV_FORMATS_BDDF_PLAIN_H
#define SLV_FORMATS_BDDF_PLAIN_H

#include "base/bytes.h"
#include "formats/bddf/read/bddf_wire.h"

/* Bytes that must exist after whatever is decoded here; when entries are
 * encoded, they may change. */
#define BDDF_PLAIN_SLACK 8

/* Seconds as encoded in a Timestamp, with the keys of both fields: usually
 * those of the previous one. */
struct bddf_plain_sec {
	uint64_t text, mask; /* up to 8 bytes, as a little-endian number */
	size_t len;          /* 0: none yet */
	uint64_t value;
};

/* Join the 7 bits of each byte of a number. */
static inline uint64_t
bddf_plain_squeeze(uint64_t v)
{
	v -= (v & 0x7f007f007f007f00) >> 1;
	v -= ((v & 0x3fff00003fff0000) >> 2) * 3;
	return (uint32_t)v | v >> 32 << 28;
}

/* The number at p, if it has up to 8 bytes; NULL otherwise. */
static inline const uint8_t *
bddf_plain_varint(const uint8_t *p, uint64_t *out)
{
	const uint64_t high = 0x8080808080808080;
	uint64_t v, ends;

	if (*p < 0x80) {
		*out = *p;
		return p + 1;
	}
	v = slv_get_le64(p);
	ends = ~v & high;
	if (ends == 0)
		return NULL;
	*out = bddf_plain_squeeze(v & (ends ^ (ends - 1)) & ~high);
	return p + __builtin_ctzll(ends) / 8 + 1;
}

/* How the number of the previous entry was encoded: this one usually has the
 * same length.  The highest bits of so many bytes, except of the last, and the
 * other bits. */
struct bddf_plain_width {
	uint64_t high, marks, bits;
	size_t n; /* 0: none yet */
};

static inline struct bddf_plain_width
bddf_plain_width_of(uint64_t v)
{
	const uint64_t high = 0x8080808080808080;
	uint64_t ends = ~v & high, all = ends ^ (ends - 1);

	return (struct bddf_plain_width){
		.high = all & high,
		.marks = all & high & ~ends,
		.bits = all & ~high,
		.n = ends != 0 ? (size_t)__builtin_ctzll(ends) / 8 + 1 : 0,
	};
}

/* The same as bddf_plain_varint. */
static inline const uint8_t *
bddf_plain_again(const uint8_t *p, struct bddf_plain_width *w, uint64_t *out)
{
	uint64_t v = slv_get_le64(p);

	if (w->n == 0 || (v & w->high) != w->marks)
		*w = bddf_plain_width_of(v);
	*out = bddf_plain_squeeze(v & w->bits);
	return w->n > 0 ? p + w->n : NULL;
}

/* Skip a numeric field that begins with this key; p if it is not there, or is
 * not one. */
static inline const uint8_t *
bddf_plain_number(const uint8_t *p, uint8_t key, uint64_t *out)
{
	const uint8_t *end;

	if (*p != key)
		return p;
	end = bddf_plain_varint(p + 1, out);
	return end != NULL ? end : p;
}

/* The seconds and the key after them, at p; remembered if they differ from the
 * previous ones.  NULL if they are padded, or 0. */
static inline const uint8_t *
bddf_plain_seconds(const uint8_t *p, struct bddf_plain_sec *sec)
{
	uint64_t v = slv_get_le64(p);
	const uint8_t *end;

	if (sec->len > 0 && (v & sec->mask) == sec->text)
		return p + sec->len;
	end = bddf_plain_number(p, 0x08, &sec->value);
	sec->len = (size_t)(end - p) + 1;
	if (end == p || end[-1] == 0 || *end != 0x10 || sec->len > 8) {
		sec->len = 0;
		return NULL;
	}
	sec->mask = ~(uint64_t)0 >> (64 - 8 * sec->len);
	sec->text = v & sec->mask;
	return end + 1;
}

/* How the previous Timestamp was encoded. */
struct bddf_plain_time {
	struct bddf_plain_sec sec;
	struct bddf_plain_width nanos;
};

/* Skip a Timestamp of seconds and nanoseconds that begins with this key; p if
 * it is not there, or has another form.  Its seconds are t->sec.value. */
static inline const uint8_t *
bddf_plain_time(
    const uint8_t *p, uint8_t key, struct bddf_plain_time *t, uint64_t *nanos)
{
	unsigned head =
	    slv_get_le16(p); /* the key, and the number of bytes after it */
	const uint8_t *at;

	if ((head & 0x80ff) != key)
		return p;
	at = bddf_plain_seconds(p + 2, &t->sec);
	if (at != NULL)
		at = bddf_plain_again(at, &t->nanos, nanos);
	return at == p + 2 + (head >> 8) ? at : p;
}

/* Return true if a packed list of additional indexes, with its key, is all of
 * [p, stop); its numbers follow two bytes. */
static inline bool
bddf_plain_list(const uint8_t *p, const uint8_t *stop)
{
	return p < stop && *p == 0x1a && p[1] < 0x80 && p + 2 + p[1] == stop;
}

#endif
