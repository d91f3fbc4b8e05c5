/* zstd_file.c - a file of zstd frames, of any size.
 *
 * As in zstd_salvage.c each block is given to the library alone, in a frame
 * with a header that is made here.  Its window is never less than what every decoder
 * must have, so that a damaged header costs nothing.
 *
 * A block that cannot be decompressed ends what can be read of its frame,
 * because matches in later blocks reach back over it.  Later blocks that are
 * stored uncompressed are kept if all blocks have one size: then their place in
 * the content is known.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/unpack.h"
#include "codec/zstd/zstd_frame.h"

#define FULL SLV_ZSTD_BLOCK_MAX

/* The base-2 logarithm of the window that every decoder must have. */
#define LOG_LEAST 23

#define EVIDENCE  64 /* bytes of blocks that lead to an end not by chance */
#define GUESSES                                                                \
	((uint64_t)1 << 22) /* blocks that are read for frames of which no
                                      * header can be read, in all */

struct frames {
	struct slv_unpack *u;
	ZSTD_DCtx *library;
	uint8_t *out;     /* owned; FULL bytes */
	uint8_t *held;    /* owned; a block that is not put yet */
	size_t n_held;    /* bytes of it */
	uint64_t at;      /* in the file */
	uint64_t guesses; /* blocks that may still be read for a guess */
};

/* The frame under way. */
struct frame {
	struct slv_zstd_frame head;
	uint64_t from; /* in the file */
	uint64_t made; /* bytes of its content so far */
	bool full; /* each block but the last has all that a block can have */
	bool guessed; /* its header could not be read */
};

/* Blocks in a row; only their headers are read, which state their sizes. */
struct chain {
	uint64_t end;  /* in the file, after the last one */
	uint64_t n;    /* how many */
	uint64_t most; /* what they may become */
	bool whole;    /* the last one of a frame was reached */
};

static void
note(struct frames *f, uint64_t at)
{
	if (!f->u->damaged)
		f->u->at = at;
	f->u->damaged = true;
}

/* As many of the n bytes at `at` as there are. */
static enum slv_status
look(struct frames *f, uint64_t at, size_t n, struct slv_span *out,
    struct slv_err *err)
{
	uint64_t left = at < f->u->size ? f->u->size - at : 0;

	out->len = (size_t)slv_min64(n, left);
	out->at = NULL;
	return out->len > 0 ? f->u->view(f->u->ctx, at, out->len, &out->at, err)
	                    : SLV_OK;
}

static enum slv_status
look_block(struct frames *f, uint64_t at, struct slv_zstd_block *b,
    enum slv_zstd_place *place, struct slv_err *err)
{
	struct slv_span word;

	SLV_TRY(look(f, at, SLV_ZSTD_WORD, &word, err));
	*place = word.len < SLV_ZSTD_WORD
	    ? SLV_ZSTD_END_OF_INPUT
	    : slv_zstd_block(word.at, word.len, 0, b);
	return SLV_OK;
}

static enum slv_status
put(struct frames *f, const uint8_t *at, size_t n, struct slv_err *err)
{
	f->u->content += n;
	return n > 0 ? f->u->put(f->u->ctx, at, n, err) : SLV_OK;
}

static enum slv_status
skip(struct frames *f, uint64_t n, struct slv_err *err)
{
	f->u->hole = true;
	return n > 0 ? f->u->skip(f->u->ctx, n, err) : SLV_OK;
}

/* Put what is held back. */
static enum slv_status
release(struct frames *f, struct slv_err *err)
{
	size_t n = f->n_held;

	f->n_held = 0;
	return put(f, f->held, n, err);
}

/* Hold back the decoded block, and put the one before it: decoders notice damage
 * late, so a block counts as decoded only if the next one is decoded, too. */
static enum slv_status
hold(struct frames *f, size_t n, struct slv_err *err)
{
	uint8_t *out = f->out;

	SLV_TRY(release(f, err));
	f->out = f->held;
	f->held = out;
	f->n_held = n;
	return SLV_OK;
}

/* Give the library a part of the frame.  *n: bytes of output; *held: it accepted
 * the part. */
