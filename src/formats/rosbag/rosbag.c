/* rosbag.c - bags, the log format of ROS 1: the driver.
 *
 * A bag is a line, a header that says where the index is, chunks of messages,
 * each with an index of its own, and the index: all connections, and of each
 * chunk how many messages of which it holds.  So everything but the chunks'
 * data can be made anew.
 *
 *	rosbag_record    a record, in memory
 *	rosbag_about     ... what a connection says of itself
 *	rosbag_look      ... in the file
 *	rosbag_begin     is it a bag
 *	rosbag_unit      what stands at an offset, and is it whole
 *	rosbag_packed    ... a compressed chunk
 *	rosbag_lost      ... what is broken: may it have held a message
 *	rosbag_carried   is it a bag inside a payload
 *	rosbag_body      what compressed data hold
 *	rosbag_named     ... by the index behind them
 *	rosbag_streams   ... and where others come, to be decoded ahead
 *	rosbag_cipher    ... of an encrypted bag
 *	rosbag_accept    remember what a unit says
 *	rosbag_conn      ... of connections
 *	rosbag_decl      ... which of their declarations is right
 *	rosbag_number    ... and which of them a number means
 *	rosbag_type      ... and what messages of that type look like
 *	rosbag_donor     ... which of them another bag knows
 *	rosbag_chunk     ... of a chunk
 *	rosbag_index     does its index say the same
 *	rosbag_mend      headers of messages against it
 *	rosbag_keys      ... by what all of them name
 *	rosbag_moved     what is in the wrong place
 *	rosbag_stray     ... whole, and nothing is torn
 *	rosbag_other     what is of another bag
 *	rosbag_twice     what stands there twice
 *	rosbag_confirm   is a chunk what its checksum is of
 *	rosbag_tail      does the index at the end agree, did the recording end
 *	rosbag_finish    do all parts agree
 *	rosbag_due       what the index names and the chunks do not hold
 *	rosbag_counts    ... of each connection
 *	rosbag_missing   ... gap by gap
 *	rosbag_build     the repaired bag as a plan
 *	rosbag_make      ... records made anew
 *	rosbag_proof     what a proof need not read again
 *	rosbag_glance    what the index says, without all that
 *	rosbag_list      what is in a compressed chunk
 *	rosbag_describe  for people
 */
#include "formats/rosbag/rosbag.h"

#include <stdlib.h>

#include "formats/rosbag/read/rosbag_unit.h"

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
		free(b->conns[i].name);
	free(b->conns);
	free(b->by_id);
	slv_buf_free(&b->texts);
	free(b->chunks);
	free(b->counts);
	free(b->kept.at);
	free(b->entries.at);
	free(b->here);
	free(b->decls);
	free(b->infos);
	free(b->orphans);
	free(b->made);
	if (b->torn != NULL)
		rosbag_body_free(b->torn);
	free(b->torn);
	rosbag_names_free(&b->guide.names);
}

/* `rosbag reindex` puts ".orig" in front of the last extension, and people take
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

static const struct slv_patches patches = { .mend = rosbag_mend };

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
};
