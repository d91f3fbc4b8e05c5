/* lz4.c - LZ4 frames, decoded by the library as long as they are whole.
 *
 * A damaged one goes to lz4_walk.c.  One that has lost no more than its header
 * is proven whole with another one in its place.
 */
#include <lz4frame.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/lz4/lz4_frame.h"

#define STEP ((size_t)16 << 20) /* output bytes per call: several blocks */

/* What the library says of a frame. */
enum verdict {
	SAYS_WHOLE,
	SAYS_MORE, /* it wants more than there is */
	SAYS_OVER,
	SAYS_BAD,
	SAYS_BAD_HEADER,
};

/* A frame under way. */
struct strict {
	LZ4F_dctx *library;
	struct slv_span head, body;
	size_t at; /* in the body */
	size_t max;
	enum verdict verdict;
};

/* Decode these bytes as far as they go; *took of them were. */
static enum slv_status
feed(struct strict *x, struct slv_span in, size_t *took, struct slv_decode *d,
    struct slv_err *err)
{
	size_t code, used, got, room;

	*took = 0;
	do {
		SLV_TRY(slv_decode_room(d, SLV_LZ4_BLOCK_MIN, err));
		used = in.len - *took;
		room = d->out.cap - d->out.len;
		got = room = room < STEP ? room : STEP;
		code = LZ4F_decompress(x->library, d->out.at + d->out.len, &got,
		    in.at + *took, &used, NULL);
		if (LZ4F_isError(code)) {
			const char *name = LZ4F_getErrorName(code);

			if (strcmp(name, "ERROR_allocation_failed") == 0)
				return slv_fail(
				    err, SLV_E_NOMEM, "out of memory");
			x->verdict = SAYS_BAD;
			return SLV_OK;
		}
		*took += used;
		d->out.len += got;
		if (slv_decode_over(d, x->max)) {
			x->verdict = SAYS_OVER;
			return SLV_OK;
		}
	} while (code != 0 && (*took < in.len || got == room));
	x->verdict = code == 0 ? SAYS_WHOLE : SAYS_MORE;
	return SLV_OK;
}

/* The frame came out whole.  Some writers give theirs no checksum. */
static enum slv_status
is_whole(const struct strict *x, const struct slv_lz4_frame *frame,
    struct slv_decode *d, struct slv_err *err)
{
	SLV_TRY(slv_decode_all(
	    d, SLV_DECODED_WHOLE, frame->size + x->at, true, err));
	for (size_t i = 0; i < d->n_pieces; i++)
		d->pieces[i].proven = frame->content_sum || frame->block_sums;
	return SLV_OK;
}

/* Decode a frame with nothing forgiven. */
static enum slv_status
run(struct strict *x, struct slv_decode *d, struct slv_err *err)
{
	enum slv_status st;
	size_t took;

	if (LZ4F_isError(
	        LZ4F_createDecompressionContext(&x->library, LZ4F_VERSION)))
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	d->out.len = 0;
	st = feed(x, x->head, &took, d, err);
	if (x->verdict == SAYS_BAD)
		x->verdict = SAYS_BAD_HEADER;
	else if (st == SLV_OK)
		st = feed(x, x->body, &x->at, d, err);
	LZ4F_freeDecompressionContext(x->library);
	return st;
}

/* Is it whole except for its header? */
static enum slv_status
try_header(const struct slv_encoded *s, struct slv_decode *d, bool *whole,
    struct slv_err *err)
{
	static const uint8_t usual[] = SLV_LZ4_USUAL;
	struct strict x = {
		.head = { usual, sizeof(usual) },
		.max = s->max,
	};

	*whole = false;
	if (s->n < sizeof(usual))
		return SLV_OK;
	x.body =
	    (struct slv_span){ s->in + sizeof(usual), s->n - sizeof(usual) };
	SLV_TRY(run(&x, d, err));
	*whole = x.verdict == SAYS_WHOLE;
	return *whole ? slv_decode_all(
	           d, SLV_DECODED_BROKEN, sizeof(usual) + x.at, true, err)
	              : SLV_OK;
}

static enum slv_status
without_header(
    const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	struct slv_lz4_frame guess;
	bool whole;

	SLV_TRY(try_header(s, d, &whole, err));
	if (whole)
		return SLV_OK;
	slv_lz4_guess(s->in, s->n, &guess);
	return slv_lz4_walk(s, &guess, d, err);
}

enum slv_status
slv_lz4_decode(
    const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	struct slv_lz4_frame frame;
	struct strict x = { .max = s->max };

	switch (slv_lz4_head(s->in, s->n, &frame)) {
	case SLV_LZ4_HEAD: break;
	case SLV_LZ4_CUT:
		return slv_decode_all(d, SLV_DECODED_CUT, s->n, true, err);
	case SLV_LZ4_NONE: return without_header(s, d, err);
	}
	x.head = (struct slv_span){ s->in, frame.size };
	x.body = (struct slv_span){ s->in + frame.size, s->n - frame.size };
	/* With room for a whole block the library needs none of its own. */
	SLV_TRY(slv_decode_expect(d, s, frame.block_max, err));
	SLV_TRY(run(&x, d, err));
	switch (x.verdict) {
	case SAYS_WHOLE: return is_whole(&x, &frame, d, err);
	case SAYS_OVER:
		return slv_decode_all(
		    d, SLV_DECODED_OVER, frame.size + x.at, true, err);
	case SAYS_BAD_HEADER: return without_header(s, d, err);
	case SAYS_MORE:
	case SAYS_BAD: break;
	}
	return slv_lz4_walk(s, &frame, d, err);
}
