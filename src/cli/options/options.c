/* options.c - the options that only a program can have, one a row. */
#include "cli/options/options.h"

#include <string.h>

#include "cli/options/values.h"
#include "options/types.h"

#define REPORTS    (SLV_CMDS_READ | SLV_CMD_UNDO | SLV_CMDS_CHOOSE)
#define TELLERS    (REPORTS | SLV_CMD_EXPLAIN)
#define OFFLINE    (SLV_CMD_REPORT | SLV_CMD_COLLECT)
#define EVERY      (TELLERS | OFFLINE | SLV_CMD_APPLY)
#define COMMANDS   (EVERY & ~(unsigned)SLV_CMD_LOOK)

#define BATCHES    (SLV_CMDS_AUDIT | SLV_CMD_REPAIR | SLV_CMD_INFO)
#define EACH       (SLV_CMD_LIST | SLV_CMD_UNDO)
#define FINDERS    (BATCHES | EACH | SLV_CMD_COLLECT)
#define AT(member) offsetof(struct slv_args, member)

/* A row is a few short lines. */
/* clang-format off */
static const struct slv_option rows[] = {
	{ .name = "ok", .argument = "repaired,lossy",
	    .group = SLV_GROUP_OUTPUT,
	    .commands = SLV_CMDS_WRITE | SLV_CMDS_CHOOSE,
	    .type = &slv_type_ok, .at = AT(ok),
	    .help = "exit with 0 for files of these classes" },

	{ .name = "read-helper", .argument = "COMMAND",
	    .group = SLV_GROUP_SALVAGE,
	    .commands = BATCHES,
	    .type = &slv_type_text, .at = AT(read_helper),
	    .help = "let a command of yours read FILE, in ranges" },
	{ .name = "policy", .argument = "FILE",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .common = SLV_CMD_VERIFY,
	    .type = &slv_type_policy, .at = AT(rules),
	    .help = "take rules such as max-gap=2s from FILE" },
	{ .name = "set",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY | SLV_CMD_COLLECT,
	    .common = SLV_CMD_VERIFY | SLV_CMD_COLLECT,
	    .type = &slv_type_flag, .at = AT(set),
	    .help = "compare the segments of a recording with each other" },
	{ .name = "max-gap", .argument = "[CHANNEL=]2s|none",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_max_gap, .at = AT(rules),
	    .help = "rule: a channel is never silent for longer" },
	{ .name = "min-rate", .argument = "CHANNEL=10|none",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_min_rate, .at = AT(rules),
	    .help = "rule: a channel has so many messages a second" },
	{ .name = "require", .argument = "CHANNEL",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_require, .at = AT(rules),
	    .help = "rule: a channel of that name has a message" },
	{ .name = "max-lost", .argument = "0.1%|BYTES",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_max_lost, .at = AT(rules),
	    .help = "rule: no more of the log is lost" },
	{ .name = "baseline", .argument = "FILE",
	    .group = SLV_GROUP_RULES,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_file, .at = AT(batch.baseline),
	    .help = "compare files with the digests in an earlier journal" },

	{ .name = "recursive", .letter = 'r', .argument = "DIR",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS,
	    .common = FINDERS,
	    .type = &slv_type_recursive, .at = AT(batch),
	    .help = "take all logs below directories",
	    .bare = FINDERS & ~(unsigned)SLV_CMD_COLLECT },
	{ .name = "jobs", .letter = 'j', .argument = "N",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .common = SLV_CMD_VERIFY | SLV_CMD_INFO,
	    .type = &slv_type_jobs, .at = AT(batch.jobs),
	    .help = "work with N processes" },
	{ .name = "journal", .argument = "FILE",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .common = SLV_CMD_REPAIR | SLV_CMD_VERIFY,
	    .type = &slv_type_file, .at = AT(batch.journal),
	    .help = "note what is done in FILE, and go on from there" },
	{ .name = "retry",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_flag, .at = AT(batch.retry),
	    .help = "with --journal: do again what failed" },
	{ .name = "recheck-after", .argument = "30d",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_span, .at = AT(batch.recheck_after),
	    .help = "with --journal: do again what was done longer ago" },
	{ .name = "revalidate",
	    .group = SLV_GROUP_BATCH,
	    .commands = SLV_CMD_REPAIR,
	    .type = &slv_type_flag, .at = AT(batch.revalidate),
	    .help = "with --journal: read the outputs of what is done" },
	{ .name = "files0-from", .argument = "FILE",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS,
	    .type = &slv_type_text, .at = AT(batch.files0_from),
	    .help = "take the files that FILE names, each ended by a NUL" },
	{ .name = "include", .argument = "GLOB",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS,
	    .type = &slv_type_texts, .at = AT(batch.include),
	    .help = "with -r: take only files of such a name" },
	{ .name = "exclude", .argument = "GLOB",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS,
	    .type = &slv_type_texts, .at = AT(batch.exclude),
	    .help = "with -r: leave out files and directories so named" },
	{ .name = "min-age", .argument = "SECONDS|5m",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS & ~(unsigned)EACH,
	    .type = &slv_type_age, .at = AT(batch.min_age),
	    .help = "with -r: leave out files that were changed since" },
	{ .name = "allow-empty",
	    .group = SLV_GROUP_BATCH,
	    .commands = FINDERS & ~(unsigned)SLV_CMD_UNDO,
	    .type = &slv_type_flag, .at = AT(batch.allow_empty),
	    .help = "exit with 0 where no log is found" },
	{ .name = "timeout", .argument = "SECONDS|5m",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_span, .at = AT(batch.timeout),
	    .help = "give up a file that takes longer" },
	{ .name = "max-duration", .argument = "SECONDS|2h",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_span, .at = AT(batch.max_duration),
	    .help = "begin no file after that time" },
	{ .name = "shard", .argument = "I/N|auto",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_shard, .at = AT(batch.shard),
	    .help = "take part I of N of the files, for many machines" },
	{ .name = "subset", .argument = "5%|I/N",
	    .group = SLV_GROUP_BATCH,
	    .commands = BATCHES,
	    .type = &slv_type_subset, .at = AT(batch.subset),
	    .help = "take a part of the files, another one each day" },

	{ .name = "verbose", .letter = 'v',
	    .group = SLV_GROUP_REPORTS,
	    .commands = SLV_CMDS_WRITE | SLV_CMDS_AUDIT | SLV_CMDS_CHOOSE,
	    .common = SLV_CMD_MERGE | SLV_CMD_VERIFY,
	    .type = &slv_type_flag, .at = AT(verbose),
	    .help = "explain each kind of finding, and list all of them" },
	{ .name = "quiet", .letter = 'q',
	    .group = SLV_GROUP_REPORTS,
	    .commands = SLV_CMDS_CHANGE | SLV_CMD_MERGE
	        | SLV_CMDS_AUDIT | SLV_CMD_LIST | SLV_CMDS_CHOOSE
	        | SLV_CMD_APPLY,
	    .common = SLV_CMD_UNDO | SLV_CMD_MERGE
	        | SLV_CMD_VERIFY | SLV_CMD_LIST,
	    .type = &slv_type_count, .at = AT(quiet),
	    .help = "say nothing about sound files; twice: about any" },
	{ .name = "json",
	    .group = SLV_GROUP_REPORTS,
	    .commands = TELLERS | SLV_CMD_COLLECT,
	    .common = TELLERS | SLV_CMD_COLLECT,
	    .type = &slv_type_flag, .at = AT(json),
	    .help = "print JSON objects, one a line" },
	{ .name = "html", .argument = "FILE",
	    .group = SLV_GROUP_REPORTS,
	    .commands = SLV_CMDS_HASH | SLV_CMD_COLLECT,
	    .common = SLV_CMD_MERGE | SLV_CMD_VERIFY
	        | SLV_CMD_INFO | SLV_CMD_COLLECT,
	    .type = &slv_type_file, .at = AT(html),
	    .help = "write a page that shows all of it in a browser" },
	{ .name = "report", .argument = "FILE",
	    .group = SLV_GROUP_REPORTS,
	    .commands = REPORTS | SLV_CMD_COLLECT,
	    .type = &slv_type_file, .at = AT(report),
	    .help = "write the objects of --json to FILE" },
	{ .name = "junit", .argument = "FILE",
	    .group = SLV_GROUP_REPORTS,
	    .commands = SLV_CMD_VERIFY,
	    .type = &slv_type_file, .at = AT(junit),
	    .help = "write the audit to FILE as JUnit's XML" },
	{ .name = "metrics", .argument = "FILE",
	    .group = SLV_GROUP_REPORTS,
	    .commands = BATCHES,
	    .type = &slv_type_file, .at = AT(metrics),
	    .help = "write counts and bytes lost to FILE, for Prometheus" },
	{ .name = "sums", .argument = "FILE",
	    .group = SLV_GROUP_REPORTS,
	    .commands = SLV_CMDS_HASH,
	    .type = &slv_type_file, .at = AT(sums),
	    .help = "write the SHA-256 of all files, for \"sha256sum -c\"" },
	{ .name = "progress",
	    .group = SLV_GROUP_REPORTS,
	    .commands = REPORTS & ~(unsigned)SLV_CMD_LIST,
	    .type = &slv_type_flag, .at = AT(progress),
	    .help = "show how far it is, also where there is no terminal" },
	{ .name = "color", .argument = "auto|always|never",
	    .group = SLV_GROUP_REPORTS,
	    .commands = REPORTS,
	    .type = &slv_type_colour, .at = AT(colour),
	    .help = "whether verdicts are coloured" },

	{ .name = "read-timeout", .argument = "SECONDS|1m",
	    .group = SLV_GROUP_LIMITS,
	    .commands = BATCHES,
	    .type = &slv_type_span, .at = AT(read_timeout),
	    .help = "give up a --read-helper that is silent for longer" },
	{ .name = "max-read-rate", .argument = "BYTES|50M",
	    .group = SLV_GROUP_LIMITS,
	    .commands = BATCHES,
	    .type = &slv_type_bytes, .at = AT(read_rate),
	    .help = "read no more bytes a second, all processes together" },

	{ .name = "help", .letter = 'h', .argument = "all",
	    .group = SLV_GROUP_PROGRAM,
	    .commands = COMMANDS | SLV_CMD_NONE,
	    .type = &slv_type_help, .at = AT(help),
	    .help = "show what most people need; all: every option",
	    .may_lack = true },
	{ .name = "version", .letter = 'V',
	    .group = SLV_GROUP_PROGRAM,
	    .commands = COMMANDS | SLV_CMD_NONE,
	    .type = &slv_type_flag, .at = AT(version),
	    .help = "show the version, and the sandbox and SHA-1 used here" },
	{ .name = "completion", .argument = "bash|zsh|fish",
	    .group = SLV_GROUP_PROGRAM,
	    .commands = SLV_CMD_NONE,
	    .type = &slv_type_shell, .at = AT(completion),
	    .help = "print the completion for a shell" },
	{ .name = "no-sandbox",
	    .group = SLV_GROUP_PROGRAM,
	    .commands = OFFLINE | REPORTS | SLV_CMD_APPLY,
	    .type = &slv_type_flag, .at = AT(no_sandbox),
	    .help = "read the files with all rights of this process" },
	{ .name = "require-sandbox",
	    .group = SLV_GROUP_PROGRAM,
	    .commands = OFFLINE | REPORTS | SLV_CMD_APPLY,
	    .type = &slv_type_flag, .at = AT(require_sandbox),
	    .help = "read nothing without the whole sandbox: exit code 16" },
};
/* clang-format on */

