/* test_codec_lz4.c - what is had of a damaged LZ4 frame is right, and all that
 * can be had.
 */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/damage.h"
#include "support/decoded.h"
#include "support/pack.h"
#include "unit/suites.h"

#define SMALL ((size_t)3000)
#define MANY  ((size_t)1 << 20) /* 16 blocks */
#define BLOCK ((size_t)64 << 10)

/* A frame, and what it becomes. */
struct frame {
	struct blob truth, packed;
};

static void
make(struct frame *f, size_t n, struct pack_lz4 how)
{
	*f = (struct frame){ 0 };
	pack_truth(&f->truth, n, n + how.flush);
	pack_lz4(&f->packed, f->truth.at, n, how);
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
	return decoded(SLV_CODEC_LZ4, b, expect, 4 * MANY, d);
}

static const struct pack_lz4 shapes[] = {
	{ 0 },
	{ .level = 9 },
	{ .flush = 700 },
	{ .flush = 700, .linked = true },
	{ .flush = 700, .block_sums = true },
	{ .flush = 1100, .content_size = true, .no_sum = true },
};
#define N_SHAPES (sizeof(shapes) / sizeof(*shapes))

/* At every byte: what comes before it counts. */
static void
is_cut_anywhere(void)
{
	struct blob cut = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		struct frame f;
		size_t had = 0;

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
			CHECK(d.out.len >= had);
			had = d.out.len;
			slv_decode_free(&d);
		}
		CHECK_U64(had, SMALL);
		drop(&f);
	}
	blob_free(&cut);
}

/* Literals that are there come out, to the byte, and so do those of a match
 * whose length goes on after the end. */
