/* bddf.c - BDDF, the log format of Boston Dynamics' robots: the driver.
 *
 * A log is a magic, a first block that says the version, series
 * declarations and data blocks in the order they came, and then an index
 * and a footer that repeat what the blocks say.  So a scan of the blocks
 * restores everything behind them.
 *
 *	bddf_dialect   which of four ways to write a header
 *	bddf_frame     headers
 *	bddf_wire      the messages of which there is one a block, by hand
 *	bddf_plain     ... as writers write them, at full speed
 *	bddf_pool      their additional indexes, in memory
 *	bddf_proto     any other message, by nanopb's tables
 *	bddf_desc      what a descriptor block says
 *	bddf_unit      what stands at an offset
 *	bddf_named     does the index name a block of an unknown series
 *	bddf_log       where a log begins, ours or another
 *	bddf_vouch     is it really whole
 *	bddf_missing   how many blocks were lost, by the index
 *	bddf_denied    blocks that this log's index does not know
 *	bddf_run       both, for blocks in a row without a surprise
 *	bddf_clock     does its time fit in
 *	bddf_over      was it written over an older log
 *	bddf_twice     does it stand there twice
 *	bddf_stray     ... or in another place than the index has it
 *	bddf_carried   is it a log inside a payload
 *	bddf_accept    remember what it says
 *	bddf_series    ... in little memory
 *	bddf_chunk     ... an entry in 12 bytes
 *	bddf_ident     what an identifier means
 *	bddf_entries   an index block, entry by entry
 *	bddf_compare   ... against the entries of its blocks
 *	bddf_index     does the index of indexes say the same
 *	bddf_known     what it says of blocks that were not found
 *	bddf_head      ... the bytes that those must begin with
 *	bddf_witness   ... who is right
 *	bddf_edges     ... where what differs begins and ends
 *	bddf_mend      ... what of that can be put back
 *	bddf_first     ... of a first block that says nonsense
 *	bddf_samples   ... of a block that is cut
 *	bddf_doubt     where nothing but the digest would tell
 *	bddf_finish    do all parts agree
 *	bddf_inherit   what a proof need not read again
 *	bddf_glance    both ends and the index, without reading a block
 *	bddf_build     the repaired log as a plan
 *	bddf_encode    ... its index blocks
 *	bddf_order     ... in which order its keys stood
 *	bddf_message   ... small messages made anew
 *	bddf_notes     ... the first block with annotations of ours
 *	bddf_fill      blocks of another log for the gaps of this one
 *	bddf_describe  for people
 */
#include "formats/bddf/bddf.h"

#include "formats/bddf/bddf_state.h"

const struct slv_problem_info bddf_problems[BDDF_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/bddf/problems.def"
#undef SLV_PROBLEM
};

const struct slv_cache_kind bddf_cached[] = {
	[BDDF_CACHED_DATA] = { sizeof(struct bddf_data), 1, NULL },
	[BDDF_CACHED_DESC] = { sizeof(struct bddf_last), 1, NULL },
	[BDDF_CACHED_TRIES] = { sizeof(unsigned), 1, NULL },
	{ 0 },
};

static const struct slv_ends ends = { .closed = bddf_closed };

static const struct slv_patches patches = { .mend = bddf_mend, .again = true };

static const struct slv_digests digests = {
	.doubt = bddf_doubt,
	.sensible = bddf_sensible,
	.reorder = bddf_reorder,
};

static const struct slv_noting noting = {
	.annotate = bddf_annotate,
	.annotations = bddf_annotations,
};

const struct slv_format slv_format_bddf = {
	.name = "bddf",
	.title = "BDDF",
	.terms = { "block", "channel", "name", false },
	.problems = bddf_problems,
	.n_problems = BDDF_PROBLEMS,
	.kinds = bddf_kinds,
	.n_kinds = BDDF_TAGS,
	.state_size = sizeof(struct bddf),
	.cached = bddf_cached,
	.chain = 2,
	.magic = BDDF_MAGIC,
	.magic_size = BDDF_MAGIC_SIZE,
	.based = true,
	.suffix = ".bddf",
	.begin = bddf_begin,
	.glance = bddf_glance,
	.inherit = bddf_inherit,
	.unit = bddf_unit,
	.vouch = bddf_vouch,
	.run = bddf_run,
	.accept = bddf_accept,
	.next_mark = bddf_next_mark,
	.carried = bddf_carried,
	.finish = bddf_finish,
	.strays = bddf_strays,
	.plan = bddf_plan,
	.fill = bddf_fill,
	.missing = bddf_missing,
	.describe = bddf_describe,
	.channel_name = bddf_channel_name,
	.release = bddf_state_free,
	.ends = &ends,
	.patches = &patches,
	.digests = &digests,
	.noting = &noting,
};
