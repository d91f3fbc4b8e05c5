/* cmd_collect.c - salvor collect: many journals, one report.
 *
 * To say what the journals know is what a batch does of files that were done
 * before, so it is done by the same functions; only that here nothing is left
 * to do, and that what should have been done is told of.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/journal/collect.h"
#include "cli/batch/batch_state.h"
#include "cli/batch/unread.h"
#include "cli/files/empty.h"
#include "cli/files/same.h"
#include "cli/output/offline.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"
#include "salvor_many.h"

#define LISTED 10 /* files that people see of each kind */

struct collection {
	struct slv_batch batch;
	const char *const *journals; /* borrowed */
	size_t n_journals;
	struct slv_lines *merged;          /* owned; NULL: none */
	struct slv_buf missing, conflicts; /* owned; lines for people */
	uint64_t n_missing, n_conflicts, n_unread;
};

static bool
is_limited(const struct slv_args *a)
{
	return a->batch.archives.n > 0 || a->batch.files0_from != NULL;
}

/* Whether the journal to be written is one of those to be read: somebody may
 * be writing to that one. */
static bool
is_operand(const struct slv_args *a)
{
	for (size_t i = 0; i < a->n_operands; i++) {
		if (slv_same_file(a->operands[i], a->job.output))
			return true;
	}
	return false;
}

static enum slv_status
find_archive(struct collection *c, struct slv_err *err)
{
	const struct slv_args *a = c->batch.args;

	for (size_t i = 0; i < a->batch.archives.n; i++)
		SLV_TRY(
		    slv_find_add(&c->batch.find, a->batch.archives.at[i], err));
	return a->batch.files0_from == NULL
	    ? SLV_OK
	    : slv_find_list(
	        &c->batch.find, a->batch.files0_from, &slv_signal, err);
}

/* If no files are named: those of the journals. */
static enum slv_status
find_entries(struct collection *c, struct slv_err *err)
{
	const struct slv_entry *e;

	for (size_t i = 0; (e = slv_journal_at(c->batch.journal, i)) != NULL;
	     i++)
		SLV_TRY(slv_find_put(
		    &c->batch.find, e->path, e->named, e->input.size, err));
	return SLV_OK;
}

/* What the journals know of each file; NULL: nothing, or not of these bytes. */
static enum slv_status
match(struct collection *c, struct slv_err *err)
{
	struct slv_batch *b = &c->batch;

	b->known = slv_calloc(b->find.n + 1, sizeof(*b->known));
	if (b->known == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->find.n; i++) {
		const struct slv_entry *e =
		    slv_journal_find(b->journal, b->find.at[i].path);

		if (e != NULL && e->told
		    && (!is_limited(b->args) || slv_entry_is_current(e)))
			b->known[i] = e;
	}
	return SLV_OK;
}

static enum slv_status
prepare(struct collection *c, struct slv_err *err)
{
	const struct slv_args *a = c->batch.args;

	if (a->n_operands == 0)
		return slv_fail(err, SLV_E_USAGE, "collect: no JOURNAL given");
	if (is_operand(a))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is one of the journals to collect; name another "
		    "file",
		    a->job.output);
	if (a->set && !is_limited(a))
		return slv_fail(err, SLV_E_USAGE,
		    "--set needs all segments; name them by -r DIR or "
		    "--files0-from");
	SLV_TRY(find_archive(c, err));
	SLV_TRY(slv_offline_confine(a, err));
	SLV_TRY(slv_journal_gather(
	    c->journals, c->n_journals, &slv_signal, &c->batch.journal, err));
	if (!is_limited(a))
		SLV_TRY(find_entries(c, err));
	return match(c, err);
}

static void
list(struct slv_buf *lines, uint64_t nth, const char *path, const char *more)
{
	char *name = nth < LISTED ? slv_escape(path) : NULL;

	if (name != NULL)
		slv_buf_printf(lines, "  %s%s\n", name, more);
	slv_free(name);
}

