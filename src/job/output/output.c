/* output.c - publish a plan: complete under its name, or not at all. */
#include "job/output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/temp.h"
#include "job/input/active.h"
#include "job/output/stream.h"

#define ATTEMPTS 4 /* tries, each of which finds another name taken */

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

/* A clone is not read while it is made, so it may be of a log that was changed
 * after the scan. */
static enum slv_status
check_original(const struct slv_output *o, struct slv_err *err)
{
	struct stat now;

	if (o->original == NULL)
		return SLV_OK;
	if (slv_sys.fstat(slv_source_fd(o->original), &now) < 0)
		return slv_fail_errno(
		    err, "%s: cannot look at it again", o->original->name);
	return slv_active_change(o->original->name, o->input, &now, err);
}

static enum slv_status
fill(const struct slv_plan *plan, struct slv_sink *sink,
    const struct slv_output *o, const char *dir, struct slv_err *err)
{
	bool clonable = slv_plan_is_identity(plan) && sink->ops->clone != NULL;

	if (clonable && o->from == NULL && sink->ops->clone(sink, plan->input))
		return check_original(o, err);
	SLV_TRY(slv_space_check(&o->space, o->path, dir, o->other, err));
	return slv_plan_run(plan, sink, o->from, o->cancel, err);
}

static enum slv_status
write_out(const struct slv_plan *plan, struct slv_sink *sink,
    const struct slv_output *o, const char *dir, struct slv_err *err)
{
	enum slv_status st = fill(plan, sink, o, dir, err);

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

/* The same bytes exist already; their report may not. */
static enum slv_status
complete_sidecar(const struct slv_output *o, struct slv_err *err)
{
	if (o->sidecar == NULL || o->dry_run
	    || slv_sidecar_is_there(o->sidecar))
		return SLV_OK;
	return slv_sidecar_publish(o->sidecar, err);
}

/* What another user has put there is not the output, whatever it holds now: that user
 * can change it at any time. */
static enum slv_status
check_owner(const struct slv_output *o, const struct stat *there, bool *same,
    struct slv_err *err)
{
	struct slv_site site;
	bool planted;

	SLV_TRY(slv_site_open(&site, o->path, err));
	planted = slv_site_is_planted(site.dir, there);
	slv_site_close(&site);
	if (!planted)
		return SLV_OK;
	*same = false;
	if (o->force)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: belongs to another user, in a directory where everybody can "
	    "make files; name another output",
	    o->path);
}

/* Something exists under the output's name. */
static enum slv_status
meet_existing(const struct slv_plan *plan, const struct slv_output *o,
    const struct stat *st, bool *same, struct slv_err *err)
{
	struct slv_source *there = NULL;
	enum slv_status status;
	struct stat again;

	*same = false;
	if (st->st_dev == o->input->st_dev && st->st_ino == o->input->st_ino)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is the input itself; name another output", o->path);
	if (S_ISDIR(st->st_mode))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is a directory; name a file in it", o->path);
	if (!S_ISREG(st->st_mode))
		return SLV_OK;
	if ((uint64_t)st->st_size == plan->size) {
		SLV_TRY(slv_source_file(o->path, &there, &again, err));
		status = slv_plan_compare(plan, there, o->cancel, same, err);
		slv_source_close(there);
		SLV_TRY(status);
	}
	if (*same)
		SLV_TRY(check_owner(o, &again, same, err));
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
	bool file = o->original != NULL && S_ISREG(o->input->st_mode);
	struct slv_target target = {
		.path = o->path,
		.replace = o->force,
		.make_dirs = o->make_dirs,
		.at = o->at,
		.like = file ? o->input : NULL,
		.original = file ? o->original : NULL,
	};

	if (strcmp(o->path, "-") == 0)
		return slv_stream_open(o->stream, out, err);
	if (exists && !S_ISREG(there->st_mode))
		return slv_sink_device(o->path, o->cancel, out, err);
	return slv_sink_atomic(&target, out, err);
}

/* Find out how much space there is for the output. */
static enum slv_status
look_for_space(struct slv_output *o, const char *dir, bool exists,
    const struct stat *there, struct slv_err *err)
{
	struct slv_source *device = NULL;
	struct stat again;

	if (exists && S_ISBLK(there->st_mode)) {
		SLV_TRY(slv_source_file(o->path, &device, &again, err));
		o->space.known = true;
		o->space.free = device->size;
		slv_source_close(device);
	} else if (strcmp(o->path, "-") != 0
	    && (!exists || S_ISREG(there->st_mode))) {
		slv_space_look(dir, &o->space);
	}
	return SLV_OK;
}

