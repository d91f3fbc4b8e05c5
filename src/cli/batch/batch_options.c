/* batch_options.c - what a run asks of each job, as the lines of its journal
 * tell it.
 *
 * Every option that changes what becomes of a log, or what is told of it, is
 * there, as its row says (slv_option.decides): a file that was done without it is
 * not done.  tests/checks/batch/check_options.py knows all options, too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/batch/batch_state.h"
#include "options/option.h"
#include "options/types.h"
#include "options/options.h"

static void
put_flag(struct slv_buf *out, const char *name, bool given)
{
	if (given)
		slv_buf_printf(out, "%s\n", name);
}

static void
put_number(struct slv_buf *out, const char *name, uint64_t n)
{
	if (n > 0)
		slv_buf_printf(out, "%s=%" PRIu64 "\n", name, n);
}

static void
put_text(struct slv_buf *out, const char *name, const char *text)
{
	char *safe = text != NULL ? slv_escape(text) : NULL;

	if (safe != NULL)
		slv_buf_printf(out, "%s=%s\n", name, safe);
	else
		out->failed |= text != NULL;
	slv_free(safe);
}

/* A folder, with or without slashes after its name. */
static void
put_folder(struct slv_buf *out, const char *name, const char *path)
{
	char *folder = path != NULL ? slv_strdup(path) : NULL;
	size_t n = folder != NULL ? strlen(folder) : 0;

	while (n > 1 && folder[n - 1] == '/')
		folder[--n] = '\0';
	put_text(out, name, folder);
	out->failed |= path != NULL && folder == NULL;
	slv_free(folder);
}

/* The name that the line has, by which the lines are in order. */
static const char *
name_of(const struct slv_option *o, const struct slv_options *job)
{
	return o->type == &slv_type_effort && job->no_effort ? "no-effort"
	                                                     : o->name;
}

/* The option with the next name after this one; NULL: none. */
static const struct slv_option *
next(const char *after, const struct slv_options *job)
{
	const struct slv_option *best = NULL;

	for (size_t i = 0; i < slv_n_job_options; i++) {
		const struct slv_option *o = &slv_job_options[i];

		if (o->decides && strcmp(name_of(o, job), after) > 0
		    && (best == NULL
		        || strcmp(name_of(o, job), name_of(best, job)) < 0))
			best = o;
	}
	return best;
}

static void
put_option(struct slv_buf *out, const char *name, const struct slv_option *o,
    const struct slv_options *job)
{
	const void *at = (const uint8_t *)job + o->at;

	switch (o->type->stored) {
	case SLV_STORED_FLAG: put_flag(out, name, *(const bool *)at); break;
	case SLV_STORED_BITS:
		put_number(out, name, *(const unsigned *)at);
		break;
	case SLV_STORED_NUMBER:
		put_number(out, name, *(const uint64_t *)at);
		break;
	case SLV_STORED_TEXT:
		put_text(out, name, *(const char *const *)at);
		break;
	case SLV_STORED_FOLDER:
		put_folder(out, name, *(const char *const *)at);
		break;
	case SLV_STORED_OTHER: /* the effort */
		put_number(out, name, job->effort);
		put_flag(out, name, job->no_effort);
		break;
	}
}

char *
slv_batch_options(const struct slv_args *args)
{
	const struct slv_options *job = &args->job;
	const struct slv_option *o;
	struct slv_buf out = { 0 };

	for (const char *name = ""; (o = next(name, job)) != NULL;) {
		name = name_of(o, job);
		put_option(&out, name, o, job);
	}
	/* What only adds to a report is last, after a +. */
	put_flag(&out, "+sha256", job->sha256 || args->sums != NULL);
	put_flag(&out, "+timeline", job->timeline);
	return slv_buf_take(&out);
}
