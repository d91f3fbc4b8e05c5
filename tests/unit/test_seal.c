/* test_seal.c - which of digest and bytes is hurt. */
#include <string.h>

#include "core/digest/seal.h"
#include "support/check.h"
#include "unit/suites.h"

static const uint8_t computed[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
	14, 15, 16, 17, 18, 19, 20 };

static const char *
match_name(enum slv_seal_match m)
{
	static const char *const names[] = { "NONE", "OTHER", "FIELD",
		"EQUAL" };

	return names[m];
}

/* The stored digest, hurt in [off, off + len), of which `have` bytes are
 * left. */
static enum slv_seal_match
match(size_t have, size_t off, size_t len)
{
	struct slv_seal seal = { .have = have, .kind = SLV_SHA1 };

	memcpy(seal.stored, computed, sizeof(computed));
	for (size_t i = off; i < off + len && i < sizeof(computed); i++)
		seal.stored[i] ^= 0xff;
	return slv_seal_compare(&seal, computed);
}

static void
whole_field(void)
{
	CHECK_NAME(match_name, match(20, 0, 0), SLV_SEAL_EQUAL);
	CHECK_NAME(match_name, match(20, 0, 20), SLV_SEAL_OTHER);
	/* One byte hurt leaves 8 in a row, wherever it is. */
	for (size_t off = 0; off < 20; off++)
		CHECK_NAME(match_name, match(20, off, 1), SLV_SEAL_FIELD);
	CHECK_NAME(match_name, match(20, 0, 12), SLV_SEAL_FIELD);
	CHECK_NAME(match_name, match(20, 0, 13), SLV_SEAL_OTHER);
	CHECK_NAME(match_name, match(20, 8, 12), SLV_SEAL_FIELD);
	CHECK_NAME(match_name, match(20, 7, 13), SLV_SEAL_OTHER);
	CHECK_NAME(match_name, match(20, 7, 6), SLV_SEAL_OTHER);
}

static void
what_a_cut_leaves(void)
{
	CHECK_NAME(match_name, match(0, 0, 0), SLV_SEAL_NONE);
	/* Too short to prove anything, but not to disprove. */
	for (size_t have = 1; have < SLV_SEAL_RUN; have++) {
		CHECK_NAME(match_name, match(have, 0, 0), SLV_SEAL_NONE);
		CHECK_NAME(
		    match_name, match(have, have - 1, 1), SLV_SEAL_OTHER);
	}
	for (size_t have = SLV_SEAL_RUN; have < 20; have++)
		CHECK_NAME(match_name, match(have, 0, 0), SLV_SEAL_FIELD);
}

CU_TestInfo seal_tests[] = {
	{ "a whole field", whole_field },
	{ "what a cut leaves", what_a_cut_leaves },
	CU_TEST_INFO_NULL,
};
