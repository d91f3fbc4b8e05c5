/* sha.c - the common part of SHA-1 and SHA-256 with CPU instructions: blocks,
 * and the bytes that do not fill one. */
#include "digest/sha.h"

#include <string.h>

#include "base/bytes.h"

const uint32_t slv_sha256_k[64] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf,
	0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
	0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
	0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
	0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
	0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
	0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
	0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee,
	0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2 };

/* How many bytes a digest, and a state, of this class have. */
static size_t
size_of(const br_hash_class *how)
{
	return how->desc >> BR_HASHDESC_OUT_OFF & BR_HASHDESC_OUT_MASK;
}

static const struct slv_sha_class *
class_of(const struct slv_sha *s)
{
	return (const struct slv_sha_class *)s->how;
}

static uint32_t
get_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8
	    | (uint32_t)p[3];
}

static void
put_state(const struct slv_sha *s, uint8_t *out)
{
	for (size_t i = 0; i < size_of(s->how); i++)
		out[i] = (uint8_t)(s->state[i / 4] >> (24 - i % 4 * 8));
}

void
slv_sha_init(const br_hash_class **ctx)
{
	struct slv_sha *s = (struct slv_sha *)ctx;

	s->count = 0;
	memcpy(s->state, class_of(s)->begin, sizeof(s->state));
}

/* Bytes that are not whole blocks, or that follow part of one.  Most calls have
 * a few whole blocks, and should not pay for this. */
__attribute__((noinline)) static void
update_parts(struct slv_sha *s, const uint8_t *at, size_t n)
{
	size_t have = s->count % SLV_SHA_BLOCK;

	if (n == 0)
		return;
	s->count += n;
	if (have > 0) {
		size_t take = (size_t)slv_min64(SLV_SHA_BLOCK - have, n);

		memcpy(s->rest + have, at, take);
		at += take;
		n -= take;
		if (have + take < SLV_SHA_BLOCK)
			return;
		class_of(s)->blocks(s->state, s->rest, 1);
	}
	if (n >= SLV_SHA_BLOCK)
		class_of(s)->blocks(s->state, at, n / SLV_SHA_BLOCK);
	memcpy(
	    s->rest, at + n / SLV_SHA_BLOCK * SLV_SHA_BLOCK, n % SLV_SHA_BLOCK);
}

void
slv_sha_update(const br_hash_class **ctx, const void *bytes, size_t n)
{
	struct slv_sha *s = (struct slv_sha *)ctx;

	if ((s->count | n) % SLV_SHA_BLOCK > 0) {
		update_parts(s, bytes, n);
		return;
	}
	s->count += n;
	class_of(s)->blocks(s->state, bytes, n / SLV_SHA_BLOCK);
}

void
slv_sha_out(const br_hash_class *const *ctx, void *out)
{
	struct slv_sha s = *(const struct slv_sha *)ctx;
	uint8_t pad[2 * SLV_SHA_BLOCK] = { 0x80 };
	size_t have = s.count % SLV_SHA_BLOCK;
	/* One bit, zeros, and eight bytes with the number of bits. */
	size_t n = have < SLV_SHA_BLOCK - 8 ? SLV_SHA_BLOCK - have
	                                    : 2 * SLV_SHA_BLOCK - have;
	uint64_t bits = s.count * 8;

	for (size_t i = 1; i <= 8; i++, bits >>= 8)
		pad[n - i] = (uint8_t)bits;
	slv_sha_update(&s.how, pad, n);
	put_state(&s, out);
}

uint64_t
slv_sha_state(const br_hash_class *const *ctx, void *out)
{
	const struct slv_sha *s = (const struct slv_sha *)ctx;

	put_state(s, out);
	return s->count;
}

void
slv_sha_set_state(const br_hash_class **ctx, const void *state, uint64_t count)
{
	struct slv_sha *s = (struct slv_sha *)ctx;

	for (size_t i = 0; i < size_of(s->how); i += 4)
		s->state[i / 4] = get_be32((const uint8_t *)state + i);
	s->count = count;
}
