/* each.c - files that are found, and then done one by one. */
#include "cli/files/each.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cli/batch/batch.h"
#include "cli/files/empty.h"
#include "cli/terminal/term.h"

struct slv_each {
	struct slv_find find;
	size_t no_logs; /* found, and no logs */
	int code;
};

static void
say_unreadable(void *ctx, const struct slv_err *err)
{
	struct slv_each *e = ctx;

	slv_term_error("%s", err->text);
	e->code |= SLV_EXIT_TROUBLE;
}

bool
slv_each_leaves(struct slv_each *e, size_t i, const struct slv_told *told)
{
	bool leaves = e != NULL && slv_told_is_no_log(told, &e->find.at[i]);

	if (leaves)
		e->no_logs++;
	return leaves;
}

bool
slv_each_found(const struct slv_each *e, size_t i)
{
	return e != NULL && !e->find.at[i].named;
}

size_t
slv_each_left(const struct slv_each *e)
{
	return e != NULL ? e->no_logs : 0;
}

int
slv_each_end(const struct slv_each *e, const struct slv_treatment *how,
    struct slv_run_files *r)
{
	return e == NULL || how->none != NULL
	    ? SLV_EXIT_SOUND
	    : slv_empty_check(r, &e->find, e->no_logs);
}

/* Each is a place of its own for the sandbox: what belongs to it, such as an
 * undo record, may be elsewhere. */
static int
do_all(struct slv_args *args, const struct slv_treatment *how)
{
	struct slv_each *e = args->each;
	char **files = slv_calloc(e->find.n + 1, sizeof(*files));
	int code;

	if (files == NULL) {
		slv_term_error("out of memory");
		return SLV_EXIT_TROUBLE;
	}
	for (size_t i = 0; i < e->find.n; i++)
		files[i] = e->find.at[i].path;
	args->operands = files;
	args->n_operands = e->find.n;
	args->batch = (struct slv_batch_args){
		.allow_empty = args->batch.allow_empty,
	};
	code = slv_files_run(args, how);
	slv_free(files);
	return code;
}

/* What was not told of. */
static void
say_rest(const struct slv_args *args, const struct slv_treatment *how)
{
	const struct slv_each *e = args->each;

	if (args->quiet > 0)
		return;
	if (how->none != NULL && e->find.n == 0 && e->code == SLV_EXIT_SOUND)
		slv_term_error("%s", how->none);
	if (e->no_logs > 0)
		slv_term_error("left out: no logs: %zu", e->no_logs);
}

int
slv_each_run(struct slv_args *args, const struct slv_treatment *how)
{
	const struct slv_batch_args *a = &args->batch;
	const struct slv_find_rules rules = {
		.recursive = a->recursive,
		.include = a->include.at,
		.n_include = a->include.n,
		.exclude = a->exclude.at,
		.n_exclude = a->exclude.n,
		.beside = how->beside,
		.leave = &args->report,
		.n_leave = 1,
	};
	struct slv_each e = {
		.find = { .rules = &rules, .on_error = say_unreadable },
	};
	struct slv_err err = { 0 };

	e.find.ctx = &e;
	args->each = &e;
	if (slv_batch_find(args, &e.find, &err) == SLV_OK)
		e.code |= do_all(args, how);
	else
		e.code |= slv_batch_refuse(args, &err);
	if (err.code == SLV_OK)
		say_rest(args, how);
	slv_find_free(&e.find);
	args->each = NULL;
	return e.code;
}
