/* undo_names.c - where the record of a repair in place is. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/names/link.h"
#include "io/read/source.h"
#include "io/sys.h"
#include "io/write/temp.h"
#include "job/inplace/undo.h"
#include "job/output/target.h"

#define SUFFIX ".salvor-undo"

/* Open the directories of the names. */
static enum slv_status
open_sites(struct slv_undo_names *n, struct slv_err *err)
{
	SLV_TRY(slv_site_open(&n->file_at, n->file, err));
	n->beside_at = slv_site_beside(&n->file_at, n->beside);
	n->found = slv_site_look(&n->file_at, &n->of) == 0;
	if (n->apart)
		return slv_site_open(&n->record_at, n->record, err);
	n->record_at = n->beside_at;
	return SLV_OK;
}

/* Where a link next to the file points; a link that another user may have made
 * counts as pointing nowhere. */
static enum slv_status
find_record(struct slv_undo_names *n, const char *given, struct slv_err *err)
{
	struct slv_err why = { 0 };
	enum slv_status st = slv_link_follow_seen(
	    given != NULL ? given : n->beside, &n->record, &n->link, &why);

	n->given = given != NULL;
	n->planted = st == SLV_E_REFUSED && !n->given;
	if (n->planted) {
		n->record = slv_strdup(n->beside);
		if (n->record != NULL)
			return SLV_OK;
		why = (struct slv_err){ 0 };
		slv_fail(&why, SLV_E_NOMEM, "out of memory");
	}
	if (why.code != SLV_OK)
		*err = why;
	return why.code;
}

/* Find the names for n->file. */
static enum slv_status
find_names(struct slv_undo_names *n, const char *given, struct slv_err *err)
{
	size_t room = strlen(n->file) + sizeof(SUFFIX);

	n->beside = slv_realloc(NULL, room);
	if (n->beside == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	snprintf(n->beside, room, "%s" SUFFIX, n->file);
	SLV_TRY(find_record(n, given, err));
	n->apart = strcmp(n->record, n->beside) != 0;
	return open_sites(n, err);
}

enum slv_status
slv_undo_names(struct slv_undo_names *n, const char *file, const char *given,
    struct slv_err *err)
{
	*n = (struct slv_undo_names){ .file = NULL };
	SLV_TRY(slv_link_follow(file, &n->file, err));
	return find_names(n, given, err);
}

enum slv_status
slv_undo_names_found(struct slv_undo_names *n, const char *file,
    const char *given, struct slv_err *err)
{
	*n = (struct slv_undo_names){ .file = slv_strdup(file) };
	if (n->file == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(find_names(n, given, err));
	if (n->found && S_ISLNK(n->of.st_mode))
		return slv_source_became_link(file, err);
	return SLV_OK;
}

static enum slv_status
alien_link(const struct slv_undo_names *n, struct slv_undo_seen *seen,
    struct slv_err *err)
{
	seen->doubt = "is a symbolic link of another user";
	return slv_undo_alien(n->beside, seen->doubt, err);
}

/* The link next to the file is trusted like the record itself.  It is the link
 * that was followed: another one may have its name now. */
static enum slv_status
check_link(const struct slv_undo_names *n, struct slv_undo_seen *seen,
    struct slv_err *err)
{
	seen->exists = true;
	if (n->planted
	    || (n->link.st_uid != geteuid()
	        && (!n->found || n->link.st_uid != n->of.st_uid)))
		return alien_link(n, seen, err);
	return SLV_OK;
}

enum slv_status
slv_undo_check_led(const struct slv_undo_names *n, const struct stat *it,
    struct slv_undo_seen *seen, struct slv_err *err)
{
	if (n->given || !n->apart || n->link.st_uid == geteuid()
	    || n->link.st_uid == it->st_uid)
		return SLV_OK;
	return alien_link(n, seen, err);
}

enum slv_status
slv_undo_state(const struct slv_undo_names *n, struct slv_undo_seen *seen,
    struct slv_err *err)
{
	bool link = !n->given && (n->apart || n->planted);

	*seen = (struct slv_undo_seen){ .exists = false };
	if (link)
		SLV_TRY(check_link(n, seen, err));
	SLV_TRY(
	    slv_undo_look(&n->record_at, n->found ? &n->of : NULL, seen, err));
	if (seen->exists)
		return slv_undo_check_led(n, &seen->as, seen, err);
	if (!link)
		return SLV_OK;
	seen->exists = true;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: the undo record is not there, %s; mount that disk, or "
	    "remove this link when the repair need not be undone",
	    n->beside, n->record);
}

enum slv_status
slv_undo_check_finished(const char *file, struct slv_err *err)
{
	struct slv_undo_seen seen = { .exists = false };
	struct slv_undo_names n;
	enum slv_status st = slv_undo_names(&n, file, NULL, err);

	if (st == SLV_OK)
		st = slv_undo_state(&n, &seen, err);
	slv_undo_names_free(&n);
	if (st != SLV_OK || !seen.exists || seen.closed)
		return st;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: a repair in place was interrupted; end it first, with "
	    "\"salvor repair --in-place\" or \"salvor undo\"",
	    file);
}

void
slv_undo_names_free(struct slv_undo_names *n)
{
	if (n->apart)
		slv_site_close(&n->record_at);
	slv_site_close(&n->file_at);
	slv_free(n->file);
	slv_free(n->beside);
	slv_free(n->record);
	*n = (struct slv_undo_names){ .file = NULL };
}

enum slv_status
slv_undo_link(const struct slv_undo_names *n, struct slv_err *err)
{
	char dir[PATH_MAX], *of = slv_temp_directory(n->record);
	struct slv_buf to = { 0 };
	enum slv_status st = SLV_OK;
	char *text;

	if (of == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_sys.realpath(of, dir) == NULL)
		st = slv_fail_errno(err, "%s: cannot look at it", of);
	slv_free(of);
	SLV_TRY(st);
	slv_buf_printf(&to, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir,
	    slv_target_base(n->record));
	text = slv_buf_take(&to);
	if (text == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_sys.symlink(text, n->beside_at.dir, n->beside_at.name) < 0)
		st = slv_fail_errno(err,
		    "%s: cannot leave a link to the undo record there",
		    n->beside);
	slv_free(text);
	return st == SLV_OK ? slv_site_sync(&n->beside_at, err) : st;
}

/* Remove the name next to the file, if it is a link to this record. */
static enum slv_status
remove_link(
    const struct slv_undo_names *n, const struct stat *it, struct slv_err *err)
{
	struct stat link, to;

	if (!n->apart)
		return SLV_OK;
	if (slv_site_look(&n->beside_at, &link) < 0)
		return errno == ENOENT
		    ? SLV_OK
		    : slv_fail_errno(err, "%s: cannot look at it", n->beside);
	if (!S_ISLNK(link.st_mode))
		return SLV_OK;
	if (slv_sys.stat(n->beside, &to) < 0)
		return errno == ENOENT
		    ? SLV_OK
		    : slv_fail_errno(err, "%s: cannot look at it", n->beside);
	if (!slv_site_same(&to, it))
		return SLV_OK;
	SLV_TRY(slv_site_remove(&n->beside_at, &link, err));
	return slv_site_sync(&n->beside_at, err);
}

enum slv_status
slv_undo_remove(
    const struct slv_undo_names *n, const struct stat *it, struct slv_err *err)
{
	/* A link without a record would look like a disk that is not
	 * mounted. */
	SLV_TRY(remove_link(n, it, err));
	SLV_TRY(slv_site_remove(&n->record_at, it, err));
	return slv_site_sync(&n->record_at, err);
}
