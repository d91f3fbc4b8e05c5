/* rosbag_carried.c - is what follows a gap a bag inside a payload?
 *
 * Its records read like those of the bag around it.  But a bag ends with its
 * CHUNK_INFOs, and the one around goes on behind them; and what stands in the
 * payload of a message, by the length that the message states, and breaks off
 * there, is a part of one.
 */
#include <string.h>

#include "formats/rosbag/rosbag_state.h"

#define LOOK 4096 /* records that are followed */

/* Records in a row. */
struct chain {
	uint64_t end;
	bool broken; /* something else follows */
	bool closed; /* CHUNK_INFOs were the last of them */
};

static enum slv_status
is_magic(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (!slv_range_in(off, ROSBAG_MAGIC_SIZE, s->logical_end))
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off, ROSBAG_MAGIC_SIZE, &p, err));
	*yes = memcmp(p, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE) == 0;
	return SLV_OK;
}

static enum slv_status
follow(struct slv_scan *s, uint64_t off, struct chain *c, struct slv_err *err)
{
	bool magic;

	SLV_TRY(is_magic(s, off, &magic, err));
	*c = (struct chain){ .end = magic ? off + ROSBAG_MAGIC_SIZE : off };
	for (unsigned i = 0; i < LOOK && c->end < s->logical_end; i++) {
		struct rosbag_record r;
		enum rosbag_read read;
		uint64_t len;

		SLV_TRY(rosbag_look(s, c->end, &r, &read, err));
		c->broken = read == ROSBAG_BAD;
		if (read != ROSBAG_WHOLE || (c->closed && r.op != ROSBAG_INFO))
			return SLV_OK;
		len = r.op == ROSBAG_CHUNK && r.codec == SLV_CODEC_NONE
		    ? rosbag_head(&r)
		    : rosbag_span(&r);
		c->closed = r.op == ROSBAG_INFO;
		c->end += slv_min64(len, s->source->size - c->end);
	}
	/* Among thousands of CHUNK_INFOs it is open what ends them. */
	c->closed = false;
	return SLV_OK;
}

/* Whether the bag goes on at off, and no other one begins there. */
static enum slv_status
goes_on(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;
	enum rosbag_read read;

	SLV_TRY(rosbag_look(s, off, &r, &read, err));
	*yes = read == ROSBAG_WHOLE && r.op != ROSBAG_BAG_HEADER;
	return SLV_OK;
}

enum slv_status
rosbag_carried(struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	uint64_t end = u->verdict == SLV_UNIT_GOOD ? lost + u->len : lost;
	struct chain c;
	bool yes;

	*skip = mark;
	SLV_TRY(follow(s, mark, &c, err));
	if (c.end >= s->logical_end)
		return SLV_OK;
	yes = c.end <= end && (c.broken || c.closed);
	if (!yes && c.closed)
		SLV_TRY(goes_on(s, c.end, &yes, err));
	if (yes)
		*skip = slv_max64(c.end, mark + 1);
	return SLV_OK;
}