/* A file of which there is nothing to tell. */
static void
miss(struct collection *c, const struct slv_found *f)
{
	struct slv_run_files *r = &c->batch.records;
	bool changed = slv_journal_find(c->batch.journal, f->path) != NULL;

	list(&c->missing, c->n_missing++, f->path,
	    changed ? ": changed since" : "");
	if (slv_records_wanted(r))
		slv_records_put(r, slv_collect_missing(f->path, changed));
}

static void
tell_files(struct collection *c)
{
	struct slv_batch *b = &c->batch;

	while (b->next < b->find.n && slv_signal == 0) {
		if (b->known[b->next] == NULL)
			miss(c, &b->find.at[b->next++]);
		else if (!slv_batch_catch_up(b, b->next + 1))
			b->code |= SLV_EXIT_TROUBLE;
	}
}

static void
tell_conflict(struct collection *c, const struct slv_entry *counts,
    const struct slv_entry *other)
{
	struct slv_run_files *r = &c->batch.records;
	struct slv_buf how = { 0 };
	char *more;

	slv_buf_printf(&how, ": %s in %s, %s in %s",
	    slv_state_name(counts->state), c->journals[counts->file],
	    slv_state_name(other->state), c->journals[other->file]);
	more = slv_buf_take(&how);
	if (more != NULL)
		list(&c->conflicts, c->n_conflicts, counts->path, more);
	slv_free(more);
	c->n_conflicts++;
	if (slv_records_wanted(r))
		slv_records_put(
		    r, slv_collect_conflict(counts, other, c->journals));
}

static void
tell_conflicts(struct collection *c)
{
	const struct slv_journal *j = c->batch.journal;
	const struct slv_entry *other;

	for (size_t i = 0;
	     slv_signal == 0 && (other = slv_journal_older(j, i)) != NULL;
	     i++) {
		const struct slv_entry *counts =
		    slv_journal_find(j, other->path);

		if (slv_collect_differ(j, counts, other))
			tell_conflict(c, counts, other);
	}
}

static void
tell_unread(struct collection *c)
{
	struct slv_run_files *r = &c->batch.records;
	const struct slv_journal *j = c->batch.journal;
	const struct slv_unread *u;

	c->n_unread = slv_unread_say(j, c->journals, true);
	for (size_t i = 0; (u = slv_journal_unread(j, i)) != NULL; i++) {
		if (u->why != SLV_UNREAD_TORN && slv_records_wanted(r))
			slv_records_put(r, slv_collect_unread(u, c->journals));
	}
}

/* The merged journal: the line of each file in the report. */
static enum slv_status
write_journal(struct collection *c, struct slv_err *err)
{
	const struct slv_batch *b = &c->batch;
	struct slv_lines *out = c->merged;
	enum slv_status st = SLV_OK;

	c->merged = NULL;
	if (out == NULL)
		return SLV_OK;
	if (slv_signal != 0) {
		slv_lines_discard(out);
		return SLV_OK;
	}
	for (size_t i = 0; i < b->find.n && st == SLV_OK; i++) {
		char *line;

		if (b->known[i] == NULL)
			continue;
		line = slv_journal_text(b->journal, b->known[i]);
		st = line != NULL
		    ? slv_lines_add(out, line, err)
		    : slv_fail(err, SLV_E_IO, "%s: a line cannot be read",
		        c->journals[b->known[i]->file]);
		slv_free(line);
	}
	if (st == SLV_OK)
		return slv_lines_commit(out, err);
	slv_lines_discard(out);
	return st;
}

static void
put_list(
    struct slv_buf *out, const char *what, uint64_t n, struct slv_buf *lines)
{
	if (n > 0)
		slv_buf_printf(out, "%s %llu:\n", what, (unsigned long long)n);
	slv_buf_add(out, lines->at, lines->len);
	out->failed |= lines->failed;
	if (n > LISTED)
		slv_buf_printf(out, "  and %llu more (--json)\n",
		    (unsigned long long)n - LISTED);
	slv_buf_free(lines);
}

