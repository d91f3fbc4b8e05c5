/* main.c - the program: which command, and how it ends. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/completion.h"
#include "cli/files.h"
#include "cli/help.h"
#include "cli/maker.h"
#include "cli/nearest.h"
#include "cli/rules.h"
#include "cli/signals.h"
#include "cli/term.h"
#include "guard/guard.h"

static const struct slv_command commands[] = {
	{ "repair", SLV_CMD_REPAIR, "FILE...", 1, SIZE_MAX,
	    "write a sound log with everything that can be saved",
	    "Read each FILE, plan a sound log that holds every whole record "
	    "and nothing else, prove the plan, and publish it under its name "
	    "in one step.  FILE itself is never changed, but with "
	    "--in-place.",
	    slv_cmd_repair },
	{ "undo", SLV_CMD_UNDO, "FILE...", 1, SIZE_MAX,
	    "take a repair in place back",
	    "Give each FILE that was repaired in place, or was being so when "
	    "something interrupted it, its old bytes back from the undo "
	    "record, prove that by the SHA-1 that it had, and remove the "
	    "record.",
	    slv_cmd_undo },
	{ "merge", SLV_CMD_MERGE, "FILE...", 1, SIZE_MAX,
	    "make one log of several damaged copies of it",
	    "Read all FILEs, damaged copies of one recording, and write one "
	    "log with everything that any of them has, repaired and proven "
	    "as repair does it.  Where two whole blocks differ and no digest "
	    "decides, the FILE named first is believed, and that is said.  "
	    "Files that are not of one recording are refused.  No FILE is "
	    "changed.",
	    slv_cmd_merge },
	{ "verify", SLV_CMD_VERIFY, "FILE...", 1, SIZE_MAX,
	    "check every byte and say what is wrong",
	    "Check every block, every index entry, every total and the "
	    "digest.  With -v each kind of finding says what it means and "
	    "whether repair can mend it.  Nothing is written.",
	    slv_cmd_verify },
	{ "info", SLV_CMD_INFO, "FILE...", 1, SIZE_MAX,
	    "say what a log holds, damaged or not",
	    "Show format, version, annotations, times and channels of each "
	    "FILE: from its index, without reading a block, where both ends "
	    "and the index agree; else all of it is read.  Works on damaged "
	    "logs and says that they are damaged.",
	    slv_cmd_info },
	{ "list", SLV_CMD_LIST, "FILE...", 1, SIZE_MAX,
	    "print one line for every block",
	    "Print offset, size, kind, channel, time and verdict of every "
	    "block of each FILE, in file order.  What was found goes to "
	    "standard "
	    "error afterwards.",
	    slv_cmd_list },
	{ "report", SLV_CMD_REPORT, "JOURNAL|JSON...", 1, SIZE_MAX,
	    "make a page to look at of earlier reports",
	    "Read what --json, --report or --journal of earlier runs wrote and "
	    "make one HTML file of it, which shows each log, and of many "
	    "which are damaged, in a browser, alone and offline.  Of a "
	    "journal the last line about a path counts.  \"-\" is standard "
	    "input.  The exit code is 0, 8 where not all could be read or "
	    "written, or 16.",
	    slv_cmd_report },
	{ "collect", SLV_CMD_COLLECT, "JOURNAL...", 1, SIZE_MAX,
	    "put the journals of many machines together",
	    "Read the journals that the parts of one job left (--shard, "
	    "--journal) and report what one run over all of it would: a "
	    "summary, the objects of --json, a page.  Of several lines about "
	    "one file the last one counts, before any that failed.  What was "
	    "done twice with differing results is told, and with -r or "
	    "--files0-from what nobody did; each makes the exit code 8.",
	    slv_cmd_collect },
	{ "explain", SLV_CMD_EXPLAIN, "[ID]", 0, 1,
	    "explain what a finding means",
	    "Without ID: list every finding there can be.  With ID: what it "
	    "means, how it arises, what repair does and what is at risk.  With "
	    "the beginning of some (explain rosbag): list these.",
	    slv_cmd_explain },
};

static const struct slv_command look = {
	.name = "",
	.bit = SLV_CMD_LOOK | SLV_CMD_NONE,
	.operands = "FILE...",
	.least = 1,
	.most = SIZE_MAX,
	.summary = "check, and say what to do next",
	.run = slv_cmd_look,
};

/* What other tools call the same. */
static const char *const elsewhere[][2] = {
	{ "check", "verify" },
	{ "doctor", "verify" },
	{ "fix", "repair" },
	{ "recover", "repair" },
	{ "reindex", "repair" },
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

static const struct slv_command *
by_name(const char *name)
{
	for (size_t i = 0; slv_command_at(i) != NULL; i++) {
		if (strcmp(name, slv_command_at(i)->name) == 0)
			return slv_command_at(i);
	}
	return NULL;
}

/* Whether somebody may have meant a command: a word, and no file is called
 * so. */
static bool
is_like_command(const char *text)
{
	struct stat st;

	return text[strspn(text, "abcdefghijklmnopqrstuvwxyz-")] == '\0'
	    && *text != '-' && *text != '\0' && lstat(text, &st) < 0;
}

static int
unknown(const char *name)
{
	struct slv_nearest near = { .wanted = name };

	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		slv_nearest_offer(&near, slv_command_at(i)->name);
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++) {
		if (strcmp(name, elsewhere[i][0]) == 0)
			near.best = elsewhere[i][1];
	}
	if (near.best != NULL)
		slv_term_error("there is no command \"%s\"; did you mean "
		               "\"salvor %s\"?",
		    name, near.best);
	else
		slv_term_error("there is no command \"%s\"; see \"salvor "
		               "--help\"",
		    name);
	return SLV_EXIT_USAGE;
}

