/* filter.c - which records a reader wants, by the names of its choices. */
#include "job/read/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/search.h"

#define SECOND INT64_C(1000000000) /* ns */
#define DIGITS 9                   /* after the point of seconds */

/* A number with at most nine digits after its point, times 10^9; false: there is
 * none, or it is too large. */
static bool
take_decimal(const char **text, int64_t *out)
{
	const char *p = *text;
	int64_t v = 0, unit = SECOND;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(v, 10, &v)
		    || __builtin_add_overflow(v, *p - '0', &v))
			return false;
	}
	if (__builtin_mul_overflow(v, SECOND, &v))
		return false;
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++) {
			unit /= 10;
			if (__builtin_add_overflow(v, (*p - '0') * unit, &v))
				return false;
		}
	}
	*text = p;
	*out = v;
	return true;
}

/* "+10.5s", "-2min": a time from the first or the last record. */
static bool
parse_relative(const char *text, struct slv_bound *out)
{
	static const struct {
		const char *name;
		int64_t times, by;
	} units[] = {
		{ "", 1, 1 },
		{ "s", 1, 1 },
		{ "ms", 1, 1000 },
		{ "m", 60, 1 },
		{ "min", 60, 1 },
		{ "h", 3600, 1 },
	};
	bool back = *text == '-';
	int64_t ns;

	text++;
	if (!take_decimal(&text, &ns))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		out->base = back ? SLV_TIME_LAST : SLV_TIME_FIRST;
		if (__builtin_mul_overflow(
		        ns / units[i].by, units[i].times, &ns))
			return false;
		out->ns = back ? -ns : ns;
		return true;
	}
	return false;
}

/* "5m": how long it is. */
static bool
parse_span(const char *text, int64_t *ns)
{
	char signed_text[32];
	struct slv_bound span;
	int n = snprintf(signed_text, sizeof(signed_text), "+%s", text);

	if (n < 0 || (size_t)n >= sizeof(signed_text)
	    || !parse_relative(signed_text, &span) || span.ns == 0)
		return false;
	*ns = span.ns;
	return true;
}

/* A number of so many digits, and what follows it. */
static bool
take_digits(const char **text, unsigned n, char next, int *out)
{
	*out = 0;
	for (; n > 0; n--, ++*text) {
		if (**text < '0' || **text > '9')
			return false;
		*out = *out * 10 + (**text - '0');
	}
	if (next == '\0')
		return true;
	return *(*text)++ == next;
}

bool
slv_filter_date(const char *text, int64_t *out)
{
	struct tm tm = { .tm_isdst = 0 }, back;
	int64_t seconds, ns;
	int second;
	time_t at;

	if (!take_digits(&text, 4, '-', &tm.tm_year)
	    || !take_digits(&text, 2, '-', &tm.tm_mon)
	    || !take_digits(&text, 2, 'T', &tm.tm_mday)
	    || !take_digits(&text, 2, ':', &tm.tm_hour)
	    || !take_digits(&text, 2, ':', &tm.tm_min) || text[0] < '0'
	    || text[0] > '5' || !take_decimal(&text, &seconds)
	    || strcmp(text, "Z") != 0)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	second = (int)(seconds / SECOND);
	tm.tm_sec = second;
	back = tm;
	at = timegm(&back);
	if (second > 59 || back.tm_mday != tm.tm_mday
	    || back.tm_hour != tm.tm_hour || back.tm_min != tm.tm_min
	    || __builtin_mul_overflow((int64_t)at, SECOND, &ns)
	    || __builtin_add_overflow(ns, seconds % SECOND, out))
		return false;
	return true;
}

static bool
parse_date(const char *text, struct slv_bound *out)
{
	*out = (struct slv_bound){ SLV_TIME_1970, 0 };
	return slv_filter_date(text, &out->ns);
}

static bool
parse_time(const char *text, struct slv_bound *out)
{
	struct slv_bound t = { SLV_TIME_1970, 0 };
	const char *p = text;

	if (*text == '+' || *text == '-')
		return parse_relative(text, out);
	if (parse_date(text, out))
		return true;
	if (!take_decimal(&p, &t.ns) || *p != '\0')
		return false;
	*out = t;
	return true;
}

