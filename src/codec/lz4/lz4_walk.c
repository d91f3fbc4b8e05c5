/* lz4_walk.c - what is in an LZ4 frame that did not come out whole.
 *
 * Blocks are decoded one after the other, until one is broken; that one is
 * decoded sequence by sequence.  Blocks after it are taken if they are whole and
 * need no lost bytes.  They are found by the size of the broken one, or else where
 * the sizes of blocks lead to the end of the frame.
 */
#include <lz4.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/lz4/lz4_block.h"
#include "codec/lz4/lz4_chain.h"
#include "codec/lz4/lz4_frame.h"

#define REACH ((size_t)64 << 10) /* of a match, back */
#define TRIES 64                 /* places that may lead to no block */

/* A frame under way. */
struct walk {
	const struct slv_encoded *s;
	struct slv_lz4_frame frame;
	struct slv_decode *d;
	struct slv_decoded_piece piece; /* under way */
	size_t at;                      /* in the input, where a block begins */
	size_t k;                       /* which one it is */

	/* The place of a block in the content is known as long as all decoded
	 * blocks before it, except the last one, are full. */
	bool full, slack;
};

/* What may be where a block begins. */
enum place { A_BLOCK, AN_END, NO_BLOCK, END_OF_INPUT };

/* A block; the input holds `there` bytes of it. */
struct block {
	const uint8_t *at;
	size_t len, there;
	size_t end; /* in the input, of all that belongs to it */
	bool stored;
};

/* Read the block at w->at, or the end mark; of that, only b->end is of use. */
static enum place
look(const struct walk *w, struct block *b)
{
	const struct slv_lz4_frame *f = &w->frame;
	size_t left = w->s->n - w->at, sum;
	uint32_t word;

	if (left < SLV_LZ4_WORD)
		return END_OF_INPUT;
	word = slv_get_le32(w->s->in + w->at);
	left -= SLV_LZ4_WORD;
	*b = (struct block){
		.at = w->s->in + w->at + SLV_LZ4_WORD,
		.len = word & ~SLV_LZ4_STORED,
		.stored = (word & SLV_LZ4_STORED) != 0,
	};
	b->there = b->len < left ? b->len : left;
	sum = (word == 0 ? f->content_sum : f->block_sums) ? SLV_LZ4_WORD : 0;
	if (word == 0 && left < sum)
		return END_OF_INPUT;
	left -= b->there;
	b->end = w->s->n - left + (sum < left ? sum : left);
	if (word == 0)
		return AN_END;
	return b->len > 0 && b->len <= f->block_max ? A_BLOCK : NO_BLOCK;
}

/* Decode a block; false: it is incomplete or broken. */
static bool
decode(struct walk *w, const struct block *b)
{
	struct slv_buf *out = &w->d->out;
	uint8_t *to = out->at + out->len;
	size_t back = 0;
	int n = (int)b->len;

	if (b->there < b->len)
		return false;
	if (w->frame.linked)
		back = out->len < REACH ? out->len : REACH;
	if (b->stored)
		memcpy(to, b->at, b->len);
	else
		n = LZ4_decompress_safe_usingDict((const char *)b->at,
		    (char *)to, (int)b->len, (int)w->frame.block_max,
		    (const char *)to - back, (int)back);
	if (n < 0)
		return false;
	w->slack |= !w->full;
	w->full = (size_t)n == w->frame.block_max;
	out->len += (size_t)n;
	w->piece.firm = out->len - w->piece.out;
	w->at = b->end;
	w->k++;
	return true;
}

/* Decode as much as possible of a block that decode() has refused; *used: how many
 * of its bytes.  true: it is only cut, and nothing in it is wrong. */
static bool
follow(struct walk *w, const struct block *b, size_t *used)
{
	struct slv_buf *out = &w->d->out;
	size_t base = w->frame.linked ? 0 : out->len;
	struct slv_lz4_out o = {
		.at = out->at + base,
		.len = out->len - base,
		.cap = out->len - base + w->frame.block_max,
	};
	bool held = true;

	*used = b->there;
	if (b->stored) {
		memcpy(o.at + o.len, b->at, b->there);
		o.len += b->there;
	} else {
		held = slv_lz4_follow(b->at, b->there, &o, used);
	}
	out->len = base + o.len;
	return held && b->there < b->len;
}

/* Record the piece under way, which ends with the output. */
static enum slv_status
end_piece(struct walk *w, size_t in_end, struct slv_err *err)
{
	w->piece.len = w->d->out.len - w->piece.out;
	w->piece.in_end = in_end;
	return slv_decode_piece(w->d, w->piece, err);
}

/* Whether all of the expected content is decoded. */
static bool
has_all(const struct walk *w)
{
	return w->s->expect > 0 && w->piece.firm == w->s->expect;
}

/* Whether the content matches the checksum: then only bytes between the last block
 * and the checksum are damaged. */
static bool
is_proven(const struct walk *w)
{
	const struct slv_encoded *s = w->s;

	return has_all(w) && w->frame.content_sum && !w->frame.guessed
	    && s->n - w->at >= SLV_LZ4_WORD
	    && slv_lz4_sum(w->d->out.at, s->expect)
	    == slv_get_le32(s->in + s->n - SLV_LZ4_WORD);
}

