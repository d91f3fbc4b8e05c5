/* commands.c - the table of commands. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const struct slv_command commands[] = {
	{ "repair", SLV_CMD_REPAIR, "FILE...", 1, SIZE_MAX,
	    "write a sound log with everything that can be saved",
	    "Read each FILE, plan a sound log that holds every whole record "
	    "and nothing else, prove the plan, and publish it under its name "
	    "in one step.  FILE itself is never modified, unless --in-place is "
	    "given.",
	    true,
	    {
	        { "salvor repair robot.bag", "writes robot.repaired.bag" },
	        { "salvor repair -r -d saved archive",
	            "many, with -j 8 faster" },
	        { "salvor repair --in-place --quick a.mcap",
	            "finishes it in seconds" },
	    },
	    slv_cmd_repair },
	{ "undo", SLV_CMD_UNDO, "FILE...", 1, SIZE_MAX,
	    "undo a repair in place",
	    "Restore the old bytes of each FILE that was repaired in place, or "
	    "whose repair was interrupted, from its undo record; prove the "
	    "result by the SHA-1 that the file had, and remove the record.",
	    false,
	    {
	        { "salvor undo robot.bddf", "takes the repair in place back" },
	        { "salvor undo -r archive", "the same for all below archive" },
	        { "salvor undo --discard-undo robot.bddf", "keeps the repair" },
	    },
	    slv_cmd_undo },
	{ "merge", SLV_CMD_MERGE, "FILE...", 1, SIZE_MAX,
	    "merge damaged copies of one log",
	    "Read all FILEs, damaged copies of one recording, and write one "
	    "log with everything that any of them has, repaired and proven as "
	    "by repair.  Where two whole blocks differ and no digest decides, "
	    "the FILE named first is believed, and a finding says so.  Files "
	    "that are not of one recording are refused.  No FILE is modified.",
	    false,
	    {
	        { "salvor merge -o whole.bag a.bag b.bag", "of two copies" },
	        { "salvor merge -n a.bag b.bag", "how much it would give" },
	    },
	    slv_cmd_merge },
	{ "verify", SLV_CMD_VERIFY, "FILE...", 1, SIZE_MAX,
	    "check every byte and report what is wrong",
	    "Check every block, every index entry, every total and the digest. "
	    " With -v each kind of finding says what it means and whether "
	    "repair can correct it.  Nothing is written.",
	    true,
	    {
	        { "salvor verify robot.bag", "exit code 0: it is sound" },
	        { "salvor verify -r -j 8 archive", "many files" },
	        { "salvor verify --max-gap=/imu=1s a.bag", "a rule of yours" },
	    },
	    slv_cmd_verify },
	{ "info", SLV_CMD_INFO, "FILE...", 1, SIZE_MAX,
	    "show what a log contains, damaged or not",
	    "Show format, version, annotations, times and channels of each "
	    "FILE: from its index, without reading a block, where both ends "
	    "and the index agree; otherwise all of it is read.  Works on "
	    "damaged logs and says that they are damaged.",
	    true,
	    {
	        { "salvor info robot.bag", "channels, times, annotations" },
	        { "salvor info --json robot.bag | jq .channels",
	            "for programs" },
	    },
	    slv_cmd_info },
	{ "list", SLV_CMD_LIST, "FILE...", 1, SIZE_MAX,
	    "print one line for every block",
	    "Print offset, size, kind, channel, time and verdict of every "
	    "block of each FILE, in file order.  The findings follow on "
	    "standard error.",
	    false,
	    {
	        { "salvor list robot.bag",
	            "offset, size, kind, time, verdict" },
	        { "salvor list robot.bag | grep lost",
	            "where records are lost" },
	    },
	    slv_cmd_list },
	{ "export", SLV_CMD_EXPORT, "FILE...", 1, SIZE_MAX,
	    "write the records of a log as MCAP, CSV or NDJSON",
	    "Read each FILE as repair does, and write the records that a "
	    "repair would keep as MCAP (OUT.mcap), as lines of JSON "
	    "(OUT.ndjson), or as tables (OUT/, CSV).  The output appears "
	    "complete or not at all.  What was lost goes along: the channel "
	    "/salvor/gaps has a message for each gap.  A TIME is in seconds "
	    "since 1970, in UTC (2023-11-14T22:13:20Z), or relative to the "
	    "first record (+10s) or to the last one (-5s).  FILE is never "
	    "modified.",
	    false,
	    {
	        { "salvor export -o drive.mcap drive.bag",
	            "for a viewer of MCAP" },
	        { "salvor export -o drive/ --include='/imu.*' drive.bag",
	            "some topics, as tables (CSV)" },
	        { "salvor export -d out --to=ndjson *.record",
	            "many: out/NAME.ndjson" },
	    },
	    slv_cmd_export },
	{ "extract", SLV_CMD_EXTRACT, "FILE...", 1, SIZE_MAX,
	    "write a sound log with only some of the records",
	    "Read each FILE as repair does, and write a sound log of the same "
	    "format with only the records that are wanted, which appears "
	    "complete or not at all.  Index, counts and digest are those of "
	    "its records.  With -o, several FILEs are joined: segments of one "
	    "recording.  FILE is never modified.",
	    false,
	    {
	        { "salvor extract --include='/imu.*' -o imu.bag drive.bag",
	            "some topics" },
	        { "salvor extract --start=+60s --end=+90s -o s.bag d.bag",
	            "half a minute" },
	        { "salvor extract -o drive.bag drive_*.bag",
	            "segments, joined" },
	    },
	    slv_cmd_extract },
	{ "apply", SLV_CMD_APPLY, "PLAN FILE OUT", 3, 3,
	    "write the repaired log that a plan describes",
	    "Carry out a plan that repair --plan-out wrote, perhaps on another "
	    "machine, on FILE: the log that it was made of, which its size and "
	    "SHA-256 must show.  OUT appears complete, with the SHA-256 that "
	    "the plan states, or not at all; \"-\" is standard output.  "
	    "FILE is never modified.",
	    false,
	    {
	        { "salvor repair -n --plan-out=p robot.bag",
	            "where a copy of the log is" },
	        { "salvor apply p robot.bag whole.bag", "where the log is" },
	    },
	    slv_cmd_apply },
	{ "report", SLV_CMD_REPORT, "JOURNAL|JSON...", 1, SIZE_MAX,
	    "make an HTML page of earlier reports",
	    "Read what --json, --report or --journal of earlier runs wrote and "
	    "make one HTML file of it, which shows each log, and which of many "
	    "are damaged, in a browser, alone and offline.  For each path the "
	    "last line of a journal counts.  \"-\" is standard input.  The "
	    "exit code is 0, 8 where not all could be read or written, or 16.",
	    false,
	    {
	        { "salvor report -o page.html night.jsonl", "of a journal" },
	        { "salvor verify --json a.bag | salvor report -o p.html -",
	            "of reports in a pipe" },
	    },
	    slv_cmd_report },
	{ "collect", SLV_CMD_COLLECT, "JOURNAL...", 1, SIZE_MAX,
	    "combine the journals of many machines",
	    "Read the journals that the parts of one job left (--shard, "
	    "--journal) and report what one run over all of it would: a "
	    "summary, the objects of --json, a page.  Of several lines about "
	    "one file the last one counts, before any that failed.  Files that "
	    "were done twice with different results are reported, and with -r "
	    "or --files0-from files that are missing; each makes the exit code "
	    "8.",
	    false,
	    {
	        { "salvor collect part-*.jsonl", "a summary of all parts" },
	        { "salvor collect -r archive part-*.jsonl",
	            "and what is missing" },
	    },
	    slv_cmd_collect },
	{ "explain", SLV_CMD_EXPLAIN, "[ID]", 0, 1,
	    "explain what a finding means",
	    "Without ID: list all findings.  With ID: what it means, how it "
	    "arises, what repair does and what is at risk.  With the beginning "
	    "of several (explain rosbag): list these.",
	    true,
	    {
	        { "salvor explain", "all findings there are" },
	        { "salvor explain rosbag.chunk-open", "what one means" },
	        { "salvor explain bddf", "those of a format" },
	    },
	    slv_cmd_explain },
};

static const struct slv_command look = {
	.name = "",
	.bit = SLV_CMD_LOOK | SLV_CMD_NONE,
	.operands = "FILE...",
	.least = 1,
	.most = SIZE_MAX,
	.summary = "check, and say what to do next",
	.run = slv_cmd_verify,
};

const struct slv_command *
slv_command_at(size_t i)
{
	return i < sizeof(commands) / sizeof(*commands) ? &commands[i] : NULL;
}

const struct slv_command *
slv_command_look(void)
{
	return &look;
}

const struct slv_command *
slv_command_named(const char *name)
{
	for (size_t i = 0; slv_command_at(i) != NULL; i++) {
		if (strcmp(name, slv_command_at(i)->name) == 0)
			return slv_command_at(i);
	}
	return NULL;
}
