/* unit.c - runs the unit tests. */
#include "support/check.h"
#include "support/scratch.h"
#include "unit/suites.h"

static CU_SuiteInfo suites[] = {
	{ .pName = "base", .pTests = base_tests },
	{ .pName = "lz4_block", .pTests = lz4_block_tests },
	{ .pName = "utf8", .pTests = utf8_tests },
	{ .pName = "wrap", .pTests = wrap_tests },
	{ .pName = "ranges", .pTests = ranges_tests },
	{ .pName = "list", .pTests = list_tests },
	{ .pName = "sort", .pTests = sort_tests },
	{ .pName = "source", .pTests = source_tests },
	{ .pName = "window", .pTests = window_tests },
	{ .pName = "digest", .pTests = digest_tests },
	{ .pName = "crc32", .pTests = crc32_tests },
	{ .pName = "codec", .pTests = codec_tests },
	{ .pName = "codec_bz2", .pTests = codec_bz2_tests },
	{ .pName = "codec_lz4", .pTests = codec_lz4_tests },
	{ .pName = "codec_zstd", .pTests = codec_zstd_tests },
	{ .pName = "lz4_frames", .pTests = lz4_frames_tests },
	{ .pName = "zstd_frames", .pTests = zstd_frames_tests },
	{ .pName = "crew", .pTests = crew_tests },
	{ .pName = "streams", .pTests = streams_tests },
	{ .pName = "memory", .pTests = memory_tests },
	{ .pName = "site", .pTests = site_tests },
	{ .pName = "sink", .pTests = sink_tests },
	{ .pName = "number", .pTests = number_tests },
	{ .pName = "folder", .pTests = folder_tests },
	{ .pName = "sink_atomic", .pTests = sink_atomic_tests },
	{ .pName = "carry", .pTests = carry_tests },
	{ .pName = "spool", .pTests = spool_tests },
	{ .pName = "target", .pTests = target_tests },
	{ .pName = "catalog", .pTests = catalog_tests },
	{ .pName = "claims", .pTests = claims_tests },
	{ .pName = "pool", .pTests = pool_tests },
	{ .pName = "sent", .pTests = sent_tests },
	{ .pName = "metrics", .pTests = metrics_tests },
	{ .pName = "yaml", .pTests = yaml_tests },
	{ .pName = "subset", .pTests = subset_tests },
	{ .pName = "tiles", .pTests = tiles_tests },
	{ .pName = "timeline", .pTests = timeline_tests },
	{ .pName = "html", .pTests = html_tests },
	{ .pName = "reader", .pTests = reader_tests },
	{ .pName = "stream", .pTests = stream_tests },
	{ .pName = "problem", .pTests = problem_tests },
	{ .pName = "pages", .pTests = pages_tests },
	{ .pName = "options", .pTests = options_tests },
	{ .pName = "policy", .pTests = policy_tests },
	{ .pName = "silence", .pTests = silence_tests },
	{ .pName = "patch", .pTests = patch_tests },
	{ .pName = "pieces", .pTests = pieces_tests },
	{ .pName = "plan", .pTests = plan_tests },
	{ .pName = "plan_diff", .pTests = plan_diff_tests },
	{ .pName = "plan_run", .pTests = plan_run_tests },
	{ .pName = "ring", .pTests = ring_tests },
	{ .pName = "hasher", .pTests = hasher_tests },
	{ .pName = "tee", .pTests = tee_tests },
	{ .pName = "glance", .pTests = glance_tests },
	{ .pName = "glance of a bag", .pTests = bag_glance_tests },
	{ .pName = "meter", .pTests = meter_tests },
	{ .pName = "gaps", .pTests = gaps_tests },
	{ .pName = "copies", .pTests = copy_tests },
	{ .pName = "joined", .pTests = joined_tests },
	{ .pName = "journal", .pTests = journal_tests },
	{ .pName = "fill", .pTests = fill_tests },
	{ .pName = "formats", .pTests = formats_tests },
	{ .pName = "seal", .pTests = seal_tests },
	{ .pName = "stranger", .pTests = stranger_tests },
	{ .pName = "active", .pTests = active_tests },
	{ .pName = "history", .pTests = history_tests },
	{ .pName = "lines", .pTests = lines_tests },
	{ .pName = "undo_record", .pTests = undo_record_tests },
	{ .pName = "bddf_frame", .pTests = bddf_frame_tests },
	{ .pName = "bddf_run", .pTests = bddf_run_tests },
	{ .pName = "mcap_run", .pTests = mcap_run_tests },
	{ .pName = "bddf_wire", .pTests = bddf_wire_tests },
	{ .pName = "bddf_entries", .pTests = bddf_entries_tests },
	{ .pName = "rosbag types", .pTests = rosbag_type_tests },
	{ .pName = "rosbag searches", .pTests = rosbag_find_tests },
	{ .pName = "rosbag times", .pTests = rosbag_vote_tests },
	{ .pName = "careful", .pTests = careful_tests },
	{ .pName = "cache", .pTests = cache_tests },
	{ .pName = "questions", .pTests = questions_tests },
	{ .pName = "walk", .pTests = walk_tests },
	{ .pName = "carla, once", .pTests = carla_once_tests },
	{ .pName = "carla packets", .pTests = carla_packet_tests },
	{ .pName = "salvage", .pTests = salvage_tests },
	CU_SUITE_INFO_NULL,
};

int
main(int argc, char **argv)
{
	int r;

	(void)argc;

	scratch_open();
	r = slv_test_main_of(suites, argv + 1);
	scratch_close();
	return r;
}