static enum slv_status
feed(struct frames *f, struct slv_span part, size_t *n, bool *held,
    struct slv_err *err)
{
	ZSTD_inBuffer in = { .src = part.at, .size = part.len };
	ZSTD_outBuffer out = { .dst = f->out, .size = FULL };
	size_t code = ZSTD_decompressStream(f->library, &out, &in);

	if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	*held = !ZSTD_isError(code) && in.pos == in.size;
	*n = *held ? out.pos : 0;
	return SLV_OK;
}

/* Begin a frame in the library, with a window of at least this many bytes. */
static enum slv_status
begin(struct frames *f, uint64_t window, bool content_sum, struct slv_err *err)
{
	ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
	uint8_t head[SLV_ZSTD_HEAD_MIN];
	int log = LOG_LEAST;
	size_t n;
	bool held;

	/* No writer asks for more: the header is damaged. */
	if (window > UINT64_C(1) << bounds.upperBound) {
		note(f, f->at);
		window = 0;
	}
	while (UINT64_C(1) << log < window)
		log++;
	ZSTD_DCtx_reset(f->library, ZSTD_reset_session_only);
	ZSTD_DCtx_setParameter(f->library, ZSTD_d_windowLogMax, log);
	slv_zstd_put_head(head, content_sum, log);
	SLV_TRY(
	    feed(f, (struct slv_span){ head, sizeof(head) }, &n, &held, err));
	return held ? SLV_OK
	            : slv_fail(err, SLV_E_BUG, "zstd refuses a header");
}

/* Follow the sizes in the headers of at most `most` blocks. */
static enum slv_status
follow(struct frames *f, uint64_t at, uint64_t most, struct chain *c,
    struct slv_err *err)
{
	*c = (struct chain){ .end = at };
	while (!c->whole && c->n < most) {
		struct slv_zstd_block b;
		enum slv_zstd_place place;

		SLV_TRY(look_block(f, c->end, &b, &place, err));
		if (place != SLV_ZSTD_BLOCK || b.size > f->u->size - c->end)
			return SLV_OK;
		c->end += b.size;
		c->most += b.most;
		c->n++;
		c->whole = b.last;
	}
	return SLV_OK;
}

/* The input ends in the frame.  If the last block is stored uncompressed, its
 * bytes are content even if some are missing. */
static enum slv_status
take_rest(struct frames *f, struct frame *x, struct slv_err *err)
{
	struct slv_zstd_block b;
	enum slv_zstd_place place;
	struct slv_span rest;

	note(f, f->u->size);
	SLV_TRY(release(f, err));
	SLV_TRY(look_block(f, f->at, &b, &place, err));
	if (place == SLV_ZSTD_BLOCK && b.type == SLV_ZSTD_RAW) {
		SLV_TRY(look(f, f->at, b.size, &rest, err));
		SLV_TRY(put(
		    f, rest.at + SLV_ZSTD_WORD, rest.len - SLV_ZSTD_WORD, err));
		x->made += rest.len - SLV_ZSTD_WORD;
	}
	f->at = f->u->size;
	if (!x->head.sized || x->made != x->head.content_size)
		f->u->cut = true;
	return SLV_OK;
}

/* Put the content of a block after the damage, if the block needs no earlier one:
 * it is stored uncompressed, or repeats one byte. */
static enum slv_status
take_stored(struct frames *f, const struct slv_zstd_block *b, uint64_t want,
    struct slv_err *err)
{
	struct slv_span in;

	if (b->most != want
	    || (b->type != SLV_ZSTD_RAW && b->type != SLV_ZSTD_RLE))
		return skip(f, want, err);
	SLV_TRY(look(f, f->at, b->size, &in, err));
	if (b->type == SLV_ZSTD_RAW)
		return put(f, in.at + SLV_ZSTD_WORD, (size_t)want, err);
	memset(f->out, in.at[SLV_ZSTD_WORD], (size_t)want);
	return put(f, f->out, (size_t)want, err);
}

/* Skip the damaged block, and put those after it: their place in the content is
 * known. */
static enum slv_status
take_placed(struct frames *f, const struct chain *c, uint64_t missing,
    struct slv_err *err)
{
	struct slv_zstd_block b;
	enum slv_zstd_place place;

