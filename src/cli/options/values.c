/* values.c - how the arguments of options that only a program has are read. */
#include "cli/options/values.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/options/opts.h"
#include "cli/options/rules.h"
#include "options/parse.h"

#define JOBS_MOST 1024

static bool
help(void *at, const char *value)
{
	bool page = value == NULL || *value == '\0';

	*(enum slv_help *)at = page ? SLV_HELP_PAGE : SLV_HELP_ALL;
	return page || strcmp(value, "all") == 0;
}

static bool
count(void *at, const char *value)
{
	(void)value;
	++*(unsigned *)at;
	return true;
}

static bool
shell(void *at, const char *value)
{
	*(const char **)at = value;
	return strcmp(value, "bash") == 0 || strcmp(value, "zsh") == 0
	    || strcmp(value, "fish") == 0;
}

/* Of collect, which finds no logs, it is a folder. */
static bool
recursive(void *at, const char *value)
{
	struct slv_batch_args *batch = at;

	if (value != NULL)
		return slv_type_texts.store(&batch->archives, value);
	batch->recursive = true;
	return true;
}

static bool
shard(void *at, const char *value)
{
	return slv_shard_parse(value, at);
}

static bool
subset(void *at, const char *value)
{
	return slv_subset_parse(value, (uint64_t)time(NULL) / 86400, at);
}

static bool
jobs(void *at, const char *value)
{
	uint64_t n;
	const char *unit;

	if (!slv_parse_number(value, &n, &unit) || *unit != '\0' || n == 0
	    || n > JOBS_MOST)
		return false;
	*(unsigned *)at = (unsigned)n;
	return true;
}

static bool
colour(void *at, const char *value)
{
	static const struct slv_word names[] = {
		{ "auto", SLV_COLOUR_AUTO },
		{ "always", SLV_COLOUR_ALWAYS },
		{ "never", SLV_COLOUR_NEVER },
	};
	unsigned one;

	if (!slv_parse_word(value, strlen(value), names, 3, &one))
		return false;
	*(enum slv_colour *)at = (enum slv_colour)one;
	return true;
}

static bool
ok(void *at, const char *value)
{
	static const struct slv_word names[] = {
		{ "repaired", SLV_OK_REPAIRED },
		{ "lossy", SLV_OK_LOSSY },
	};

	return slv_parse_bits(at, value, names, 2);
}

static bool
max_gap(void *at, const char *value)
{
	return slv_rules_add(at, "max-gap", value);
}

static bool
max_lost(void *at, const char *value)
{
	return slv_rules_add(at, "max-lost", value);
}

static bool
min_rate(void *at, const char *value)
{
	return slv_rules_add(at, "min-rate", value);
}

static bool
require(void *at, const char *value)
{
	return slv_rules_add(at, "require", value);
}

static bool
policy(void *at, const char *value)
{
	return *value != '\0' && slv_rules_add(at, NULL, value);
}

const struct slv_option_type slv_type_help = { .store = help };
const struct slv_option_type slv_type_count = { .store = count };
const struct slv_option_type slv_type_shell = { .store = shell };
const struct slv_option_type slv_type_recursive = { .store = recursive };
const struct slv_option_type slv_type_shard = { .store = shard };
const struct slv_option_type slv_type_subset = { .store = subset };
const struct slv_option_type slv_type_jobs = { .store = jobs };
const struct slv_option_type slv_type_colour = { .store = colour };
const struct slv_option_type slv_type_ok = { .store = ok };
const struct slv_option_type slv_type_max_gap = { .store = max_gap };
const struct slv_option_type slv_type_max_lost = { .store = max_lost };
const struct slv_option_type slv_type_min_rate = { .store = min_rate };
const struct slv_option_type slv_type_require = { .store = require };
const struct slv_option_type slv_type_policy = { .store = policy };
