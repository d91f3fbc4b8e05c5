/* test_bddf_frame.c - block headers in four dialects. */
#include <string.h>

#include "formats/bddf/read/bddf_frame.h"
#include "support/check.h"
#include "unit/suites.h"

static const uint64_t sizes[] = { 0, 1, 0xff, 0x123456789abcde, BDDF_SIZE_MAX };

static void
there_and_back(void)
{
	for (int d = 0; d < 4; d++) {
		for (int t = BDDF_DATA; t <= BDDF_END; t++) {
			for (size_t i = 0; i < 5; i++) {
				struct bddf_head in = { (enum bddf_type)t,
					sizes[i] };
				struct bddf_head out;
				uint8_t bytes[8];

				bddf_head_put(bddf_dialects[d], in, bytes);
				out = bddf_head_get(bddf_dialects[d], bytes);
				CHECK_U64(out.type, in.type);
				CHECK_U64(out.size, in.size);
			}
		}
	}
}

/* From a file that the vendor's SDK wrote, and from the grammar. */
static void
known_bytes(void)
{
	static const struct {
		const char *dialect;
		uint8_t descriptor[8], end[8];
	} known[] = {
		{ "sdk+last", { 0x3a, 0, 0, 0, 0, 0, 0, 1 },
		    { 0x18, 0, 0, 0, 0, 0, 0, 2 } },
		{ "sdk+first", { 1, 0x3a, 0, 0, 0, 0, 0, 0 },
		    { 2, 0x18, 0, 0, 0, 0, 0, 0 } },
		{ "grammar+last", { 0x3a, 0, 0, 0, 0, 0, 0, 0 },
		    { 0x14, 0, 0, 0, 0, 0, 0, 2 } },
		{ "grammar+first", { 0, 0x3a, 0, 0, 0, 0, 0, 0 },
		    { 2, 0x14, 0, 0, 0, 0, 0, 0 } },
	};

	for (int d = 0; d < 4; d++) {
		struct bddf_head head = { BDDF_DESCRIPTOR, 0x3a };
		uint8_t bytes[8];

		CHECK_STR(
		    bddf_dialect_name(bddf_dialects[d]), known[d].dialect);
		bddf_head_put(bddf_dialects[d], head, bytes);
		CHECK_BYTES(bytes, 8, known[d].descriptor, 8);
		bddf_end_header(bddf_dialects[d], bytes);
		CHECK_BYTES(bytes, 8, known[d].end, 8);
		for (size_t n = 0; n <= 8; n++) {
			CHECK(bddf_is_end_header(bddf_dialects[d], bytes, n));
			if (n == 0)
				continue;
			bytes[n - 1] ^= 0x40;
			CHECK(!bddf_is_end_header(bddf_dialects[d], bytes, n));
			bytes[n - 1] ^= 0x40;
		}
	}
}

static void
unknown_types(void)
{
	uint8_t bytes[8] = { 0 };

	for (int d = 0; d < 4; d++) {
		for (unsigned t = 3; t < 256; t++) {
			memset(bytes, 0, sizeof(bytes));
			bytes[bddf_dialects[d].type_first ? 0 : 7] = (uint8_t)t;
			CHECK_U64(bddf_head_get(bddf_dialects[d], bytes).type,
			    BDDF_NO_TYPE);
		}
	}
}

/* A data block is four bytes longer than its size says, an end block has one
 * length whatever it says. */
static void
spans(void)
{
	CHECK_U64(bddf_head_span((struct bddf_head){ BDDF_DATA, 10 }), 22);
	CHECK_U64(
	    bddf_head_span((struct bddf_head){ BDDF_DESCRIPTOR, 10 }), 18);
	CHECK_U64(bddf_head_span((struct bddf_head){ BDDF_END, 24 }), 40);
	CHECK_U64(bddf_head_span((struct bddf_head){ BDDF_END, 999 }), 40);
	CHECK_U64(
	    bddf_head_span((struct bddf_head){ BDDF_DATA, BDDF_SIZE_MAX }),
	    BDDF_SIZE_MAX + 12);
}

CU_TestInfo bddf_frame_tests[] = {
	{ "there and back", there_and_back },
	{ "known bytes", known_bytes },
	{ "unknown types", unknown_types },
	{ "spans", spans },
	CU_TEST_INFO_NULL,
};
