/* test_zstd_frames.c - several zstd frames in a row, frames that lie about
 * themselves, and any damage to any frame.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/decoded.h"
#include "support/pack.h"
#include "unit/suites.h"

#define BLOCK ((size_t)128 << 10)
#define MIB   ((size_t)1 << 20)

/* Frames, and what they become. */
struct frame {
	struct blob truth, packed;
};

static void
drop(struct frame *f)
{
	blob_free(&f->truth);
	blob_free(&f->packed);
}

static bool
decode(const struct blob *b, size_t expect, size_t max, struct slv_decode *d)
{
	return decoded(SLV_CODEC_ZSTD, b, expect, max, d);
}

static void
add_frame(struct frame *f, size_t n, struct pack_zstd how)
{
	size_t from = f->truth.n;

	pack_truth(&f->truth, n, from + n);
	pack_zstd(&f->packed, f->truth.at + from, n, how);
}

static void
add_skippable(struct frame *f, uint8_t kind, uint8_t size)
{
	const uint8_t head[] = { kind, 0x2a, 0x4d, 0x18, size, 0, 0, 0 };

	blob_add(&f->packed, head, sizeof(head));
	blob_fill(&f->packed, 'x', size);
}

/* Several frames, and some to be skipped, are one stream. */
static void
takes_frames_in_a_row(void)
{
	const struct pack_zstd sum = { .sum = true }, plain = { 0 };
	struct frame f = { 0 };
	struct blob cut = { 0 };
	size_t ends[4];
	struct slv_decode d;

	add_skippable(&f, 0x50, 0);
	add_frame(&f, 300, sum);
	ends[0] = f.packed.n;
	add_frame(&f, 0, sum);
	ends[1] = f.packed.n;
	add_skippable(&f, 0x5f, 20);
	ends[2] = f.packed.n;
	add_frame(&f, 400, sum);
	ends[3] = f.packed.n;
	for (size_t n = 0; n <= f.packed.n && !check_enough(); n++) {
		bool end = n == 8;

		for (unsigned i = 0; i < 4; i++)
			end |= n >= ends[i] && n < ends[i] + 4;
		end |= n >= 8 && n < 12;
		check_case("%zu bytes", n);
		damage_cut(&cut, f.packed.at, f.packed.n, n);
		if (!decode(&cut, 700, MIB, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how,
		    end ? SLV_DECODED_WHOLE : SLV_DECODED_CUT);
		check_beginning(&d, &f.truth);
		CHECK(d.out.len >= (n >= ends[0] ? 300 : 0));
		CHECK(!end || d.n_pieces == 0 || d.pieces->proven);
		slv_decode_free(&d);
	}
	/* One without a checksum is one of which nothing is proven. */
	add_frame(&f, 100, plain);
	if (decode(&f.packed, 0, MIB, &d)) {
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_WHOLE);
		check_beginning(&d, &f.truth);
		CHECK_U64(d.out.len, 800);
		CHECK(!d.pieces->proven);
		slv_decode_free(&d);
	}
	blob_free(&cut);
	drop(&f);
}

