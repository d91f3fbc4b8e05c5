/* batch_confine.c - the sandboxes of a batch.
 *
 * A worker has what its jobs need.  The main process has the same, because it
 * cannot give rights that it does not have, and what it needs to start workers,
 * write the reports and read the baseline and the rules.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text/packed_name.h"
#include "cli/batch/batch_state.h"
#include "cli/options/rules.h"
#include "cli/output/confine.h"

/* Add the places of the logs to the job, and confine.  Files of a list may be
 * anywhere, so each is a place of its own. */
static enum slv_status
confine(
    const struct slv_batch *b, struct slv_guard_job *job, struct slv_err *err)
{
	const struct slv_args *a = b->args;
	struct slv_options opt = a->job;
	char **files;
	enum slv_status st;

	opt.make_dirs = true;
	job->opt = &opt;
	job->repairs = b->how->repairs;
	job->carries = &b->carries;
	if (a->batch.recursive && a->batch.files0_from == NULL) {
		job->trees = a->operands;
		job->n_trees = a->n_operands;
		for (size_t i = 0; i < b->find.n; i++)
			job->unpacks |= slv_packed_is(b->find.at[i].path);
		return slv_confine(a, job, err);
	}
	files = slv_calloc(b->find.n + 1, sizeof(*files));
	if (files == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (; job->n_files < b->find.n; job->n_files++)
		files[job->n_files] = b->find.at[job->n_files].path;
	job->files = files;
	st = slv_confine(a, job, err);
	slv_free(files);
	return st;
}

enum slv_status
slv_batch_confine(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_args *a = b->args;
	struct slv_guard_job job = {
		.report = a->report,
		.sums = a->sums,
		.html = a->html,
		.junit = a->junit,
		.metrics = a->metrics,
		.starts = true,
		.others =
		    slv_calloc(slv_rules_files(a, NULL) + 1, sizeof(char *)),
	};
	char **others = (char **)(uintptr_t)job.others;
	enum slv_status st;

	if (others == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	b->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	job.n_others = slv_rules_files(a, others);
	if (a->batch.baseline != NULL)
		others[job.n_others++] = (char *)(uintptr_t)a->batch.baseline;
	for (size_t i = 0; i < b->find.n && b->how->repairs && !a->job.dry_run;
	     i++)
		slv_carries_add(&b->carries, b->find.at[i].path);
	st = confine(b, &job, err);
	slv_free(others);
	return st;
}

/* The descriptors that a worker has inherited and needs: the socket, the
 * baseline, whose digests are read file by file, and logs that are named by
 * descriptor. */
static enum slv_status
leave(const struct slv_batch *b, int line, struct slv_err *err)
{
	const struct slv_args *a = b->args;
	struct slv_kept_open keep = { .n_fds = 0 };
	const int *read;
	size_t n = slv_journal_fds(b->baseline, &read);
	char **words = slv_calloc(a->n_operands + 1, sizeof(*words));
	int *fds = slv_calloc(n + 1, sizeof(*fds));
	bool good = words != NULL && fds != NULL;

	for (; good && keep.n_words < a->n_operands; keep.n_words++)
		words[keep.n_words] = a->operands[keep.n_words];
	if (good && a->job.donor != NULL)
		words[keep.n_words++] = (char *)(uintptr_t)a->job.donor;
	for (; good && keep.n_fds < n; keep.n_fds++)
		fds[keep.n_fds] = read[keep.n_fds];
	if (good)
		fds[keep.n_fds++] = line;
	keep.words = words;
	keep.fds = fds;
	if (good && !slv_guard_leave(b->null, &keep))
		slv_fail_errno(err, "descriptors of a worker process");
	slv_free(words);
	slv_free(fds);
	if (err->code != SLV_OK)
		return err->code;
	return good ? SLV_OK : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

enum slv_status
slv_batch_confine_worker(struct slv_batch *b, int line, struct slv_err *err)
{
	struct slv_guard_job job = { 0 };

	if (!b->args->no_sandbox)
		SLV_TRY(leave(b, line, err));
	return confine(b, &job, err);
}
