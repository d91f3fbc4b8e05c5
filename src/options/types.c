/* types.c - how the argument of an option is read, and as what it is kept. */
#include "options/types.h"

#include <string.h>

#include "options/parse.h"
#include "options/options.h"
#include "salvor.h"

#define NAME_MOST 255 /* bytes */

static bool
flag(void *at, const char *value)
{
	bool yes = value == NULL || strcmp(value, "yes") == 0;

	if (!yes && strcmp(value, "no") != 0)
		return false;
	*(bool *)at = yes;
	return true;
}

static bool
text(void *at, const char *value)
{
	if (*value == '\0')
		return false;
	*(const char **)at = value;
	return true;
}

static bool
file(void *at, const char *value)
{
	return strcmp(value, "-") != 0 && text(at, value);
}

static bool
name(void *at, const char *value)
{
	size_t n = 0;

	while ((unsigned char)value[n] >= ' ' && value[n] != 0x7f)
		n++;
	return n <= NAME_MOST && value[n] == '\0' && text(at, value);
}

/* As span(), or 0. */
static bool
age(void *at, const char *value)
{
	static const struct slv_word units[] = { { "", 1 }, { "s", 1 },
		{ "m", 60 }, { "h", 3600 }, { "d", 86400 } };
	uint64_t n;
	const char *unit;
	unsigned each;

	if (!slv_parse_number(value, &n, &unit)
	    || !slv_parse_word(unit, strlen(unit), units, 5, &each))
		return false;
	*(uint64_t *)at = n * each;
	return true;
}

static bool
span(void *at, const char *value)
{
	uint64_t seconds;

	if (!age(&seconds, value) || seconds == 0)
		return false;
	*(uint64_t *)at = seconds;
	return true;
}

static bool
bytes(void *at, const char *value)
{
	static const struct slv_word units[] = { { "", 0 }, { "K", 10 },
		{ "M", 20 }, { "G", 30 } };
	uint64_t n;
	const char *unit;
	unsigned shift;

	if (!slv_parse_number(value, &n, &unit) || n == 0
	    || !slv_parse_word(unit, strlen(unit), units, 4, &shift))
		return false;
	*(uint64_t *)at = n << shift;
	return true;
}

static bool
keep(void *at, const char *value)
{
	static const struct slv_word words[] = {
		{ "suspect", SLV_KEEP_SUSPECT },
		{ "samples", SLV_KEEP_SAMPLES },
		{ "unverified", SLV_KEEP_UNVERIFIED },
	};

	return slv_parse_bits(at, value, words, 3);
}

static bool
hash(void *at, const char *value)
{
	return strcmp(value, "sha256") == 0 && flag(at, NULL);
}

static bool
texts(void *at, const char *value)
{
	struct slv_texts *t = at;

	if (t->n == SLV_TEXTS || *value == '\0')
		return false;
	t->at[t->n++] = value;
	return true;
}

/* One of these words, which ends with an empty one. */
static bool
one_of(const char *const *words, void *at, const char *value)
{
	for (; **words != '\0'; words++) {
		if (strcmp(value, *words) == 0)
			return text(at, *words);
	}
	return false;
}

static bool
to(void *at, const char *value)
{
	static const char *const words[] = { "mcap", "ndjson", "csv", "" };

	return one_of(words, at, value);
}

static bool
compression(void *at, const char *value)
{
	static const char *const words[] = { "none", "lz4", "zstd", "" };

	return one_of(words, at, value);
}

static bool
order(void *at, const char *value)
{
	static const char *const words[] = { "file", "time", "preserve",
		"log_time", "" };

	return one_of(words, at, value);
}

static bool
effort(void *at, const char *value)
{
	struct slv_options *o = at;
	uint64_t n;
	const char *unit;

	if (!slv_parse_number(value, &n, &unit) || *unit != '\0'
	    || unit - value > 4)
		return false;
	o->effort = (unsigned)n;
	o->no_effort = n == 0;
	return true;
}

const struct slv_option_type slv_type_flag = { SLV_STORED_FLAG, flag };
const struct slv_option_type slv_type_text = { SLV_STORED_TEXT, text };
const struct slv_option_type slv_type_folder = { SLV_STORED_FOLDER, text };
const struct slv_option_type slv_type_file = { SLV_STORED_TEXT, file };
const struct slv_option_type slv_type_name = { SLV_STORED_TEXT, name };
const struct slv_option_type slv_type_span = { SLV_STORED_NUMBER, span };
const struct slv_option_type slv_type_age = { SLV_STORED_NUMBER, age };
const struct slv_option_type slv_type_bytes = { SLV_STORED_NUMBER, bytes };
const struct slv_option_type slv_type_keep = { SLV_STORED_BITS, keep };
const struct slv_option_type slv_type_hash = { SLV_STORED_FLAG, hash };
const struct slv_option_type slv_type_texts = { .store = texts };
const struct slv_option_type slv_type_to = { SLV_STORED_TEXT, to };
const struct slv_option_type slv_type_compression = { SLV_STORED_TEXT,
	compression };
const struct slv_option_type slv_type_order = { SLV_STORED_TEXT, order };
const struct slv_option_type slv_type_effort = { SLV_STORED_OTHER, effort };
