/* test_codec.c - what is whole comes out whole, whatever its shape; and no
 * stream makes more of itself than it may.
 */
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "codec/codec.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/pack.h"
#include "support/testdata.h"
#include "unit/suites.h"

#define MIB ((size_t)1 << 20)

/* Append a stream of any kind; frames where there may be several, are two. */
static void
pack(struct blob *to, enum slv_codec_kind kind, const struct blob *truth)
{
	const struct pack_lz4 lz4 = { 0 };
	size_t half = truth->n / 2;

	switch (kind) {
	case SLV_CODEC_NONE: blob_add(to, truth->at, truth->n); return;
	case SLV_CODEC_LZ4: pack_lz4(to, truth->at, truth->n, lz4); return;
	case SLV_CODEC_LZ4_FRAMES:
		pack_lz4(to, truth->at, half, lz4);
		pack_lz4(to, truth->at + half, truth->n - half, lz4);
		return;
	case SLV_CODEC_BZ2: pack_bz2(to, truth->at, truth->n, 1); return;
	case SLV_CODEC_ZSTD:
		pack_zstd(to, truth->at, truth->n, (struct pack_zstd){ 0 });
		return;
	case SLV_CODECS: break;
	}
	CHECK(!"a codec");
}

static void
check_all(enum slv_codec_kind kind, const struct blob *packed, size_t behind,
    const struct blob *truth, size_t expect, bool proven)
{
	struct slv_decode d;
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_decode(kind, packed->at, packed->n, expect,
	                  truth->n + 1, &d, &err),
	        &err))
		return;
	CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_WHOLE);
	CHECK_U64(d.used, packed->n - behind);
	CHECK_BYTES(d.out.at, d.out.len, truth->at, truth->n);
	if (CHECK_U64(d.n_pieces, truth->n > 0) && d.n_pieces > 0) {
		CHECK_U64(d.pieces->out, 0);
		CHECK_U64(d.pieces->len, truth->n);
		CHECK_U64(d.pieces->firm, truth->n);
		CHECK_U64(d.pieces->in, 0);
		CHECK_U64(d.pieces->in_end, d.used);
		CHECK(
		    d.pieces->sure && d.pieces->at_known && d.pieces->at == 0);
		CHECK(d.pieces->proven == proven);
	}
	slv_decode_free(&d);
}

/* The same of a stream with a checksum. */
static void
check_whole(enum slv_codec_kind kind, const struct blob *packed, size_t behind,
    const struct blob *truth, size_t expect)
{
	check_all(kind, packed, behind, truth, expect, true);
}

static const size_t sizes[] = { 0, 1, 13, 1000, 65535, 65536, 65537, 300000,
	4 * MIB + 1 };
#define N_SIZES (sizeof(sizes) / sizeof(*sizes))

static void
takes_lz4_of_all_kinds(void)
{
	struct blob truth = { 0 }, packed = { 0 };

	for (size_t i = 0; i < N_SIZES; i++) {
		truth.n = 0;
		pack_truth(&truth, sizes[i], i);
		for (unsigned k = 0; k < 64; k++) {
			struct pack_lz4 how = {
				.block = 4 + k % 4,
				.linked = k & 4,
				.block_sums = k & 8,
				.content_size = k & 16,
				.no_sum = k & 32,
			};

			if ((sizes[i] > MIB && k >= 4) || !testdata_takes())
				continue;
			check_case("%zu bytes, kind %u", sizes[i], k);
			packed.n = 0;
			pack_lz4(&packed, truth.at, truth.n, how);
			check_all(SLV_CODEC_LZ4, &packed, 0, &truth, truth.n,
			    how.block_sums || !how.no_sum);
			check_all(SLV_CODEC_LZ4, &packed, 0, &truth, 0,
			    how.block_sums || !how.no_sum);
		}
	}
	blob_free(&truth);
	blob_free(&packed);
}

static void
takes_bz2_of_all_levels(void)
{
	struct blob truth = { 0 }, packed = { 0 };

	for (size_t i = 0; i < N_SIZES; i++) {
		truth.n = 0;
		pack_truth(&truth, sizes[i], i);
		for (int level = 1; level <= 9; level += 4) {
			if (sizes[i] > MIB && level > 1)
				continue;
			check_case("%zu bytes, level %d", sizes[i], level);
			packed.n = 0;
			pack_bz2(&packed, truth.at, truth.n, level);
			check_whole(SLV_CODEC_BZ2, &packed, 0, &truth, truth.n);
		}
	}
	blob_free(&truth);
	blob_free(&packed);
}

