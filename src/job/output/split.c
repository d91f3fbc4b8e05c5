/* split.c - whole logs of another recording, inside the input or after it. */
#include "job/output/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "core/scan/resync.h"
#include "io/write/temp.h"
#include "job/output/outname.h"
#include "job/output/target.h"
#include "job/readings/within.h"

#define LOOKS 16 /* places where a log may begin that a quick test examines */

/* The first log that begins in [from, to); *at = to: there is none. */
static enum slv_status
next_log(struct slv_scan *s, uint64_t from, uint64_t to, uint64_t *at,
    struct slv_unit *u, struct slv_err *err)
{
	SLV_TRY(slv_next_mark(s, from, to, at, err));
	while (*at < to) {
		SLV_TRY(s->format->unit(s, *at, SLV_ASK_STRANGER, u, err));
		if (u->verdict == SLV_UNIT_GOOD && u->whole_log)
			return SLV_OK;
		SLV_TRY(slv_next_mark(s, *at + 1, to, at, err));
	}
	return SLV_OK;
}

static enum slv_status
add(struct slv_report *r, const struct slv_split *split, size_t *cap,
    struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &r->splits, cap, r->n_splits + 1, sizeof(*r->splits), err));
	r->splits[r->n_splits++] = *split;
	return SLV_OK;
}

/* Those with the format of the log, in what was read as the log. */
static enum slv_status
find_in(struct slv_report *r, struct slv_audit *a, uint64_t from, uint64_t to,
    size_t *cap, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	struct slv_unit u = { 0 };
	uint64_t at;

	SLV_TRY(next_log(s, from, to, &at, &u, err));
	while (at < to) {
		struct slv_split split = {
			.off = slv_view_at(&a->view, at),
			.from = at,
		};

		SLV_TRY(
		    next_log(s, slv_min64(to, at + u.len), to, &at, &u, err));
		split.len = at - split.from;
		SLV_TRY(add(r, &split, cap, err));
	}
	return SLV_OK;
}

/* Those that the view leaves out, whatever their format. */
static enum slv_status
add_others(struct slv_report *r, const struct slv_audit *a, size_t *cap,
    struct slv_err *err)
{
	for (size_t i = 0; i < a->view.n_why; i++) {
		const struct slv_problem *why = &a->view.why[i];
		const struct slv_format *f = slv_within_format(a, why);
		struct slv_split split = {
			.off = why->off,
			.aside = true,
			.from = why->off,
			.len = why->len,
		};

		if (f == NULL)
			continue;
		if (f != a->scan.format)
			split.suffix = f->suffix;
		SLV_TRY(add(r, &split, cap, err));
	}
	return SLV_OK;
}

static int
compare(const void *x, const void *y)
{
	const struct slv_split *a = x, *b = y;

	return (a->off > b->off) - (a->off < b->off);
}

enum slv_status
slv_split_find(struct slv_report *r, struct slv_audit *a, struct slv_err *err)
{
	const struct slv_catalog *c = &a->scan.catalog;
	size_t cap = 0;

	SLV_TRY(add_others(r, a, &cap, err));
	for (size_t i = 0, j; i < c->n; i = j) {
		for (j = i + 1; j < c->n && c->at[j].fate == c->at[i].fate; j++)
			continue;
		if (c->at[i].fate != SLV_FOREIGN)
			continue;
		SLV_TRY(find_in(r, a, c->at[i].off,
		    c->at[j - 1].off + c->at[j - 1].len, &cap, err));
	}
	slv_sort(r->splits, r->n_splits, sizeof(*r->splits), compare);
	return SLV_OK;
}

enum slv_status
slv_split_likely(struct slv_audit *a, bool *likely, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	const struct slv_catalog *c = &s->catalog;
	size_t looks = 0;

	*likely = slv_view_foreign(&a->view) > 0;
	for (size_t i = 0; i < c->n && !*likely && looks < LOOKS; i++) {
		struct slv_unit u = { 0 };

		if (c->at[i].fate != SLV_FOREIGN
		    || (i > 0 && c->at[i - 1].fate == SLV_FOREIGN))
			continue;
		looks++;
		SLV_TRY(s->format->unit(
		    s, c->at[i].off, SLV_ASK_STRANGER, &u, err));
		*likely = u.verdict == SLV_UNIT_GOOD && u.whole_log;
	}
	return SLV_OK;
}

char *
slv_split_name(
    const char *file, const char *output, uint64_t off, const char *suffix)
{
	const char *called = strcmp(file, "-") == 0 ? output : file;
	char *dir = slv_temp_directory(output), *name = NULL, *path = NULL;
	char infix[40];

	snprintf(infix, sizeof(infix), ".foreign-%" PRIu64, off);
	name = slv_outname_with(slv_target_base(called), infix, suffix);
	if (dir != NULL && name != NULL)
		path = strcmp(dir, ".") == 0 && strchr(output, '/') == NULL
		    ? slv_strdup(name)
		    : slv_target_in(dir, name);
	slv_free(dir);
	slv_free(name);
	return path;
}
