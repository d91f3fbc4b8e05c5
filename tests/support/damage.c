/* damage.c - ways to ruin a file. */
#include "support/damage.h"

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void
add_random(struct blob *out, size_t n, uint64_t seed)
{
	struct dice dice = { seed };

	for (size_t i = 0; i < n; i++)
		blob_byte(out, (uint8_t)dice_roll(&dice));
}

void
damage_cut(struct blob *out, const uint8_t *in, size_t n, size_t keep)
{
	blob_set(out, in, least(n, keep));
}

void
damage_flip(struct blob *out, const uint8_t *in, size_t n, size_t i)
{
	blob_set(out, in, n);
	out->at[i / 8] ^= (uint8_t)(1 << i % 8);
}

void
damage_overwrite(struct blob *out, const uint8_t *in, size_t n, size_t off,
    size_t len, enum damage_window kind, uint64_t seed)
{
	len = least(len, n - off);
	blob_set(out, in, off);
	switch (kind) {
	case WINDOW_ZERO: blob_fill(out, 0, len); break;
	case WINDOW_FF: blob_fill(out, 0xff, len); break;
	case WINDOW_RANDOM: add_random(out, len, seed); break;
	case WINDOW_KINDS: break;
	}
	blob_add(out, in + off + len, n - off - len);
}

void
damage_insert(struct blob *out, const uint8_t *in, size_t n, size_t off,
    size_t len, uint64_t seed)
{
	blob_set(out, in, off);
	add_random(out, len, seed);
	blob_add(out, in + off, n - off);
}

void
damage_remove(
    struct blob *out, const uint8_t *in, size_t n, size_t off, size_t len)
{
	len = least(len, n - off);
	blob_set(out, in, off);
	blob_add(out, in + off + len, n - off - len);
}

void
damage_repeat(
    struct blob *out, const uint8_t *in, size_t n, size_t off, size_t len)
{
	len = least(len, n - off);
	blob_set(out, in, off + len);
	blob_add(out, in + off, n - off);
}

void
damage_join(struct blob *out, const uint8_t *in, size_t n, const uint8_t *other,
    size_t m)
{
	blob_set(out, in, n);
	blob_add(out, other, m);
}

void
damage_tail(struct blob *out, const uint8_t *in, size_t n, size_t keep,
    size_t len, bool zeros, uint64_t seed)
{
	blob_set(out, in, least(n, keep));
	if (zeros)
		blob_fill(out, 0, len);
	else
		add_random(out, len, seed);
}