enum slv_status
slv_output_open(const struct slv_output *o, uint64_t size,
    struct slv_sink **out, struct slv_err *err)
{
	struct slv_space space = { .need = size, .make_dirs = o->make_dirs };
	char *dir = slv_temp_directory(o->path);
	struct stat there;
	bool room;

	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_space_look(dir, &space);
	room = !space.known || space.need <= space.free;
	slv_free(dir);
	if (!room || strcmp(o->path, "-") == 0
	    || slv_sys.stat(o->path, &there) == 0 || errno != ENOENT)
		return slv_fail(
		    err, SLV_E_REFUSED, "%s: not before it is known", o->path);
	return open_sink(o, false, NULL, out, err);
}

/* The sink, and what is in it. */
static enum slv_status
take_sink(struct slv_output *o, bool exists, const struct stat *there,
    struct slv_sink **out, struct slv_err *err)
{
	if (o->early != NULL && !exists) {
		*out = o->early;
		o->early = NULL;
		return SLV_OK;
	}
	o->from = NULL;
	return open_sink(o, exists, there, out, err);
}

/* there  status of the existing output, if there is one
 *   dir    directory of the output */
static enum slv_status
publish(const struct slv_plan *plan, struct slv_output *o, bool exists,
    const struct stat *there, const char *dir, struct slv_err *err)
{
	struct slv_sink *sink;

	o->space.make_dirs = o->make_dirs;
	o->space.need = plan->size - (o->from != NULL ? o->from->off : 0);
	if (exists && S_ISBLK(there->st_mode))
		dir = o->path; /* has space of its own */
	SLV_TRY(look_for_space(o, dir, exists, there, err));
	if (o->dry_run)
		return slv_space_check(&o->space, o->path, dir, o->other, err);
	SLV_TRY(take_sink(o, exists, there, &sink, err));
	return write_out(plan, sink, o, dir, err);
}

/* *exists: *there describes the existing file.  *same: it is the output. */
static enum slv_status
meet(const struct slv_plan *plan, const struct slv_output *o, bool *exists,
    struct stat *there, bool *same, struct slv_err *err)
{
	if (strcmp(o->path, "-") == 0)
		return SLV_OK;
	*exists = slv_sys.stat(o->path, there) == 0;
	if (*exists)
		return meet_existing(plan, o, there, same, err);
	if (errno != ENOENT)
		return slv_fail_errno(err, "%s: cannot look at it", o->path);
	return SLV_OK;
}

/* *raced: a name was free when it was checked, and is now taken. */
static enum slv_status
publish_unless_there(const struct slv_plan *plan, struct slv_output *o,
    enum slv_outcome *outcome, bool *raced, struct slv_err *err)
{
	bool exists = false, same = false;
	struct stat there;
	char *dir;

	SLV_TRY(meet(plan, o, &exists, &there, &same, err));
	if (o->sidecar != NULL)
		SLV_TRY(slv_sidecar_check(o->sidecar, err));
	if (same) {
		*outcome = SLV_OUT_ALREADY;
		return complete_sidecar(o, err);
	}
	dir = slv_temp_directory(o->path);
	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (publish(plan, o, exists, &there, dir, err) == SLV_OK)
		*outcome = o->dry_run ? SLV_OUT_PLANNED : SLV_OUT_WRITTEN;
	*raced = err->code == SLV_E_EXISTS;
	slv_free(dir);
	return err->code;
}

enum slv_status
slv_output_publish(const struct slv_plan *plan, struct slv_output *o,
    enum slv_outcome *outcome, struct slv_err *err)
{
	struct slv_err why;
	unsigned attempts = 0;
	bool raced;

	/* The other process may have repaired the same log, and its output is
	 * then the same. */
	do {
		why = (struct slv_err){ 0 };
		raced = false;
		publish_unless_there(plan, o, outcome, &raced, &why);
		if (o->sidecar != NULL && raced)
			slv_sidecar_free(o->sidecar);
		if (o->early == NULL)
			o->from = NULL;
	} while (raced && ++attempts < ATTEMPTS);
	if (why.code != SLV_OK)
		*err = why;
	if (o->early != NULL)
		o->early->ops->discard(o->early);
	o->early = NULL;
	return why.code;
}
