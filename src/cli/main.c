/* main.c - the program: which command, and how it ends. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/find/ours.h"
#include "cli/batch/batch.h"
#include "cli/cli.h"
#include "cli/files/bags.h"
#include "cli/files/files.h"
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "cli/options/nearest.h"
#include "cli/options/rules.h"
#include "cli/output/maker.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"
#include "commit.h"
#include "guard/guard.h"

/* Names that other tools use for a command. */
static const char *const elsewhere[][2] = {
	{ "check", "verify" },
	{ "doctor", "verify" },
	{ "fix", "repair" },
	{ "recover", "repair" },
	{ "reindex", "repair" },
};

/* Return true if the word may be a mistyped command: no file has this name. */
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
		slv_term_error("unknown command \"%s\"; did you mean "
		               "\"salvor %s\"?",
		    name, near.best);
	else
		slv_term_error("unknown command \"%s\"; see \"salvor "
		               "--help\"",
		    name);
	return SLV_EXIT_USAGE;
}

static int
version(void)
{
	static const struct slv_guard_job nothing;
	char sandbox[SLV_GUARD_TEXT];

	/* Only a try shows it: a container may forbid it. */
	slv_guard_start(&nothing);
	slv_guard_describe(sandbox);
	printf("salvor %s%s%s\nsandbox: %s\nSHA-1: %s\n", slv_version(),
	    SLV_COMMIT[0] != '\0' ? " commit " : "", SLV_COMMIT, sandbox,
	    slv_sha1_name());
	return SLV_EXIT_SOUND;
}

static int
page(FILE *to, char *text, int code)
{
	return slv_term_page(to, text) ? code : SLV_EXIT_TROUBLE;
}

static int
help(const struct slv_command *c, enum slv_help much)
{
	return page(stdout,
	    much == SLV_HELP_ALL ? slv_help_all(c) : slv_help_page(c),
	    SLV_EXIT_SOUND);
}

/* Do a command.  Where logs are named, their reports and undo records may be
 * named with them, as by an asterisk; a batch has a summary for these. */
static int
start(const struct slv_command *c, struct slv_args *args)
{
	const unsigned takes_logs =
	    SLV_CMDS_READ | SLV_CMDS_CHANGE | SLV_CMDS_CHOOSE;
	size_t before = args->n_operands;
	struct slv_err err = { .code = SLV_OK };
	int code;

	if ((c->bit & takes_logs) == 0)
		return slv_bags_run(c, args);
	if (slv_ours_drop(args->operands, &args->n_operands, &err) != SLV_OK)
		return slv_files_refuse(args, c->name, &err);
	args->n_ours = before - args->n_operands;
	code = slv_bags_run(c, args);
	if (args->n_ours > 0 && args->quiet == 0 && !slv_batch_is(args))
		slv_term_error("left out: salvor's own: %zu", args->n_ours);
	return code;
}

/* salvor FILE..., --help, --version and all other calls without a command. */
static int
no_command(const struct slv_maker *maker, char **argv, size_t n)
{
	struct slv_args args = { .job = { .maker = maker } };

	if (!slv_opts_parse(&args, slv_command_look()->bit, "", argv, n))
		return SLV_EXIT_USAGE;
	if (args.version)
		return version();
	if (args.help != SLV_HELP_NONE)
		return help(NULL, args.help);
	if (args.completion != NULL)
		return page(
		    stdout, slv_completion(args.completion), SLV_EXIT_SOUND);
	if (args.n_operands == 0 && args.batch.files0_from == NULL)
		return page(stderr, slv_help_page(NULL), SLV_EXIT_USAGE);
	if (args.n_operands > 0 && slv_command_named(args.operands[0]) != NULL
	    && is_like_command(args.operands[0])) {
		slv_term_error("options follow the command: \"salvor %s "
		               "...\"",
		    args.operands[0]);
		return SLV_EXIT_USAGE;
	}
	return start(slv_command_look(), &args);
}

/* A reader of JSON gets an object, whatever happens; but not if a log may have
 * been requested there. */
static int
usage(const struct slv_command *c, const struct slv_args *args)
{
	static const struct slv_err refused = {
		.code = SLV_E_USAGE,
		.text = "the command line is not valid; see standard error",
	};

	fprintf(stderr, "Try \"salvor %s --help\".\n", c->name);
	if (args->json && !slv_files_is_standard(args->job.output))
		slv_term_line(stdout, slv_error_json(NULL, &refused));
	return SLV_EXIT_USAGE;
}

/* The options of the arguments, as far as they were readable. */
static int
obey(const struct slv_command *c, struct slv_args *args, bool good)
{
	if (good && args->help != SLV_HELP_NONE)
		return help(c, args->help);
	if (good && args->version)
		return version();
	if (good && args->n_operands < c->least
	    && args->batch.files0_from == NULL) {
		slv_term_error("%s: no %.*s given", c->name,
		    (int)strcspn(c->operands, "."), c->operands);
		good = false;
	} else if (good && args->n_operands > c->most) {
		slv_term_error("%s: takes %s, not %zu", c->name,
		    c->most == 1 ? "one argument" : c->operands,
		    args->n_operands);
		good = false;
	}
	return good ? start(c, args) : usage(c, args);
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
	slv_free(text);
	slv_rules_free(&args);
	return code;
}

/* salvor help [COMMAND|all] */
static int
help_about(char **argv, size_t n)
{
	const struct slv_command *c;

	if (n == 0)
		return help(NULL, SLV_HELP_PAGE);
	if (strcmp(argv[0], "all") == 0)
		return help(NULL, SLV_HELP_ALL);
	if (*argv[0] == '-')
		return help(NULL, SLV_HELP_PAGE);
	c = slv_command_named(argv[0]);
	return c != NULL ? help(c, SLV_HELP_PAGE) : unknown(argv[0]);
}

static int
choose(const struct slv_maker *maker, char **argv, size_t n)
{
	const struct slv_command *c;

	if (n == 0)
		return page(stderr, slv_help_page(NULL), SLV_EXIT_USAGE);
	c = slv_command_named(argv[0]);
	if (c != NULL)
		return run(c, maker, argv + 1, n - 1);
	if (strcmp(argv[0], "help") == 0 && is_like_command(argv[0]))
		return help_about(argv + 1, n - 1);
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
