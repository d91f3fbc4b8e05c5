/* test_digest.c - known digests, in pieces and copied; and that all ways to
 * compute them agree with BearSSL's. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "digest/digest.h"
#include "support/blob.h"
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

/* The row after way for the same kind; NULL: it is the last. */
static const struct slv_digest_way *
next_of_kind(const struct slv_digest_way *way)
{
	enum slv_digest_kind kind = way->kind;

	while ((++way)->how != NULL) {
		if (way->kind == kind)
			return way;
	}
	return NULL;
}

static void
table_of_ways(void)
{
	const struct slv_digest_way *way;

	for (way = slv_digest_ways; way->how != NULL; way++) {
		const br_hash_class *how = way->how;
		bool bear = strcmp(way->name, "BearSSL") == 0;

		check_case("way %zd, %s", way - slv_digest_ways, way->name);
		CHECK_U64(
		    how->desc >> BR_HASHDESC_OUT_OFF & BR_HASHDESC_OUT_MASK,
		    slv_digest_size(way->kind));
		CHECK(how->context_size
		    <= sizeof(((struct slv_digest *)NULL)->u));
		/* What anybody can do is last, and nothing else there. */
		CHECK(bear == (next_of_kind(way) == NULL));
		CHECK(bear == (way->needs == 0));
	}
	check_case("%s", "");
	for (int kind = SLV_SHA1; kind <= SLV_SHA256; kind++)
		CHECK_STR(slv_digest_choose(kind, 0)->name, "BearSSL");
}

static void
no_way_that_the_cpu_lacks(void)
{
	const struct slv_digest_way *way;

	for (way = slv_digest_ways; way->how != NULL; way++) {
		check_case("way %zd, %s", way - slv_digest_ways, way->name);
		CHECK(slv_digest_choose(way->kind, way->needs) == way);
		for (unsigned bit = 0; bit < 64; bit++) {
			uint64_t lacking = ~((uint64_t)1 << bit);
			const struct slv_digest_way *got =
			    slv_digest_choose(way->kind, lacking);

			CHECK(got->kind == way->kind);
			CHECK((got->needs & ~lacking) == 0);
		}
	}
	check_case("%s", "");
	for (int kind = SLV_SHA1; kind <= SLV_SHA256; kind++)
		CHECK(slv_digest_here(kind)
		    == slv_digest_choose(kind, slv_sha_cpu()));
}

/* Linux tells what this CPU has, too.  valgrind has less, but shows the file
 * of the machine that it runs on, as an emulator of another machine does. */
static void
cpu_as_linux_has_it(void)
{
	static const struct {
		const char *title, *flag;
		uint64_t bit;
	} flags[] = {
#ifdef SLV_SHA_X86
		{ "flags", " ssse3 ", (uint64_t)1 << 9 },
		{ "flags", " sse4_1 ", (uint64_t)1 << 19 },
		{ "flags", " sse4_2 ", (uint64_t)1 << 20 },
		{ "flags", " avx2 ", (uint64_t)1 << 37 },
		{ "flags", " sha_ni ", (uint64_t)1 << 61 },
#endif
#ifdef SLV_SHA_ARM
		{ "Features", " sha1 ", SLV_SHA1_ARM_NEEDS },
		{ "Features", " sha2 ", SLV_SHA256_ARM_NEEDS },
#endif
		{ NULL, NULL, 0 },
	};
	struct blob text = { 0 };
	const char *with = getenv("LD_PRELOAD"), *file;
	bool in_valgrind = with != NULL && strstr(with, "/vgpreload_") != NULL;

	if (!blob_read(&text, "/proc/cpuinfo"))
		return;
	for (size_t i = 0; i < text.n; i++) {
		if (text.at[i] == '\n')
			text.at[i] = ' ';
	}
	blob_byte(&text, '\0');
	file = (const char *)text.at;
	for (size_t i = 0; flags[i].flag != NULL; i++) {
		bool listed = strstr(file, flags[i].flag) != NULL;
		bool seen = (slv_sha_cpu() & flags[i].bit) != 0;

		check_case("%s", flags[i].flag);
		if (strstr(file, flags[i].title) != NULL)
			CHECK(seen ? listed : !listed || in_valgrind);
	}
	check_case("%s", "");
	blob_free(&text);
}

/* Run test(way, BearSSL's) with every way that this CPU has. */
static void
for_each_way(
    void (*test)(const struct slv_digest_way *, const struct slv_digest_way *))
{
	const struct slv_digest_way *way;

	for (way = slv_digest_ways; way->how != NULL; way++) {
		if ((way->needs & ~slv_sha_cpu()) == 0)
			test(way, slv_digest_choose(way->kind, 0));
	}
	check_case("%s", "");
}

