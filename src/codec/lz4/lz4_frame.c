/* lz4_frame.c - the header of an LZ4 frame. */
#include "codec/lz4/lz4_frame.h"

#include <string.h>

#include "base/bytes.h"

#define MAGIC_SIZE   4
#define HEADER_SIZE  7 /* with nothing that is optional */
#define CONTENT_SIZE 8

/* The flags; their two highest bits are the version, 1. */
#define FLAG_VERSION      0xc0
#define FLAG_VERSION_1    0x40
#define FLAG_INDEPENDENT  0x20
#define FLAG_BLOCK_SUMS   0x10
#define FLAG_CONTENT_SIZE 0x08
#define FLAG_CONTENT_SUM  0x04
#define FLAG_RESERVED     0x02
#define FLAG_DICTIONARY   0x01

/* Of the byte after: 4 .. 7 in these bits, 64 KiB to 4 MiB; no others. */
#define MAX_BITS  0x70
#define MAX_SHIFT 4
#define MAX_LEAST 4

static const uint8_t magic[MAGIC_SIZE] = { 0x04, 0x22, 0x4d, 0x18 };

/* Read a header, with or without its magic. */
static enum slv_lz4_head
read_header(const uint8_t *in, size_t n, struct slv_lz4_frame *f)
{
	unsigned flags, max;

	if (n < HEADER_SIZE)
		return SLV_LZ4_CUT;
	flags = in[MAGIC_SIZE];
	max = in[MAGIC_SIZE + 1];
	if ((flags & FLAG_VERSION) != FLAG_VERSION_1
	    || (flags & FLAG_RESERVED) != 0 || (max & ~MAX_BITS) != 0
	    || max >> MAX_SHIFT < MAX_LEAST)
		return SLV_LZ4_NONE;
	*f = (struct slv_lz4_frame){
		.size = HEADER_SIZE,
		.block_max = SLV_LZ4_BLOCK_MIN
		    << 2 * ((max >> MAX_SHIFT) - MAX_LEAST),
		.linked = (flags & FLAG_INDEPENDENT) == 0,
		.block_sums = (flags & FLAG_BLOCK_SUMS) != 0,
		.content_sum = (flags & FLAG_CONTENT_SUM) != 0,
	};
	if ((flags & FLAG_CONTENT_SIZE) != 0)
		f->size += CONTENT_SIZE;
	if ((flags & FLAG_DICTIONARY) != 0)
		f->size += 4;
	return n < f->size ? SLV_LZ4_CUT : SLV_LZ4_HEAD;
}

bool
slv_lz4_begins(const uint8_t *in, size_t n)
{
	return n >= MAGIC_SIZE && memcmp(in, magic, MAGIC_SIZE) == 0;
}

enum slv_lz4_head
slv_lz4_head(const uint8_t *in, size_t n, struct slv_lz4_frame *f)
{
	if (n > 0 && memcmp(in, magic, n < MAGIC_SIZE ? n : MAGIC_SIZE) != 0)
		return SLV_LZ4_NONE;
	return read_header(in, n, f);
}

/* Do the sizes of blocks lead to the end of the input? */
static bool
leads_to_end(const uint8_t *in, size_t n, const struct slv_lz4_frame *f)
{
	size_t behind = f->block_sums ? SLV_LZ4_WORD : 0, at = f->size;

	while (at <= n && n - at >= SLV_LZ4_WORD) {
		uint32_t word = slv_get_le32(in + at);
		size_t len = word & ~SLV_LZ4_STORED;

		at += SLV_LZ4_WORD;
		if (word == 0)
			return n - at == (f->content_sum ? SLV_LZ4_WORD : 0);
		if (len == 0 || len > f->block_max)
			return false;
		at += len + behind;
	}
	return false;
}

void
slv_lz4_guess(const uint8_t *in, size_t n, struct slv_lz4_frame *f)
{
	if (read_header(in, n, f) == SLV_LZ4_HEAD && leads_to_end(in, n, f)) {
		f->guessed = true;
		return;
	}
	/* Blocks that are not linked come out as well if they are taken for
	 * linked ones. */
	for (unsigned k = 0; k < 8; k++) {
		*f = (struct slv_lz4_frame){
			.size = HEADER_SIZE + (k & 1 ? CONTENT_SIZE : 0),
			.block_max = SLV_LZ4_BLOCK_MAX,
			.linked = true,
			.block_sums = k & 2,
			.content_sum = k & 4,
			.guessed = true,
		};
		if (leads_to_end(in, n, f))
			return;
	}
	*f = (struct slv_lz4_frame){
		.size = HEADER_SIZE,
		.block_max = SLV_LZ4_BLOCK_MAX,
		.content_sum = true,
		.guessed = true,
	};
}
