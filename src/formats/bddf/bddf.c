/* bddf.c - BDDF, the log format of Boston Dynamics' robots: the driver.
 *
 * A log is a magic, a first block that says the version, series
 * declarations and data blocks in the order they came, and then an index
 * and a footer that repeat what the blocks say.  So a scan of the blocks
 * restores everything after them.
 *
 * docs/architecture/formats.md lists the modules.
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

static const struct slv_patches patches = { .mend = bddf_mend,
	.more = bddf_mend };

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
	.records = &bddf_records,
	.cutting = &bddf_cutting,
	.exporting = &bddf_exporting,
	.layout = bddf_layout,
};
