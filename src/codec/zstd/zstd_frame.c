/* zstd_frame.c - the headers of zstd frames and blocks. */
#include "codec/zstd/zstd_frame.h"

#include "base/bytes.h"

#define MAGIC            0xfd2fb528u
#define MAGIC_SIZE       4
#define SKIPPABLE        0x184d2a50u /* and what differs in SKIPPABLE_ANY */
#define SKIPPABLE_ANY    0x0000000fu
#define SKIPPABLE_HEADER 8

/* The flags. */
#define FLAG_SINGLE_SEGMENT 0x20 /* no window: that is the content size */
#define FLAG_RESERVED       0x08
#define FLAG_CONTENT_SUM    0x04
#define DICTIONARY_BITS     0x03
#define SIZE_SHIFT          6

/* Of the window. */
#define WINDOW_SHIFT  3
#define WINDOW_EIGHTH 0x07

/* Of a block. */
#define TYPE_SHIFT 1
#define SIZE_AT    3

/* Bytes of the content size, by the flags' two highest bits. */
static unsigned
size_bytes(unsigned flags)
{
	if (flags >> SIZE_SHIFT == 0)
		return (flags & FLAG_SINGLE_SEGMENT) != 0 ? 1 : 0;
	return 1u << (flags >> SIZE_SHIFT);
}

static uint64_t
read_size(const uint8_t *at, unsigned bytes)
{
	switch (bytes) {
	case 1: return at[0];
	case 2: return slv_get_le16(at) + 256u; /* less fits in one */
	case 4: return slv_get_le32(at);
	default: return slv_get_le64(at);
	}
}

/* Bytes of the window that a byte of the header means. */
static uint64_t
read_window(uint8_t byte)
{
	uint64_t base = UINT64_C(1)
	    << (SLV_ZSTD_LOG_MIN + (byte >> WINDOW_SHIFT));

	return base + base / 8 * (byte & WINDOW_EIGHTH);
}

void
slv_zstd_put_head(uint8_t head[SLV_ZSTD_HEAD_MIN], bool content_sum, int log)
{
	slv_put_le32(head, MAGIC);
	head[MAGIC_SIZE] = content_sum ? FLAG_CONTENT_SUM : 0;
	head[MAGIC_SIZE + 1] =
	    (uint8_t)((log - SLV_ZSTD_LOG_MIN) << WINDOW_SHIFT);
}

static enum slv_zstd_head
frame_head(const uint8_t *in, size_t n, struct slv_zstd_frame *f)
{
	static const uint8_t dictionary[] = { 0, 1, 2, 4 };
	unsigned flags, bytes, at = MAGIC_SIZE + 1;

	if (n < at)
		return SLV_ZSTD_CUT;
	flags = in[MAGIC_SIZE];
	if ((flags & FLAG_RESERVED) != 0)
		return SLV_ZSTD_BAD;
	bytes = size_bytes(flags);
	at += (flags & FLAG_SINGLE_SEGMENT) != 0 ? 0 : 1;
	at += dictionary[flags & DICTIONARY_BITS];
	if (n < at + bytes)
		return SLV_ZSTD_CUT;
	*f = (struct slv_zstd_frame){
		.size = at + bytes,
		.content_sum = (flags & FLAG_CONTENT_SUM) != 0,
		.sized = bytes > 0,
		.content_size = bytes > 0 ? read_size(in + at, bytes) : 0,
	};
	f->window = (flags & FLAG_SINGLE_SEGMENT) != 0
	    ? f->content_size
	    : read_window(in[MAGIC_SIZE + 1]);
	return SLV_ZSTD_HEAD;
}

/* Do the bytes, four or fewer, agree with a magic in all but some bits? */
static bool
agrees(const uint8_t *in, size_t n, uint32_t magic, uint32_t any)
{
	for (size_t i = 0; i < n && i < MAGIC_SIZE; i++) {
		if (((in[i] ^ magic >> 8 * i) & ~(any >> 8 * i) & 0xff) != 0)
			return false;
	}
	return true;
}

enum slv_zstd_head
slv_zstd_head(const uint8_t *in, size_t n, struct slv_zstd_frame *f)
{
	if (agrees(in, n, MAGIC, 0) && n >= MAGIC_SIZE)
		return frame_head(in, n, f);
	if (!agrees(in, n, MAGIC, 0)
	    && !agrees(in, n, SKIPPABLE, SKIPPABLE_ANY))
		return SLV_ZSTD_NONE;
	if (n < SKIPPABLE_HEADER)
		return SLV_ZSTD_CUT;
	*f = (struct slv_zstd_frame){
		.size = SKIPPABLE_HEADER + (uint64_t)slv_get_le32(in + 4),
		.skippable = true,
	};
	return SLV_ZSTD_HEAD;
}

enum slv_zstd_place
slv_zstd_block(const uint8_t *in, size_t n, size_t at, struct slv_zstd_block *b)
{
	uint32_t word;
	size_t size;

	if (n - at < SLV_ZSTD_WORD)
		return SLV_ZSTD_END_OF_INPUT;
	word = slv_get_le16(in + at) | (uint32_t)in[at + 2] << 16;
	size = word >> SIZE_AT;
	*b = (struct slv_zstd_block){
		.type = (enum slv_zstd_type)(word >> TYPE_SHIFT & 3),
		.last = (word & 1) != 0,
		.size = SLV_ZSTD_WORD + size,
		.most = size,
	};
	if (b->type == SLV_ZSTD_RLE)
		b->size = SLV_ZSTD_WORD + 1;
	if (b->type == SLV_ZSTD_COMPRESSED)
		b->most = SLV_ZSTD_BLOCK_MAX;
	/* The library does not mind how often a byte is repeated. */
	return b->type == SLV_ZSTD_RLE
	        || (b->type != SLV_ZSTD_RESERVED && size <= SLV_ZSTD_BLOCK_MAX)
	    ? SLV_ZSTD_BLOCK
	    : SLV_ZSTD_NO_BLOCK;
}

struct slv_zstd_chain
slv_zstd_chain(const uint8_t *in, size_t n, size_t at)
{
	struct slv_zstd_chain c = { .end = at };
	struct slv_zstd_block b;

	while (!c.whole && slv_zstd_block(in, n, c.end, &b) == SLV_ZSTD_BLOCK) {
		c.most += b.most;
		if (b.size > n - c.end)
			return c;
		c.end += b.size;
		c.whole = b.last;
		c.type = b.type;
	}
	return c;
}