static void
takes_zstd_of_all_kinds(void)
{
	static const int levels[] = { 1, 3, 19, -5 };
	struct blob truth = { 0 }, packed = { 0 };

	for (size_t i = 0; i < N_SIZES; i++) {
		truth.n = 0;
		pack_truth(&truth, sizes[i], i);
		for (unsigned k = 0; k < 32; k++) {
			struct pack_zstd how = {
				.level = levels[k % 4],
				.sum = k & 4,
				.no_size = k & 8,
				.flush = k & 16 ? 1 + sizes[i] / 7 : 0,
			};

			if (sizes[i] > (how.level == 19 ? 65537 : MIB)
			    || !testdata_takes())
				continue;
			check_case("%zu bytes, kind %u", sizes[i], k);
			packed.n = 0;
			pack_zstd(&packed, truth.at, truth.n, how);
			for (unsigned claim = 0; claim < 3; claim++)
				check_all(SLV_CODEC_ZSTD, &packed, 0, &truth,
				    claim * truth.n / 2, how.sum);
		}
	}
	blob_free(&truth);
	blob_free(&packed);
}

/* What follows on a stream is not its business, and a wrong claim of how long
 * it becomes changes nothing. */
static void
ends_where_it_ends(void)
{
	struct blob truth = { 0 }, packed = { 0 };

	pack_truth(&truth, 50000, 1);
	for (size_t behind = 1; behind < 40; behind += 6) {
		check_case("%zu bytes behind", behind);
		packed.n = 0;
		pack_lz4(&packed, truth.at, truth.n, (struct pack_lz4){ 0 });
		blob_fill(&packed, (uint8_t)behind, behind);
		check_whole(SLV_CODEC_LZ4, &packed, behind, &truth, behind);
		packed.n = 0;
		pack_bz2(&packed, truth.at, truth.n, 9);
		blob_fill(&packed, (uint8_t)behind, behind);
		check_whole(SLV_CODEC_BZ2, &packed, behind, &truth, SIZE_MAX);
		packed.n = 0;
		pack_zstd(&packed, truth.at, truth.n,
		    (struct pack_zstd){ .sum = true });
		blob_fill(&packed, (uint8_t)behind, behind);
		check_whole(SLV_CODEC_ZSTD, &packed, behind, &truth, behind);
	}
	check_whole(SLV_CODEC_NONE, &truth, 0, &truth, 7);
	blob_free(&truth);
	blob_free(&packed);
}

/* However much comes out of little, it is no more than allowed, nor is the
 * memory for it. */
static void
keeps_to_its_limit(void)
{
	struct blob truth = { 0 }, packed[SLV_CODECS] = { 0 };
	struct slv_decode d;
	struct slv_err err = { 0 };

	blob_fill(&truth, 0, 40 * MIB);
	for (int kind = 0; kind < SLV_CODECS; kind++) {
		static const size_t most[] = { 1, 1000, MIB };
		const struct blob *p = &packed[kind];

		pack(&packed[kind], (enum slv_codec_kind)kind, &truth);
		for (size_t i = 0; i < 3; i++) {
			check_case("codec %d, %zu bytes", kind, most[i]);
			CHECK_OK(slv_decode((enum slv_codec_kind)kind, p->at,
			             p->n, truth.n, most[i], &d, &err),
			    &err);
			CHECK_NAME(slv_decoded_name, d.how, SLV_DECODED_OVER);
			CHECK_BYTES(d.out.at, d.out.len, truth.at, most[i]);
			CHECK(d.out.cap <= most[i] + 12 * MIB);
			CHECK(d.n_pieces == 1 && d.pieces->sure
			    && d.pieces->len == most[i]);
			slv_decode_free(&d);
		}
		blob_free(&packed[kind]);
	}
	blob_free(&truth);
}

/* So it is with what is damaged; and where nothing was kept from coming out,
 * it is what comes out without a limit. */