	for (uint64_t i = 0; i < c->n; i++) {
		uint64_t want = slv_min64(missing, FULL);

		SLV_TRY(look_block(f, f->at, &b, &place, err));
		/* The damaged block is skipped even if it is stored. */
		SLV_TRY(i == 0 ? skip(f, want, err)
		               : take_stored(f, &b, want, err));
		missing -= want;
		f->at += b.size;
	}
	return SLV_OK;
}

/* The block at ->at cannot be decompressed. */
static enum slv_status
take_broken(struct frames *f, const struct frame *x, struct slv_err *err)
{
	uint64_t missing = x->head.sized && x->head.content_size > x->made
	    ? x->head.content_size - x->made
	    : 0;
	struct chain c;

	note(f, f->at);
	SLV_TRY(follow(f, f->at, UINT64_MAX, &c, err));
	if (f->n_held > 0)
		SLV_TRY(skip(f, f->n_held, err));
	f->n_held = 0;
	if (!c.whole) {
		f->u->cut = true;
		f->at = f->u->size;
		return SLV_OK;
	}
	if (x->full && missing > (c.n - 1) * FULL && missing <= c.n * FULL) {
		SLV_TRY(take_placed(f, &c, missing, err));
	} else {
		bool known = missing > 0 && missing <= c.n * FULL;

		f->u->loose |= !known;
		SLV_TRY(skip(
		    f, known ? missing : slv_min64(c.n * FULL, FULL), err));
	}
	f->at = c.end + (x->head.content_sum ? SLV_ZSTD_SUM : 0);
	return SLV_OK;
}

/* All blocks are decoded: compare their content with the size in the header. */
static void
compare_size(struct frames *f, const struct frame *x)
{
	uint64_t said = x->head.content_size, last = x->made % FULL;

	if (!x->head.sized || said == x->made)
		return;
	note(f, x->from);
	/* Where all blocks but the last one are full, only that could have
	 * another size. */
	last = last == 0 && x->made > 0 ? FULL : last;
	if (!x->full
	    || (said > x->made - last && said <= x->made - last + FULL))
		f->u->wrong = true;
}

static enum slv_status
take_end(struct frames *f, const struct frame *x, struct slv_err *err)
{
	struct slv_span sum;
	size_t n;
	bool held;

	if (!x->head.content_sum) {
		compare_size(f, x);
		return SLV_OK;
	}
	SLV_TRY(look(f, f->at, SLV_ZSTD_SUM, &sum, err));
	if (sum.len < SLV_ZSTD_SUM) {
		note(f, f->u->size);
		compare_size(f, x);
		f->at = f->u->size;
		return SLV_OK;
	}
	SLV_TRY(feed(f, sum, &n, &held, err));
	if (!held) {
		note(f, f->at);
		f->u->wrong = true;
	} else if (x->head.sized && x->made != x->head.content_size) {
		note(f, x->from);
	}
	f->at += SLV_ZSTD_SUM;
	return SLV_OK;
}

static enum slv_status take_guessed(
    struct frames *f, uint64_t from, bool *any, struct slv_err *err);

/* The blocks of a frame, the first of which is at ->at. */
static enum slv_status
take_blocks(struct frames *f, struct frame *x, struct slv_err *err)
{
	struct slv_zstd_block b = { .last = false };
	enum slv_zstd_place place;
	struct slv_span in;
	bool held = true, any;
	size_t n = 0;

	while (!b.last) {
		x->full &= x->made % FULL == 0;
		SLV_TRY(look_block(f, f->at, &b, &place, err));
		if (place == SLV_ZSTD_END_OF_INPUT
		    || (place == SLV_ZSTD_BLOCK && b.size > f->u->size - f->at))
			return take_rest(f, x, err);
		held = place == SLV_ZSTD_BLOCK;
		if (held) {
			SLV_TRY(look(f, f->at, b.size, &in, err));
			SLV_TRY(feed(f, in, &n, &held, err));
		}
		if (!held && x->made == 0 && !x->guessed) {
			/* Maybe the header of the frame is damaged, not the block. */
			SLV_TRY(take_guessed(f, x->from, &any, err));
			if (any)
				return SLV_OK;
		}
		if (!held)
			return take_broken(f, x, err);
		/* The block is larger than the window in the header. */
		if (!x->guessed && n > x->head.window)
			note(f, x->from);
		SLV_TRY(hold(f, n, err));
		x->made += n;
		f->at += b.size;
	}
	SLV_TRY(release(f, err));
	return take_end(f, x, err);
}

