/* decoded.c - decode a stream, and check what holds of any that was decoded. */
#include "support/decoded.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

bool
decoded(enum slv_codec_kind kind, const struct blob *b, size_t expect,
    size_t max, struct slv_decode *d)
{
	struct slv_err err = { 0 };
	uint8_t *exact = must_alloc(b->n);
	size_t at = 0;
	bool held;

	if (b->n > 0)
		memcpy(exact, b->at, b->n);
	held =
	    CHECK_OK(slv_decode(kind, exact, b->n, expect, max, d, &err), &err);
	free(exact);
	if (!held)
		return false;
	for (size_t i = 0; i < d->n_pieces; i++) {
		const struct slv_decoded_piece *p = &d->pieces[i];

		CHECK(p->out == at && p->len > 0 && p->firm <= p->len);
		CHECK(p->in < p->in_end && p->in_end <= b->n);
		CHECK(i == 0 || p[-1].in < p->in);
		CHECK(!p->proven || p->sure);
		at += p->len;
	}
	CHECK_U64(at, d->out.len);
	CHECK(d->used <= b->n && d->out.len <= max);
	return true;
}

void
check_beginning(const struct slv_decode *d, const struct blob *truth)
{
	CHECK(d->n_pieces == (d->out.len > 0));
	CHECK(d->n_pieces == 0
	    || (d->pieces->sure && d->pieces->firm == d->out.len
	        && d->pieces->at_known && d->pieces->at == 0));
	CHECK(d->out.len <= truth->n);
	CHECK_BYTES(d->out.at, d->out.len, truth->at, d->out.len);
}