/* A pattern of names, which matches all of a name. */
static enum slv_status
add_pattern(struct slv_filter *f, const char *text, int does, bool *valid,
    struct slv_err *err)
{
	struct slv_buf whole = { 0 };
	struct slv_pattern *p;
	char *pattern;
	int bad;

	SLV_TRY(slv_grow(
	    &f->patterns, &f->cap, f->n + 1, sizeof(*f->patterns), err));
	slv_buf_printf(&whole, "^(%s)$", text);
	pattern = slv_buf_take(&whole);
	if (pattern == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	p = &f->patterns[f->n];
	bad = regcomp(&p->regex, pattern, REG_EXTENDED | REG_NOSUB);
	slv_free(pattern);
	if (bad == REG_ESPACE)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	*valid = bad == 0;
	if (!*valid)
		return SLV_OK;
	p->does = does;
	f->n_includes += does == SLV_INCLUDES;
	f->n_types += does == SLV_OF_TYPE;
	f->n++;
	return SLV_OK;
}

/* What the patterns of a choice do; -1: it has none. */
static int
pattern_of(const char *name)
{
	static const struct {
		const char *name;
		int does;
	} all[] = {
		{ "include", SLV_INCLUDES },
		{ "exclude", SLV_EXCLUDES },
		{ "type", SLV_OF_TYPE },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(name, all[i].name) == 0)
			return all[i].does;
	}
	return -1;
}

enum slv_status
slv_filter_set(struct slv_filter *f, const char *name, const char *value,
    struct slv_err *err)
{
	bool valid = false;
	int does = pattern_of(name);

	if (value == NULL)
		return slv_fail(err, SLV_E_USAGE, "\"%s\" needs a value", name);
	if (does >= 0) {
		SLV_TRY(add_pattern(f, value, does, &valid, err));
	} else if (strcmp(name, "start") == 0) {
		valid = parse_time(value, &f->start);
	} else if (strcmp(name, "end") == 0) {
		valid = parse_time(value, &f->end);
	} else if (strcmp(name, "order") == 0) {
		f->by_time = strcmp(value, "time") == 0
		    || strcmp(value, "log_time") == 0;
		valid = f->by_time || strcmp(value, "file") == 0
		    || strcmp(value, "preserve") == 0;
	} else if (strcmp(name, "timespan") == 0) {
		valid = parse_span(value, &f->span);
	} else if (strcmp(name, "latched") == 0) {
		f->latched = strcmp(value, "none") != 0;
		valid = true;
		if (f->latched && strcmp(value, "auto") != 0)
			SLV_TRY(
			    add_pattern(f, value, SLV_LATCHES, &valid, err));
	} else {
		return slv_fail(
		    err, SLV_E_USAGE, "a reader has no choice \"%s\"", name);
	}
	return valid
	    ? SLV_OK
	    : slv_fail(err, SLV_E_USAGE, "\"%s=%s\" is not valid", name, value);
}

enum slv_status
slv_filter_choose(struct slv_filter *f, const struct slv_selection *choice,
    struct slv_err *err)
{
	const struct {
		const char *name, *value;
	} once[] = {
		{ "start", choice->start },
		{ "end", choice->end },
		{ "timespan", choice->timespan },
		{ "order", choice->order },
		{ "latched", choice->latched },
	};
	const struct {
		const char *name;
		const struct slv_texts *texts;
	} often[] = {
		{ "include", &choice->include },
		{ "exclude", &choice->exclude },
		{ "type", &choice->type },
	};

	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++) {
		if (once[i].value != NULL)
			SLV_TRY(slv_filter_set(
			    f, once[i].name, once[i].value, err));
	}
	for (size_t i = 0; i < sizeof(often) / sizeof(*often); i++) {
		for (size_t k = 0; k < often[i].texts->n; k++)
			SLV_TRY(slv_filter_set(
			    f, often[i].name, often[i].texts->at[k], err));
	}
	return SLV_OK;
}

/* A bound in ns since 1970; if the log states no times, there is nothing to count
 * from. */