/* Record the piece that follows the header, and the result. */
static enum slv_status
conclude(struct walk *w, enum slv_decoded how, size_t used, struct slv_err *err)
{
	struct slv_decode *d = w->d;

	d->how = w->frame.guessed ? SLV_DECODED_BROKEN : how;
	d->used = w->frame.guessed ? 0 : used;
	w->piece.sure = !w->frame.guessed && how != SLV_DECODED_WRONG;
	if (how != SLV_DECODED_BROKEN)
		w->piece.firm = d->out.len;
	w->piece.proven = how == SLV_DECODED_BROKEN && is_proven(w);
	if (w->piece.proven) {
		d->out.len = w->piece.firm;
		used = d->used = w->s->n;
	}
	return end_piece(w, used, err);
}

/* Take blocks up to the first broken one, and as much as possible of that one.
 * *behind: there may be more after it. */
static enum slv_status
take_first(struct walk *w, bool *behind, struct slv_err *err)
{
	enum place place;
	struct block b;
	size_t used = 0;

	*behind = false;
	while ((place = look(w, &b)) == A_BLOCK) {
		SLV_TRY(slv_decode_room(w->d, w->frame.block_max, err));
		if (!decode(w, &b))
			break;
		if (slv_decode_over(w->d, w->s->max))
			return conclude(w, SLV_DECODED_OVER, w->at, err);
	}
	if (place == END_OF_INPUT)
		return conclude(w, SLV_DECODED_CUT, w->s->n, err);
	if (place == AN_END)
		return conclude(w, SLV_DECODED_WRONG, b.end, err);
	if (place == A_BLOCK) {
		bool cut = follow(w, &b, &used);

		used += SLV_LZ4_WORD;
		if (slv_decode_over(w->d, w->s->max))
			return conclude(w, SLV_DECODED_OVER, w->at + used, err);
		if (cut && !has_all(w))
			return conclude(w, SLV_DECODED_CUT, w->s->n, err);
	}
	SLV_TRY(conclude(w, SLV_DECODED_BROKEN, w->at + used, err));
	*behind = !w->frame.linked && !w->piece.proven;
	if (place == A_BLOCK && b.there == b.len) {
		w->at = b.end;
		w->k++;
	} else {
		w->slack = true;
	}
	return SLV_OK;
}

/* Take the blocks in a row from here on, as one piece; *any: there are some. */
static enum slv_status
take_run(struct walk *w, bool *any, struct slv_err *err)
{
	size_t before = w->d->out.len;
	enum place place;
	struct block b;

	w->piece = (struct slv_decoded_piece){
		.out = before,
		.in = w->at,
		.at = (uint64_t)w->k * w->frame.block_max,
	};
	*any = false;
	while ((place = look(w, &b)) == A_BLOCK) {
		SLV_TRY(slv_decode_room(w->d, w->frame.block_max, err));
		if (w->d->out.len >= w->s->max || !decode(w, &b))
			break;
	}
	w->d->limited |= w->d->out.len >= w->s->max;
	if (w->d->out.len > w->s->max)
		w->d->out.len = w->s->max;
	if (w->d->out.len == before)
		return SLV_OK;
	*any = true;
	w->piece.at_known = !w->slack && !w->frame.guessed;
	if (w->piece.firm > w->d->out.len - before)
		w->piece.firm = w->d->out.len - before;
	if (place == AN_END && !w->piece.at_known)
		slv_decode_ends(
		    &w->piece, w->d->out.len - before, w->s->expect);
	return end_piece(w, w->at, err);
}

/* Take the blocks after the first broken one. */
static enum slv_status
take_behind(struct walk *w, struct slv_err *err)
{
	struct slv_lz4_chain chain = { 0 };
	enum slv_status st;
	unsigned tries = 0;
	bool any;

	for (;;) {
		st = take_run(w, &any, err);
		if (st != SLV_OK || w->d->out.len >= w->s->max
		    || tries++ == TRIES)
			break;
		st = slv_lz4_chain_make(
		    &chain, &w->frame, w->s->in, w->s->n, err);
		if (st != SLV_OK)
			break;
		w->at = slv_lz4_chain_next(&chain, w->s->n, w->at + !any);
		w->slack = true;
		if (w->at == w->s->n)
			break;
	}
	slv_lz4_chain_free(&chain);
	return st;
}

static enum slv_status
walk(const struct slv_encoded *s, const struct slv_lz4_frame *frame,
    struct slv_decode *d, struct slv_err *err)
{
	struct walk w = {
		.s = s,
		.frame = *frame,
		.d = d,
		.full = true,
	};
	bool behind;

	d->out.len = 0;
	w.piece = (struct slv_decoded_piece){ .at_known = !w.frame.guessed };
	w.at = w.frame.size < s->n ? w.frame.size : s->n;
	SLV_TRY(take_first(&w, &behind, err));
	return behind ? take_behind(&w, err) : SLV_OK;
}

/* Start of the zeros in place of the end mark and the checksum of a frame that
 * ends at `end`; `end`: there are none.  Sectors that were never written are read
 * as zeros. */
static size_t
hole(const struct slv_encoded *s, size_t end)
{
	size_t at = end;

	while (at > 0 && s->in[at - 1] == 0)
		at--;
	return end - at >= 2 * SLV_LZ4_WORD ? at : end;
}

enum slv_status
slv_lz4_walk(const struct slv_encoded *s, const struct slv_lz4_frame *frame,
    struct slv_decode *d, struct slv_err *err)
{
	struct slv_encoded cut = *s;

	SLV_TRY(walk(s, frame, d, err));
	if (frame->guessed || !frame->content_sum
	    || d->how != SLV_DECODED_WRONG)
		return SLV_OK;
	cut.n = hole(s, d->used);
	if (cut.n == d->used)
		return SLV_OK;
	d->n_pieces = 0;
	return walk(&cut, frame, d, err);
}
