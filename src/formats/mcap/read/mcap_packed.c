/* mcap_packed.c - a compressed chunk as a unit. */
#include "formats/mcap/read/mcap_unit.h"
#include "support/streams.h"

/* Bytes of records that are followed to find the end of a chunk, for each of those that
 * are searched, and so many more. */
#define FOLLOW_EACH  16
#define FOLLOW_FIRST ((uint64_t)1 << 20)

/* How far what the chunk stores reaches: as its head says, where a record follows
 * there; else up to the next record that cannot be in a chunk. */
static enum slv_status
find_limit(const struct slv_scan *s, const struct mcap_head *h, uint64_t *out,
    struct slv_err *err)
{
	uint64_t to, end, budget;
	bool yes = false;

	if (h->claim.stored != MCAP_OPEN && h->end <= s->source->size)
		SLV_TRY(mcap_goes_on(s, h->end, &yes, err));
	*out = h->end;
	if (yes)
		return SLV_OK;
	to = slv_min64(
	    slv_max64(s->logical_end, h->data), h->data + SLV_STREAM_MAX);
	end = slv_min64(to, h->end);
	budget = FOLLOW_EACH * (to - h->data) + FOLLOW_FIRST;
	for (*out = h->data - 1, yes = false; !yes && *out < to;) {
		struct mcap_chain c;

		SLV_TRY(mcap_find(
		    s, *out + 1, to, MCAP_OUTER | MCAP_DERIVED, out, err));
		/* Records that the compression shows lead nowhere. */
		SLV_TRY(mcap_follow(s, *out, &c, err));
		yes = c.end >= end || c.cut;
		if (!yes && c.end - *out > budget)
			*out = to;
		else
			budget -= slv_min64(budget, c.end - *out);
	}
	return mcap_find_magic(s, h->data, *out, out, err);
}

enum slv_status
mcap_packed_body(const struct slv_scan *s, const struct mcap_head *h,
    const struct mcap_body **out, struct slv_err *err)
{
	uint64_t limit;

	SLV_TRY(find_limit(s, h, &limit, err));
	return mcap_body_at(s, h->data, limit, h->codec, h->claim.size,
	    h->open ? 0 : h->claim.crc, out, err);
}

/* A compression that is unknown: all that its head says is how long it is. */
static enum slv_status
strange_unit(const struct slv_scan *s, uint64_t off, const struct mcap_head *h,
    struct slv_unit *u)
{
	u->tag = MCAP_TAG_STRANGE;
	u->len = h->end - off;
	u->verdict = h->end <= s->source->size ? SLV_UNIT_GOOD : SLV_UNIT_SHORT;
	u->problem =
	    u->verdict == SLV_UNIT_GOOD ? MCAP_P_COMPRESSION : MCAP_P_CUT;
	return SLV_OK;
}

enum slv_status
mcap_packed_unit(const struct slv_scan *s, uint64_t off,
    const struct mcap_head *h, struct slv_unit *u, struct slv_err *err)
{
	const struct mcap_body *body;
	const struct slv_decode *d;

	mcap_head_put(u, h);
	u->tag = MCAP_TAG_PACKED;
	u->part = SLV_PART_PACK;
	if (h->strange)
		return strange_unit(s, off, h, u);
	SLV_TRY(mcap_packed_body(s, h, &body, err));
	d = &body->decode;
	u->len = body->limit - off;
	u->got = body->messages;
	if (body->whole && !body->refuted) {
		/* Padding after the frame is of the chunk, if its head says so. */
		u->len =
		    (h->claim.stored != MCAP_OPEN ? h->claim.stored : d->used)
		    + (h->data - off);
		u->verdict = SLV_UNIT_GOOD;
		u->sure = body->summed || d->pieces->proven;
		return SLV_OK;
	}
	u->problem = body->unsure && body->summed && body->messages > 0
	    ? MCAP_P_CHUNK_REFUTED
	    : body->messages > 0 ? MCAP_P_CHUNK_CUT
	                         : MCAP_P_CHUNK_BROKEN;
	if (body->messages == 0
	    || (body->unsure && body->summed
	        && !(s->opt.keep & SLV_KEEP_UNVERIFIED))) {
		/* Where its end is known nothing in it is searched for. */
		if (h->claim.stored != MCAP_OPEN && body->limit == h->end) {
			u->verdict = SLV_UNIT_GOOD;
			u->fate = SLV_LOST;
		}
		return SLV_OK;
	}
	/* What is left of it is written again; the bytes after that are lost. */
	u->len = (h->data - off)
	    + slv_min64(
	        slv_max64(d->pieces->in_end, 1), body->limit - h->data - 1);
	u->verdict = SLV_UNIT_GOOD;
	u->fate = SLV_REBUILT;
	u->sure = false;
	return SLV_OK;
}