static int
version(void)
{
	static const struct slv_guard_job nothing;
	char sandbox[SLV_GUARD_TEXT];

	/* Only who tries knows: a container may forbid it. */
	slv_guard_start(&nothing);
	slv_guard_describe(sandbox);
	printf("salvor %s\nsandbox: %s\nSHA-1: %s\n", slv_version(), sandbox,
	    slv_sha1_name());
	return SLV_EXIT_SOUND;
}

static int
page(FILE *to, char *text, int code)
{
	return slv_term_page(to, text) ? code : SLV_EXIT_TROUBLE;
}

/* salvor FILE..., --help, --version and whatever has no command. */
static int
no_command(const struct slv_maker *maker, char **argv, size_t n)
{
	struct slv_args args = { .job = { .maker = maker } };

	if (!slv_opts_parse(&args, look.bit, "", argv, n))
		return SLV_EXIT_USAGE;
	if (args.version)
		return version();
	if (args.help)
		return page(stdout, slv_help_all(), SLV_EXIT_SOUND);
	if (args.completion != NULL)
		return page(
		    stdout, slv_completion(args.completion), SLV_EXIT_SOUND);
	if (args.n_operands == 0 && args.batch.files0_from == NULL)
		return page(stderr, slv_help_short(), SLV_EXIT_USAGE);
	if (args.n_operands > 0 && by_name(args.operands[0]) != NULL
	    && is_like_command(args.operands[0])) {
		slv_term_error("options stand behind the command: \"salvor %s "
		               "...\"",
		    args.operands[0]);
		return SLV_EXIT_USAGE;
	}
	return look.run(&args);
}

/* A reader of objects gets one, whatever happens; not where a log may have
 * been asked for. */
static int
usage(const struct slv_command *c, const struct slv_args *args)
{
	static const struct slv_err refused = {
		.code = SLV_E_USAGE,
		.text = "the command line makes no sense; standard error "
		        "tells why",
	};

	fprintf(stderr, "Try \"salvor %s --help\".\n", c->name);
	if (args->json && !slv_files_is_standard(args->job.output))
		slv_term_line(stdout, slv_error_json(NULL, &refused));
	return SLV_EXIT_USAGE;
}

/* What the arguments ask for, as far as they could be read. */
static int
obey(const struct slv_command *c, struct slv_args *args, bool good)
{
	if (good && args->help)
		return page(stdout, slv_help_command(c), SLV_EXIT_SOUND);
	if (good && args->version)
		return version();
	if (good && args->n_operands < c->least
	    && args->batch.files0_from == NULL) {
		slv_term_error("%s: which %.*s?", c->name,
		    (int)strcspn(c->operands, "."), c->operands);
		good = false;
	} else if (good && args->n_operands > c->most) {
		slv_term_error("%s: takes one argument, not %zu", c->name,
		    args->n_operands);
		good = false;
	}
	return good ? c->run(args) : usage(c, args);
}

static int
run(const struct slv_command *c, const struct slv_maker *maker, char **argv,
    size_t n)
{
	struct slv_args args = { .job = { .maker = maker } };
	struct slv_buf where = { 0 };
	char *text;
	int code;

	slv_buf_printf(&where, "%s: ", c->name);
	text = slv_buf_take(&where);
	if (text == NULL)
		return SLV_EXIT_TROUBLE;
	code = obey(c, &args, slv_opts_parse(&args, c->bit, text, argv, n));
	free(text);
	slv_rules_free(&args);
	return code;
}

static int
choose(const struct slv_maker *maker, char **argv, size_t n)
{
	const struct slv_command *c;

	if (n == 0)
		return page(stderr, slv_help_short(), SLV_EXIT_USAGE);
	c = by_name(argv[0]);
	if (c != NULL)
		return run(c, maker, argv + 1, n - 1);
	if (is_like_command(argv[0]))
		return unknown(argv[0]);
	return no_command(maker, argv, n);
}

int
main(int argc, char **argv)
{
	size_t n = argc > 0 ? (size_t)argc : 0;
	struct slv_maker maker;
	int code = SLV_EXIT_TROUBLE;

	slv_guard_close(argv, argc > 0 ? (size_t)argc : 0);
	slv_term_open();
	slv_signals_catch();
	if (slv_maker_open(&maker, argv, n))
		code = choose(&maker, argv + 1, n > 0 ? n - 1 : 0);
	else
		slv_term_error("out of memory");
	if (!slv_term_close())
		code |= SLV_EXIT_TROUBLE;
	slv_maker_close(&maker);
	slv_signals_reraise();
	return code;
}
