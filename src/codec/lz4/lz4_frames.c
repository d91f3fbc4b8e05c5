/* lz4_frames.c - LZ4 frames, one after the other.
 *
 * Frames after one whose end is unknown are found as its blocks would be, by
 * lz4_walk.c.
 */
#include "base/bytes.h"
#include "codec/lz4/lz4_frame.h"

/* Make a piece part of the one that it follows on, if there is one. */
static enum slv_status
join(struct slv_decode *d, struct slv_decoded_piece p, struct slv_err *err)
{
	struct slv_decoded_piece *last = d->pieces;

	if (d->n_pieces == 0)
		return slv_decode_piece(d, p, err);
	last->proven &= p.proven;
	last->firm = last->len + p.firm;
	last->len += p.len;
	last->in_end = p.in_end;
	return SLV_OK;
}

/* Add a frame, which begins where all before it end; that is unknown of its
 * content after a frame that is not whole.  What is damaged is a piece of its
 * own, so that it puts nothing before it in doubt. */
static enum slv_status
add(struct slv_decode *d, const struct slv_decode *frame,
    const struct slv_encoded *s, struct slv_err *err)
{
	size_t in = d->used, out = d->out.len;
	bool placed = d->how == SLV_DECODED_WHOLE;
	bool damaged = !placed || frame->how == SLV_DECODED_BROKEN
	    || frame->how == SLV_DECODED_WRONG;

	slv_buf_add(&d->out, frame->out.at, frame->out.len);
	if (d->out.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	d->used += frame->used;
	for (size_t i = 0; i < frame->n_pieces; i++) {
		struct slv_decoded_piece p = frame->pieces[i];

		p.in += in;
		p.in_end += in;
		p.out += out;
		p.at += out;
		p.at_known &= placed;
		if (frame->how == SLV_DECODED_WHOLE && d->used == s->n)
			slv_decode_ends(&p, p.len, s->expect);
		SLV_TRY(
		    damaged ? slv_decode_piece(d, p, err) : join(d, p, err));
	}
	d->limited = frame->limited;
	d->how = placed && frame->how != SLV_DECODED_WRONG ? frame->how
	                                                   : SLV_DECODED_BROKEN;
	return SLV_OK;
}

/* Decode the next frame and add it; *how: how that one came out. */
static enum slv_status
take_next(const struct slv_encoded *s, struct slv_decode *d,
    enum slv_decoded *how, struct slv_err *err)
{
	struct slv_encoded rest = {
		.in = s->in + d->used,
		.n = s->n - d->used,
		.expect = s->expect > d->out.len ? s->expect - d->out.len : 0,
		.max = s->max - d->out.len,
	};
	struct slv_decode frame = { .cancel = d->cancel };
	enum slv_status st = slv_lz4_decode(&rest, &frame, err);

	*how = frame.how;
	if (st == SLV_OK)
		st = add(d, &frame, s, err);
	slv_decode_free(&frame);
	return st;
}

/* The end of one that is wrong is known, too. */
static bool
has_end(enum slv_decoded how)
{
	return how == SLV_DECODED_WHOLE || how == SLV_DECODED_WRONG;
}

enum slv_status
slv_lz4_decode_frames(
    const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	enum slv_decoded how;

	SLV_TRY(slv_lz4_decode(s, d, err));
	how = d->how;
	while (has_end(how) && slv_lz4_begins(s->in + d->used, s->n - d->used))
		SLV_TRY(take_next(s, d, &how, err));
	return SLV_OK;
}
