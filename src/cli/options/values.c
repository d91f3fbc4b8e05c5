/* values.c - how the value of an option is read. */
#include "cli/options/values.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/options/opts.h"
#include "cli/options/rules.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"

#define NAME_MOST 255 /* bytes */
#define JOBS_MOST 1024
#define DIGITS    "0123456789"

/* A word that stands for a number. */
struct word {
	const char *name;
	unsigned number;
};

/* The number of the word that the first n bytes of text are; false: none. */
static bool
number_of(const char *text, size_t n, const struct word *words, size_t n_words,
    unsigned *out)
{
	for (size_t i = 0; i < n_words; i++) {
		if (strlen(words[i].name) == n
		    && memcmp(words[i].name, text, n) == 0) {
			*out = words[i].number;
			return true;
		}
	}
	return false;
}

/* Set the bits of words with commas between them. */
static bool
set_bits(unsigned *bits, const char *value, const struct word *words, size_t n)
{
	for (;;) {
		size_t len = strcspn(value, ",");
		unsigned bit;

		if (!number_of(value, len, words, n, &bit))
			return false;
		*bits |= bit;
		if (value[len] == '\0')
			return true;
		value += len + 1;
	}
}

/* A number and what stands behind it; false: there is none, or it has more
 * than 10 digits. */
static bool
number(const char *value, uint64_t *out, const char **unit)
{
	size_t n = strspn(value, DIGITS);

	*out = strtoull(value, NULL, 10);
	*unit = value + n;
	return n > 0 && n <= 10;
}

bool
slv_value_flag(void *at, const char *value)
{
	(void)value;
	*(bool *)at = true;
	return true;
}

bool
slv_value_help(void *at, const char *value)
{
	*(enum slv_help *)at = *value == '\0' ? SLV_HELP_PAGE : SLV_HELP_ALL;
	return *value == '\0' || strcmp(value, "all") == 0;
}

bool
slv_value_count(void *at, const char *value)
{
	(void)value;
	++*(unsigned *)at;
	return true;
}

bool
slv_value_text(void *at, const char *value)
{
	*(const char **)at = value;
	return *value != '\0';
}

bool
slv_value_file(void *at, const char *value)
{
	return slv_value_text(at, value) && strcmp(value, "-") != 0;
}

bool
slv_value_name(void *at, const char *value)
{
	size_t n = 0;

	while ((unsigned char)value[n] >= ' ' && value[n] != 0x7f)
		n++;
	return slv_value_text(at, value) && n <= NAME_MOST && value[n] == '\0';
}

bool
slv_value_shell(void *at, const char *value)
{
	return slv_value_text(at, value)
	    && (strcmp(value, "bash") == 0 || strcmp(value, "zsh") == 0
	        || strcmp(value, "fish") == 0);
}

bool
slv_value_words(void *at, const char *value)
{
	struct slv_words *w = at;

	if (w->n == SLV_WORDS)
		return false;
	w->at[w->n++] = value;
	return *value != '\0';
}

bool
slv_value_shard(void *at, const char *value)
{
	return slv_shard_parse(value, at);
}

bool
slv_value_subset(void *at, const char *value)
{
	return slv_subset_parse(value, (uint64_t)time(NULL) / 86400, at);
}

bool
slv_value_jobs(void *at, const char *value)
{
	uint64_t n;
	const char *unit;

	if (!number(value, &n, &unit) || *unit != '\0' || n == 0
	    || n > JOBS_MOST)
		return false;
	*(unsigned *)at = (unsigned)n;
	return true;
}

bool
slv_value_colour(void *at, const char *value)
{
	static const struct word words[] = {
		{ "auto", SLV_COLOUR_AUTO },
		{ "always", SLV_COLOUR_ALWAYS },
		{ "never", SLV_COLOUR_NEVER },
	};
	unsigned one;

	if (!number_of(value, strlen(value), words, 3, &one))
		return false;
	*(enum slv_colour *)at = (enum slv_colour)one;
	return true;
}

bool
slv_value_keep(void *at, const char *value)
{
	static const struct word words[] = {
		{ "suspect", SLV_KEEP_SUSPECT },
		{ "samples", SLV_KEEP_SAMPLES },
		{ "unverified", SLV_KEEP_UNVERIFIED },
	};

	return set_bits(at, value, words, 3);
}

bool
slv_value_ok(void *at, const char *value)
{
	static const struct word words[] = {
		{ "repaired", SLV_OK_REPAIRED },
		{ "lossy", SLV_OK_LOSSY },
	};

	return set_bits(at, value, words, 2);
}

bool
slv_value_span(void *at, const char *value)
{
	static const struct word units[] = { { "", 1 }, { "s", 1 }, { "m", 60 },
		{ "h", 3600 }, { "d", 86400 } };
	uint64_t *seconds = at;
	const char *unit;
	unsigned each;

	if (!number(value, seconds, &unit)
	    || !number_of(unit, strlen(unit), units, 5, &each))
		return false;
	*seconds *= each;
	return *seconds > 0;
}

bool
slv_value_bytes(void *at, const char *value)
{
	static const struct word units[] = { { "", 0 }, { "K", 10 },
		{ "M", 20 }, { "G", 30 } };
	uint64_t *bytes = at;
	const char *unit;
	unsigned shift;

	if (!number(value, bytes, &unit)
	    || !number_of(unit, strlen(unit), units, 4, &shift))
		return false;
	*bytes <<= shift;
	return *bytes > 0;
}

bool
slv_value_hash(void *at, const char *value)
{
	*(bool *)at = true;
	return strcmp(value, "sha256") == 0;
}

bool
slv_value_effort(void *at, const char *value)
{
	struct slv_options *o = at;
	uint64_t n;
	const char *unit;

	if (!number(value, &n, &unit) || *unit != '\0' || unit - value > 4)
		return false;
	o->effort = (unsigned)n;
	o->no_effort = n == 0;
	return true;
}

bool
slv_value_max_gap(void *at, const char *value)
{
	return slv_rules_add(at, "max-gap", value);
}

bool
slv_value_max_lost(void *at, const char *value)
{
	return slv_rules_add(at, "max-lost", value);
}

bool
slv_value_min_rate(void *at, const char *value)
{
	return slv_rules_add(at, "min-rate", value);
}

bool
slv_value_require(void *at, const char *value)
{
	return slv_rules_add(at, "require", value);
}

bool
slv_value_policy(void *at, const char *value)
{
	return slv_rules_add(at, NULL, value);
}
