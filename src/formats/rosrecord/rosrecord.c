/* rosrecord.c - ROS 1 bags of version 1.2, recorded before 2010: the driver.
 *
 * A bag is a line and records.  Each message states its topic, type and time,
 * and the definition of a type precedes the first message of its topic.  Later
 * recorders wrote a header with the place of the index, and the index, from
 * which all readers of today start.  There are no chunks, no compression and no
 * checksum.  Version 2.0 is another format: formats/rosbag.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/rosrecord/rosrecord.h"

#include <stdlib.h>

#include "formats/rosrecord/rosrecord_state.h"

const struct slv_problem_info rosrec_problems[ROSREC_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/rosrecord/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct rosrec *b = state;

	for (size_t i = 0; i < b->n_topics; i++)
		slv_free(b->topics[i].shown);
	slv_free(b->topics);
	slv_free(b->by_name);
	slv_buf_free(&b->names);
	slv_free(b->items);
	slv_free(b->lists);
}

const struct slv_format slv_format_rosrecord = {
	.name = "rosrecord",
	.title = "ROS 1 bag",
	.terms = { "message", "topic", "name", false },
	.problems = rosrec_problems,
	.n_problems = ROSREC_PROBLEMS,
	.kinds = rosrec_kinds,
	.n_kinds = ROSREC_TAGS,
	.state_size = sizeof(struct rosrec),
	.chain = 2,
	.magic = ROSREC_MAGIC,
	.magic_size = ROSREC_MAGIC_SIZE,
	.suffix = ".bag",
	.begin = rosrec_begin,
	.unit = rosrec_unit,
	.vouch = rosrec_vouch,
	.accept = rosrec_accept,
	.next_mark = rosrec_next_mark,
	.finish = rosrec_finish,
	.plan = rosrec_plan,
	.describe = rosrec_describe,
	.channel_name = rosrec_channel_name,
	.release = release,
};
