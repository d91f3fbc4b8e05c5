/* apply.c - slv_apply(): carry out a plan on the file that it was made of.
 *
 * The input is read twice: nothing is written before its digest is known to be
 * that of the plan.  The output gets its name only if its own digest is, too.
 */
#include <stdlib.h>
#include <string.h>

#include "io/read/slurp.h"
#include "io/sys.h"
#include "job/input/active.h"
#include "job/input/digests.h"
#include "job/input/input.h"
#include "job/output/output.h"
#include "job/output/stream.h"
#include "job/plan/plan_file.h"

struct applying {
	const char *plan, *file; /* borrowed: their names */
	const struct slv_options *opt;
	struct slv_plan_file from;
	struct slv_source *input; /* owned */
	struct stat st;           /* of the input when it was opened */
	struct slv_site at;       /* owned; directory of the output */
	struct slv_err *err;
};

static enum slv_status
read_plan(struct applying *a)
{
	const struct slv_slurp how = {
		.what = "a plan of salvor",
		.most = SLV_PLAN_LIMIT,
		.cancel = a->opt->cancel,
	};
	struct slv_buf buf = { 0 };
	size_t n;
	char *text;
	enum slv_status st = slv_slurp_path(a->plan, &how, &buf, a->err);

	n = buf.len;
	text = slv_buf_take(&buf);
	if (st == SLV_OK && text == NULL)
		st = slv_fail(a->err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = slv_plan_file_read(&a->from, a->plan, text, n, a->err);
	slv_free(text);
	return st;
}

static enum slv_status
open_input(struct applying *a)
{
	SLV_TRY(slv_options_no_supply(a->opt, a->err));
	if (strcmp(a->file, "-") == 0)
		return slv_fail(a->err, SLV_E_USAGE,
		    "standard input cannot be read twice; name a file");
	SLV_TRY(slv_input_no_folder(a->file, "name the log itself", a->err));
	SLV_TRY(slv_source_file(a->file, &a->input, &a->st, a->err));
	SLV_TRY(slv_active_writer(a->input, a->err));
	a->from.plan.input = a->input;
	return SLV_OK;
}

/* Is it the file that the plan was made of? */
static enum slv_status
check_input(struct applying *a)
{
	const struct slv_plan_end *want = &a->from.input;
	uint8_t got[SLV_SHA256_SIZE];

	if (a->input->size != want->size)
		return slv_fail(a->err, SLV_E_REFUSED,
		    "%s: has %llu bytes, but %s is of a file of %llu bytes; "
		    "nothing was written",
		    a->file, (unsigned long long)a->input->size, a->plan,
		    (unsigned long long)want->size);
	SLV_TRY(slv_digest_of(
	    a->input, SLV_SHA256, NULL, a->opt->cancel, got, a->err));
	if (a->input->unreadable.n > 0)
		return slv_fail(a->err, SLV_E_IO,
		    "%s: sectors of it cannot be read; nothing was written",
		    a->file);
	if (memcmp(got, want->sha256, sizeof(got)) != 0)
		return slv_fail(a->err, SLV_E_REFUSED,
		    "%s: is not the file that %s was made of: its SHA-256 "
		    "differs; nothing was written",
		    a->file, a->plan);
	return SLV_OK;
}

/* If the output is not what the plan promised, the file may have changed since
 * its digest was computed; otherwise the plan itself is wrong. */
static void
blame(struct applying *a)
{
	struct slv_err why = { 0 };
	struct stat now;

	if (a->err->code != SLV_E_BUG)
		return;
	if (slv_sys.fstat(slv_source_fd(a->input), &now) == 0
	    && slv_active_touch(a->file, &a->st, &now, &why) != SLV_OK) {
		*a->err = why;
		return;
	}
	*a->err = (struct slv_err){ 0 };
	slv_fail(a->err, SLV_E_REFUSED,
	    "%s: gives an output with another SHA-256 than it states; nothing "
	    "was written",
	    a->plan);
}

/* The report that the plan carries. */
static struct slv_sidecar
sidecar_of(const struct applying *a, const char *path)
{
	return (struct slv_sidecar){
		.path = path,
		.log_at = &a->at,
		.line = a->from.report,
		.like = &a->st,
		.original = a->input,
		.claim = a->from.claim,
	};
}

static enum slv_status
publish(struct applying *a, struct slv_applied *done)
{
	const struct slv_options *opt = a->opt;
	struct slv_output o = {
		.path = opt->output,
		.stream = &opt->stream,
		.input = &a->st,
		.original = a->input,
		.dry_run = opt->dry_run,
		.force = opt->force,
		.verify_written = opt->verify_written,
		.at = a->at.path != NULL ? &a->at : NULL,
		.other = "name another output",
		.cancel = opt->cancel,
	};
	enum slv_outcome outcome = SLV_OUT_NONE;
	struct slv_sidecar sidecar;
	char *beside = NULL;

	if (a->from.report != NULL && !opt->no_sidecar
	    && slv_output_is_ours(opt->output)) {
		beside = slv_sidecar_name(opt->output);
		if (beside == NULL)
			return slv_fail(a->err, SLV_E_NOMEM, "out of memory");
		sidecar = sidecar_of(a, beside);
		o.sidecar = &sidecar;
	}
	if (slv_output_publish(&a->from.plan, &o, &outcome, a->err) != SLV_OK)
		blame(a);
	if (o.sidecar != NULL)
		slv_sidecar_free(o.sidecar);
	slv_free(beside);
	done->size = a->from.output.size;
	memcpy(done->sha256, a->from.output.sha256, sizeof(done->sha256));
	done->already = outcome == SLV_OUT_ALREADY;
	done->report = o.sidecar != NULL;
	return a->err->code;
}

static enum slv_status
apply(struct applying *a, struct slv_applied *done)
{
	SLV_TRY(read_plan(a));
	SLV_TRY(open_input(a));
	if (strcmp(a->opt->output, "-") == 0)
		SLV_TRY(slv_stream_check(&a->opt->stream, &a->st, a->err));
	else
		SLV_TRY(slv_site_open(&a->at, a->opt->output, a->err));
	SLV_TRY(check_input(a));
	return publish(a, done);
}

enum slv_status
slv_apply(const char *plan, const char *file, const struct slv_options *opt,
    struct slv_applied *done, struct slv_err *err)
{
	struct slv_applied all = { .size_of = sizeof(all) };
	struct applying a = {
		.plan = plan,
		.file = file,
		.opt = slv_options_of(opt),
		.err = err,
	};
	size_t known =
	    done->size_of < sizeof(all) ? done->size_of : sizeof(all);

	if (a.opt->output == NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "a plan needs the name of an output");
	(void)apply(&a, &all);
	if (err->code == SLV_E_NOMEM && a.opt->limits.max_memory > 0)
		err->code = SLV_E_LIMIT;
	all.size_of = done->size_of;
	memcpy(done, &all, known);
	slv_site_close(&a.at);
	slv_source_close(a.input);
	slv_plan_file_free(&a.from);
	return err->code;
}
