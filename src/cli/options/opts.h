/* opts.h - the command line as data.
 *
 * What the options are is in options.h, what they were given here.  Long
 * names are never abbreviated: a script must not change its meaning when an
 * option is added.
 */
#ifndef SLV_CLI_OPTS_H
#define SLV_CLI_OPTS_H

#include "base/buf.h"
#include "batch/find/shard.h"
#include "batch/find/subset.h"
#include "options/options.h"

/* Whether text for people is coloured. */
enum slv_colour {
	SLV_COLOUR_AUTO, /* where a terminal reads it */
	SLV_COLOUR_ALWAYS,
	SLV_COLOUR_NEVER,
};

/* How much of it is wanted. */
enum slv_help {
	SLV_HELP_NONE,
	SLV_HELP_PAGE, /* what fits on a screen */
	SLV_HELP_ALL,
};

/* The classes of files that --ok calls a success, as bits. */
enum {
	SLV_OK_REPAIRED = 1 << 0,
	SLV_OK_LOSSY = 1 << 1,
};

/* How many files are found and worked on: cli/batch/batch.h. */
struct slv_batch_args {
	bool recursive;
	const char *files0_from; /* a file of names; NULL: none */
	struct slv_texts include, exclude;
	uint64_t min_age; /* seconds */
	bool allow_empty; /* no log at all is a success */
	unsigned jobs;    /* worker processes; 0: not given */
	uint64_t timeout; /* seconds for a file; 0: any */
	struct slv_shard shard;
	const char *journal;       /* NULL: none */
	const char *baseline;      /* a journal; NULL: none */
	struct slv_texts archives; /* of collect */
	bool retry;
	uint64_t recheck_after; /* seconds; 0: never */
	bool revalidate;
	uint64_t max_duration; /* seconds; 0: any */
	struct slv_subset subset;
};

/* The rules of a policy, in their order: rules.h. */
struct slv_rules_given {
	struct {
		const char *name, *value; /* borrowed; no name: a file */
	} * at;                           /* owned */
	size_t n, cap;
};

struct slv_bags;
struct slv_each;
struct slv_run_files;
struct slv_throttle;

/* What was asked for. */
struct slv_args {
	struct slv_options job;
	struct slv_batch_args batch;
	struct slv_rules_given rules;
	struct slv_policy *policy; /* owned; of the rules, NULL: none */
	const char *report, *sums, *html, *junit,
	    *metrics;            /* files; NULL: none */
	bool set;                /* hold segments against each other */
	unsigned ok;             /* SLV_OK_* */
	const char *read_helper; /* a command; NULL: none */
	uint64_t read_timeout;   /* seconds; 0: not given */
	uint64_t read_rate;      /* bytes a second, of all processes; 0: any */
	bool progress;           /* lines of it where there is no terminal */
	bool json, version, verbose, no_sandbox, require_sandbox;
	enum slv_help help;
	enum slv_colour colour;
	const char *completion; /* the shell, or NULL */
	unsigned quiet;         /* how often */
	char **operands;        /* borrowed from argv */
	size_t n_operands;
	size_t n_ours; /* operands left out: reports of other operands */

	struct slv_each *each;         /* where files were found; NULL: named */
	struct slv_bags *bags;         /* bags of ROS 2; NULL: none */
	struct slv_run_files *records; /* while the files are worked on */
	struct slv_throttle *throttle; /* the same; NULL: any rate will do */
};

/* Read the arguments of a command; argv is reordered so that the operands are
 * together.
 *
 *   where  what messages begin with: "repair: ", or ""
 *
 * false: they make no sense; that has been said on standard error */
bool slv_opts_parse(struct slv_args *, unsigned command, const char *where,
    char **argv, size_t n);

#endif
