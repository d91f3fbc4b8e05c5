/* mutate.c - damage that a log is unlikely to take from blind mutation:
 * whole blocks moved about, and digests that are right.
 *
 * A digest over changed bytes is wrong in all but one of 2^160 cases, and
 * what a right one proves would never be seen.
 */
#include <string.h>

#include "digest/digest.h"
#include "formats/bddf/bddf_frame.h"

#define BLOCKS_MAX 64

/* libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t max);

size_t LLVMFuzzerCustomMutator(
    uint8_t *bytes, size_t n, size_t max, unsigned seed);

/* Where blocks begin, and behind them where the last one ends. */
struct blocks {
	size_t at[BLOCKS_MAX + 1];
	size_t n;
};

static void
walk(struct blocks *b, struct bddf_dialect dialect, const uint8_t *bytes,
    size_t n)
{
	size_t off = BDDF_MAGIC_SIZE;

	b->n = 0;
	b->at[0] = off;
	while (b->n < BLOCKS_MAX && off + BDDF_HEADER_SIZE <= n) {
		struct bddf_head head = bddf_head_get(dialect, bytes + off);
		uint64_t span = bddf_head_span(head);

		if (head.type == BDDF_NO_TYPE || span > n - off)
			return;
		off += (size_t)span;
		b->at[++b->n] = off;
	}
}

/* The blocks in the dialect that makes most of them. */
static void
find_blocks(struct blocks *best, const uint8_t *bytes, size_t n)
{
	best->n = 0;
	for (size_t i = 0; i < 4; i++) {
		struct blocks b;

		walk(&b, bddf_dialects[i], bytes, n);
		if (i == 0 || b.n > best->n)
			*best = b;
	}
}

/* Put a copy of one block before another, or take one out. */
static size_t
mutate_blocks(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	struct blocks b;
	const size_t *one, *other;
	uint8_t copy[4096];
	size_t len;

	find_blocks(&b, bytes, n);
	if (b.n == 0)
		return LLVMFuzzerMutate(bytes, n, max);
	one = &b.at[seed / 2 % b.n];
	other = &b.at[seed / 128 % b.n];
	len = one[1] - one[0];
	if (seed % 2 == 0) {
		memmove(bytes + one[0], bytes + one[1], n - one[1]);
		return n - len;
	}
	if (len > max - n || len > sizeof(copy))
		return LLVMFuzzerMutate(bytes, n, max);
	memcpy(copy, bytes + *one, len);
	memmove(bytes + *other + len, bytes + *other, n - *other);
	memcpy(bytes + *other, copy, len);
	return n + len;
}

/* Where the log ends as an end block does, make its digest right. */
static void
seal(uint8_t *bytes, size_t n)
{
	const size_t behind = BDDF_DIGEST_SIZE + BDDF_MAGIC_SIZE;
	struct slv_digest d;

	if (n < BDDF_END_SIZE
	    || memcmp(
	           bytes + n - BDDF_MAGIC_SIZE, BDDF_END_MAGIC, BDDF_MAGIC_SIZE)
	        != 0)
		return;
	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, bytes, n - behind);
	slv_digest_get(&d, bytes + n - behind);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	bool sealed = seed % 4 == 0, damaged = seed % 16 == 0;

	if (seed / 16 % 4 == 0)
		n = mutate_blocks(bytes, n, max, seed / 64);
	else
		n = LLVMFuzzerMutate(bytes, n, max);
	if (sealed)
		seal(bytes, n);
	/* Damage behind a digest that was right is what it may repair. */
	return damaged ? LLVMFuzzerMutate(bytes, n, max) : n;
}
