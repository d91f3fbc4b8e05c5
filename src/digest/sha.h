/* sha.h - SHA-1 and SHA-256 with CPU instructions.
 *
 * A class of BearSSL's shape: callers cannot distinguish it from one of
 * BearSSL's.  Machines differ in one function, which processes whole blocks;
 * the rest is in sha.c.
 *
 * Only digest.c uses these, after it has checked the CPU: other CPUs lack the
 * instructions.
 */
#ifndef SLV_DIGEST_SHA_H
#define SLV_DIGEST_SHA_H

#include <bearssl.h>

#define SLV_SHA_BLOCK 64 /* bytes */
#define SLV_SHA_WORDS 8  /* of a state, at most */

struct slv_sha {
	const br_hash_class *how; /* the first member of a slv_sha_class */
	uint64_t count;           /* bytes so far; those after the last whole
				   * block are in ->rest */
	uint32_t state[SLV_SHA_WORDS];
	uint8_t rest[SLV_SHA_BLOCK];
};

/* Process n blocks of 64 bytes, aligned or not. */
typedef void slv_sha_blocks(uint32_t *state, const uint8_t *at, size_t n);

struct slv_sha_class {
	br_hash_class how;
	slv_sha_blocks *blocks;
	uint32_t begin[SLV_SHA_WORDS]; /* the state of no bytes */
};

/* The classes in this build, and the features that they require. */
#ifdef SLV_SHA_X86
#define SLV_SHA_X86_NEEDS                                                      \
	((uint64_t)1 << 61 /* SHA */ | 1u << 19 /* SSE4.1 */                   \
	    | 1u << 9 /* SSSE3 */)
extern const struct slv_sha_class slv_sha1_x86, slv_sha256_x86;
#endif
#ifdef SLV_SHA_ARM
#define SLV_SHA1_ARM_NEEDS   ((uint64_t)1 << 5) /* HWCAP_SHA1 */
#define SLV_SHA256_ARM_NEEDS ((uint64_t)1 << 6) /* HWCAP_SHA2 */
extern const struct slv_sha_class slv_sha1_arm, slv_sha256_arm;
#endif

/* The features of this CPU.  x86: ebx of cpuid's leaf 7, times 2^32, and ecx of
 * leaf 1; Arm: HWCAP, by Linux; 0 if no class needs any. */
#if defined(SLV_SHA_X86) || defined(SLV_SHA_ARM)
uint64_t slv_sha_cpu(void);
#else
static inline uint64_t
slv_sha_cpu(void)
{
	return 0;
}
#endif

/* The parts of these classes. */

extern const uint32_t slv_sha256_k[64];

void slv_sha_init(const br_hash_class **);
void slv_sha_update(const br_hash_class **, const void *, size_t);
void slv_sha_out(const br_hash_class *const *, void *);
uint64_t slv_sha_state(const br_hash_class *const *, void *);
void slv_sha_set_state(const br_hash_class **, const void *, uint64_t);

/* size: bytes of the digest and of the state. */
#define SLV_SHA_METHODS(id, size)                                              \
	{                                                                      \
		.context_size = sizeof(struct slv_sha),                        \
		.desc = BR_HASHDESC_ID(id) | BR_HASHDESC_OUT(size)             \
		    | BR_HASHDESC_STATE(size) | BR_HASHDESC_LBLEN(6)           \
		    | BR_HASHDESC_MD_PADDING | BR_HASHDESC_MD_PADDING_BE,      \
		.init = slv_sha_init, .update = slv_sha_update,                \
		.out = slv_sha_out, .state = slv_sha_state,                    \
		.set_state = slv_sha_set_state,                                \
	}

#define SLV_SHA1_CLASS(eats)                                                   \
	{                                                                      \
		.how = SLV_SHA_METHODS(br_sha1_ID, br_sha1_SIZE),              \
		.blocks = (eats),                                              \
		.begin = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,     \
			0xc3d2e1f0 },                                          \
	}

#define SLV_SHA256_CLASS(eats)                                                 \
	{                                                                      \
		.how = SLV_SHA_METHODS(br_sha256_ID, br_sha256_SIZE),          \
		.blocks = (eats),                                              \
		.begin = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,     \
			0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },      \
	}

#endif