static void
keeps_to_its_limit_in_damage(void)
{
	struct blob truth = { 0 }, packed[SLV_CODECS] = { 0 };
	struct slv_err err = { 0 };

	pack_truth(&truth, 600000, 4);
	for (int kind = SLV_CODEC_LZ4; kind < SLV_CODECS; kind++)
		pack(&packed[kind], (enum slv_codec_kind)kind, &truth);
	for (unsigned k = 0; k < 192; k++) {
		static const size_t most[] = { 1, 65536, 250000, 590000 };
		enum slv_codec_kind kind =
		    (enum slv_codec_kind)(SLV_CODEC_LZ4 + k % 4);
		struct blob *p = &packed[kind];
		size_t at = k / 16 * p->n / 12, max = most[k / 4 % 4];
		struct slv_decode d, all;
		uint8_t was[20];

		if (!testdata_takes())
			continue;
		check_case("case %u", k);
		memcpy(was, p->at + at, sizeof(was));
		memset(p->at + at, 0, sizeof(was));
		CHECK_OK(slv_decode(kind, p->at, p->n, 0, max, &d, &err), &err);
		CHECK_OK(
		    slv_decode(kind, p->at, p->n, 0, MIB, &all, &err), &err);
		memcpy(p->at + at, was, sizeof(was));
		CHECK(d.out.len <= max && d.out.cap <= max + 8 * MIB);
		CHECK(!all.limited && (d.limited || d.how == all.how));
		CHECK(d.limited || d.out.len == all.out.len);
		CHECK(d.out.len == 0 || all.out.len == 0
		    || memcmp(d.out.at, all.out.at, d.out.len) == 0);
		slv_decode_free(&d);
		slv_decode_free(&all);
	}
	for (int kind = 0; kind < SLV_CODECS; kind++)
		blob_free(&packed[kind]);
	blob_free(&truth);
}

/* Any allocation may fail: then nothing comes out. */
static void
fails_without_memory(void)
{
	struct blob truth = { 0 }, packed[SLV_CODECS] = { 0 };

	pack_truth(&truth, 300000, 2);
	for (int kind = 0; kind < SLV_CODECS; kind++) {
		struct blob *p = &packed[kind];
		struct fake_plan plan = {
			.k = 1,
			.calls = FAKE_BIT(FAKE_ALLOC),
			.how = FAKE_ERRNO,
		};
		struct fake_result r = { .fired = 1 };

		pack(p, (enum slv_codec_kind)kind, &truth);
		memset(p->at + p->n / 2, 0, 9); /* salvage is to happen */
		for (; r.fired > 0 && !check_enough(); plan.k++) {
			struct slv_err err = { 0 };
			struct slv_decode d;
			enum slv_status st;

			check_case("codec %d, allocation %u", kind, plan.k);
			fake_on(&plan);
			st = slv_decode((enum slv_codec_kind)kind, p->at, p->n,
			    0, MIB, &d, &err);
			fake_off(&r);
			CHECK_STATUS(
			    st, r.fired > 0 ? SLV_E_NOMEM : SLV_OK, &err);
			CHECK(st == SLV_OK
			    || (d.out.at == NULL && d.pieces == NULL));
			slv_decode_free(&d);
		}
		CHECK(plan.k > 2);
		blob_free(p);
	}
	blob_free(&truth);
}

/* Whole or damaged: nothing is decoded for a caller who has said stop. */
static void
stops_when_it_is_told(void)
{
	static const volatile sig_atomic_t stop = 1, go = 0;
	struct blob truth = { 0 };

	pack_truth(&truth, 300000, 11);
	for (int i = 0; i < 8; i++) {
		enum slv_codec_kind kind =
		    (enum slv_codec_kind)(SLV_CODEC_LZ4 + i % 4);
		struct blob packed = { 0 };
		struct slv_buf none = { 0 };
		struct slv_decode d;

		pack(&packed, kind, &truth);
		if (i > 3)
			memset(packed.at + packed.n / 2, 0, 9);
		CHECK_STATUS(slv_decode_into(&none, kind, packed.at, packed.n,
		                 0, MIB, &stop, &d, NULL),
		    SLV_E_CANCELLED, NULL);
		CHECK(d.out.at == NULL && d.pieces == NULL);
		CHECK_OK(slv_decode_into(&none, kind, packed.at, packed.n, 0,
		             MIB, &go, &d, NULL),
		    NULL);
		slv_decode_free(&d);
		blob_free(&packed);
	}
	blob_free(&truth);
}

