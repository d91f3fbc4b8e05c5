/* test_codec_bz2.c - every block of a damaged bzip2 stream that is whole comes
 * out, and nothing else.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/bz2/bz2_bits.h"
#include "codec/codec.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/pack.h"
#include "support/testdata.h"
#include "unit/suites.h"

#define BLOCKS 5
#define LEVEL1 ((size_t)100000) /* about what a block of level 1 becomes */

/* A stream of five blocks, what it becomes, and where its marks are. */
struct stream {
	struct blob truth, packed;
	uint64_t marks[BLOCKS + 1]; /* bits; the last is the end's */
};

/* No place of it is like another, and it takes few bytes. */
static void
make(struct stream *x)
{
	struct dice dice = { 3 };
	struct slv_bz2_mark mark = { 0 };
	unsigned k = 0;

	*x = (struct stream){ 0 };
	for (unsigned i = 0; x->truth.n < 9 * LEVEL1 / 2; i++) {
		uint8_t line[64];

		/* Runs would count as less than they are. */
		for (unsigned j = 0; j < sizeof(line); j++)
			line[j] = (uint8_t)('a' + (i + j) % 3);
		line[0] = (uint8_t)(i >> 8);
		line[1] = (uint8_t)i;
		line[dice_below(&dice, 64)] = 'z';
		blob_add(&x->truth, line, sizeof(line));
	}
	pack_bz2(&x->packed, x->truth.at, x->truth.n, 1);
	for (uint64_t from = 0; slv_bz2_find(
	         (struct slv_span){ x->packed.at, x->packed.n }, from, &mark);
	     from = mark.at + 1) {
		if (CHECK(k <= BLOCKS && mark.is_end == (k == BLOCKS)))
			x->marks[k++] = mark.at;
	}
	CHECK_U64(k, BLOCKS + 1);
}

static void
drop(struct stream *x)
{
	blob_free(&x->truth);
	blob_free(&x->packed);
}

/* Decode what damage has made of it.  Whatever comes out is sure, and is the
 * truth, where it is said to be. */
static bool
decode(const struct stream *x, const struct blob *b, size_t expect,
    struct slv_decode *d)
{
	struct slv_err err = { 0 };
	uint8_t *exact = must_alloc(b->n);
	size_t at = 0;
	bool held;

	if (b->n > 0)
		memcpy(exact, b->at, b->n);
	held = CHECK_OK(slv_decode(SLV_CODEC_BZ2, exact, b->n, expect,
	                    2 * x->truth.n, d, &err),
	    &err);
	free(exact);
	for (size_t i = 0; held && i < d->n_pieces; i++) {
		const struct slv_decoded_piece *p = &d->pieces[i];
		const uint8_t *bytes = d->out.at + at;

		CHECK(p->out == at && p->len > 0 && p->firm == p->len);
		CHECK(p->in < p->in_end && p->in_end <= b->n && p->sure);
		if (p->at_known)
			CHECK(p->at + p->len <= x->truth.n
			    && memcmp(bytes, x->truth.at + p->at, p->len) == 0);
		else
			CHECK(memmem(x->truth.at, x->truth.n, bytes, p->len)
			    != NULL);
		at += p->len;
	}
	CHECK(!held || at == d->out.len);
	return held;
}

/* Whole blocks come out of a cut stream, as soon as all of one is there. */
static void
is_cut_anywhere(void)
{
	struct stream x;
	struct blob cut = { 0 };
	size_t had = 0;

	make(&x);
	for (size_t n = 0; n < x.packed.n && !check_enough(); n++) {
		bool edge = n < 20 || n + 20 > x.packed.n;
		size_t blocks = 0;
		struct slv_decode d;

		if (!edge && n % 311 != 0)
			continue;
		check_case("%zu bytes", n);
		damage_cut(&cut, x.packed.at, x.packed.n, n);
		if (!decode(&x, &cut, x.truth.n, &d))
			continue;
		while (blocks < BLOCKS && x.marks[blocks + 1] <= n * 8)
			blocks++;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_CUT);
		CHECK_U64(d.used, n);
		CHECK(d.n_pieces == (d.out.len > 0));
		CHECK(d.n_pieces == 0 || d.pieces->at_known);
		/* A block is up to 19 bytes less. */
		CHECK(d.out.len >= had
		    && d.out.len + BLOCKS * 20
		        >= slv_min64(blocks * LEVEL1, x.truth.n));
		had = d.out.len;
		slv_decode_free(&d);
	}
	CHECK_U64(had, x.truth.n);
	blob_free(&cut);
	drop(&x);
}

