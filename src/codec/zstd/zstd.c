/* zstd.c - zstd frames, one after the other, decoded by the library as long as
 * they are whole.
 *
 * A damaged one goes to zstd_salvage.c.  Frames after it are decoded where the
 * sizes of its blocks lead to them: a search for the magic would find frames
 * that are content.
 */
#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"
#include "codec/zstd/zstd_frame.h"

/* Bytes of room for a frame that does not state the length of its content; if
 * that is too little, GUESS_MORE times as much is tried. */
#define GUESS      ((size_t)4 << 20)
#define GUESS_MORE 4

#define MAGIC      4 /* bytes */

/* Blocks with this many bytes do not lead to an end by chance. */
#define EVIDENCE 64

/* Frames under way. */
struct frames {
	const struct slv_encoded *s;
	struct slv_decode *d;
	ZSTD_DCtx *library;
	size_t at; /* in the input, where a frame begins */
	bool any;  /* a frame was decoded that is not skippable */
	bool sums; /* each of them has a checksum */
};

/* Where the frames end. */
enum stop {
	AT_END,    /* no further frame */
	IN_HEADER, /* the input ends in its header, or in a skippable one */
	IN_FRAME,  /* the frame is not whole, or too large */
	BAD_HEADER,
};

/* A frame to be decoded. */
struct frame {
	struct slv_zstd_frame head;
	struct slv_zstd_chain blocks;
	size_t size; /* all of it */
};

/* Decode a whole frame into `room` bytes; *code: the result of the library. */
static enum slv_status
decode_into(struct frames *x, size_t size, size_t room, size_t *code,
    struct slv_err *err)
{
	struct slv_buf *out = &x->d->out;

	SLV_TRY(slv_decode_room(x->d, room, err));
	*code = ZSTD_decompressDCtx(
	    x->library, out->at + out->len, room, x->s->in + x->at, size);
	if (ZSTD_getErrorCode(*code) == ZSTD_error_memory_allocation)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

/* Decode a frame strictly; *whole: all of it was decoded. */
static enum slv_status
decode(
    struct frames *x, const struct frame *f, bool *whole, struct slv_err *err)
{
	struct slv_buf *out = &x->d->out;
	size_t left = x->s->max - out->len, room, code;
	uint64_t most = slv_min64(f->blocks.most, left);

	*whole = false;
	/* The header states more than the blocks can become, or than is allowed. */
	if (f->head.sized && f->head.content_size > most)
		return SLV_OK;
	room = x->s->expect > out->len ? x->s->expect - out->len : GUESS;
	room = f->head.sized ? (size_t)f->head.content_size
	                     : (size_t)slv_min64(room, most);
	for (;;) {
		SLV_TRY(decode_into(x, f->size, room, &code, err));
		if (f->head.sized || room == most
		    || ZSTD_getErrorCode(code) != ZSTD_error_dstSize_tooSmall)
			break;
		room = (size_t)slv_min64((uint64_t)room * GUESS_MORE, most);
	}
	if (ZSTD_isError(code))
		return SLV_OK;
	*whole = true;
	out->len += code;
	x->at += f->size;
	x->sums &= f->head.content_sum;
	x->any = true;
	return SLV_OK;
}

/* Whether the input holds the whole frame, by the sizes of its blocks. */
static bool
is_there(const struct frames *x, struct frame *f)
{
	const struct slv_encoded *s = x->s;
	size_t sum = f->head.content_sum ? SLV_ZSTD_SUM : 0;

	f->blocks = slv_zstd_chain(s->in, s->n, x->at + (size_t)f->head.size);
	f->size = f->blocks.end - x->at + sum;
	return f->blocks.whole && s->n - f->blocks.end >= sum;
}

/* Take frames, as long as they are whole. */
static enum slv_status
take_frames(
    struct frames *x, struct frame *f, enum stop *stop, struct slv_err *err)
{
	const struct slv_encoded *s = x->s;
	bool whole = true;

