/* codec.c - bytes that a log holds compressed. */
#include "codec/codec.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/decode.h"

#define BELIEVED ((size_t)4 << 20) /* bytes of memory that a claim gets */

/* What is not compressed. */
static enum slv_status
copy(const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	size_t n = s->n < s->max ? s->n : s->max;

	slv_buf_add(&d->out, s->in, n);
	if (d->out.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	d->limited = n < s->n;
	return slv_decode_all(
	    d, n < s->n ? SLV_DECODED_OVER : SLV_DECODED_WHOLE, n, true, err);
}

enum slv_status
slv_decode_into(struct slv_buf *room, enum slv_codec_kind kind,
    const uint8_t *in, size_t n, size_t expect, size_t max,
    const volatile sig_atomic_t *cancel, struct slv_decode *d,
    struct slv_err *err)
{
	static enum slv_status (*const decoders[SLV_CODECS])(
	    const struct slv_encoded *, struct slv_decode *,
	    struct slv_err *) = {
		[SLV_CODEC_NONE] = copy,
		[SLV_CODEC_LZ4] = slv_lz4_decode,
		[SLV_CODEC_LZ4_FRAMES] = slv_lz4_decode_frames,
		[SLV_CODEC_BZ2] = slv_bz2_decode,
		[SLV_CODEC_ZSTD] = slv_zstd_decode,
	};
	static const uint8_t none;
	struct slv_encoded s = {
		.in = in, .n = n, .expect = expect, .max = max
	};
	enum slv_status st;

	if (n == 0)
		s.in = &none;
	*d = (struct slv_decode){
		.out = { .at = room->at, .cap = room->cap },
		.cancel = cancel,
	};
	*room = (struct slv_buf){ 0 };
	st = decoders[kind](&s, d, err);
	if (st != SLV_OK)
		slv_decode_free(d);
	return st;
}

enum slv_status
slv_decode(enum slv_codec_kind kind, const uint8_t *in, size_t n, size_t expect,
    size_t max, struct slv_decode *d, struct slv_err *err)
{
	struct slv_buf none = { 0 };

	return slv_decode_into(&none, kind, in, n, expect, max, NULL, d, err);
}

void
slv_decode_free(struct slv_decode *d)
{
	slv_buf_free(&d->out);
	slv_free(d->pieces);
	*d = (struct slv_decode){ 0 };
}

const char *
slv_decoded_name(enum slv_decoded how)
{
	static const char *const names[SLV_DECODEDS] = {
		[SLV_DECODED_WHOLE] = "whole",
		[SLV_DECODED_CUT] = "cut",
		[SLV_DECODED_BROKEN] = "broken",
		[SLV_DECODED_WRONG] = "wrong",
		[SLV_DECODED_OVER] = "over",
	};

	return names[how];
}

enum slv_status
slv_decode_expect(struct slv_decode *d, const struct slv_encoded *s,
    size_t more, struct slv_err *err)
{
	size_t claim = s->expect < s->max ? s->expect : s->max;

	return slv_decode_room(
	    d, (claim < BELIEVED ? claim : BELIEVED) + more, err);
}

enum slv_status
slv_decode_room(struct slv_decode *d, size_t more, struct slv_err *err)
{
	if (slv_is_cancelled(d->cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	return slv_grow(&d->out.at, &d->out.cap, d->out.len + more, 1, err);
}

enum slv_status
slv_decode_all(struct slv_decode *d, enum slv_decoded how, size_t used,
    bool sure, struct slv_err *err)
{
	d->how = how;
	d->used = used;
	return slv_decode_piece(d,
	    (struct slv_decoded_piece){
	        .len = d->out.len,
	        .in_end = used,
	        .at_known = true,
	        .sure = sure,
	        .proven = how == SLV_DECODED_WHOLE || how == SLV_DECODED_BROKEN,
	        .firm = d->out.len,
	    },
	    err);
}

enum slv_status
slv_decode_piece(
    struct slv_decode *d, struct slv_decoded_piece p, struct slv_err *err)
{
	if (p.len == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&d->pieces, &d->cap_pieces, d->n_pieces + 1,
	    sizeof(*d->pieces), err));
	d->pieces[d->n_pieces++] = p;
	return SLV_OK;
}

void
slv_decode_ends(struct slv_decoded_piece *p, size_t len, size_t expect)
{
	if (expect < len)
		return;
	p->at = expect - len;
	p->at_known = true;
}

bool
slv_decode_over(struct slv_decode *d, size_t max)
{
	if (d->out.len <= max)
		return false;
	d->out.len = max;
	d->limited = true;
	d->how = SLV_DECODED_OVER;
	return true;
}