/* Return true if a frame can end at the end of these blocks. */
static enum slv_status
leads_on(struct frames *f, const struct chain *c, bool *yes, bool *sum,
    struct slv_err *err)
{
	struct slv_zstd_frame next;
	struct slv_span in;

	*yes = false;
	for (unsigned i = 0; c->whole && i < 2 && !*yes; i++) {
		uint64_t end = c->end + (i > 0 ? SLV_ZSTD_SUM : 0);

		*sum = i > 0;
		SLV_TRY(look(f, end, SLV_ZSTD_HEAD_MAX, &in, err));
		*yes = end == f->u->size
		    || (in.len > 0
		        && slv_zstd_head(in.at, in.len, &next)
		            == SLV_ZSTD_HEAD);
	}
	return SLV_OK;
}

/* Take a frame with an unreadable header: its blocks begin where the sizes of
 * blocks lead to the end of a frame. */
static enum slv_status
take_guessed(struct frames *f, uint64_t from, bool *any, struct slv_err *err)
{
	*any = false;
	for (uint64_t body = from + SLV_ZSTD_HEAD_MIN;
	     body <= from + SLV_ZSTD_HEAD_MAX; body++) {
		struct frame x = {
			.from = from, .full = true, .guessed = true
		};
		struct chain c;

		SLV_TRY(follow(f, body, f->guesses, &c, err));
		f->guesses -= c.n;
		if (c.end - body < EVIDENCE)
			continue;
		SLV_TRY(leads_on(f, &c, any, &x.head.content_sum, err));
		if (!*any)
			continue;
		note(f, from);
		f->at = body;
		SLV_TRY(begin(f, 0, x.head.content_sum, err));
		return take_blocks(f, &x, err);
	}
	return SLV_OK;
}

/* What is at ->at is no frame. */
static enum slv_status
take_other(struct frames *f, enum slv_zstd_head head, struct slv_err *err)
{
	bool first = f->at == 0, any = false;

	if (head != SLV_ZSTD_CUT)
		SLV_TRY(take_guessed(f, f->at, &any, err));
	if (any)
		return SLV_OK;
	/* Other bytes after the end of a frame cost no content. */
	note(f, f->at);
	f->u->cut |= first || head != SLV_ZSTD_NONE;
	f->at = f->u->size;
	return SLV_OK;
}

static enum slv_status
take_frame(struct frames *f, struct slv_err *err)
{
	struct frame x = { .from = f->at, .full = true };
	enum slv_zstd_head head = SLV_ZSTD_NONE;
	struct slv_span in;

	SLV_TRY(look(f, f->at, SLV_ZSTD_HEAD_MAX, &in, err));
	head = slv_zstd_head(in.at, in.len, &x.head);
	if (head != SLV_ZSTD_HEAD)
		return take_other(f, head, err);
	f->at += x.head.size;
	if (x.head.skippable) {
		if (f->at > f->u->size)
			note(f, f->u->size);
		return SLV_OK;
	}
	SLV_TRY(begin(f, x.head.window, x.head.content_sum, err));
	return take_blocks(f, &x, err);
}

enum slv_status
slv_unpack_zstd(struct slv_unpack *u, struct slv_err *err)
{
	struct frames f = {
		.u = u,
		.library = ZSTD_createDCtx(),
		.guesses = GUESSES,
	};
	enum slv_status st = SLV_OK;

	f.out = slv_realloc(NULL, FULL);
	f.held = slv_realloc(NULL, FULL);
	if (f.library == NULL || f.out == NULL || f.held == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && f.at < u->size)
		st = take_frame(&f, err);
	ZSTD_freeDCtx(f.library);
	slv_free(f.out);
	slv_free(f.held);
	return st;
}