/* What there is besides the summary of a batch. */
static bool
say_trouble(struct collection *c)
{
	struct slv_buf out = { 0 };

	put_list(&out, "nobody did", c->n_missing, &c->missing);
	if (c->n_missing > 0 && c->n_missing == c->batch.find.n
	    && slv_journal_at(c->batch.journal, 0) != NULL)
		slv_buf_text(
		    &out, "  is the folder named as it was in the runs?\n");
	if (c->n_missing > 0 && c->batch.args->set)
		slv_buf_text(&out,
		    "  so nothing is said of sets (--set), which need all\n");
	put_list(&out, "done twice, with differing results:", c->n_conflicts,
	    &c->conflicts);
	if (c->n_unread > 0)
		slv_buf_printf(&out, "lines that could not be used: %llu\n",
		    (unsigned long long)c->n_unread);
	return slv_term_page(
	    slv_files_people(c->batch.args), slv_buf_take(&out));
}

/* Before anything is reported, check that all outputs can be written. */
static bool
open_all(struct collection *c)
{
	struct slv_batch *b = &c->batch;
	const char *path = b->args->job.output;
	struct slv_err err = { 0 };

	if (path != NULL
	    && slv_lines_open(
	           path, SLV_LINES_JOURNAL, &slv_signal, &c->merged, &err)
	        != SLV_OK) {
		b->code |= slv_batch_refuse(b->args, &err);
		return false;
	}
	b->code |= (int)slv_records_open(&b->records, b->args);
	if (b->args->records == NULL && c->merged != NULL)
		slv_lines_discard(c->merged);
	return b->args->records != NULL;
}

static int
report(struct collection *c)
{
	struct slv_batch *b = &c->batch;
	struct slv_err err = { 0 };

	if (!open_all(c))
		return b->code;
	tell_files(c);
	tell_conflicts(c);
	tell_unread(c);
	if (write_journal(c, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		b->code |= SLV_EXIT_TROUBLE;
	}
	/* Of some alone it would seem that others are missing. */
	if (c->n_missing == 0 && slv_signal == 0)
		b->code |= slv_records_sets(&b->records);
	if (c->n_missing > 0 || c->n_conflicts > 0 || c->n_unread > 0)
		b->code |= SLV_EXIT_TROUBLE;
	if (slv_signal == 0 && is_limited(b->args))
		b->code |= slv_empty_check(&b->records, &b->find, b->no_logs);
	if (!slv_batch_summary(b) || !say_trouble(c))
		b->code |= SLV_EXIT_TROUBLE;
	if (!slv_records_close(&b->records, b->find.n - b->no_logs))
		b->code |= SLV_EXIT_TROUBLE;
	return b->code;
}

/* What is no part of the archive: what was read and what is written. */
static const char **
leavings(const struct slv_args *a, size_t *n)
{
	const char **all = slv_calloc(a->n_operands + 3, sizeof(*all));

	if (all == NULL)
		return NULL;
	for (*n = 0; *n < a->n_operands; ++*n)
		all[*n] = a->operands[*n];
	all[(*n)++] = a->job.output;
	all[(*n)++] = a->report;
	all[(*n)++] = a->html;
	return all;
}

int
slv_cmd_collect(struct slv_args *args)
{
	const struct slv_batch_args *a = &args->batch;
	struct slv_find_rules rules = {
		.recursive = true,
		.include = a->include.at,
		.n_include = a->include.n,
		.exclude = a->exclude.at,
		.n_exclude = a->exclude.n,
		.min_age = a->min_age,
	};
	struct collection c = {
		.batch = {
			.args = args,
			.find = { .rules = &rules, .on_error = slv_batch_say_unreadable },
		},
		.journals = (const char *const *)args->operands,
		.n_journals = args->n_operands,
	};
	struct slv_err err = { 0 };
	const char **leave = leavings(args, &rules.n_leave);
	int code;

	c.batch.find.ctx = &c.batch;
	rules.leave = leave;
	if (leave == NULL)
		slv_fail(&err, SLV_E_NOMEM, "out of memory");
	code = err.code == SLV_OK && prepare(&c, &err) == SLV_OK
	    ? report(&c)
	    : slv_batch_refuse(args, &err);
	slv_journal_close(c.batch.journal);
	slv_find_free(&c.batch.find);
	slv_free(c.batch.known);
	slv_free((void *)leave);
	return code;
}
