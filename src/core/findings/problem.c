/* problem.c - findings are data: a row of a table plus numbers. */
#include "core/findings/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/count.h"

const struct slv_problem_info slv_core_problems[SLV_CORE_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "core/findings/problems.def"
#undef SLV_PROBLEM
};

const struct slv_problem_info slv_policy_problems[SLV_POLICY_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "core/findings/policy.def"
#undef SLV_PROBLEM
};

const struct slv_problem_info slv_baseline_problems[SLV_BASELINE_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "core/findings/baseline.def"
#undef SLV_PROBLEM
};

const struct slv_problem_info slv_set_problems[SLV_SET_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "core/findings/set.def"
#undef SLV_PROBLEM
};

const struct slv_problem_info slv_ros2_problems[SLV_ROS2_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "core/findings/ros2.def"
#undef SLV_PROBLEM
};

static struct slv_problem_count *
counter(const struct slv_problems *p, const struct slv_problem_info *info)
{
	for (size_t i = 0; i < p->n_counts; i++) {
		if (p->counts[i].info == info)
			return &p->counts[i];
	}
	return NULL;
}

static enum slv_status
count_one(struct slv_problems *p, const struct slv_problem_info *info,
    struct slv_err *err)
{
	struct slv_problem_count *count = counter(p, info);

	if (count == NULL) {
		SLV_TRY(slv_grow(&p->counts, &p->cap_counts, p->n_counts + 1,
		    sizeof(*p->counts), err));
		count = &p->counts[p->n_counts++];
		*count = (struct slv_problem_count){ .info = info };
	}
	count->n++;
	return SLV_OK;
}

enum slv_status
slv_problems_add(
    struct slv_problems *p, const struct slv_problem *add, struct slv_err *err)
{
	SLV_TRY(count_one(p, add->info, err));
	if (p->n >= p->max)
		return SLV_OK;
	SLV_TRY(slv_grow(&p->at, &p->cap, p->n + 1, sizeof(*p->at), err));
	p->at[p->n++] = *add;
	return SLV_OK;
}

enum slv_status
slv_problems_recast(struct slv_problems *p, const struct slv_problem_info *from,
    const struct slv_problem_info *to, const struct slv_range *range,
    struct slv_err *err)
{
	for (size_t i = 0; i < p->n; i++) {
		struct slv_problem *x = &p->at[i];

		if (x->info != from || x->off < range->off
		    || x->off >= range->end)
			continue;
		x->info = to;
		counter(p, from)->n--;
		SLV_TRY(count_one(p, to, err));
	}
	return SLV_OK;
}

uint64_t
slv_problems_count(
    const struct slv_problems *p, const struct slv_problem_info *info)
{
	const struct slv_problem_count *count = counter(p, info);

	return count != NULL ? count->n : 0;
}

uint64_t
slv_problems_damage(const struct slv_problems *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->n_counts; i++) {
		if (p->counts[i].info->remedy != SLV_LEAVE)
			n += p->counts[i].n;
	}
	return n;
}

uint64_t
slv_problems_left(const struct slv_problems *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->n_counts; i++) {
		const struct slv_problem_info *row = p->counts[i].info;

		if (row->severity == SLV_ERROR && row->remedy == SLV_LEAVE)
			n += p->counts[i].n;
	}
	return n;
}

uint64_t
slv_problems_total(const struct slv_problems *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->n_counts; i++)
		n += p->counts[i].n;
	return n;
}

void
slv_problem_quote(char *out, const void *bytes, size_t n)
{
	static const char more[] = "...";
	const uint8_t *p = bytes;
	size_t at = 0, room = SLV_SAYS_MAX - sizeof(more);

	for (; at < n && at < room; at++)
		out[at] = p[at] >= ' ' && p[at] < 0x7f ? (char)p[at] : '?';
	memcpy(out + at, at < n ? more : "", at < n ? sizeof(more) : 1);
}

static bool
is(const char *name, size_t len, const char *what)
{
	return strlen(what) == len && memcmp(what, name, len) == 0;
}

/* The number for a placeholder of len bytes; NULL: none. */
static const uint64_t *
value_of(const struct slv_problem *p, const char *name, size_t len)
{
	static const char *const names[] = { "{len}", "{want}", "{got}" };
	const uint64_t *const values[] = { &p->len, &p->want, &p->got };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (is(name, len, names[i]))
			return values[i];
	}
	return NULL;
}

/* The text for a placeholder; other text is copied. */
static const char *
words_of(const struct slv_problem *p, const char *name, size_t *len)
{
	static const char *const names[] = { "{name}", "{here}", "{there}",
		"{why}" };
	const char *const words[] = { p->name, p->here, p->there,
		p->why != NULL ? p->why : "" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (is(name, *len, names[i])) {
			*len = strlen(words[i]);
			return words[i];
		}
	}
	return name;
}

/* How many bytes of a space and a noun follow here, without the plural s; 0:
 * none. */
static size_t
one_of(const char *text)
{
	static const char *const nouns[] = { " bytes", " channels", " chunks",
		" events", " frames", " messages", " records", " seconds" };

	for (size_t i = 0; i < sizeof(nouns) / sizeof(*nouns); i++) {
		size_t n = strlen(nouns[i]);

		if (strncmp(text, nouns[i], n) == 0)
			return n - 1;
	}
	return 0;
}

/* Write the text for the next *take bytes, and for any more that become part of
 * it; returns its length. */
static int
expand(const struct slv_problem *p, const char *from, size_t *take, char *out,
    size_t size)
{
	const uint64_t *value = value_of(p, from, *take);
	size_t len = *take, one;
	const char *words;

	if (value == NULL) {
		words = words_of(p, from, &len);
		return snprintf(out, size, "%.*s", (int)len, words);
	}
	one = *value == 1 ? one_of(from + *take) : 0;
	from += *take;
	*take += one > 0 ? one + 1 : 0;
	return snprintf(
	    out, size, "%s%.*s", slv_count(*value).text, (int)one, from);
}

void
slv_problem_text(const struct slv_problem *p, char *text, size_t size)
{
	const char *from = p->info->text;
	size_t at = 0;

	while (*from != '\0' && at + 1 < size) {
		size_t take = strcspn(from, "{");
		const char *close = strchr(from, '}');
		int put;

		if (take == 0)
			take = close != NULL ? (size_t)(close - from) + 1 : 1;
		put = expand(p, from, &take, text + at, size - at);
		if (put > 0)
			at += (size_t)put;
		from += take;
	}
	text[at < size ? at : size - 1] = '\0';
}

void
slv_problems_free(struct slv_problems *p)
{
	slv_free(p->at);
	slv_free(p->counts);
	*p = (struct slv_problems){ 0 };
}
