/* rosbag_packed.c - a compressed chunk as a unit. */
#include "formats/rosbag/read/rosbag_unit.h"

/* It is as it was written, but its header may lie. */
static void
whole_unit(const struct rosbag_packed *k, const struct rosbag_body *body,
    struct slv_unit *u)
{
	u->verdict = SLV_UNIT_GOOD;
	u->sure = true;
	u->len += body->decode.used;
	if (body->corrected)
		u->fate = SLV_REBUILT;
	else if (k->headed
	    && (k->claim.len != body->decode.used
	        || k->claim.size != body->decode.out.len)) {
		bool stored = k->claim.len != body->decode.used;

		u->problem = ROSBAG_P_CHUNK_HEADER;
		u->want = stored ? body->decode.used : body->decode.out.len;
		u->got = stored ? k->claim.len : k->claim.size;
	}
}

/* How many messages the first part tells of: its own, and those of later ones
 * that do not tell of themselves. */
static uint64_t
told_with_first(const struct rosbag_body *body)
{
	uint64_t n = 0;

	for (size_t i = 0; i < body->n_parts; i++) {
		if (!rosbag_part_tells(body, &body->parts[i]))
			n += body->parts[i].messages;
	}
	return n;
}

enum slv_status
rosbag_packed_unit(const struct slv_scan *s, uint64_t off,
    const struct rosbag_packed *k, struct slv_unit *u, struct slv_err *err)
{
	const struct rosbag_body *body;

	memcpy(u->priv, k, sizeof(*k));
	u->tag = ROSBAG_TAG_PACKED;
	u->part = SLV_PART_PACK;
	u->len = k->data - off;
	SLV_TRY(rosbag_body_at(s, k->data, &k->claim, k->codec, &body, err));
	if (body->whole) {
		whole_unit(k, body, u);
		return SLV_OK;
	}
	if (body->n_parts > 0) {
		bool begins = body->parts[0].in == k->data;

		u->verdict = SLV_UNIT_GOOD;
		u->got = told_with_first(body);
		u->fate = begins ? SLV_REBUILT : SLV_LOST;
		u->len += (begins ? body->parts[0].in_end : body->parts[0].in)
		    - k->data;
		/* Another part confirms that it is a stream. */
		u->sure = !begins || body->n_parts > 1;
		u->problem = body->parts[0].sure ? ROSBAG_P_CHUNK_CUT
		                                 : rosbag_part_problem(body);
		return SLV_OK;
	}
	u->len += body->limit - k->data;
	u->got = body->unverified;
	u->problem = u->got > 0 ? ROSBAG_P_CHUNK_UNSURE : ROSBAG_P_CHUNK_BROKEN;
	if (body->decode.how == SLV_DECODED_WRONG)
		u->problem = ROSBAG_P_CHUNK_CHECKSUM;
	return SLV_OK;
}
