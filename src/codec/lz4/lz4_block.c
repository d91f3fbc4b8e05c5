/* lz4_block.c - decode a damaged LZ4 block sequence by sequence.
 *
 * The library decodes a block or reports that it cannot, and then none of its
 * output can be trusted.  This decoder goes from sequence to sequence, so it
 * knows its place when its input ends or is impossible.
 *
 * A sequence is a token (number of literals and length of a match, four bits
 * each), the literals, and the match: two bytes that say how far back it
 * begins.  Fifteen means "and more": further bytes are added, the last of them
 * not 255.  The last sequence of a block has no match.
 */
#include "codec/lz4/lz4_block.h"

#include <string.h>

#include "base/bytes.h"

#define MORE      15 /* in a token: the length continues elsewhere */
#define MATCH_MIN 4  /* added to the length of every match */

/* A block in progress. */
struct reader {
	const uint8_t *in;
	size_t n, at;
};

/* Add the bytes after the token to a length.  False if the input ends in it:
 * the length is at least that. */
static bool
read_more(struct reader *r, size_t *len)
{
	uint8_t byte;

	do {
		if (r->at == r->n)
			return false;
		byte = r->in[r->at++];
		*len += byte;
	} while (byte == 255);
	return true;
}

/* Copy a match, which may overlap itself. */
static void
copy_match(struct slv_lz4_out *out, size_t back, size_t len)
{
	uint8_t *to = out->at + out->len;

	for (size_t i = 0; i < len; i++)
		to[i] = *(to + i - back);
	out->len += len;
}

/* Decode one sequence, or the beginning of one at the end of the input; false
 * if it is impossible. */
static bool
follow_one(struct reader *r, struct slv_lz4_out *out)
{
	uint8_t token = r->in[r->at++];
	size_t lits = token >> 4, match = token & 15, back, there;

	if (lits == MORE && !read_more(r, &lits))
		return lits <= out->cap - out->len;
	if (lits > out->cap - out->len)
		return false;
	there = lits < r->n - r->at ? lits : r->n - r->at;
	memcpy(out->at + out->len, r->in + r->at, there);
	out->len += there;
	r->at += there;
	if (r->n - r->at < 2) {
		r->at = r->n;
		return true;
	}
	back = slv_get_le16(r->in + r->at);
	r->at += 2;
	if (back == 0 || back > out->len)
		return false;
	/* If the input ends in its length, that is a lower bound. */
	if (match == MORE)
		read_more(r, &match);
	match += MATCH_MIN;
	if (match > out->cap - out->len)
		return false;
	copy_match(out, back, match);
	return true;
}

bool
slv_lz4_follow(
    const uint8_t *in, size_t n, struct slv_lz4_out *out, size_t *used)
{
	struct reader r = { .in = in, .n = n };

	*used = 0;
	while (r.at < n) {
		size_t len = out->len;

		if (!follow_one(&r, out)) {
			out->len = len;
			return false;
		}
		*used = r.at;
	}
	return true;
}
