/* bz2_salvage.c - recover a damaged bzip2 stream.
 *
 * A stream is blocks of up to 900 kB of input, bit after bit.  Each begins with
 * a mark and a checksum over its decoded bytes, and needs no other block.  So
 * the blocks of a damaged stream can be found and proven, like bzip2recover
 * does it: each is decoded as a stream of its own.
 */
#include <bzlib.h>
#include <string.h>

#include "codec/bz2/bz2.h"
#include "codec/bz2/bz2_bits.h"

#define HEADER_BITS 32

/* Blocks that are tried: this number, and one more for so many bytes of
 * input. */
#define TRIES     64
#define TRY_BYTES 1024

/* Decoded bytes that may turn out wrong, in all: one block can have 46 MB. */
#define WASTE ((size_t)512 << 20)

/* A stream in progress. */
struct salvage {
	const struct slv_encoded *s;
	struct slv_span in;
	struct slv_decode *d;
	struct slv_buf one;             /* a block as a stream of its own */
	struct slv_decoded_piece piece; /* in progress, if len > 0 */
	uint64_t touched;               /* the bit after it; 0: not known */
	uint64_t straight;    /* no block is missing before this bit */
	size_t tries, wasted; /* left; decoded bytes that were wrong */
};

/* A block in the bits [from, end), and its result. */
struct block {
	uint64_t from, end;
	size_t len;   /* the last bytes of the output; 0: none */
	bool touches; /* it ends with these bits, not before them */
	bool over;    /* the limit cut it */
};

/* Decode a block; one that does not match its checksum gives no output. */
static enum slv_status
decode(struct salvage *x, struct block *b, struct slv_err *err)
{
	struct slv_buf *out = &x->d->out;
	size_t before = out->len;
	struct slv_bz2_verdict v;
	uint64_t sum =
	    slv_bz2_bits(x->in, b->from + SLV_BZ2_MARK_BITS, SLV_BZ2_SUM_BITS);

	SLV_TRY(slv_bz2_wrap(x->in, b->from, b->end, &x->one, err));
	SLV_TRY(slv_bz2_run((struct slv_span){ x->one.at, x->one.len },
	    x->s->max, true, x->d, &v, err));
	b->len = out->len - before;
	b->touches = v.code == BZ_STREAM_END;
	b->over = b->touches && v.over;
	if (b->touches
	    || (!v.over && slv_bz2_sum(out->at + before, b->len) == sum))
		return SLV_OK;
	x->wasted += v.made;
	b->len = 0;
	out->len = before;
	return SLV_OK;
}

static enum slv_status
end_piece(struct salvage *x, struct slv_err *err)
{
	struct slv_decoded_piece p = x->piece;

	p.sure = p.proven = true;
	p.firm = p.len;
	x->piece.len = 0;
	return slv_decode_piece(x->d, p, err);
}

/* A decoded block continues the piece that it is adjacent to. */
static enum slv_status
add(struct salvage *x, const struct block *b, struct slv_err *err)
{
	if (x->piece.len == 0 || x->touched != b->from) {
		SLV_TRY(end_piece(x, err));
		x->piece = (struct slv_decoded_piece){
			.out = x->d->out.len - b->len,
			.in = (size_t)(b->from / 8),
			.at_known = b->from == HEADER_BITS,
		};
	}
	x->piece.len += b->len;
	x->piece.in_end = (size_t)((b->end + 7) / 8);
	x->touched = b->touches ? b->end : 0;
	if (b->touches && x->straight == b->from)
		x->straight = b->end;
	return SLV_OK;
}

/* Does another stream begin with the block at this bit? */
static bool
is_another(const struct salvage *x, uint64_t bit)
{
	const uint8_t *p;

	if (bit % 8 != 0 || bit <= HEADER_BITS)
		return false;
	p = x->in.at + bit / 8 - 4;
	return memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9';
}

/* At the end mark. */
static void
at_end(struct salvage *x, uint64_t bit)
{
	struct slv_decode *d = x->d;
	uint64_t end = bit + SLV_BZ2_MARK_BITS + SLV_BZ2_SUM_BITS;

	if (x->piece.len > 0 && x->touched == bit && !x->piece.at_known)
		slv_decode_ends(&x->piece, x->piece.len, x->s->expect);
	if (x->straight != bit || end > (uint64_t)x->in.len * 8)
		return;
	d->how = SLV_DECODED_WRONG;
	d->used = (size_t)((end + 7) / 8);
}

/* At a sound block that exceeds the limit. */
static void
at_limit(struct salvage *x, const struct block *b)
{
	if (x->straight != b->from && x->straight != b->end)
		return;
	x->d->how = SLV_DECODED_OVER;
	x->d->used = (size_t)(b->from / 8);
}

static enum slv_status
take_blocks(struct salvage *x, struct slv_err *err)
{
	struct slv_bz2_mark mark, next;
	bool found = slv_bz2_find(x->in, 0, &mark);

	for (; found && !mark.is_end; mark = next) {
		struct block b = { .from = mark.at };

		if (is_another(x, mark.at) || x->tries-- == 0
		    || x->wasted > WASTE)
			return SLV_OK;
		found = slv_bz2_find(x->in, mark.at + SLV_BZ2_MARK_BITS, &next);
		b.end = next.at;
		SLV_TRY(decode(x, &b, err));
		if (b.len > 0)
			SLV_TRY(add(x, &b, err));
		if (b.over) {
			at_limit(x, &b);
			return SLV_OK;
		}
	}
	if (found)
		at_end(x, mark.at);
	return SLV_OK;
}

enum slv_status
slv_bz2_salvage(const struct slv_encoded *s, size_t trouble,
    struct slv_decode *d, struct slv_err *err)
{
	struct salvage x = {
		.s = s,
		.in = { s->in, s->n },
		.d = d,
		.straight = HEADER_BITS,
		.tries = TRIES + s->n / TRY_BYTES,
	};
	enum slv_status st;

	d->out.len = 0;
	d->how = SLV_DECODED_BROKEN;
	d->used = trouble;
	st = take_blocks(&x, err);
	if (st == SLV_OK)
		st = end_piece(&x, err);
	slv_buf_free(&x.one);
	return st;
}
