/* sha_arm.c - SHA-1 and SHA-256 with the instructions of Armv8. */
#include "digest/sha.h"

#include <arm_neon.h>
#include <sys/auxv.h>

#define WITH_SHA __attribute__((target("+crypto")))

_Static_assert(SLV_SHA1_ARM_NEEDS == HWCAP_SHA1, "as Linux has it");
_Static_assert(SLV_SHA256_ARM_NEEDS == HWCAP_SHA2, "as Linux has it");

/* Four words of a block, which are stored with the highest byte first. */
WITH_SHA static inline uint32x4_t
load(const uint8_t *at)
{
	return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(at)));
}

/* The rounds of SHA-1 from 4i to 4i + 3, with their function. */
#define SHA1_ROUNDS(i, function)                                               \
	do {                                                                   \
		const uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));     \
		uint32x4_t *now = &w[(i) % 4];                                 \
                                                                               \
		if ((i) < 4)                                                   \
			*now = load(at + 16 * (i));                            \
		else                                                           \
			*now = vsha1su1q_u32(                                  \
			    vsha1su0q_u32(                                     \
			        *now, w[((i) + 1) % 4], w[((i) + 2) % 4]),     \
			    w[((i) + 3) % 4]);                                 \
		abcd = function(abcd, e, vaddq_u32(*now, k[(i) / 5]));         \
		e = next;                                                      \
	} while (0)

#define SHA1_FIVE(i, function)                                                 \
	SHA1_ROUNDS(i, function);                                              \
	SHA1_ROUNDS((i) + 1, function);                                        \
	SHA1_ROUNDS((i) + 2, function);                                        \
	SHA1_ROUNDS((i) + 3, function);                                        \
	SHA1_ROUNDS((i) + 4, function)

WITH_SHA static void
sha1_blocks(uint32_t *state, const uint8_t *at, size_t n)
{
	const uint32x4_t k[4] = {
		vdupq_n_u32(0x5a827999),
		vdupq_n_u32(0x6ed9eba1),
		vdupq_n_u32(0x8f1bbcdc),
		vdupq_n_u32(0xca62c1d6),
	};
	uint32x4_t abcd = vld1q_u32(state);
	uint32_t e = state[4];

	for (; n > 0; n--, at += SLV_SHA_BLOCK) {
		const uint32x4_t abcd_before = abcd;
		const uint32_t e_before = e;
		uint32x4_t w[4];

		SHA1_FIVE(0, vsha1cq_u32);
		SHA1_FIVE(5, vsha1pq_u32);
		SHA1_FIVE(10, vsha1mq_u32);
		SHA1_FIVE(15, vsha1pq_u32);
		abcd = vaddq_u32(abcd, abcd_before);
		e += e_before;
	}
	vst1q_u32(state, abcd);
	state[4] = e;
}

WITH_SHA static void
sha256_blocks(uint32_t *state, const uint8_t *at, size_t n)
{
	uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);

	for (; n > 0; n--, at += SLV_SHA_BLOCK) {
		const uint32x4_t abcd_before = abcd, efgh_before = efgh;
		uint32x4_t w[4];

#pragma GCC unroll 16
		for (int i = 0; i < 16; i++) {
			const uint32x4_t last = abcd;
			uint32x4_t *now = &w[i % 4], kw;

			if (i < 4)
				*now = load(at + 16 * i);
			else
				*now = vsha256su1q_u32(
				    vsha256su0q_u32(*now, w[(i + 1) % 4]),
				    w[(i + 2) % 4], w[(i + 3) % 4]);
			kw = vaddq_u32(*now, vld1q_u32(&slv_sha256_k[4 * i]));
			abcd = vsha256hq_u32(abcd, efgh, kw);
			efgh = vsha256h2q_u32(efgh, last, kw);
		}
		abcd = vaddq_u32(abcd, abcd_before);
		efgh = vaddq_u32(efgh, efgh_before);
	}
	vst1q_u32(state, abcd);
	vst1q_u32(state + 4, efgh);
}

const struct slv_sha_class slv_sha1_arm = SLV_SHA1_CLASS(sha1_blocks);
const struct slv_sha_class slv_sha256_arm = SLV_SHA256_CLASS(sha256_blocks);

uint64_t
slv_sha_cpu(void)
{
	return getauxval(AT_HWCAP);
}
