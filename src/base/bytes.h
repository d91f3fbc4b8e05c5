/* bytes.h - little-endian numbers and byte ranges.
 *
 * Bytes from a file are read with these, never by casting a pointer to a
 * struct: they may have any alignment, and the machine may be big-endian.
 */
#ifndef SLV_BASE_BYTES_H
#define SLV_BASE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed bytes. */
struct slv_span {
	const uint8_t *at;
	size_t len;
};

static inline bool
slv_span_same(struct slv_span a, struct slv_span b)
{
	/* No bytes may be anywhere, also at NULL. */
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline uint16_t
slv_get_le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
slv_get_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16
	    | (uint32_t)p[3] << 24;
}

static inline uint64_t
slv_get_le64(const uint8_t *p)
{
	return slv_get_le32(p) | (uint64_t)slv_get_le32(p + 4) << 32;
}

static inline void
slv_put_le16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static inline void
slv_put_le32(uint8_t *p, uint32_t v)
{
	slv_put_le16(p, (uint16_t)v);
	slv_put_le16(p + 2, (uint16_t)(v >> 16));
}

static inline void
slv_put_le64(uint8_t *p, uint64_t v)
{
	/* A compiler makes one store of this, but not always of eight. */
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

/* Return true if [off, off + len) lies inside [0, size).  Never overflows. */
static inline bool
slv_range_in(uint64_t off, uint64_t len, uint64_t size)
{
	return off <= size && len <= size - off;
}

static inline uint64_t
slv_min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t
slv_max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The sum of two numbers, or the largest one of JSON: each may be what a file says. */
static inline uint64_t
slv_add64(uint64_t a, uint64_t b)
{
	const uint64_t most = INT64_MAX;

	a = slv_min64(a, most);
	return b > most - a ? most : a + b;
}

/* So many equal bytes look like a hole, if they are zeros or ones. */
#define SLV_BLANK_RUN 16

static inline bool
slv_is_blank(uint8_t byte)
{
	return byte == 0 || byte == 0xff;
}

#endif
