/* blob.c - bytes and chance for tests. */
#include "support/blob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *
must_alloc(size_t n)
{
	void *p = malloc(n > 0 ? n : 1);

	if (p == NULL)
		abort();
	return p;
}

static void
make_room(struct blob *b, size_t n)
{
	if (b->cap - b->n >= n)
		return;
	b->cap = b->cap * 2 + n;
	b->at = realloc(b->at, b->cap);
	if (b->at == NULL)
		abort();
}

void
blob_add(struct blob *b, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	make_room(b, n);
	memcpy(b->at + b->n, bytes, n);
	b->n += n;
}

void
blob_byte(struct blob *b, uint8_t byte)
{
	blob_add(b, &byte, 1);
}

void
blob_fill(struct blob *b, uint8_t byte, size_t n)
{
	if (n == 0)
		return;
	make_room(b, n);
	memset(b->at + b->n, byte, n);
	b->n += n;
}

void
blob_set(struct blob *b, const void *bytes, size_t n)
{
	b->n = 0;
	blob_add(b, bytes, n);
}

bool
blob_read(struct blob *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t piece[4096];
	bool good;
	size_t n;

	b->n = 0;
	if (f == NULL)
		return false;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		blob_add(b, piece, n);
	good = !ferror(f);
	fclose(f);
	return good;
}

void
blob_free(struct blob *b)
{
	free(b->at);
	*b = (struct blob){ 0 };
}

/* splitmix64, by Sebastiano Vigna, public domain. */
uint64_t
dice_roll(struct dice *d)
{
	uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t
dice_below(struct dice *d, uint64_t below)
{
	return dice_roll(d) % below;
}