static struct slv_digest
begin(const struct slv_digest_way *way)
{
	struct slv_digest d = { .kind = way->kind };

	d.u.how = way->how;
	way->how->init(&d.u.how);
	return d;
}

static void
check_same(const struct slv_digest *d, const struct slv_digest *want)
{
	uint8_t a[SLV_DIGEST_MAX], b[SLV_DIGEST_MAX];
	size_t n = slv_digest_size(want->kind);

	slv_digest_get(d, a);
	slv_digest_get(want, b);
	CHECK_BYTES(a, n, b, n);
	CHECK_U64(
	    d->u.how->state(&d->u.how, a), want->u.how->state(&want->u.how, b));
	CHECK_BYTES(a, n, b, n);
}

/* n random bytes, in pieces of at most `most`, the context copied in
 * between.  The pieces stand anywhere, and nothing follows them. */
static void
try_pieces(const struct slv_digest_way *way, const struct slv_digest_way *bear,
    size_t n, size_t most, uint64_t seed)
{
	struct dice dice = { seed };
	struct slv_digest d = begin(way), want = begin(bear);

	check_case("%s, %zu bytes, pieces up to %zu, seed %u", way->name, n,
	    most, (unsigned)seed);
	while (n > 0) {
		size_t odd = (size_t)dice_below(&dice, 16);
		size_t take = (size_t)dice_below(&dice, slv_min64(n, most) + 1);
		uint8_t *room = must_alloc(odd + take + 1);
		uint8_t *at = room + odd + 1;
		struct slv_digest copy = d;

		for (size_t i = 0; i < take; i++)
			at[i] = (uint8_t)dice_roll(&dice);
		slv_digest_add(&want, at, take);
		slv_digest_add(&d, at, take);
		check_same(&d, &want);
		if (dice_below(&dice, 2) == 0) {
			/* What becomes of the first changes no copy. */
			slv_digest_add(&d, "other", 5);
			d = copy;
			slv_digest_add(&d, at, take);
		}
		free(room);
		n -= take;
	}
	check_same(&d, &want);
}

static void
pieces(const struct slv_digest_way *way, const struct slv_digest_way *bear)
{
	for (size_t n = 0; n <= 300 && !check_enough(); n++) {
		try_pieces(way, bear, n, n, n);
		try_pieces(way, bear, n, 70, n);
	}
	for (uint64_t seed = 0; seed < 40 && !check_enough(); seed++) {
		try_pieces(way, bear, 3000, 64, seed);
		try_pieces(way, bear, 20000, 9000, seed);
	}
}

static void
ways_agree_in_pieces(void)
{
	for_each_way(pieces);
}

/* No file is long enough: the count of bytes is put there instead.  SHA
 * counts bits, in 64 bits. */
static void
long_ago(const struct slv_digest_way *way, const struct slv_digest_way *bear)
{
	static const uint64_t edges[] = { 0, (uint64_t)1 << 29,
		(uint64_t)1 << 32, (uint64_t)1 << 35, (uint64_t)1 << 40,
		(uint64_t)1 << 61, (uint64_t)0 - 64 };
	uint8_t state[SLV_DIGEST_MAX], text[200];
	struct dice dice = { 0 };

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		for (size_t n = 0; n <= sizeof(text); n++) {
			struct slv_digest d = begin(way), want = begin(bear);
			/* A few blocks before the edge or after it. */
			uint64_t count =
			    edges[i] + 64 * dice_below(&dice, 6) - 192;

			for (size_t k = 0; k < sizeof(state); k++)
				state[k] = (uint8_t)dice_roll(&dice);
			for (size_t k = 0; k < n; k++)
				text[k] = (uint8_t)dice_roll(&dice);
			check_case("%s, %zu bytes behind %llu", way->name, n,
			    (unsigned long long)count);
			d.u.how->set_state(&d.u.how, state, count);
			want.u.how->set_state(&want.u.how, state, count);
			check_same(&d, &want);
			slv_digest_add(&d, text, n);
			slv_digest_add(&want, text, n);
			check_same(&d, &want);
		}
	}
}

static void
ways_agree_on_long_files(void)
{
	for_each_way(long_ago);
}

CU_TestInfo digest_tests[] = {
	{ "known digests", known_digests },
	{ "in two pieces and copied", in_two_pieces_and_copied },
	{ "table of ways", table_of_ways },
	{ "no way that the CPU lacks", no_way_that_the_cpu_lacks },
	{ "the CPU as Linux has it", cpu_as_linux_has_it },
	{ "ways agree in pieces", ways_agree_in_pieces },
	{ "ways agree on long files", ways_agree_on_long_files },
	CU_TEST_INFO_NULL,
};
