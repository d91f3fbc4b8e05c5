/* test_lz4_block.c - a block of LZ4, followed sequence by sequence. */
#include <lz4.h>

#include "codec/lz4/lz4_block.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/pack.h"
#include "unit/suites.h"

/* A block as the library decodes it is what following it gives, and what the
 * library takes is taken. */
static void
follows_as_the_library_decodes(void)
{
	enum { ROOM = 4096 };
	uint8_t packed[ROOM], theirs[ROOM], ours[ROOM];
	struct blob truth = { 0 };
	struct dice dice = { 6 };
	unsigned agreed = 0;

	for (unsigned k = 0; k < 20000 && !check_enough(); k++) {
		struct slv_lz4_out out = { .at = ours, .cap = ROOM };
		size_t used;
		int n, m;

		check_case("block %u", k);
		truth.n = 0;
		pack_truth(&truth, dice_below(&dice, 900) + 1, k);
		n = LZ4_compress_default(
		    (const char *)truth.at, (char *)packed, (int)truth.n, ROOM);
		for (unsigned i = k % 3; i > 0; i--)
			packed[dice_below(&dice, (uint64_t)n)] ^=
			    (uint8_t)(1u << dice_below(&dice, 8));
		m = LZ4_decompress_safe(
		    (const char *)packed, (char *)theirs, n, ROOM);
		if (k % 3 == 0)
			CHECK(m == (int)truth.n);
		if (m < 0)
			continue;
		CHECK(slv_lz4_follow(packed, (size_t)n, &out, &used));
		CHECK_U64(used, (uint64_t)n);
		CHECK_BYTES(ours, out.len, theirs, (size_t)m);
		agreed++;
	}
	CHECK(agreed > 8000);
	blob_free(&truth);
}

/* Of a sequence that cannot be nothing comes out, not even its literals. */
static void
stops_before_nonsense(void)
{
	static const uint8_t block[] = { 0x10, 'a', 1, 0, 0x20, 'b', 'c', 0, 0,
		0x30, 'd', 'e', 'f' };
	uint8_t bytes[64];
	struct slv_lz4_out out = { .at = bytes, .cap = sizeof(bytes) };
	size_t used;

	CHECK(!slv_lz4_follow(block, sizeof(block), &out, &used));
	CHECK_U64(used, 4);
	CHECK_BYTES(bytes, out.len, "aaaaa", 5);
}

CU_TestInfo lz4_block_tests[] = {
	{ "stops before nonsense", stops_before_nonsense },
	{ "follows as the library decodes", follows_as_the_library_decodes },
	CU_TEST_INFO_NULL,
};