	while (whole) {
		size_t left = s->n - x->at;
		enum slv_zstd_head head =
		    slv_zstd_head(s->in + x->at, left, &f->head);

		/* Less than a magic, after a frame, is not the start of one. */
		*stop = head == SLV_ZSTD_CUT && (x->at == 0 || left >= MAGIC)
		    ? IN_HEADER
		    : AT_END;
		if (head == SLV_ZSTD_BAD)
			*stop = BAD_HEADER;
		if (head != SLV_ZSTD_HEAD)
			return SLV_OK;
		*stop = IN_HEADER;
		if (f->head.skippable && f->head.size > left)
			return SLV_OK;
		if (f->head.skippable) {
			x->at += (size_t)f->head.size;
			continue;
		}
		whole = is_there(x, f);
		if (whole)
			SLV_TRY(decode(x, f, &whole, err));
	}
	*stop = IN_FRAME;
	return SLV_OK;
}

/* How to read a damaged frame. */
struct attempt {
	size_t body;      /* in the input, where its first block begins */
	bool content_sum; /* a checksum follows the last one */
	bool unread;      /* its header is wrong */
};

/* Find the first block after a wrong header: from there the sizes of blocks lead
 * to the end of the input, and the blocks can hold the expected content. */
static bool
find_body(const struct frames *x, struct attempt *a)
{
	const struct slv_encoded *s = x->s;
	size_t body = x->at + SLV_ZSTD_HEAD_MIN;

	for (; body < s->n && body <= x->at + SLV_ZSTD_HEAD_MAX; body++) {
		struct slv_zstd_chain c = slv_zstd_chain(s->in, s->n, body);
		bool sum = s->n - c.end == SLV_ZSTD_SUM;

		if (!c.whole || (c.end < s->n && !sum)
		    || c.end - body < EVIDENCE
		    || c.most + x->d->out.len < s->expect)
			continue;
		*a = (struct attempt){ body, sum, true };
		return true;
	}
	return false;
}

/* Record the first n bytes as a piece: their frames were decoded whole. */
static enum slv_status
put_whole(struct frames *x, size_t n, struct slv_err *err)
{
	return slv_decode_piece(x->d,
	    (struct slv_decoded_piece){
	        .len = n,
	        .firm = n,
	        .in_end = x->at,
	        .at_known = true,
	        .sure = true,
	        .proven = x->sums,
	    },
	    err);
}

/* Record the output of a damaged frame, from `base` on, as a piece. */
static enum slv_status
conclude(struct frames *x, size_t base, const struct attempt *a,
    const struct slv_zstd_salvage *r, struct slv_err *err)
{
	struct slv_decode *d = x->d;
	bool due = d->out.len == x->s->expect;
	struct slv_decoded_piece p = { .in_end = r->used, .at_known = true };

	d->how = r->how;
	d->used = r->used;
	p.sure = r->how != SLV_DECODED_WRONG && !a->unread;
	/* The output has the expected length: only the header is wrong. */
	if (r->all && !a->content_sum && !a->unread && due)
		p.sure = true;
	if (r->matches)
		p.sure = p.proven = true;
	if (a->unread || (p.sure && r->how == SLV_DECODED_WRONG))
		d->how = SLV_DECODED_BROKEN;
	if (a->unread && !r->matches) {
		d->used = x->at;
		p.at_known = due;
	}
	/* The damaged frame is a piece of its own, so that the output of those
	 * before it stays certain. */
	if (base > 0
	    && (d->how == SLV_DECODED_BROKEN || d->how == SLV_DECODED_WRONG)) {
		d->how = SLV_DECODED_BROKEN;
		SLV_TRY(put_whole(x, base, err));
		p.in = x->at;
		p.out = p.at = base;
	}
	p.proven &= x->sums || p.out == base;
	p.len = p.firm = d->out.len - p.out;
	return slv_decode_piece(d, p, err);
}

/* Take the frames after a damaged one, if the sizes of blocks lead to them and
 * all of them are decoded whole. */
static enum slv_status
take_behind(struct frames *x, const struct frame *f,
    const struct slv_zstd_salvage *r, struct slv_err *err)
{
	const struct slv_encoded *s = x->s;
	struct slv_decode *d = x->d;
	struct slv_decoded_piece p = { .out = d->out.len };
	struct slv_zstd_chain c = { .end = r->used, .whole = r->all };
	struct frame other;
	enum stop stop;

	if (!r->all) {
		c = slv_zstd_chain(s->in, s->n, r->used);
		c.end += f->head.content_sum ? SLV_ZSTD_SUM : 0;
	}
	if (!c.whole || c.end >= s->n)
		return SLV_OK;
	x->at = p.in = c.end;
	x->any = false;
	x->sums = true;
	SLV_TRY(take_frames(x, &other, &stop, err));
	if (!x->any || stop != AT_END) {
		d->out.len = p.out;
		return SLV_OK;
	}
	p.len = p.firm = d->out.len - p.out;
	p.in_end = x->at;
	p.sure = p.proven = x->sums;
	slv_decode_ends(&p, p.len, s->expect);
	d->how = SLV_DECODED_BROKEN;
	return slv_decode_piece(d, p, err);
}

/* Whether the header can be trusted, so that find_body() need not be asked. */
static bool
is_right(const struct frames *x, const struct frame *f)
{
	return f != NULL
	    && (f->blocks.whole
	        || (f->head.sized && x->d->out.len == 0
	            && f->head.content_size == x->s->expect));
}

/* Take what there is of a frame that is not whole; f: NULL where its header
 * cannot be read. */
static enum slv_status
salvage(struct frames *x, const struct frame *f, struct slv_err *err)
{
	size_t base = x->d->out.len;
	struct slv_zstd_salvage r = { .how = SLV_DECODED_BROKEN,
		.used = x->at };
	struct attempt a = { .unread = f == NULL };

	if (f != NULL) {
		a.body = x->at + (size_t)f->head.size;
		a.content_sum = f->head.content_sum;
	}
	if (is_right(x, f) || find_body(x, &a) || f != NULL)
		SLV_TRY(slv_zstd_salvage(
		    x->s, a.body, a.content_sum, x->d, &r, err));
	SLV_TRY(conclude(x, base, &a, &r, err));
	if (a.unread
	    || (r.how != SLV_DECODED_BROKEN && r.how != SLV_DECODED_WRONG))
		return SLV_OK;
	return take_behind(x, f, &r, err);
}

static enum slv_status
take_all(struct frames *x, struct slv_err *err)
{
	struct slv_decode *d = x->d;
	struct frame f;
	enum stop stop;

	SLV_TRY(take_frames(x, &f, &stop, err));
	switch (stop) {
	case IN_HEADER:
		return slv_decode_all(d, SLV_DECODED_CUT, x->s->n, true, err);
	case IN_FRAME: return salvage(x, &f, err);
	case BAD_HEADER: return salvage(x, NULL, err);
	case AT_END: break;
	}
	if (x->at == 0)
		return salvage(x, NULL, err);
	SLV_TRY(slv_decode_all(d, SLV_DECODED_WHOLE, x->at, true, err));
	for (size_t i = 0; i < d->n_pieces; i++)
		d->pieces[i].proven = x->sums;
	return SLV_OK;
}

enum slv_status
slv_zstd_decode(
    const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	struct frames x = { .s = s, .d = d, .sums = true };
	enum slv_status st;

	/* There is always a place for output, even for none. */
	SLV_TRY(slv_decode_expect(d, s, 1, err));
	x.library = ZSTD_createDCtx();
	if (x.library == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = take_all(&x, err);
	ZSTD_freeDCtx(x.library);
	return st;
}
