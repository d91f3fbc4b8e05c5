/* beside.c - files next to a log that are not trusted. */
#include "job/input/beside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/names/link.h"
#include "io/names/site.h"
#include "job/inplace/undo.h"
#include "job/output/sidecar.h"
#include "job/output/target.h"

static enum slv_status
report(struct slv_audit *a, enum slv_core_problem row, const char *path,
    const char *why, struct slv_err *err)
{
	const char *name = slv_target_base(path);
	struct slv_problem found = {
		.info = &slv_core_problems[row],
		.why = why,
	};

	slv_problem_quote(found.name, name, strlen(name));
	return slv_problems_add(&a->scan.problems, &found, err);
}

/* slv_inplace_unfinished() has reported what else is wrong with a record. */
static enum slv_status
judge_record(struct slv_audit *a, const char *log, struct slv_err *err)
{
	struct slv_undo_seen seen = { .exists = false };
	struct slv_err why = { 0 };
	struct slv_undo_names n;
	enum slv_status st = SLV_OK;

	if (slv_undo_names(&n, log, NULL, &why) == SLV_OK)
		(void)slv_undo_state(&n, &seen, &why);
	if (why.code == SLV_E_NOMEM)
		st = slv_fail(err, why.code, "%s", why.text);
	else if (seen.doubt != NULL)
		st = report(a, SLV_P_UNDO_IGNORED, n.beside, seen.doubt, err);
	slv_undo_names_free(&n);
	return st;
}

static enum slv_status
judge_sidecar(struct slv_audit *a, const char *log, const struct stat *of,
    struct slv_err *err)
{
	struct slv_sidecar_seen seen = { .exists = false };
	struct slv_buf text = { 0 };
	struct slv_err why = { 0 };
	enum slv_status st = SLV_OK;
	char *path;

	/* A file that cannot be read is reported where it is read. */
	if (slv_sidecar_of(log, &path, &why) != SLV_OK)
		return why.code == SLV_E_NOMEM
		    ? slv_fail(err, why.code, "%s", why.text)
		    : SLV_OK;
	(void)slv_sidecar_read(path, of, &text, &seen, &why);
	if (why.code == SLV_E_NOMEM)
		st = slv_fail(err, why.code, "%s", why.text);
	else if (seen.doubt != NULL)
		st = report(a, SLV_P_SIDECAR_IGNORED, path, seen.doubt, err);
	slv_buf_free(&text);
	slv_free(path);
	return st;
}

enum slv_status
slv_beside_judge(struct slv_audit *a, const char *log, const struct stat *of,
    struct slv_err *err)
{
	/* Standard input and devices have no files next to them. */
	if (strcmp(log, "-") == 0 || !S_ISREG(of->st_mode))
		return SLV_OK;
	SLV_TRY(judge_record(a, log, err));
	return judge_sidecar(a, log, of, err);
}

static enum slv_status
refuse(const char *path, const char *doubt, struct slv_err *err)
{
	return slv_fail(
	    err, SLV_E_REFUSED, "%s: %s, and is not read", path, doubt);
}

static enum slv_status
open_trusted(const struct slv_site *at, const char *path, const struct stat *of,
    struct slv_source **out, struct stat *st, struct slv_err *err)
{
	const char *doubt;
	int fd;

	if (slv_site_look(at, st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", path);
	SLV_TRY(slv_site_trusted(at, of, &fd, st, &doubt, err));
	return doubt == NULL ? slv_source_fd_open(fd, path, out, st, err)
	                     : refuse(path, doubt, err);
}

enum slv_status
slv_beside_open(const char *path, const struct stat *of,
    struct slv_source **out, struct stat *st, struct slv_err *err)
{
	enum slv_status status;
	struct slv_site at;
	struct stat link;
	char *to;

	SLV_TRY(slv_link_follow_seen(path, &to, &link, err));
	if (S_ISLNK(link.st_mode) && link.st_uid != geteuid()
	    && link.st_uid != of->st_uid)
		status = refuse(path, "is a link of another user", err);
	else
		status = slv_site_open(&at, to, err);
	if (status == SLV_OK) {
		status = open_trusted(&at, path, of, out, st, err);
		slv_site_close(&at);
	}
	slv_free(to);
	return status;
}
