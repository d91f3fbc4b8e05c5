/* cyber_rechunk.c - chunks that are longer than readers take.
 *
 * Protobuf's libraries refused messages of over 64 MiB for years, and a body is
 * one message: such a reader passes by the whole chunk.  Where it is wanted a
 * chunk is split between messages, the pieces as long as they may be.
 */
#include "base/list.h"
#include "formats/cyber/cyber_state.h"

#define LIMIT ((uint64_t)64 << 20) /* bytes of a body that any reader takes */

/* The pieces of a chunk. */
struct split {
	struct cyber_item *at; /* owned */
	size_t n, cap;
};

/* Begin another piece. */
static enum slv_status
begin(struct cyber *c, struct split *x, uint64_t off, struct slv_err *err)
{
	return SLV_ADD_AT(x, err,
	    (struct cyber_item){
	        .kind = CYBER_IS_CHUNK,
	        .off = off,
	        .end = off,
	        .first_run = c->n_runs,
	    });
}

/* Put the message at off into the last piece, or into another one. */
static enum slv_status
add(struct slv_scan *s, struct split *x, uint64_t off, uint64_t *len,
    struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_message m;
	struct cyber_item *p;

	SLV_TRY(cyber_look_message(s, off, &m, err));
	if (m.read != CYBER_WHOLE)
		return slv_fail(err, SLV_E_BUG,
		    "no message is at %llu any more", (unsigned long long)off);
	*len = cyber_message_span(&m);
	if (x->n == 0 || x->at[x->n - 1].bytes + *len > LIMIT)
		SLV_TRY(begin(c, x, off, err));
	p = &x->at[x->n - 1];
	cyber_item_count(p, &m);
	return cyber_item_run(c, p, off, *len, err);
}

/* Put the pieces where the chunk was, which keeps its place in the input. */
static enum slv_status
replace(struct cyber *c, size_t i, struct split *x, struct slv_err *err)
{
	struct cyber_item *old;
	size_t more = x->n - 1;

	SLV_TRY(SLV_ROOM(c, items, more, err));
	old = &c->items[i];
	x->at[0].off = old->off;
	x->at[0].end = old->end;
	x->at[0].body = old->body;
	x->at[0].bodied = old->bodied;
	memmove(old + x->n, old + 1, (c->n_items - i - 1) * sizeof(*old));
	memcpy(old, x->at, x->n * sizeof(*old));
	c->n_items += more;
	for (size_t k = 0; k < c->n_channels; k++) {
		size_t *of = &c->channels[k].item;

		*of += *of != SIZE_MAX && *of > i ? more : 0;
	}
	return SLV_OK;
}

static enum slv_status
split(struct slv_scan *s, size_t i, struct split *x, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const struct cyber_item chunk = c->items[i];

	for (size_t k = 0; k < chunk.n_runs; k++) {
		struct cyber_run r = c->runs[chunk.first_run + k];
		uint64_t len = 0;

		for (; r.len > 0; r.off += len, r.len -= len)
			SLV_TRY(add(s, x, r.off, &len, err));
	}
	/* One message may be as long as that. */
	if (x->n < 2)
		return SLV_OK;
	SLV_TRY(cyber_problem(
	    s, CYBER_P_CHUNK_SPLIT, chunk.off, 0, x->n, chunk.bytes, err));
	return replace(c, i, x, err);
}

enum slv_status
cyber_rechunk(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	bool asked = slv_scan_setting(s, CYBER_RECHUNK) != NULL;

	for (size_t i = c->n_items; asked && i-- > 0;) {
		struct split x = { .n = 0 };
		enum slv_status st = SLV_OK;

		if (c->items[i].bytes > LIMIT)
			st = split(s, i, &x, err);
		slv_free(x.at);
		SLV_TRY(st);
	}
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item->bytes > LIMIT)
			SLV_TRY(cyber_problem(s, CYBER_P_CHUNK_LARGE, item->off,
			    0, LIMIT, item->bytes, err));
	}
	return SLV_OK;
}
