/* output.c - publish a plan: under its name complete, or not at all. */
#include "job/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"

/* Reread the temporary from the disk before it gets its name. */
static enum slv_status
reread(const struct slv_plan *plan, struct slv_sink *sink,
    const struct slv_output *o, struct slv_err *err)
{
	struct slv_source *written = NULL;
	bool same = false;
	enum slv_status st;

	if (!o->verify_written || sink->ops->reread == NULL)
		return SLV_OK;
	st = sink->ops->reread(sink, &written, err);
	if (st == SLV_OK)
		st = slv_plan_compare(plan, written, o->cancel, &same, err);
	if (st == SLV_OK && !same)
		st = slv_fail(err, SLV_E_IO,
		    "%s: what was written does not read back; nothing was "
		    "published; check the disk",
		    o->path);
	slv_source_close(written);
	return st;
}

static enum slv_status
write_out(const struct slv_plan *plan, struct slv_sink *sink,
    const struct slv_output *o, struct slv_err *err)
{
	enum slv_status st = slv_plan_run(plan, sink, o->cancel, err);

	if (st == SLV_OK)
		st = reread(plan, sink, o, err);
	if (st == SLV_OK && o->sidecar != NULL)
		st = slv_sidecar_publish(o->sidecar, err);
	if (st != SLV_OK) {
		sink->ops->discard(sink);
		return st;
	}
	SLV_TRY(sink->ops->commit(sink, err));
	if (o->sidecar != NULL)
		slv_sidecar_settle(o->sidecar);
	return SLV_OK;
}

/* The very bytes are there; the report beside them may not be. */
static enum slv_status
complete_sidecar(const struct slv_output *o, struct slv_err *err)
{
	if (o->sidecar == NULL || o->dry_run
	    || slv_sidecar_is_there(o->sidecar))
		return SLV_OK;
	return slv_sidecar_publish(o->sidecar, err);
}

/* Something is there under the output's name. */
static enum slv_status
meet_existing(const struct slv_plan *plan, const struct slv_output *o,
    const struct stat *st, bool *same, struct slv_err *err)
{
	struct slv_source *there = NULL;
	enum slv_status status;
	struct stat again;

	*same = false;
	if (st->st_dev == o->input->st_dev && st->st_ino == o->input->st_ino)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is the input itself; name another output", o->path);
	if (S_ISDIR(st->st_mode))
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is a directory; name a file in it", o->path);
	if (!S_ISREG(st->st_mode))
		return SLV_OK;
	if ((uint64_t)st->st_size == plan->size) {
		SLV_TRY(slv_source_file(o->path, &there, &again, err));
		status = slv_plan_compare(plan, there, o->cancel, same, err);
		slv_source_close(there);
		SLV_TRY(status);
	}
	if (*same || o->force)
		return SLV_OK;
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: exists and holds something else; -f replaces it, -o writes "
	    "elsewhere",
	    o->path);
}

bool
slv_output_is_ours(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0
	    && (slv_sys.stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

static enum slv_status
open_sink(const struct slv_output *o, bool exists, const struct stat *there,
    struct slv_sink **out, struct slv_err *err)
{
	struct slv_target target = {
		.path = o->path,
		.replace = o->force,
		.like = o->input,
	};

	if (strcmp(o->path, "-") == 0)
		return slv_sink_fd(STDOUT_FILENO, "standard output", out, err);
	if (exists && !S_ISREG(there->st_mode))
		return slv_sink_device(o->path, out, err);
	return slv_sink_atomic(&target, out, err);
}

enum slv_status
slv_output_publish(const struct slv_plan *plan, const struct slv_output *o,
    enum slv_outcome *outcome, struct slv_err *err)
{
	bool to_stdout = strcmp(o->path, "-") == 0, exists = false;
	bool same = false;
	struct slv_sink *sink;
	struct stat there;

	if (!to_stdout) {
		exists = slv_sys.stat(o->path, &there) == 0;
		if (!exists && errno != ENOENT)
			return slv_fail_errno(
			    err, "%s: cannot look at it", o->path);
	}
	if (exists)
		SLV_TRY(meet_existing(plan, o, &there, &same, err));
	if (o->sidecar != NULL)
		SLV_TRY(slv_sidecar_check(o->sidecar, err));
	if (same) {
		*outcome = SLV_OUT_ALREADY;
		return complete_sidecar(o, err);
	}
	if (o->dry_run) {
		*outcome = SLV_OUT_PLANNED;
		return SLV_OK;
	}
	SLV_TRY(open_sink(o, exists, &there, &sink, err));
	SLV_TRY(write_out(plan, sink, o, err));
	*outcome = SLV_OUT_WRITTEN;
	return SLV_OK;
}
