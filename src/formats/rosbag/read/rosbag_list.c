/* rosbag_list.c - what a compressed chunk holds, record by record. */
#include "core/scan/show.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_unit.h"

/* The records of it that were accepted: all of a whole chunk, those of its part of
 * a damaged one. */
static enum slv_status
records_of(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    const struct rosbag_entry **out, size_t *n, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_body *body = b->torn;
	const struct rosbag_part *part;

	if (u->tag == ROSBAG_TAG_PACKED) {
		struct rosbag_packed k = rosbag_packed_get(u);

		SLV_TRY(
		    rosbag_body_at(s, k.data, &k.claim, k.codec, &body, err));
		off = k.data;
	}
	*out = body->entries.at;
	*n = body->entries.n;
	if (body->whole)
		return SLV_OK;
	part = rosbag_part_at(b, off);
	if (part == NULL)
		return slv_scan_changed(s, err);
	*out += part->from;
	*n = part->upto - part->from;
	return SLV_OK;
}

enum slv_status
rosbag_show_packed(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_entry *e = NULL;
	size_t n = 0;

	if (u->fate != SLV_LOST
	    && (u->tag == ROSBAG_TAG_PACKED || u->tag == ROSBAG_TAG_REST))
		SLV_TRY(records_of(s, off, u, &e, &n, err));
	for (size_t i = 0; i < n; i++) {
		struct slv_unit one = {
			.tag = e[i].is_conn ? ROSBAG_CONN : ROSBAG_MESSAGE,
			.len = e[i].len,
			.has_channel = !e[i].is_conn,
		};

		if (!e[i].is_conn) {
			const struct rosbag_conn *c =
			    rosbag_conn_nth(b, e[i].conn, 0);

			if (c == NULL)
				return slv_scan_changed(s, err);
			one.channel = c->out;
			one.time = rosbag_moment(e[i].time);
		}
		SLV_TRY(slv_show_packed(s, &one, off, e[i].at, err));
	}
	return SLV_OK;
}
