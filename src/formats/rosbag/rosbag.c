/* rosbag.c - bags, the log format of ROS 1: the driver.
 *
 * A bag is a line, a header that says where the index is, chunks of messages,
 * each with an index of its own, and the index: all connections, and of each
 * chunk how many messages of which it holds.  So everything but the chunks'
 * data can be rebuilt.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/rosbag/rosbag.h"

#include <stdlib.h>

#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/read/rosbag_unit.h"
#include "support/layouts/ros_layout.h"

const struct slv_problem_info rosbag_problems[ROSBAG_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/rosbag/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct rosbag *b = state;

	for (size_t i = 0; i < b->n_conns; i++)
		slv_free(b->conns[i].name);
	slv_free(b->conns);
	slv_free(b->by_id);
	slv_buf_free(&b->texts);
	slv_free(b->chunks);
	slv_free(b->counts);
	slv_free(b->kept.at);
	slv_free(b->entries.at);
	slv_free(b->here);
	slv_free(b->decls);
	slv_free(b->infos);
	slv_free(b->orphans);
	slv_free(b->made);
	if (b->torn != NULL)
		rosbag_body_free(b->torn);
	slv_free(b->torn);
	rosbag_names_free(&b->guide.names);
}

/* `rosbag reindex` puts ".orig" before the last extension, and people take
 * ".active" away when it is done. */
static const struct slv_leaving names[] = {
	{ ".bag", ".orig.bag" },
	{ ".bag", ".bag.orig.active" },
	{ ".bag.active", ".bag.orig.active" },
	{ NULL, NULL },
};

static const struct slv_leavings leavings = {
	.names = names,
	.remade = ROSBAG_DATA_START,
};

static const struct slv_patches patches = { .mend = rosbag_mend,
	.more = rosbag_choose };

static const struct slv_packs packs = {
	.show = rosbag_show_packed,
	.confirm = rosbag_confirm,
};

const struct slv_format slv_format_rosbag = {
	.name = "rosbag",
	.title = "ROS 1 bag",
	.terms = { "message", "connection", "topic", false },
	.problems = rosbag_problems,
	.n_problems = ROSBAG_PROBLEMS,
	.kinds = rosbag_kinds,
	.n_kinds = ROSBAG_TAGS,
	.state_size = sizeof(struct rosbag),
	.cached = rosbag_cached,
	.chain = 2,
	.takes = true,
	.magic = ROSBAG_MAGIC,
	.magic_size = ROSBAG_MAGIC_SIZE,
	.based = true,
	.suffix = ".bag",
	.begin = rosbag_begin,
	.glance = rosbag_glance,
	.unit = rosbag_unit,
	.vouch = rosbag_vouch,
	.accept = rosbag_accept,
	.next_mark = rosbag_next_mark,
	.carried = rosbag_carried,
	.finish = rosbag_finish,
	.strays = rosbag_strays,
	.plan = rosbag_plan,
	.missing = rosbag_missing,
	.describe = rosbag_describe,
	.channel_name = rosbag_channel_name,
	.release = release,
	.patches = &patches,
	.packs = &packs,
	.leavings = &leavings,
	.records = &rosbag_records,
	.layout = slv_ros_layout,
	.cutting = &rosbag_cutting,
};