/* A frame after a damaged one comes out where sizes lead to it. */
static void
goes_on_with_the_next_frame(void)
{
	for (unsigned k = 0; k < 4; k++) {
		struct pack_zstd how = { .sum = k & 1, .flush = 300 };
		struct frame f = { 0 };
		size_t first, hit;
		struct slv_decode d;

		check_case("case %u", k);
		add_frame(&f, 600, how);
		first = f.packed.n;
		add_frame(&f, 1500, how);
		hit = f.packed.n;
		add_frame(&f, 700, how);
		/* A block of the second one, not the first of it, ends with a
		 * byte that may not be 0; or the word before it is wrong. */
		for (size_t at = first + 7, n = 0; n < 2; n++) {
			const uint8_t *p = f.packed.at + at;

			at += 3 + (slv_get_le16(p) >> 3 | (size_t)p[2] << 13);
			hit = at;
		}
		f.packed.at[k & 2 ? hit : hit - 1] = k & 2 ? 0x06 : 0;
		if (!decode(&f.packed, f.truth.n, MIB, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
		CHECK_U64(d.n_pieces, k & 2 ? 2 : 3);
		for (size_t i = 0; i < d.n_pieces && !check_enough(); i++) {
			static const size_t at[] = { 0, 600, 2100 };
			static const size_t len[] = { 600, 300, 700 };
			const struct slv_decoded_piece *p = &d.pieces[i];

			CHECK(
			    p->at_known && p->at == at[i] && p->len >= len[i]);
			CHECK(memcmp(
			          d.out.at + p->out, f.truth.at + p->at, len[i])
			    == 0);
			CHECK(p->proven == (how.sum && i != 1));
			CHECK(p->sure == (how.sum || i != 2));
		}
		slv_decode_free(&d);
		drop(&f);
	}
}

/* A magic without a header is a damaged frame; other bytes are none. */
static void
takes_a_magic_for_a_frame(void)
{
	static const struct {
		enum slv_codec_kind kind;
		uint8_t bytes[8];
	} bad[] = {
		{ SLV_CODEC_ZSTD, { 0x28, 0xb5, 0x2f, 0xfd, 0x08 } },
		{ SLV_CODEC_LZ4_FRAMES, { 0x04, 0x22, 0x4d, 0x18, 0x02 } },
	};

	for (unsigned k = 0; k < 2; k++) {
		struct frame f = { 0 };
		struct slv_decode d;
		size_t end;

		check_case("case %u", k);
		pack_truth(&f.truth, 500, k);
		if (bad[k].kind == SLV_CODEC_ZSTD)
			pack_zstd(&f.packed, f.truth.at, f.truth.n,
			    (struct pack_zstd){ .sum = true });
		else
			pack_lz4(&f.packed, f.truth.at, f.truth.n,
			    (struct pack_lz4){ 0 });
		end = f.packed.n;
		blob_add(&f.packed, bad[k].bytes, sizeof(bad[k].bytes));
		if (decoded(bad[k].kind, &f.packed, 0, MIB, &d)) {
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_BROKEN);
			CHECK_U64(d.used, end);
			check_beginning(&d, &f.truth);
			CHECK(d.out.len == 500 && d.pieces->proven);
			slv_decode_free(&d);
		}
		f.packed.at[end] ^= 1;
		if (decoded(bad[k].kind, &f.packed, 0, MIB, &d)) {
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_WHOLE);
			CHECK_U64(d.used, end);
			slv_decode_free(&d);
		}
		drop(&f);
	}
}

/* Content that is a frame itself, with a checksum, and stored as it was, up to the
 * end: where the frame around it is damaged, it is no frame after that one. */
static void
takes_no_content_for_a_frame(void)
{
	struct frame inner = { 0 }, outer = { 0 };
	struct blob bad = { 0 };
	struct dice dice = { 5 };
	struct slv_decode d;

	for (int i = 0; i < 1000; i++)
		blob_byte(&inner.truth, (uint8_t)dice_roll(&dice));
	pack_zstd(&inner.packed, inner.truth.at, inner.truth.n,
	    (struct pack_zstd){ .sum = true });
	pack_truth(&outer.truth, 5000, 3);
	blob_add(&outer.truth, inner.packed.at, inner.packed.n);
	pack_zstd(&outer.packed, outer.truth.at, outer.truth.n,
	    (struct pack_zstd){ .flush = 1250 });
	CHECK(memmem(outer.packed.at, outer.packed.n, inner.packed.at,
	          inner.packed.n)
	    != NULL);
	for (size_t at = 0; at < outer.packed.n - inner.packed.n - 40; at++) {
		check_case("byte %zu", at);
		damage_overwrite(&bad, outer.packed.at, outer.packed.n, at,
		    at % 2 ? 3 : 40, WINDOW_FF, 0);
		if (!decode(&bad, 0, MIB, &d))
			continue;
		CHECK(d.n_pieces < 2);
		CHECK(d.n_pieces == 0 || !d.pieces->proven);
		slv_decode_free(&d);
	}
	blob_free(&bad);
	drop(&inner);
	drop(&outer);
}

/* Whatever window and size a header claims: memory is for what comes out. */
static void
believes_no_claim(void)
{
	/* The greatest window that can be written: 3.75 TiB. */
	static const uint8_t window[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff };
	/* No window, and 2^62 bytes. */
	static const uint8_t size[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0,
		0, 0, 0, 0, 0x40 };
	struct frame f = { 0 };
	size_t body = 5 + 1 + 4;

	add_frame(&f, 600000, (struct pack_zstd){ .level = 1 });
	for (unsigned k = 0; k < 6; k++) {
		struct blob b = { 0 };
		struct slv_decode d;

		check_case("case %u", k);
		blob_set(&b, k % 2 ? size : window,
		    k % 2 ? sizeof(size) : sizeof(window));
		blob_add(&b, f.packed.at + body, f.packed.n - body);
		if (k >= 2)
			b.n -= 1000;
		if (!decode(&b, 0, k < 4 ? MIB : 300000, &d))
			continue;
		CHECK(d.out.len >= (k < 4 ? 4 * BLOCK : 300000));
		CHECK(d.out.cap <= 5 * MIB);
		CHECK(memcmp(d.out.at, f.truth.at, d.out.len) == 0);
		slv_decode_free(&d);
		blob_free(&b);
	}
	drop(&f);
}