static void
gives_all_there_is(void)
{
	struct frame f;
	struct blob cut = { 0 };
	struct slv_decode d;
	size_t had;

	make(&f, SMALL, (struct pack_lz4){ 0 });
	f.truth.n = 0;
	pack_truth(&f.truth, 300, 5);
	blob_fill(&f.truth, 'x', 60000);
	f.packed.n = 0;
	pack_lz4(&f.packed, f.truth.at, f.truth.n, (struct pack_lz4){ 0 });
	/* The length of the 60,000 takes 235 bytes, of which 100 are cut:
	 * end mark, checksum and what follows on the match are 8 and a few. */
	damage_cut(&cut, f.packed.at, f.packed.n, f.packed.n - 120);
	if (decode(&cut, 0, &d)) {
		check_beginning(&d, &f.truth);
		CHECK(d.out.len > 60300 - 130 * 255
		    && d.out.len < 60300 - 100 * 255);
		slv_decode_free(&d);
	}
	/* What is stored as it was comes out byte by byte. */
	f.truth.n = 0;
	for (had = 0; had < 500; had++)
		blob_byte(&f.truth, (uint8_t)(had * had * 131 >> 5));
	f.packed.n = 0;
	pack_lz4(&f.packed, f.truth.at, f.truth.n, (struct pack_lz4){ 0 });
	CHECK_U64(f.packed.n, 7 + 4 + f.truth.n + 8);
	for (had = 0; had < 500; had += 50) {
		damage_cut(&cut, f.packed.at, f.packed.n, 11 + had);
		if (!decode(&cut, 0, &d))
			continue;
		check_beginning(&d, &f.truth);
		CHECK_U64(d.out.len, had);
		slv_decode_free(&d);
	}
	blob_free(&cut);
	drop(&f);
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

/* Any bit: never called whole, and what was decoded before it is right. */
static void
notices_every_flip(void)
{
	struct blob bad = { 0 };

	for (size_t i = 0; i < N_SHAPES; i++) {
		struct frame f;
		size_t sure = 0;

		if (shapes[i].no_sum)
			continue;
		make(&f, SMALL, shapes[i]);
		for (size_t bit = 0; bit < f.packed.n * 8 && !check_enough();
		     bit++) {
			struct slv_decode d;

			check_case("shape %zu, bit %zu", i, bit);
			if (bit % 8 == 0)
				sure = reach(&f, bit / 8);
			damage_flip(&bad, f.packed.at, f.packed.n, bit);
			if (!decode(&bad, SMALL, &d))
				continue;
			/* The last token says how long a match is not. */
			if (d.how == SLV_DECODED_WHOLE)
				CHECK_BYTES(
				    d.out.at, d.out.len, f.truth.at, f.truth.n);
			CHECK(d.how != SLV_DECODED_OVER);
			if (d.n_pieces > 0 && d.pieces->sure) {
				size_t n =
				    d.pieces->len < sure ? d.pieces->len : sure;

				CHECK(memcmp(d.out.at, f.truth.at, n) == 0);
			}
			CHECK(d.how != SLV_DECODED_WRONG
			    || (d.n_pieces == 1 && !d.pieces->sure));
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

/* The header is worth nothing: where the checksum over all matches without
 * it, no byte is in doubt. */
static void
does_without_its_header(void)
{
	struct frame f;
	struct blob bad = { 0 };

	make(&f, SMALL, (struct pack_lz4){ .flush = 700 });
	for (size_t i = 0; i <= 7; i++) {
		struct slv_decode d;

		check_case("byte %zu", i);
		if (i < 7)
			damage_flip(&bad, f.packed.at, f.packed.n, i * 8 + 3);
		else
			damage_overwrite(&bad, f.packed.at, f.packed.n, 0, 7,
			    WINDOW_ZERO, 0);
		if (!decode(&bad, 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK_U64(d.out.len, SMALL);
		check_beginning(&d, &f.truth);
		slv_decode_free(&d);

		/* Nothing proves one that is cut. */
		bad.n -= 20;
		if (!decode(&bad, 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK(d.n_pieces == 1 && !d.pieces->sure
		    && d.out.len > 2 * SMALL / 3);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

/* The word after the blocks is worth nothing, either, where the checksum over
 * all matches without it; where that does not, nothing is proven. */
static void
does_without_its_end(void)
{
	static const size_t wrong[] = { 1, 30, 70000, SIZE_MAX };
	struct frame f;
	struct blob bad = { 0 };

	make(&f, SMALL, (struct pack_lz4){ .flush = 700 });
	for (size_t i = 0; i < 4 * sizeof(wrong) / sizeof(*wrong); i++) {
		size_t end = f.packed.n - 8;
		struct slv_decode d;

		check_case("%zu in the word, %s", wrong[i / 4],
		    i % 4 == 0 ? "right" : "wrong");
		damage_flip(&bad, f.packed.at, f.packed.n,
		    (i % 4 == 0 ? end : end - i % 4) * 8);
		for (int k = 0; k < 4; k++)
			bad.at[end + k] = (uint8_t)(wrong[i / 4] >> 8 * k);
		if (!decode(&bad, SMALL, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK(d.pieces->proven == (i % 4 == 0));
		if (i % 4 == 0)
			CHECK_U64(d.used, f.packed.n);
		if (i % 4 == 0)
			CHECK_BYTES(d.out.at, d.out.len, f.truth.at, f.truth.n);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

/* Zeros over the end mark and the checksum are a hole: the frame is cut where
 * they begin. */
static void
ends_in_a_hole(void)
{
	struct frame f;
	struct blob bad = { 0 };

	make(&f, SMALL, (struct pack_lz4){ .flush = 700 });
	for (size_t n = 8; n < f.packed.n - 20 && !check_enough(); n++) {
		struct slv_decode d;

		check_case("%zu zeros", n);
		damage_overwrite(&bad, f.packed.at, f.packed.n, f.packed.n - n,
		    n, WINDOW_ZERO, 0);
		if (!decode(&bad, SMALL, &d))
			continue;
		CHECK(d.how != SLV_DECODED_WRONG);
		CHECK(d.n_pieces == 0 || d.pieces->sure);
		if (n == 8)
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_CUT);
		if (n == 8)
			check_beginning(&d, &f.truth);
		if (n == 8)
			CHECK(d.out.len > SMALL - 16);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

/* Pieces of blocks are the truth where they are said to be; returned is
 * how much they are. */
static size_t
check_blocks(const struct slv_decode *d, const struct frame *f)
{
	size_t sum = 0;

	for (size_t i = 0; i < d->n_pieces; i++) {
		const struct slv_decoded_piece *p = &d->pieces[i];

		CHECK(p->sure == (p->in == 0));
		if (!CHECK(p->at_known)
		    || !CHECK(p->at + p->firm <= f->truth.n))
			continue;
		CHECK(memcmp(d->out.at + p->out, f->truth.at + p->at, p->firm)
		    == 0);
		sum += p->firm;
	}
	return sum;
}

/* Damage in one block costs the others nothing: bytes overwritten, gone, too
 * many, sizes of blocks among them or not. */
static void
goes_on_behind_damage(void)
{
	struct frame f;
	struct blob bad = { 0 };

	make(&f, MANY, (struct pack_lz4){ 0 });
	for (size_t k = 0; k < 40 && !check_enough(); k++) {
		size_t off = 20 + k * (f.packed.n / 41);
		size_t costs = 2 * BLOCK;
		struct slv_decode d;

		check_case("place %zu", k);
		switch (k % 4) {
		case 0:
			damage_overwrite(&bad, f.packed.at, f.packed.n, off,
			    4096, WINDOW_ZERO, k);
			break;
		case 1:
			damage_overwrite(&bad, f.packed.at, f.packed.n, off,
			    4096, WINDOW_FF, k);
			break;
		case 2:
			damage_remove(&bad, f.packed.at, f.packed.n, off, 1000);
			break;
		case 3:
			damage_insert(
			    &bad, f.packed.at, f.packed.n, off, 1000, k);
			break;
		}
		if (!decode(&bad, MANY, &d))
			continue;
		if (d.how == SLV_DECODED_BROKEN)
			CHECK(check_blocks(&d, &f) >= MANY - costs);
		else
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_WRONG);
		slv_decode_free(&d);
	}
	/* The tail is gone as well: then sizes of blocks lead on. */
	damage_overwrite(&bad, f.packed.at, f.packed.n * 3 / 4, f.packed.n / 2,
	    300, WINDOW_ZERO, 0);
	struct slv_decode d;

	if (decode(&bad, 0, &d)) {
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK(check_blocks(&d, &f) >= MANY * 3 / 4 - 3 * BLOCK);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

/* Blocks that are not full do not tell where those after damage stand; only
 * how long all is does, for the last ones. */
static void
guesses_no_place(void)
{
	struct frame f;
	struct blob bad = { 0 };
	struct slv_decode d;

	make(&f, 20 * SMALL, (struct pack_lz4){ .flush = SMALL });
	damage_overwrite(
	    &bad, f.packed.at, f.packed.n, f.packed.n / 2, 300, WINDOW_ZERO, 0);
	if (decode(&bad, 0, &d)) {
		CHECK(d.n_pieces == 2 && !d.pieces[1].at_known);
		slv_decode_free(&d);
	}
	/* Nor does it matter how one finds there. */
	damage_overwrite(
	    &bad, f.packed.at, f.packed.n, f.packed.n / 4, 300, WINDOW_ZERO, 0);
	if (decode(&bad, 0, &d)) {
		CHECK(d.n_pieces == 2 && !d.pieces[1].at_known);
		slv_decode_free(&d);
	}
	if (decode(&bad, 20 * SMALL, &d)) {
		CHECK(check_blocks(&d, &f) >= 18 * SMALL);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&f);
}

/* No header that any writer makes is needed: a bit of it costs nothing, but the
 * one that says whether blocks are linked. */
static void
does_without_any_header(void)
{
	static const struct pack_lz4 plain[] = {
		{ .no_sum = true },
		{ .no_sum = true, .linked = true },
		{ .no_sum = true, .content_size = true },
		{ .no_sum = true, .content_size = true, .linked = true },
		{ .content_size = true, .linked = true },
		{ .block = 7, .block_sums = true },
	};
	struct blob bad = { 0 };

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		size_t head = plain[i].content_size ? 15 : 7;
		struct frame f;

		make(&f, 3 * BLOCK, plain[i]);
		for (size_t bit = 0; bit < 8 * head && !check_enough(); bit++) {
			struct slv_decode d;

			if (bit == 4 * 8 + 5)
				continue;
			check_case("shape %zu, bit %zu", i, bit);
			damage_flip(&bad, f.packed.at, f.packed.n, bit);
			if (!decode(&bad, 3 * BLOCK, &d))
				continue;
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
			/* Few headers differ and have the same checksum. */
			if (!plain[i].no_sum || !d.pieces->sure)
				CHECK_BYTES(
				    d.out.at, d.out.len, f.truth.at, f.truth.n);
			else
				check_beginning(&d, &f.truth);
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

CU_TestInfo codec_lz4_tests[] = {
	{ "is cut anywhere", is_cut_anywhere },
	{ "gives all there is", gives_all_there_is },
	{ "notices every flip", notices_every_flip },
	{ "does without its header", does_without_its_header },
	{ "does without any header", does_without_any_header },
	{ "does without its end", does_without_its_end },
	{ "ends in a hole", ends_in_a_hole },
	{ "goes on behind damage", goes_on_behind_damage },
	{ "guesses no place", guesses_no_place },
	CU_TEST_INFO_NULL,
};
