/* input.c - open the input of a job, and check that it does not change. */
#include "job/input/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/packed_name.h"
#include "io/read/spool.h"
#include "io/sys.h"
#include "io/write/temp.h"
#include "job/input/active.h"
#include "job/input/packed.h"
#include "job/input/served.h"

#define STDIN_NAME "standard input"
#define HOLD_MAX   ((size_t)64 << 20) /* bytes of a pipe that are held */

/* Return true if the output is a file that needs space in its directory. */
static bool
takes_room(const char *target)
{
	struct stat st;

	return target != NULL && strcmp(target, "-") != 0
	    && (slv_sys.stat(target, &st) < 0 || S_ISREG(st.st_mode));
}

char *
slv_input_spool(const struct slv_options *opt, const char *target)
{
	if (takes_room(target))
		return slv_temp_directory(target);
	return slv_strdup(opt->temp_dir != NULL ? opt->temp_dir : "/tmp");
}

/* What to do if there is no space. */
static const char *
spool_advice(const char *target)
{
	return takes_room(target) ? "-o can put it elsewhere"
	                          : "TMPDIR can name another place";
}

/* How bytes are spooled in a directory. */
static struct slv_spool
spooling(const struct slv_report *r, const struct slv_options *opt,
    const char *target, const char *dir)
{
	return (struct slv_spool){
		.dir = dir,
		.copies = takes_room(target) ? 2 : 1,
		.other = spool_advice(target),
		.hold = r->job == SLV_JOB_REPAIR ? 0 : HOLD_MAX,
		.cancel = opt->cancel,
	};
}

static enum slv_status
open_standard_input(struct slv_report *r, const struct slv_spool *how,
    struct slv_source **out, struct stat *st, bool *spooled)
{
	return slv_spool(
	    STDIN_FILENO, STDIN_NAME, how, out, st, spooled, &r->err);
}

static enum slv_status
open_file(struct slv_report *r, const struct slv_options *opt,
    struct slv_source **out, struct stat *st)
{
	SLV_TRY(slv_input_no_folder(r->file, SLV_INPUT_BELOW, &r->err));
	return opt->found ? slv_source_found(r->file, out, st, &r->err)
	                  : slv_source_file(r->file, out, st, &r->err);
}

/* Maps and plans have offsets in the log: the compressed file has others. */
static enum slv_status
check_packed(const struct slv_options *opt, struct slv_report *r)
{
	if (opt->mapfile == NULL && opt->domain_mapfile == NULL
	    && opt->plan_out == NULL)
		return SLV_OK;
	return slv_fail(&r->err, SLV_E_USAGE,
	    "%s: is compressed as a whole, and maps and plans are about the "
	    "bytes of a file; decompress it first",
	    r->file);
}

static enum slv_status
open_packed(struct slv_report *r, const struct slv_options *opt,
    const struct slv_spool *how, struct slv_source **out, struct stat *st,
    bool *spooled)
{
	bool packed;

	SLV_TRY(open_file(r, opt, out, st));
	SLV_TRY(slv_packed_open(out, how, &packed, spooled, &r->err));
	if (!packed)
		return SLV_OK;
	r->packed_size = (uint64_t)st->st_size;
	return check_packed(opt, r);
}

enum slv_status
slv_input_no_folder(const char *path, const char *instead, struct slv_err *err)
{
	struct stat st;

	if (slv_sys.stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is a directory, not a file; %s", path, instead);
}

enum slv_status
slv_input_fd(int fd, const char *name, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	int own = slv_sys.dup(fd);

	if (own < 0)
		return slv_fail_errno(err, "%s: cannot read", name);
	return slv_source_fd_open(own, name, out, st, err);
}

enum slv_status
slv_input_memory(const void *bytes, size_t n, const char *name,
    struct slv_source **out, struct slv_err *err)
{
	SLV_TRY(slv_source_memory(bytes, n, out, err));
	(*out)->name = name;
	return SLV_OK;
}

/* Open the input that the options supply; it is closed with them, not here. */
static enum slv_status
open_supply(struct slv_report *r, const struct slv_supply *s,
    struct slv_source **out, struct stat *st)
{
	struct slv_input input = s->input;

	r->served = true;
	if (s->kind == SLV_SUPPLY_FD)
		return slv_input_fd(s->fd, r->file, out, st, &r->err);
	if (s->kind == SLV_SUPPLY_MEMORY)
		return slv_input_memory(s->bytes, s->n, r->file, out, &r->err);
	input.close = NULL;
	return slv_served_source(&input, r->file, out, &r->err);
}

enum slv_status
slv_input_open(struct slv_report *r, const struct slv_options *opt,
    const char *target, struct slv_source **out, struct stat *st)
{
	bool standard = strcmp(r->file, "-") == 0, spooled = false;
	struct slv_spool how;
	char *dir;

	*st = (struct stat){ 0 };
	if (opt->supply.kind != SLV_SUPPLY_NONE)
		return open_supply(r, &opt->supply, out, st);
	if (!standard && !slv_packed_is(r->file))
		return open_file(r, opt, out, st);
	dir = slv_input_spool(opt, target);
	if (dir == NULL)
		return slv_fail(&r->err, SLV_E_NOMEM, "out of memory");
	how = spooling(r, opt, target, dir);
	(void)(standard ? open_standard_input(r, &how, out, st, &spooled)
	                : open_packed(r, opt, &how, out, st, &spooled));
	if (spooled)
		r->spool = dir;
	else
		slv_free(dir);
	return r->err.code;
}

enum slv_status
slv_input_other(const struct slv_options *opt, const char *target,
    const char *file, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	struct slv_spool how = { .hold = HOLD_MAX, .cancel = opt->cancel };
	bool packed, spooled;
	enum slv_status code;
	char *dir;

	SLV_TRY(slv_source_file(file, out, st, err));
	if (!slv_packed_is(file))
		return SLV_OK;
	dir = slv_input_spool(opt, target);
	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	how.dir = dir;
	how.copies = takes_room(target) ? 2 : 1;
	how.other = spool_advice(target);
	code = slv_packed_open(out, &how, &packed, &spooled, err);
	slv_free(dir);
	return code;
}

/* Return true if the input cannot change: it is in memory or in salvor's spool file, and
 * was not decompressed from a file, which can. */
static bool
is_copy(const struct slv_report *r, const struct slv_source *source)
{
	return r->packed_size == 0
	    && (r->spool != NULL || slv_source_fd(source) < 0);
}

enum slv_status
slv_input_idle(struct slv_report *r, struct slv_source *source)
{
	/* This process has the spool open for writing, and no other can find
	 * it. */
	return is_copy(r, source) ? SLV_OK : slv_active_writer(source, &r->err);
}

enum slv_status
slv_input_unchanged(const struct slv_report *r, const struct slv_source *source,
    bool named, const struct stat *st, slv_active_fn judge, struct slv_err *err)
{
	struct stat now;
	int bad;

	if (is_copy(r, source))
		return SLV_OK;
	bad = !named || !slv_report_is_of_file(r)
	    ? slv_sys.fstat(slv_source_fd(source), &now)
	    : slv_sys.stat(r->file, &now);
	if (bad < 0)
		return slv_fail_errno(
		    err, "%s: cannot look at it again", r->file);
	return judge(r->file, st, &now, err);
}
