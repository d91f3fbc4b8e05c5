/* test_codec_zstd.c - what is had of a damaged zstd frame is right, or called
 * unconfirmed, and all that can be had.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/decoded.h"
#include "support/pack.h"
#include "support/testdata.h"
#include "unit/suites.h"

#define SMALL ((size_t)1200)
#define MIB   ((size_t)1 << 20)

/* A frame, and what it becomes. */
struct frame {
	struct blob truth, packed;
};

static void
make(struct frame *f, size_t n, struct pack_zstd how)
{
	*f = (struct frame){ 0 };
	pack_truth(&f->truth, n, n + how.flush);
	pack_zstd(&f->packed, f->truth.at, n, how);
}

static void
drop(struct frame *f)
{
	blob_free(&f->truth);
	blob_free(&f->packed);
}

static bool
decode(const struct blob *b, size_t expect, struct slv_decode *d)
{
	return decoded(SLV_CODEC_ZSTD, b, expect, MIB, d);
}

static const struct pack_zstd shapes[] = {
	{ .level = 1 },
	{ .level = 3, .sum = true },
	{ .level = 19 },
	{ .level = 1, .flush = 300 },
	{ .level = 3, .flush = 300, .sum = true },
	{ .level = 19, .flush = 300, .sum = true, .no_size = true },
	{ .level = 1, .no_size = true },
	{ .level = 3, .flush = 500, .no_size = true },
};
#define N_SHAPES (sizeof(shapes) / sizeof(*shapes))

/* What all whole blocks in the first n bytes become, if each is of `flush`
 * bytes. */
static size_t
blocks_in(const struct frame *f, size_t n, size_t flush)
{
	static const size_t size_bytes[] = { 0, 2, 4, 8 };
	unsigned flags = f->packed.at[4];
	size_t at = 5 + size_bytes[flags >> 6], len = 0;

	at += (flags & 0x20) == 0 || flags >> 6 == 0;
	while (n >= at + 3) {
		const uint8_t *word = f->packed.at + at;
		size_t size = slv_get_le16(word) >> 3 | (size_t)word[2] << 13;

		at += 3 + ((word[0] >> 1 & 3) == 1 ? 1 : size);
		if (n < at)
			break;
		len += len + flush < f->truth.n ? flush : f->truth.n - len;
		if ((word[0] & 1) != 0)
			break;
	}
	return len;
}

/* At every byte: all blocks before it come out. */
static void
is_cut_anywhere(void)
{
	struct blob cut = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		size_t flush = shapes[i].flush > 0 ? shapes[i].flush : SMALL;
		struct frame f;

		make(&f, SMALL, shapes[i]);
		for (size_t n = 0; n < f.packed.n && !check_enough(); n++) {
			struct slv_decode d;

			check_case("shape %zu, %zu bytes", i, n);
			damage_cut(&cut, f.packed.at, f.packed.n, n);
			if (!decode(&cut, SMALL, &d))
				continue;
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_CUT);
			CHECK_U64(d.used, n);
			check_beginning(&d, &f.truth);
			CHECK(d.out.len >= blocks_in(&f, n, flush));
			CHECK(d.n_pieces == 0 || !d.pieces->proven);
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&cut);
}

