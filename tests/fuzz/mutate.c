/* mutate.c - damage that a log is unlikely to take from blind mutation: whole
 * units moved about, units that grow and shrink with their lengths, chunks whose
 * size is stated twice, digests that are right, and downloads that broke off and were
 * resumed at an earlier offset.
 *
 * A digest over changed bytes is wrong in all but one of 2^160 cases, and
 * what a right one proves would never be seen; after a wrong length, neither is
 * what the driver does with a unit of another size.
 */
#include <stdio.h>
#include <string.h>

#include "digest/digest.h"
#include "formats/bddf/read/bddf_frame.h"
#include "fuzz/layout.h"

#define ROOM 8192 /* bytes of a unit that is changed */

/* libFuzzer's. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t max);

size_t LLVMFuzzerCustomMutator(
    uint8_t *bytes, size_t n, size_t max, unsigned seed);

/* After a change inside a chunk of an MCAP file, its lengths go with it. */
static void
fix_outer(const struct unit *u, uint8_t *bytes, size_t more)
{
	if (u->outer != 0)
		layout_grow_chunk(bytes, u->outer, more);
}

/* Take one unit out, or put a copy of it before another. */
static size_t
move_units(
    const struct layout *l, uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	const struct unit *one = &l->at[seed / 2 % l->n];
	const struct unit *before = &l->at[seed / 128 % l->n];
	size_t other = before->at, len = one->end - one->at;
	uint8_t copy[ROOM];

	if (seed % 2 == 0) {
		fix_outer(one, bytes, (size_t)0 - len);
		memmove(bytes + one->at, bytes + one->end, n - one->end);
		return n - len;
	}
	if (len > max - n || len > sizeof(copy))
		return LLVMFuzzerMutate(bytes, n, max);
	memcpy(copy, bytes + one->at, len);
	fix_outer(before, bytes, len);
	memmove(bytes + other + len, bytes + other, n - other);
	memcpy(bytes + other, copy, len);
	return n + len;
}

/* What is in the chunk of a bag that is not compressed is as long as the chunk. */
static void
fix_chunk(uint8_t *head, size_t n, uint64_t len)
{
	static const char size[] = "size=", none[] = "compression=none";
	bool is_none = false;

	for (size_t i = 0; i + sizeof(none) - 1 <= n; i++)
		is_none |= memcmp(head + i, none, sizeof(none) - 1) == 0;
	for (size_t i = 0; is_none && i + sizeof(size) + 3 <= n; i++) {
		if (memcmp(head + i, size, sizeof(size) - 1) == 0)
			slv_put_le32(
			    head + i + sizeof(size) - 1, (uint32_t)len);
	}
}

/* Change the body of a unit, and make its length right. */
static size_t
change_unit(
    const struct layout *l, uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	const struct unit *u = &l->at[seed % l->n];
	uint8_t body[ROOM];
	size_t len = u->end - u->body, room = max - n + len, now;

	if (len > sizeof(body) || len == 0)
		return LLVMFuzzerMutate(bytes, n, max);
	memcpy(body, bytes + u->body, len);
	now = LLVMFuzzerMutate(
	    body, len, room < sizeof(body) ? room : sizeof(body));
	memmove(bytes + u->body + now, bytes + u->end, n - u->end);
	memcpy(bytes + u->body, body, now);
	l->put(bytes + u->len_at, now);
	fix_chunk(bytes + u->at, u->body - u->at, now);
	fix_outer(u, bytes, now - len);
	return n - len + now;
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

/* Let the log, broken off somewhere, go on from an earlier offset, or from its
 * beginning. */
static size_t
resume(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	size_t broken = seed / 4 % (n + 1), from = 0;

	if (seed % 4 != 0)
		from = broken - seed % 257 % (broken + 1);
	if (broken - from > max - n)
		return LLVMFuzzerMutate(bytes, n, max);
	memmove(bytes + broken, bytes + from, n - from);
	return n + broken - from;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t max, unsigned seed)
{
	bool sealed = seed % 4 == 0, damaged = seed % 16 == 0;
	unsigned way = seed / 16 % 4;
	struct layout l = { .n = 0 };

	if (way < 2)
		layout_find(&l, bytes, n);
	if (way == 2)
		n = resume(bytes, n, max, seed / 64);
	else if (l.n == 0)
		n = LLVMFuzzerMutate(bytes, n, max);
	else if (way == 0)
		n = move_units(&l, bytes, n, max, seed / 64);
	else
		n = change_unit(&l, bytes, n, max, seed / 64);
	if (sealed)
		seal(bytes, n);
	if (sealed)
		layout_seal_chunks(bytes, n);
	/* Damage after a digest that was right is what it may repair. */
	return damaged ? LLVMFuzzerMutate(bytes, n, max) : n;
}
