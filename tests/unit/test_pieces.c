/* test_pieces.c - a digest of each MiB, and which of them differ. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/digest/pieces.h"
#include "digest/digest.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define MOST (2 * SLV_PIECE + 4096) /* bytes of a source */

/* The first bytes of the SHA-256 of bytes, computed at once. */
static void
sum_at_once(const uint8_t *bytes, size_t n, uint8_t *sum)
{
	uint8_t whole[SLV_DIGEST_MAX];
	struct slv_digest d;

	slv_digest_init(&d, SLV_SHA256);
	slv_digest_add(&d, bytes, n);
	slv_digest_get(&d, whole);
	memcpy(sum, whole, SLV_PIECE_SUM);
}

/* The digests of a source; its bytes are borrowed. */
static void
sums_of(const uint8_t *bytes, size_t n, struct slv_buf *out)
{
	struct slv_source *source = NULL;
	struct slv_meter meter = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_source_memory(bytes, n, &source, &err), &err);
	CHECK_OK(slv_pieces_sum(source, &meter, NULL, out, &err), &err);
	slv_source_close(source);
}

static const size_t sizes[] = { 0, 1, SLV_PIECE - 1, SLV_PIECE, SLV_PIECE + 1,
	2 * SLV_PIECE, MOST };

#define SIZES (sizeof(sizes) / sizeof(*sizes))

static void
one_of_each(void)
{
	static const uint64_t pieces[SIZES] = { 0, 1, 1, 1, 2, 2, 3 };
	uint8_t *bytes = slv_calloc(1, MOST);
	struct dice dice = { 1 };

	for (size_t i = 0; i < MOST; i++)
		bytes[i] = (uint8_t)dice_below(&dice, 256);
	for (size_t i = 0; i < SIZES; i++) {
		struct slv_buf sums = { 0 };

		check_case("%zu bytes", sizes[i]);
		CHECK_U64(slv_pieces(sizes[i]), pieces[i]);
		sums_of(bytes, sizes[i], &sums);
		CHECK_U64(sums.len, pieces[i] * SLV_PIECE_SUM);
		for (size_t k = 0; k < sums.len / SLV_PIECE_SUM; k++) {
			size_t off = k * SLV_PIECE, n = sizes[i] - off;
			uint8_t want[SLV_PIECE_SUM];

			sum_at_once(
			    bytes + off, n < SLV_PIECE ? n : SLV_PIECE, want);
			CHECK(memcmp(sums.at + k * SLV_PIECE_SUM, want,
			          sizeof(want))
			    == 0);
		}
		slv_buf_free(&sums);
	}
	CHECK_U64(slv_pieces(UINT64_MAX), UINT64_MAX / SLV_PIECE + 1);
	check_case("%s", "");
	free(bytes);
}

/* A bit is flipped at each end of each piece: that piece is named, as far as
 * the source goes, and no other. */
static void
which_differ(void)
{
	uint8_t *bytes = slv_calloc(1, MOST);
	struct slv_buf was = { 0 };

	sums_of(bytes, MOST, &was);
	for (size_t k = 0; k < 6; k++) {
		size_t begin = k / 2 * SLV_PIECE;
		size_t end =
		    begin + SLV_PIECE < MOST ? begin + SLV_PIECE : MOST;
		struct slv_buf is = { 0 };
		struct slv_ranges found = { 0 };
		struct slv_err err = { 0 };

		check_case("place %zu", k);
		bytes[k % 2 == 0 ? begin : end - 1] ^= 4;
		sums_of(bytes, MOST, &is);
		bytes[k % 2 == 0 ? begin : end - 1] ^= 4;
		CHECK_OK(slv_pieces_compare(was.at, is.at, MOST, &found, &err),
		    &err);
		CHECK_U64(found.n, 1);
		if (found.n == 1) {
			CHECK_U64(found.at[0].off, begin);
			CHECK_U64(found.at[0].end, end);
		}
		slv_ranges_free(&found);
		slv_buf_free(&is);
	}
	check_case("%s", "");
	slv_buf_free(&was);
	free(bytes);
}

/* The same is no difference, and neighbours are one range. */
static void
none_and_all(void)
{
	static const uint8_t was[3 * SLV_PIECE_SUM];
	uint8_t is[3 * SLV_PIECE_SUM] = { 0 };
	struct slv_ranges found = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_pieces_compare(was, is, MOST, &found, &err), &err);
	CHECK_U64(found.n, 0);
	memset(is, 1, sizeof(is));
	CHECK_OK(slv_pieces_compare(was, is, MOST, &found, &err), &err);
	CHECK_U64(found.n, 1);
	CHECK(found.n == 1 && found.at[0].off == 0 && found.at[0].end == MOST);
	slv_ranges_free(&found);
}

/* It stops between two pieces. */
static void
stopped(void)
{
	static const volatile sig_atomic_t yes = 1;
	static const uint8_t bytes[3];
	struct slv_source *source = NULL;
	struct slv_meter meter = { 0 };
	struct slv_buf out = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_source_memory(bytes, sizeof(bytes), &source, &err), &err);
	CHECK_STATUS(slv_pieces_sum(source, &meter, &yes, &out, &err),
	    SLV_E_CANCELLED, &err);
	CHECK_U64(out.len, 0);
	slv_source_close(source);
	slv_buf_free(&out);
}

CU_TestInfo pieces_tests[] = {
	{ "one of each", one_of_each },
	{ "which differ", which_differ },
	{ "none and all", none_and_all },
	{ "stopped", stopped },
	CU_TEST_INFO_NULL,
};