/* The content of a block that is stored as it was comes out byte by byte. */
static void
gives_all_there_is(void)
{
	struct frame f = { 0 };
	struct blob cut = { 0 };
	struct dice dice = { 4 };
	size_t head;

	for (int i = 0; i < 500; i++)
		blob_byte(&f.truth, (uint8_t)dice_roll(&dice));
	pack_zstd(&f.packed, f.truth.at, f.truth.n, (struct pack_zstd){ 0 });
	head = f.packed.n - f.truth.n;
	for (size_t n = head; n < f.packed.n && !check_enough(); n += 7) {
		struct slv_decode d;

		check_case("%zu bytes", n);
		damage_cut(&cut, f.packed.at, f.packed.n, n);
		if (!decode(&cut, 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_CUT);
		check_beginning(&d, &f.truth);
		CHECK_U64(d.out.len, n - head);
		slv_decode_free(&d);
	}
	blob_free(&cut);
	drop(&f);
}

/* Blocks of bytes of one kind take four bytes each; larger ones than the window
 * of a small frame are none. */
static void
takes_blocks_of_one_byte(void)
{
	/* Window of 1 KiB, 1000 times 'a', nothing, 1000 times 'b'. */
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00,
		0x42, 0x1f, 0x00, 'a', 0x00, 0x00, 0x00, 0x43, 0x1f, 0x00,
		'b' };
	struct blob truth = { 0 }, packed = { 0 };
	struct slv_decode d;

	blob_fill(&truth, 'a', 1000);
	blob_fill(&truth, 'b', 1000);
	for (size_t n = 6; n <= sizeof(frame) && !check_enough(); n++) {
		check_case("%zu bytes", n);
		blob_set(&packed, frame, n);
		if (!decode(&packed, 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how,
		    n < sizeof(frame) ? SLV_DECODED_CUT : SLV_DECODED_WHOLE);
		check_beginning(&d, &truth);
		CHECK_U64(d.out.len, n < 10 ? 0 : n < 17 ? 1000 : 2000);
		slv_decode_free(&d);
	}
	blob_free(&packed);
	blob_free(&truth);
}

/* How much comes out of the first n bytes. */
static size_t
reach(const struct frame *f, size_t n)
{
	struct blob cut = { 0 };
	struct slv_decode d;
	size_t len;

	damage_cut(&cut, f->packed.at, f->packed.n, n);
	if (!decode(&cut, 0, &d))
		return 0;
	len = d.out.len;
	slv_decode_free(&d);
	blob_free(&cut);
	return len;
}

/* A bit before `head` is of the header, which does not touch the content. */
static void
check_flipped(const struct slv_decode *d, const struct frame *f, size_t sure,
    bool in_head, bool sum)
{
	const struct slv_decoded_piece *p = d->pieces;
	bool same = d->out.len <= f->truth.n
	    && memcmp(d->out.at, f->truth.at, d->out.len) == 0;
	bool all = same && d->out.len == f->truth.n;

	CHECK(d->how != SLV_DECODED_OVER);
	CHECK(d->out.len >= sure && memcmp(d->out.at, f->truth.at, sure) == 0);
	if (d->how == SLV_DECODED_WHOLE)
		CHECK(sum ? all : d->n_pieces == 1 && !p->proven);
	CHECK(d->how != SLV_DECODED_WRONG || (d->n_pieces == 1 && !p->sure));
	for (size_t i = 0; i < d->n_pieces; i++)
		CHECK(!p[i].proven || all);
	if (in_head && d->n_pieces > 0 && p->sure)
		CHECK(same);
}

/* Any bit: with a checksum it is never called whole unless it is; without one
 * it is never called proven; and all blocks before it come out. */
static void
is_never_sure_without_reason(void)
{
	struct blob bad = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		struct frame f;
		size_t sure = 0, head = 0;

		make(&f, SMALL, shapes[i]);
		while (reach(&f, head) == 0 && head < 14)
			head++;
		for (size_t bit = 0; bit < f.packed.n * 8 && !check_enough();
		     bit++) {
			struct slv_decode d;

			check_case("shape %zu, bit %zu", i, bit);
			if (bit % 8 == 0)
				sure = reach(&f, bit / 8);
			if (!testdata_takes())
				continue;
			damage_flip(&bad, f.packed.at, f.packed.n, bit);
			if (!decode(&bad, SMALL, &d))
				continue;
			check_flipped(&d, &f, sure, bit < 6 * 8, shapes[i].sum);
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

/* The header is worth nothing: all comes out without it, and where there is a
 * checksum, no byte is in doubt. */
static void
does_without_its_header(void)
{
	struct blob bad = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		struct frame f;

		make(&f, SMALL, shapes[i]);
		for (size_t byte = 0; byte <= 5 && !check_enough(); byte++) {
			struct slv_decode d;

			check_case("shape %zu, byte %zu", i, byte);
			if (byte == 5)
				damage_overwrite(&bad, f.packed.at, f.packed.n,
				    0, 5, WINDOW_ZERO, 0);
			else
				damage_overwrite(&bad, f.packed.at, f.packed.n,
				    byte, 1, WINDOW_FF, 0);
			if (!decode(&bad, SMALL, &d))
				continue;
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
			CHECK_BYTES(d.out.at, d.out.len, f.truth.at, f.truth.n);
			CHECK(d.n_pieces == 1 && d.pieces->at_known
			    && d.pieces->at == 0
			    && d.pieces->proven == shapes[i].sum
			    && d.pieces->sure == shapes[i].sum);
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

/* What the header says of the content size is wrong, and nothing else. */
static void
does_without_its_size(void)
{
	for (unsigned k = 0; k < 8; k++) {
		struct frame f;
		struct slv_decode d;
		bool sum = k & 1, known = k & 2;

		check_case("case %u", k);
		make(&f, SMALL,
		    (struct pack_zstd){ .sum = sum, .flush = k & 4 ? 300 : 0 });
		f.packed.at[5 + ((f.packed.at[4] & 0x20) == 0)] ^= 1;
		if (!decode(&f.packed, known ? SMALL : 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how,
		    sum || known ? SLV_DECODED_BROKEN : SLV_DECODED_WRONG);
		CHECK_BYTES(d.out.at, d.out.len, f.truth.at, f.truth.n);
		CHECK(d.n_pieces == 1 && d.pieces->proven == sum
		    && d.pieces->sure == (sum || known));
		slv_decode_free(&d);
		drop(&f);
	}
}

/* Zeros up to the end are a hole: the frame is cut where they begin. */
static void
ends_in_a_hole(void)
{
	struct blob bad = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		size_t flush = shapes[i].flush > 0 ? shapes[i].flush : SMALL;
		struct frame f;

		make(&f, SMALL, shapes[i]);
		for (size_t n = 13; n < f.packed.n - 20 && !check_enough();
		     n += 5) {
			struct slv_decode d;

			check_case("shape %zu, hole at %zu", i, n);
			damage_overwrite(&bad, f.packed.at, f.packed.n, n,
			    f.packed.n, WINDOW_ZERO, 0);
			if (!decode(&bad, SMALL, &d))
				continue;
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_CUT);
			CHECK(d.used <= n + 3 && n <= d.used + 2);
			check_beginning(&d, &f.truth);
			CHECK(d.out.len >= blocks_in(&f, n, flush));
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

CU_TestInfo codec_zstd_tests[] = {
	{ "is cut anywhere", is_cut_anywhere },
	{ "gives all there is", gives_all_there_is },
	{ "takes blocks of one byte", takes_blocks_of_one_byte },
	{ "is never sure without reason", is_never_sure_without_reason },
	{ "does without its header", does_without_its_header },
	{ "does without its size", does_without_its_size },
	{ "ends in a hole", ends_in_a_hole },
	CU_TEST_INFO_NULL,
};
