/* lz4_block.c - follow the sequences of an LZ4 block that is not all there.
 *
 * The library decodes a block or says that it cannot, and then no byte that it
 * wrote is to be trusted.  This one goes from sequence to sequence, and so it
 * knows where it was when its input ended or made no sense.
 *
 * A sequence is a token (how many literals, how long a match, four bits each),
 * the literals, and the match: two bytes that say how far back it begins.
 * Fifteen is "and more": bytes to be added, the last of them not 255.  The
 * last sequence of a block has no match.
 */
#include "codec/lz4/lz4_block.h"

#include <string.h>

#include "base/bytes.h"

#define MORE      15 /* in a token: the length goes on elsewhere */
#define MATCH_MIN 4  /* what a match is longer by than its length says */

/* A block as it is read. */
struct reader {
	const uint8_t *in;
	size_t n, at;
};

/* Add to a length what follows the token.  False where the input ends in it:
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

/* Copy a match, which may reach into itself. */
static void
copy_match(struct slv_lz4_out *out, size_t back, size_t len)
{
	uint8_t *to = out->at + out->len;

	for (size_t i = 0; i < len; i++)
		to[i] = *(to + i - back);
	out->len += len;
}

/* Take one sequence, or the beginning of one with which the input ends; false
 * where it cannot be. */
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
	/* Where the input ends in its length, it is at least so long. */
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
