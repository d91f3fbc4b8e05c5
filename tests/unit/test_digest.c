/* test_digest.c - known digests, in pieces and copied. */
#include <string.h>

#include "digest/digest.h"
#include "support/check.h"
#include "unit/suites.h"

/* From FIPS 180: the examples with one block and with two. */
static const char two_blocks[] =
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

static const struct {
	enum slv_digest_kind kind;
	const char *text, *digest;
} known[] = {
	{ SLV_SHA1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
	{ SLV_SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
	{ SLV_SHA1, two_blocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	{ SLV_SHA256, "abc",
	    "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad" },
	{ SLV_SHA256, two_blocks,
	    "248d6a61d20638b8e5c026930c3e6039"
	    "a33ce45964ff2167f6ecedd419db06c1" },
};

static void
check_hex(const struct slv_digest *d, const char *want)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * SLV_DIGEST_MAX + 1] = "";
	uint8_t bytes[SLV_DIGEST_MAX];
	size_t n = slv_digest_size(d->kind);

	slv_digest_get(d, bytes);
	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	CHECK_STR(text, want);
}

static void
known_digests(void)
{
	struct slv_digest d;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		slv_digest_init(&d, known[i].kind);
		slv_digest_add(&d, known[i].text, strlen(known[i].text));
		check_hex(&d, known[i].digest);
		/* Getting it changes nothing. */
		check_hex(&d, known[i].digest);
	}
	CHECK_U64(slv_digest_size(SLV_SHA1), 20);
	CHECK_U64(slv_digest_size(SLV_SHA256), 32);
}

static void
in_two_pieces_and_copied(void)
{
	size_t n = strlen(two_blocks);

	for (size_t cut = 0; cut <= n; cut++) {
		struct slv_digest d, copy;

		slv_digest_init(&d, SLV_SHA1);
		slv_digest_add(&d, two_blocks, cut);
		copy = d;
		slv_digest_add(&d, "other", 5);
		slv_digest_add(&copy, two_blocks + cut, n - cut);
		check_hex(&copy, known[2].digest);
	}
}

CU_TestInfo digest_tests[] = {
	{ "known digests", known_digests },
	{ "in two pieces and copied", in_two_pieces_and_copied },
	CU_TEST_INFO_NULL,
};
