/* zstd_salvage.c - what is in a zstd frame that did not come out whole.
 *
 * Block after block, until one contradicts itself.  Each is given to the library
 * alone, so that what came out before it is known when it fails: of a call that
 * fails the library does not say what it wrote.
 *
 * The frame's header is not given to it.  One is made instead, with a window in
 * which all blocks that are there have room: the library needs no more memory
 * than that, whatever the header says, and matches find what they refer to even
 * where it is damaged.
 */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"
#include "codec/zstd/zstd_frame.h"

#define HOLE 8 /* so many zeros are not the end of a frame */

/* A frame under way. */
struct walk {
	const struct slv_encoded *s;
	struct slv_decode *d;
	ZSTD_DCtx *library;
	size_t at; /* in the input, where a block begins */
	bool content_sum;
};

/* Give the library bytes with which a part of the frame ends; whether it takes
 * them. */
static enum slv_status
feed(struct walk *w, struct slv_span part, bool *held, struct slv_err *err)
{
	struct slv_buf *to = &w->d->out;
	ZSTD_inBuffer in = { .src = part.at, .size = part.len };
	ZSTD_outBuffer out = { 0 };
	size_t code;

	SLV_TRY(slv_decode_room(w->d, SLV_ZSTD_BLOCK_MAX, err));
	out.dst = to->at + to->len;
	out.size = to->cap - to->len;
	code = ZSTD_decompressStream(w->library, &out, &in);
	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	*held = !ZSTD_isError(code) && in.pos == in.size;
	to->len += *held ? out.pos : 0;
	return SLV_OK;
}

/* The exponent of the least window that has room for `most` bytes, or of the
 * greatest that the library has. */
static int
window_log(uint64_t most)
{
	ZSTD_bounds b = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
	int log = SLV_ZSTD_LOG_MIN;

	while (log < b.upperBound && UINT64_C(1) << log < most)
		log++;
	return log;
}

static enum slv_status
begin(struct walk *w, struct slv_err *err)
{
	uint64_t most = slv_zstd_chain(w->s->in, w->s->n, w->at).most;
	uint64_t needed = slv_min64(most, w->s->max) + SLV_ZSTD_BLOCK_MAX;
	int log = window_log(needed);
	uint8_t head[SLV_ZSTD_HEAD_MIN];
	bool held;

	slv_zstd_put_head(head, w->content_sum, log);
	w->library = ZSTD_createDCtx();
	if (w->library == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	ZSTD_DCtx_setParameter(w->library, ZSTD_d_windowLogMax, log);
	SLV_TRY(feed(w, (struct slv_span){ head, sizeof(head) }, &held, err));
	return held ? SLV_OK
	            : slv_fail(err, SLV_E_BUG, "zstd refuses a header");
}

/* So it came out, up to here. */
static enum slv_status
stop(const struct walk *w, enum slv_decoded how, struct slv_zstd_salvage *r)
{
	r->how = how;
	r->used = how == SLV_DECODED_CUT ? w->s->n : w->at;
	return SLV_OK;
}

/* The input ends in a block; of one that is stored as it was, all that is there
 * comes out.  Where all that was due came out before it, it is no block. */
static enum slv_status
take_rest(struct walk *w, const struct slv_zstd_block *b,
    struct slv_zstd_salvage *r, struct slv_err *err)
{
	const struct slv_encoded *s = w->s;
	struct slv_buf *out = &w->d->out;
	size_t from = w->at + SLV_ZSTD_WORD, there = s->n - from;

	if (s->expect > 0 && out->len == s->expect)
		return stop(w, SLV_DECODED_BROKEN, r);
	if (b->type == SLV_ZSTD_RAW) {
		SLV_TRY(slv_decode_room(w->d, there, err));
		memcpy(out->at + out->len, s->in + from, there);
		out->len += there;
	}
	return stop(w,
	    slv_decode_over(w->d, s->max) ? SLV_DECODED_OVER : SLV_DECODED_CUT,
	    r);
}

/* All blocks came out. */
static enum slv_status
take_end(struct walk *w, struct slv_zstd_salvage *r, struct slv_err *err)
{
	const struct slv_encoded *s = w->s;
	bool held;

	r->all = true;
	if (!w->content_sum)
		return stop(w, SLV_DECODED_WRONG, r);
	if (s->n - w->at < SLV_ZSTD_SUM)
		return stop(w, SLV_DECODED_CUT, r);
	SLV_TRY(feed(
	    w, (struct slv_span){ s->in + w->at, SLV_ZSTD_SUM }, &held, err));
	w->at += SLV_ZSTD_SUM;
	r->matches = held;
	return stop(w, held ? SLV_DECODED_BROKEN : SLV_DECODED_WRONG, r);
}

/* Take a block; *more: another one follows. */
static enum slv_status
take_block(
    struct walk *w, bool *more, struct slv_zstd_salvage *r, struct slv_err *err)
{
	const struct slv_encoded *s = w->s;
	struct slv_zstd_block b;
	enum slv_zstd_place place = slv_zstd_block(s->in, s->n, w->at, &b);
	bool held = false;

	*more = false;
	if (place == SLV_ZSTD_END_OF_INPUT)
		return stop(w, SLV_DECODED_CUT, r);
	if (place == SLV_ZSTD_BLOCK && b.size > s->n - w->at)
		return take_rest(w, &b, r, err);
	if (place == SLV_ZSTD_BLOCK)
		SLV_TRY(feed(
		    w, (struct slv_span){ s->in + w->at, b.size }, &held, err));
	if (!held)
		return stop(w, SLV_DECODED_BROKEN, r);
	w->at += b.size;
	if (slv_decode_over(w->d, s->max))
		return stop(w, SLV_DECODED_OVER, r);
	*more = !b.last;
	return b.last ? take_end(w, r, err) : SLV_OK;
}

/* The frame without zeros that are in the place of its end: what was not
 * written reads so. */
static struct slv_encoded
before_hole(const struct slv_encoded *s, size_t body)
{
	struct slv_zstd_chain c = slv_zstd_chain(s->in, s->n, body);
	struct slv_encoded cut = *s;

	/* A compressed block does not end so, but content may. */
	if (c.whole && c.end == s->n && c.type != SLV_ZSTD_COMPRESSED)
		return cut;
	while (cut.n > body && s->in[cut.n - 1] == 0)
		cut.n--;
	return s->n - cut.n >= HOLE && (!c.whole || c.end > cut.n) ? cut : *s;
}

enum slv_status
slv_zstd_salvage(const struct slv_encoded *s, size_t body, bool content_sum,
    struct slv_decode *d, struct slv_zstd_salvage *r, struct slv_err *err)
{
	const struct slv_encoded cut = before_hole(s, body);
	struct walk w = {
		.s = &cut,
		.d = d,
		.at = body,
		.content_sum = content_sum,
	};
	enum slv_status st;
	bool more = true;

	*r = (struct slv_zstd_salvage){ 0 };
	st = begin(&w, err);
	while (st == SLV_OK && more)
		st = take_block(&w, &more, r, err);
	ZSTD_freeDCtx(w.library);
	return st;
}