static int64_t
resolve(struct slv_bound b, const struct slv_channels *c, int64_t none)
{
	int64_t from = b.base == SLV_TIME_FIRST ? slv_moment_ns(c->first)
	    : b.base == SLV_TIME_LAST           ? slv_moment_ns(c->last)
	                                        : 0;
	int64_t at;

	if (b.base == SLV_TIME_NONE || from == SLV_NO_TIME)
		return none;
	if (!__builtin_add_overflow(from, b.ns, &at))
		return at;
	return b.ns < 0 ? INT64_MIN : INT64_MAX;
}

/* Is the channel wanted: no pattern includes any, or one includes this one, and none
 * excludes it; and the same of its type? */
static bool
is_wanted(const struct slv_filter *f, const struct slv_channel_info *c)
{
	bool wanted = f->n_includes == 0, of_type = f->n_types == 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct slv_pattern *p = &f->patterns[i];
		const char *text = p->does == SLV_OF_TYPE ? c->type : c->name;

		if (regexec(&p->regex, text, 0, NULL, 0) != 0)
			continue;
		if (p->does == SLV_EXCLUDES)
			return false;
		wanted |= p->does == SLV_INCLUDES;
		of_type |= p->does == SLV_OF_TYPE;
	}
	return wanted && of_type;
}

bool
slv_filter_latches(const struct slv_filter *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->patterns[i].does == SLV_LATCHES
		    && regexec(&f->patterns[i].regex, name, 0, NULL, 0) == 0)
			return true;
	}
	return false;
}

/* What a span of time begins or ends with, if that is not set. */
static enum slv_status
settle_span(
    struct slv_filter *f, const struct slv_channels *c, struct slv_err *err)
{
	bool start = f->start.base != SLV_TIME_NONE;
	bool end = f->end.base != SLV_TIME_NONE;

	if (f->span == 0)
		return SLV_OK;
	if (start && end)
		return slv_fail(err, SLV_E_USAGE,
		    "\"start\", \"end\" and \"timespan\" exclude each "
		    "other");
	if (start) {
		f->timed = true;
		if (__builtin_add_overflow(f->from, f->span, &f->to))
			f->to = INT64_MAX;
		return SLV_OK;
	}
	if (!end && slv_moment_ns(c->last) != SLV_NO_TIME)
		/* The last record is in it. */
		f->to = slv_moment_ns(c->last) + 1;
	f->timed = true;
	if (__builtin_sub_overflow(f->to, f->span, &f->from))
		f->from = INT64_MIN;
	return SLV_OK;
}

enum slv_status
slv_filter_settle(struct slv_filter *f, const struct slv_channels *channels,
    struct slv_err *err)
{
	f->settled = true;
	f->timed =
	    f->start.base != SLV_TIME_NONE || f->end.base != SLV_TIME_NONE;
	f->from = resolve(f->start, channels, INT64_MIN);
	f->to = resolve(f->end, channels, INT64_MAX);
	SLV_TRY(settle_span(f, channels, err));
	f->wanted = slv_calloc(channels->n + 1, sizeof(*f->wanted));
	if (f->wanted == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < channels->n; i++)
		f->wanted[i] = is_wanted(f, &channels->at[i]);
	return SLV_OK;
}

static bool
is_before(struct slv_record_place a, struct slv_record_place b)
{
	return a.off != b.off ? a.off < b.off : a.inner < b.inner;
}

enum slv_status
slv_filter_also(
    struct slv_filter *f, const struct slv_also *also, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &f->also, &f->cap_also, f->n_also + 1, sizeof(*f->also), err));
	f->also[f->n_also++] = *also;
	return SLV_OK;
}

bool
slv_filter_takes(const struct slv_filter *f, uint32_t channel, int64_t log_ns,
    struct slv_record_place place)
{
	struct slv_search at = { .high = f->n_also };

	if (!f->wanted[channel] || slv_filter_in_time(f, log_ns))
		return f->wanted[channel];
	while (slv_search(&at))
		slv_search_on(&at, is_before(f->also[at.mid].at, place));
	return at.low < f->n_also && !is_before(place, f->also[at.low].at);
}

void
slv_filter_free(struct slv_filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		regfree(&f->patterns[i].regex);
	slv_free(f->patterns);
	slv_free(f->wanted);
	slv_free(f->also);
}
