/* rosrecord.c - ROS 1 bags of version 1.2, as recorded before 2010: the driver.
 *
 * A bag is a line and records: each message says its topic, type and time, and
 * the first one of a topic comes after the definition of its type.  Later
 * recorders wrote a header that says where the index is, and the index, from
 * which all readers of today start.  There are no chunks, no compression and
 * no checksum.  Version 2.0 is another format: formats/rosbag.
 *
 *	rosrecord_record   a record, in memory
 *	rosrecord_make     ... or made
 *	rosrecord_unit     is it such a bag; what is at an offset, and is it whole
 *	rosrecord_accept   remember what a unit says
 *	rosrecord_topic    ... of a topic
 *	rosrecord_index    does the index name what is here
 *	rosrecord_twice    what was written a second time
 *	rosrecord_types    which definition is of which topic, and what differs
 *	rosrecord_finish   do all parts agree
 *	rosrecord_build    the repaired bag as a plan
 *	rosrecord_describe for people
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
		free(b->topics[i].shown);
	free(b->topics);
	free(b->by_name);
	slv_buf_free(&b->names);
	free(b->items);
	free(b->lists);
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