/* A bit costs no more than its block, wherever it is. */
static void
loses_one_block_to_a_flip(void)
{
	struct stream x;
	struct blob bad = { 0 };

	make(&x);
	for (size_t bit = 0; bit < x.packed.n * 8 && !check_enough();
	     bit += bit < 120 || bit > x.packed.n * 8 - 100 ? 1 : 2003) {
		struct slv_decode d;

		if (!testdata_takes())
			continue;
		check_case("bit %zu", bit);
		damage_flip(&bad, x.packed.at, x.packed.n, bit);
		if (!decode(&x, &bad, x.truth.n, &d))
			continue;
		/* Of the header, the level says nothing about the bytes, and
		 * those after the checksum over all are no one's. */
		CHECK(d.how == SLV_DECODED_BROKEN || d.out.len == x.truth.n);
		CHECK(d.how != SLV_DECODED_WHOLE || bit / 8 == 3
		    || bit / 8 == x.packed.n - 1);
		CHECK(d.how != SLV_DECODED_CUT && d.how != SLV_DECODED_OVER);
		CHECK(d.out.len >= x.truth.n - LEVEL1);
		slv_decode_free(&d);
	}
	/* In the mark of a block, and in the second half of a checksum. */
	for (unsigned k = 0; k < BLOCKS; k++) {
		struct slv_decode d;

		check_case("mark of block %u", k);
		damage_flip(&bad, x.packed.at, x.packed.n,
		    ((size_t)x.marks[k] + 20) ^ 7);
		if (!decode(&x, &bad, x.truth.n, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK(d.out.len >= x.truth.n - LEVEL1 && d.out.len < x.truth.n);
		CHECK_U64(d.n_pieces, k > 0 && k + 1 < BLOCKS ? 2 : 1);
		/* The places of all follow from the beginning and the end. */
		CHECK(d.pieces->at_known && d.pieces[d.n_pieces - 1].at_known);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&x);
}

/* Bytes gone, too many, overwritten. */
static void
finds_blocks_behind_damage(void)
{
	struct stream x;
	struct blob bad = { 0 };

	make(&x);
	for (size_t k = 0; k < 24 && !check_enough(); k++) {
		size_t off = k * x.packed.n / 24;
		struct slv_decode d;

		check_case("place %zu", k);
		if (k % 3 == 0)
			damage_overwrite(&bad, x.packed.at, x.packed.n, off,
			    100, WINDOW_ZERO, 0);
		else if (k % 3 == 1)
			damage_remove(&bad, x.packed.at, x.packed.n, off, 101);
		else
			damage_insert(
			    &bad, x.packed.at, x.packed.n, off, 103, k);
		if (!decode(&x, &bad, k % 2 == 0 ? x.truth.n : 0, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK(d.out.len >= x.truth.n - 2 * LEVEL1);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&x);
}

/* What follows on a stream is another one's, though its blocks would do. */
static void
stops_at_the_next_stream(void)
{
	struct stream x;
	struct blob bad = { 0 }, two = { 0 };
	struct slv_decode d;

	make(&x);
	damage_flip(&bad, x.packed.at, x.packed.n, (size_t)x.marks[2] + 500);
	damage_join(&two, bad.at, bad.n, x.packed.at, x.packed.n);
	if (decode(&x, &two, x.truth.n, &d)) {
		CHECK(d.out.len < x.truth.n);
		slv_decode_free(&d);
	}
	/* Its end is gone, too. */
	damage_overwrite(&two, two.at, two.n, bad.n - 11, 11, WINDOW_ZERO, 0);
	CHECK(!memcmp(two.at + bad.n, "BZh", 3));
	if (decode(&x, &two, x.truth.n, &d)) {
		CHECK(d.out.len < x.truth.n);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	blob_free(&two);
	drop(&x);
}

/* Marks without number, and blocks that are none: there is an end to it. */
static void
is_not_kept_busy(void)
{
	static const uint8_t mark[] = { 0x31, 0x41, 0x59, 0x26, 0x53, 0x59 };
	struct stream x;
	struct blob bad = { 0 };
	struct slv_decode d;

	make(&x);
	blob_add(&bad, "BZh9", 4);
	while (bad.n < 1 << 20)
		blob_add(&bad, mark, sizeof(mark));
	if (decode(&x, &bad, 0, &d)) {
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK_U64(d.out.len, 0);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&x);
}

CU_TestInfo codec_bz2_tests[] = {
	{ "is cut anywhere", is_cut_anywhere },
	{ "loses one block to a flip", loses_one_block_to_a_flip },
	{ "finds blocks behind damage", finds_blocks_behind_damage },
	{ "stops at the next stream", stops_at_the_next_stream },
	{ "is not kept busy", is_not_kept_busy },
	CU_TEST_INFO_NULL,
};
