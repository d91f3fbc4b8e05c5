/* sha_x86.c - SHA-1 and SHA-256 with the instructions of x86-64.
 *
 * The chain of round instructions limits the speed, because each of them waits
 * for the one before.  The CPU does everything else in between, whatever its
 * order here.
 */
#include "digest/sha.h"

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

#define WITH_SHA __attribute__((target("sha,sse4.1")))

/* Bytes that another thread has just read are in the cache of another
 * processor, further away than the CPU prefetches by itself.  So each block is
 * requested some blocks before its turn; the request may be past the end. */
static inline void
ask_ahead(const uint8_t *at)
{
	enum { AHEAD = 2048 }; /* bytes */

	__builtin_prefetch((const void *)((uintptr_t)at + AHEAD));
}

/* Four words of a block, with the bytes in the given order. */
WITH_SHA static inline __m128i
load(const uint8_t *at, __m128i order)
{
	return _mm_shuffle_epi8(_mm_loadu_si128((const void *)at), order);
}

/* The rounds of SHA-1 from 4i to 4i + 3.  Their function must be a constant,
 * hence a macro.  The empty asm makes the compiler move the copy that is kept
 * out of the way, and not the one that the next rounds wait for: it costs 1.5 %
 * otherwise. */
#define SHA1_ROUNDS(i)                                                         \
	do {                                                                   \
		__m128i last = abcd, *now = &w[(i) % 4];                       \
                                                                               \
		__asm__("" : "+x"(last));                                      \
		if ((i) < 4)                                                   \
			*now = load(at + 16 * (i), order);                     \
		else                                                           \
			*now = _mm_sha1msg2_epu32(                             \
			    _mm_xor_si128(                                     \
			        _mm_sha1msg1_epu32(*now, w[((i) + 1) % 4]),    \
			        w[((i) + 2) % 4]),                             \
			    w[((i) + 3) % 4]);                                 \
		e = (i) == 0 ? _mm_add_epi32(e, *now)                          \
		             : _mm_sha1nexte_epu32(e, *now);                   \
		abcd = _mm_sha1rnds4_epu32(abcd, e, (i) / 5);                  \
		e = last;                                                      \
	} while (0)

#define SHA1_FIVE(i)                                                           \
	SHA1_ROUNDS(i);                                                        \
	SHA1_ROUNDS((i) + 1);                                                  \
	SHA1_ROUNDS((i) + 2);                                                  \
	SHA1_ROUNDS((i) + 3);                                                  \
	SHA1_ROUNDS((i) + 4)

/* The first word of a state or of four in a block is in the highest lane. */
WITH_SHA static void
sha1_blocks(uint32_t *state, const uint8_t *at, size_t n)
{
	const __m128i order =
	    _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
	__m128i abcd =
	    _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0x1b);
	__m128i e = _mm_slli_si128(_mm_cvtsi32_si128((int)state[4]), 12);

	for (; n > 0; n--, at += SLV_SHA_BLOCK) {
		ask_ahead(at);
		const __m128i abcd_before = abcd, e_before = e;
		__m128i w[4];

		SHA1_FIVE(0);
		SHA1_FIVE(5);
		SHA1_FIVE(10);
		SHA1_FIVE(15);
		e = _mm_sha1nexte_epu32(e, e_before);
		abcd = _mm_add_epi32(abcd, abcd_before);
	}
	_mm_storeu_si128((void *)state, _mm_shuffle_epi32(abcd, 0x1b));
	state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

/* The instructions need the eight words of a state as these two halves. */
WITH_SHA static void
sha256_blocks(uint32_t *state, const uint8_t *at, size_t n)
{
	const __m128i order =
	    _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i abef = _mm_set_epi32(
	    (int)state[0], (int)state[1], (int)state[4], (int)state[5]);
	__m128i cdgh = _mm_set_epi32(
	    (int)state[2], (int)state[3], (int)state[6], (int)state[7]);
	uint32_t lanes[8];

	for (; n > 0; n--, at += SLV_SHA_BLOCK) {
		ask_ahead(at);
		const __m128i abef_before = abef, cdgh_before = cdgh;
		__m128i w[4];

#pragma GCC unroll 16
		for (int i = 0; i < 16; i++) {
			__m128i *now = &w[i % 4], kw;

			if (i < 4)
				*now = load(at + 16 * i, order);
			else
				*now = _mm_sha256msg2_epu32(
				    _mm_add_epi32(_mm_sha256msg1_epu32(
				                      *now, w[(i + 1) % 4]),
				        _mm_alignr_epi8(
				            w[(i + 3) % 4], w[(i + 2) % 4], 4)),
				    w[(i + 3) % 4]);
			kw = _mm_add_epi32(*now,
			    _mm_loadu_si128(
			        (const void *)&slv_sha256_k[4 * i]));
			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, kw);
			abef = _mm_sha256rnds2_epu32(
			    abef, cdgh, _mm_shuffle_epi32(kw, 0x0e));
		}
		abef = _mm_add_epi32(abef, abef_before);
		cdgh = _mm_add_epi32(cdgh, cdgh_before);
	}
	_mm_storeu_si128((void *)lanes, abef);
	_mm_storeu_si128((void *)(lanes + 4), cdgh);
	for (int i = 0; i < 2; i++) {
		state[i] = lanes[3 - i];
		state[4 + i] = lanes[1 - i];
		state[2 + i] = lanes[7 - i];
		state[6 + i] = lanes[5 - i];
	}
}

const struct slv_sha_class slv_sha1_x86 = SLV_SHA1_CLASS(sha1_blocks);
const struct slv_sha_class slv_sha256_x86 = SLV_SHA256_CLASS(sha256_blocks);

uint64_t
slv_sha_cpu(void)
{
	/* Every cpuid may take microseconds in a virtual machine. */
	static _Atomic uint64_t known;
	unsigned a, b, c, d;

	if (known == 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		uint64_t has = (uint64_t)b << 32;

		__cpuid(1, a, b, c, d);
		known = has | c;
	}
	return known;
}
