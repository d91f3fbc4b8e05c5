/* rosbag_list.c - what a compressed chunk holds, record by record. */
#include "core/show.h"
#include "formats/rosbag/rosbag_conn.h"
#include "formats/rosbag/rosbag_unit.h"

/* The records of it that were accepted: those of the body that was looked at
 * last, which is its. */
static const struct rosbag_entry *
records_of(
    const struct rosbag *b, uint64_t off, const struct slv_unit *u, size_t *n)
{
	uint64_t data =
	    u->tag == ROSBAG_TAG_PACKED ? rosbag_packed_get(u).data : off;
	const struct rosbag_part *part = rosbag_part_at(b, data);

	*n = 0;
	if (u->tag == ROSBAG_TAG_PACKED && b->body.off == data
	    && b->body.whole) {
		*n = b->body.entries.n;
		return b->body.entries.at;
	}
	if (part == NULL)
		return NULL;
	*n = part->upto - part->from;
	return b->broken.entries.at + part->from;
}

enum slv_status
rosbag_show_packed(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_of(s);
	const struct rosbag_entry *e = NULL;
	size_t n = 0;

	if (u->tag == ROSBAG_TAG_PACKED || u->tag == ROSBAG_TAG_REST)
		e = records_of(b, off, u, &n);
	for (size_t i = 0; i < n; i++) {
		struct slv_unit one = {
			.tag = e[i].is_conn ? ROSBAG_CONN : ROSBAG_MESSAGE,
			.len = e[i].len,
			.has_channel = !e[i].is_conn,
		};

		if (!e[i].is_conn) {
			one.channel = rosbag_conn_nth(b, e[i].conn, 0)->out;
			one.time = rosbag_moment(e[i].time);
		}
		SLV_TRY(slv_show_packed(s, &one, off, e[i].at, err));
	}
	return SLV_OK;
}