/* As roslz4 wants it, a header of seven bytes; and as others write it. */
static void
encodes_lz4_as_others_read_it(void)
{
	static const struct {
		uint8_t flags, least, most; /* least and greatest blocks */
	} want[SLV_LZ4_FLAVOURS] = {
		[SLV_LZ4_ROS] = { 0x64, 0x40, 0x60 },
		[SLV_LZ4_PLAIN] = { 0x60, 0x40, 0x40 },
	};
	struct blob truth = { 0 }, packed = { 0 };

	for (size_t i = 0; i < SLV_LZ4_FLAVOURS * N_SIZES; i++) {
		enum slv_lz4_flavour flavour = i % SLV_LZ4_FLAVOURS;
		size_t n = sizes[i / SLV_LZ4_FLAVOURS];
		struct slv_buf out = { 0 };
		struct slv_err err = { 0 };

		check_case("%zu bytes, flavour %d", n, (int)flavour);
		truth.n = 0;
		pack_truth(&truth, n, i);
		slv_buf_text(&out, "before");
		CHECK_OK(
		    slv_encode_lz4(truth.at, n, flavour, &out, &err), &err);
		blob_set(&packed, out.at + 6, out.len - 6);
		CHECK_BYTES(packed.at, 4, "\x04\x22\x4d\x18", 4);
		CHECK_U64(packed.at[4], want[flavour].flags);
		CHECK(packed.at[5] >= want[flavour].least
		    && packed.at[5] <= want[flavour].most);
		check_all(SLV_CODEC_LZ4, &packed, 0, &truth, n,
		    flavour == SLV_LZ4_ROS);
		slv_buf_free(&out);
	}
	blob_free(&truth);
	blob_free(&packed);
}

/* As writers do that compress a chunk at once: a single segment, its size, no
 * checksum; and the same bytes each time. */
static void
encodes_plain_zstd(void)
{
	static const int levels[] = { 1, 3, 19 };
	struct blob truth = { 0 }, packed = { 0 };

	for (size_t i = 0; i < 3 * N_SIZES; i++) {
		size_t n = sizes[i / 3];
		struct slv_buf out = { 0 }, again = { 0 };
		struct slv_err err = { 0 };

		if (n > MIB && levels[i % 3] > 1)
			continue;
		check_case("%zu bytes, level %d", n, levels[i % 3]);
		truth.n = 0;
		pack_truth(&truth, n, i);
		slv_buf_text(&out, "before");
		CHECK_OK(
		    slv_encode_zstd(truth.at, n, levels[i % 3], &out, &err),
		    &err);
		CHECK_OK(
		    slv_encode_zstd(truth.at, n, levels[i % 3], &again, &err),
		    &err);
		CHECK_BYTES(out.at + 6, out.len - 6, again.at, again.len);
		blob_set(&packed, again.at, again.len);
		CHECK(n > 4 * MIB || (packed.at[4] & 0x3f) == 0x20);
		CHECK((packed.at[4] & 0x0f) == 0);
		check_all(SLV_CODEC_ZSTD, &packed, 0, &truth, n, false);
		slv_buf_free(&out);
		slv_buf_free(&again);
	}
	blob_free(&truth);
	blob_free(&packed);
}

CU_TestInfo codec_tests[] = {
	{ "takes lz4 of all kinds", takes_lz4_of_all_kinds },
	{ "takes bz2 of all levels", takes_bz2_of_all_levels },
	{ "takes zstd of all kinds", takes_zstd_of_all_kinds },
	{ "ends where it ends", ends_where_it_ends },
	{ "keeps to its limit", keeps_to_its_limit },
	{ "keeps to its limit in damage", keeps_to_its_limit_in_damage },
	{ "fails without memory", fails_without_memory },
	{ "stops when it is told", stops_when_it_is_told },
	{ "encodes LZ4 as others read it", encodes_lz4_as_others_read_it },
	{ "encodes plain zstd", encodes_plain_zstd },
	CU_TEST_INFO_NULL,
};