const struct slv_option *
slv_option_at(size_t i)
{
	const size_t n = sizeof(rows) / sizeof(*rows);

	if (i < n)
		return &rows[i];
	return i - n < slv_n_job_options ? &slv_job_options[i - n] : NULL;
}

const struct slv_option *
slv_option_next(size_t *i, unsigned commands)
{
	const struct slv_option *o;

	while ((o = slv_option_at((*i)++)) != NULL) {
		if ((o->commands & commands) != 0)
			return o;
	}
	return NULL;
}

const struct slv_option *
slv_option_named(const char *name, size_t len, unsigned command)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_next(&i, command)) != NULL;) {
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	}
	return NULL;
}

const struct slv_option *
slv_option_lettered(char letter, unsigned command)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_next(&i, command)) != NULL;) {
		if (o->letter == letter)
			return o;
	}
	return NULL;
}

const char *
slv_option_argument(const struct slv_option *o, unsigned commands)
{
	return (o->bare & commands) != 0 ? NULL : o->argument;
}

const char *
slv_option_must(const struct slv_option *o, unsigned commands)
{
	return o->may_lack ? NULL : slv_option_argument(o, commands);
}

void *
slv_option_home(const struct slv_option *o, struct slv_args *args)
{
	bool is_job = slv_job_option(o->name) == o;
	uint8_t *in = is_job ? (void *)&args->job : (void *)args;

	return in + o->at;
}
