/* suites.h - the test tables of the unit tests, one per file. */
#ifndef TESTS_UNIT_SUITES_H
#define TESTS_UNIT_SUITES_H

#include <CUnit/CUnit.h>

extern CU_TestInfo base_tests[];
extern CU_TestInfo lz4_block_tests[];
extern CU_TestInfo utf8_tests[];
extern CU_TestInfo number_tests[];
extern CU_TestInfo wrap_tests[];
extern CU_TestInfo ranges_tests[];
extern CU_TestInfo list_tests[];
extern CU_TestInfo sort_tests[];
extern CU_TestInfo source_tests[];
extern CU_TestInfo window_tests[];
extern CU_TestInfo ring_tests[];
extern CU_TestInfo tee_tests[];
extern CU_TestInfo crew_tests[];
extern CU_TestInfo crc32_tests[];
extern CU_TestInfo streams_tests[];
extern CU_TestInfo digest_tests[];
extern CU_TestInfo codec_tests[];
extern CU_TestInfo codec_bz2_tests[];
extern CU_TestInfo codec_lz4_tests[];
extern CU_TestInfo codec_zstd_tests[];
extern CU_TestInfo lz4_frames_tests[];
extern CU_TestInfo zstd_frames_tests[];
extern CU_TestInfo memory_tests[];
extern CU_TestInfo site_tests[];
extern CU_TestInfo sink_tests[];
extern CU_TestInfo folder_tests[];
extern CU_TestInfo sink_atomic_tests[];
extern CU_TestInfo carry_tests[];
extern CU_TestInfo spool_tests[];
extern CU_TestInfo target_tests[];
extern CU_TestInfo catalog_tests[];
extern CU_TestInfo problem_tests[];
extern CU_TestInfo policy_tests[];
extern CU_TestInfo silence_tests[];
extern CU_TestInfo pages_tests[];
extern CU_TestInfo patch_tests[];
extern CU_TestInfo pieces_tests[];
extern CU_TestInfo plan_tests[];
extern CU_TestInfo plan_diff_tests[];
extern CU_TestInfo plan_run_tests[];
extern CU_TestInfo gaps_tests[];
extern CU_TestInfo hasher_tests[];
extern CU_TestInfo meter_tests[];
extern CU_TestInfo formats_tests[];
extern CU_TestInfo seal_tests[];
extern CU_TestInfo stranger_tests[];
extern CU_TestInfo active_tests[];
extern CU_TestInfo history_tests[];
extern CU_TestInfo lines_tests[];
extern CU_TestInfo undo_record_tests[];
extern CU_TestInfo bddf_frame_tests[];
extern CU_TestInfo bddf_run_tests[];
extern CU_TestInfo mcap_run_tests[];
extern CU_TestInfo bddf_wire_tests[];
extern CU_TestInfo bddf_entries_tests[];
extern CU_TestInfo glance_tests[];
extern CU_TestInfo bag_glance_tests[];
extern CU_TestInfo rosbag_type_tests[];
extern CU_TestInfo reader_tests[];
extern CU_TestInfo rosbag_find_tests[];
extern CU_TestInfo rosbag_vote_tests[];
extern CU_TestInfo careful_tests[];
extern CU_TestInfo cache_tests[];
extern CU_TestInfo questions_tests[];
extern CU_TestInfo carla_once_tests[];
extern CU_TestInfo carla_packet_tests[];
extern CU_TestInfo salvage_tests[];
extern CU_TestInfo copy_tests[];
extern CU_TestInfo joined_tests[];
extern CU_TestInfo journal_tests[];
extern CU_TestInfo fill_tests[];
extern CU_TestInfo claims_tests[];
extern CU_TestInfo pool_tests[];
extern CU_TestInfo sent_tests[];
extern CU_TestInfo yaml_tests[];
extern CU_TestInfo subset_tests[];
extern CU_TestInfo tiles_tests[];
extern CU_TestInfo timeline_tests[];
extern CU_TestInfo html_tests[];
extern CU_TestInfo options_tests[];

#endif