/* Four bytes make 128 KiB: no more of them than may be. */
static void
stops_a_bomb(void)
{
	struct blob b = { 0 };
	struct slv_decode d;

	blob_add(&b, "\x28\xb5\x2f\xfd\x00\x58", 6);
	for (unsigned i = 0; i < 100000; i++)
		blob_add(&b, "\x02\x00\x10", 4);
	for (unsigned i = 0; i < 3; i++) {
		size_t max = (size_t)1000 << 5 * i;

		check_case("%zu bytes", max);
		if (!decode(&b, 0, max, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_OVER);
		CHECK(d.limited && d.out.len == max);
		CHECK(d.out.cap <= max + MIB);
		slv_decode_free(&d);
	}
	blob_free(&b);
}

/* No more than that either where the input ends in a block that is stored as it was. */
static void
stops_in_a_stored_block(void)
{
	struct frame f = { 0 };
	struct dice dice = { 6 };
	struct slv_decode d;

	for (int i = 0; i < 5000; i++)
		blob_byte(&f.truth, (uint8_t)dice_roll(&dice));
	pack_zstd(&f.packed, f.truth.at, f.truth.n, (struct pack_zstd){ 0 });
	f.packed.n -= 100;
	for (size_t max = 4899; max < 4902; max++) {
		check_case("%zu bytes", max);
		if (!decode(&f.packed, 5000, max, &d))
			continue;
		CHECK_NAME(slv_decoded_name, d.how,
		    max < 4900 ? SLV_DECODED_OVER : SLV_DECODED_CUT);
		CHECK_U64(d.out.len, max < 4900 ? max : 4900);
		CHECK(d.limited == (max < 4900));
		slv_decode_free(&d);
	}
	drop(&f);
}

/* Damage anywhere, of any kind: nothing is proven that is not the truth. */
static void
proves_nothing_wrong(void)
{
	struct dice dice = { 21 };
	struct blob bad = { 0 };

	for (unsigned round = 0; round < 1500 && !check_enough(); round++) {
		struct pack_zstd how = {
			.level = 1 + (int)dice_below(&dice, 6),
			.sum = dice_below(&dice, 2),
			.no_size = dice_below(&dice, 2),
			.flush = (size_t)dice_below(&dice, 2) * 600,
		};
		struct frame f = { 0 };
		size_t off, len;
		struct slv_decode d;

		check_case("round %u", round);
		add_frame(&f, 1 + (size_t)dice_below(&dice, 3000), how);
		off = (size_t)dice_below(&dice, f.packed.n);
		len = 1 + (size_t)dice_below(&dice, 64);
		if (round % 4 == 3)
			damage_remove(&bad, f.packed.at, f.packed.n, off, len);
		else
			damage_overwrite(&bad, f.packed.at, f.packed.n, off,
			    len, (enum damage_window)(round % 4), round);
		if (decode(&bad, round % 3 ? f.truth.n : 0, MIB, &d)) {
			bool same = d.out.len == f.truth.n
			    && memcmp(d.out.at, f.truth.at, d.out.len) == 0;

			for (size_t i = 0; i < d.n_pieces; i++)
				CHECK(!d.pieces[i].proven || same);
			CHECK(!how.sum || d.how != SLV_DECODED_WHOLE || same);
			slv_decode_free(&d);
		}
		drop(&f);
	}
	blob_free(&bad);
}

CU_TestInfo zstd_frames_tests[] = {
	{ "takes frames in a row", takes_frames_in_a_row },
	{ "goes on with the next frame", goes_on_with_the_next_frame },
	{ "takes a magic for a frame", takes_a_magic_for_a_frame },
	{ "takes no content for a frame", takes_no_content_for_a_frame },
	{ "believes no claim", believes_no_claim },
	{ "stops a bomb", stops_a_bomb },
	{ "stops in a stored block", stops_in_a_stored_block },
	{ "proves nothing wrong", proves_nothing_wrong },
	CU_TEST_INFO_NULL,
};
