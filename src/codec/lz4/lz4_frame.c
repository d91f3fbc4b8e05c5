/* lz4_frame.c - the header of an LZ4 frame. */
#include "codec/lz4/lz4_frame.h"

#include <string.h>

#define MAGIC_SIZE  4
#define HEADER_SIZE 7 /* with nothing that is optional */

/* The flags; their two highest bits are the version, 1. */
#define FLAG_VERSION      0xc0
#define FLAG_VERSION_1    0x40
#define FLAG_INDEPENDENT  0x20
#define FLAG_BLOCK_SUMS   0x10
#define FLAG_CONTENT_SIZE 0x08
#define FLAG_CONTENT_SUM  0x04
#define FLAG_RESERVED     0x02
#define FLAG_DICTIONARY   0x01

/* Of the byte behind: 4 .. 7 in these bits, 64 KiB to 4 MiB; no others. */
#define MAX_BITS  0x70
#define MAX_SHIFT 4
#define MAX_LEAST 4

enum slv_lz4_head
slv_lz4_head(const uint8_t *in, size_t n, struct slv_lz4_frame *f)
{
	static const uint8_t magic[MAGIC_SIZE] = { 0x04, 0x22, 0x4d, 0x18 };
	unsigned flags, max;

	if (n > 0 && memcmp(in, magic, n < MAGIC_SIZE ? n : MAGIC_SIZE) != 0)
		return SLV_LZ4_NONE;
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
		f->size += 8;
	if ((flags & FLAG_DICTIONARY) != 0)
		f->size += 4;
	return n < f->size ? SLV_LZ4_CUT : SLV_LZ4_HEAD;
}
