/* bddf_plain.h - the fields that every DataDescriptor and BlockEntry begins
 * with, as writers write them.
 *
 * A scan spends most of its time here, hence inline: each number is read and
 * written at once.  What is written another way is no error: it is left to
 * bddf_wire and bddf_encode, which go byte by byte.
 */
#ifndef SLV_FORMATS_BDDF_PLAIN_H
#define SLV_FORMATS_BDDF_PLAIN_H

#include "base/bytes.h"
#include "formats/bddf/bddf_wire.h"

/* Bytes that must be there behind whatever is decoded or encoded here; of the
 * latter they may change. */
#define BDDF_PLAIN_SLACK 8

/* Seconds as they stand in a Timestamp, with the keys of both fields: those of
 * the one before stand there again, mostly. */
struct bddf_plain_sec {
	uint64_t text, mask; /* of up to 8 bytes, as a little-endian number */
	size_t len;          /* 0: none yet */
	uint64_t value;
};

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
	/* The bytes up to the end, and their 7 bits moved together. */
	v &= (ends ^ (ends - 1)) & ~high;
	v -= (v & 0x7f007f007f007f00) >> 1;
	v -= ((v & 0x3fff00003fff0000) >> 2) * 3;
	*out = (uint32_t)v | v >> 32 << 28;
	return p + __builtin_ctzll(ends) / 8 + 1;
}

/* Step over the field of a number that begins with this key; p where it is
 * not there, or is none. */
static inline const uint8_t *
bddf_plain_number(const uint8_t *p, uint8_t key, uint64_t *out)
{
	const uint8_t *end;

	if (*p != key)
		return p;
	end = bddf_plain_varint(p + 1, out);
	return end != NULL ? end : p;
}

/* The seconds and the key behind them, at p; where they are others than
 * before, they are remembered. */
static inline const uint8_t *
bddf_plain_seconds(const uint8_t *p, struct bddf_plain_sec *sec)
{
	uint64_t v = slv_get_le64(p);
	const uint8_t *end;

	if (sec->len > 0 && (v & sec->mask) == sec->text)
		return p + sec->len;
	end = bddf_plain_number(p, 0x08, &sec->value);
	sec->len = (size_t)(end - p) + 1;
	if (end == p || *end != 0x10 || sec->len > 8) {
		sec->len = 0;
		return NULL;
	}
	sec->mask = ~(uint64_t)0 >> (64 - 8 * sec->len);
	sec->text = v & sec->mask;
	return end + 1;
}

/* Step over a Timestamp of seconds and nanoseconds that begins with this key;
 * p where it is not there, or is another one.  Its seconds are sec->value. */
static inline const uint8_t *
bddf_plain_time(
    const uint8_t *p, uint8_t key, struct bddf_plain_sec *sec, uint64_t *nanos)
{
	const uint8_t *at;

	if (*p != key || p[1] >= 0x80)
		return p;
	at = bddf_plain_seconds(p + 2, sec);
	if (at != NULL)
		at = bddf_plain_varint(at, nanos);
	return at == p + 2 + p[1] ? at : p;
}

/* Whether a packed list of additional indexes, with its key, is all of
 * [p, stop); its numbers stand behind two bytes. */
static inline bool
bddf_plain_list(const uint8_t *p, const uint8_t *stop)
{
	return p < stop && *p == 0x1a && p[1] < 0x80 && p + 2 + p[1] == stop;
}

/* Write a number that has up to 8 bytes. */
static inline uint8_t *
bddf_plain_put(uint8_t *p, uint64_t v)
{
	size_t n = bddf_varint_size(v);

	/* Its bits, each 7 moved apart, and the marks of all but the last. */
	v = (v & 0x0fffffff) | v >> 28 << 32;
	v += (v & 0x0fffc0000fffc000) * 3;
	v += v & 0x3f803f803f803f80;
	v |= 0x8080808080808080 & (((uint64_t)1 << 8 * (n - 1)) - 1);
	slv_put_le64(p, v);
	return p + n;
}

/* Remember these seconds as they are written; false: they take too many
 * bytes, or none. */
static inline bool
bddf_plain_set(struct bddf_plain_sec *sec, int64_t value)
{
	uint8_t text[2 * BDDF_PLAIN_SLACK] = { 0x08 }, *end;

	if (value <= 0 || value >> 42 != 0)
		return false;
	end = bddf_plain_put(text + 1, (uint64_t)value);
	*end++ = 0x10;
	sec->len = (size_t)(end - text);
	sec->mask = ~(uint64_t)0 >> (64 - 8 * sec->len);
	sec->text = slv_get_le64(text) & sec->mask;
	sec->value = (uint64_t)value;
	return true;
}

/* Whether an entry is plain, with `off` for its offset and no additional
 * indexes; its seconds are then remembered. */
static inline bool
bddf_plain_is(
    const struct bddf_entry *e, uint64_t off, struct bddf_plain_sec *sec)
{
	return e->extra == 0 && e->nanos - 1 < INT32_MAX && off != 0
	    && off >> 56 == 0
	    && ((sec->len > 0 && sec->value == (uint64_t)e->sec)
	        || bddf_plain_set(sec, e->sec));
}

/* Bytes of such an entry as a field of its SeriesBlockIndex. */
static inline size_t
bddf_plain_size(
    const struct bddf_entry *e, uint64_t off, const struct bddf_plain_sec *sec)
{
	return 5 + sec->len + bddf_varint_size(e->nanos)
	    + bddf_varint_size(off);
}

/* Write these bytes; returns where they end. */
static inline uint8_t *
bddf_plain_entry(uint8_t *p, const struct bddf_entry *e, uint64_t off,
    const struct bddf_plain_sec *sec)
{
	uint8_t *end;

	slv_put_le64(p + 4, sec->text);
	end = bddf_plain_put(p + 4 + sec->len, e->nanos);
	p[3] = (uint8_t)(end - p - 4);
	*end++ = 0x10;
	end = bddf_plain_put(end, off);
	p[0] = 0x1a;
	p[1] = (uint8_t)(end - p - 2);
	p[2] = 0x0a;
	return end;
}

#endif
