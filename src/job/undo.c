/* undo.c - take a repair in place back, or end one that was interrupted. */
#include "job/undo.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/directory.h"
#include "io/link.h"
#include "io/sys.h"
#include "io/temp.h"
#include "job/active.h"
#include "job/digests.h"
#include "job/sidecar.h"
#include "job/target.h"

#define SUFFIX ".salvor-undo"

enum slv_status
slv_undo_names(struct slv_undo_names *n, const char *file, const char *given,
    struct slv_err *err)
{
	size_t room;

	*n = (struct slv_undo_names){ .file = NULL };
	SLV_TRY(slv_link_follow(file, &n->file, err));
	room = strlen(n->file) + sizeof(SUFFIX);
	n->beside = slv_realloc(NULL, room);
	if (n->beside == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	snprintf(n->beside, room, "%s" SUFFIX, n->file);
	SLV_TRY(slv_link_follow(
	    given != NULL ? given : n->beside, &n->record, err));
	n->apart = strcmp(n->record, n->beside) != 0;
	n->given = given != NULL;
	return SLV_OK;
}

enum slv_status
slv_undo_state(const struct slv_undo_names *n, bool *exists, bool *closed,
    struct slv_err *err)
{
	return slv_undo_look(
	    n->given ? n->record : n->beside, exists, closed, err);
}

enum slv_status
slv_undo_check_finished(const char *file, struct slv_err *err)
{
	bool exists = false, closed = false;
	struct slv_undo_names n;
	enum slv_status st = slv_undo_names(&n, file, NULL, err);

	if (st == SLV_OK)
		st = slv_undo_state(&n, &exists, &closed, err);
	slv_undo_names_free(&n);
	if (st != SLV_OK || !exists || closed)
		return st;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: a repair in place was interrupted; end it first, with "
	    "\"salvor repair --in-place\" or \"salvor undo\"",
	    file);
}

void
slv_undo_names_free(struct slv_undo_names *n)
{
	free(n->file);
	free(n->beside);
	free(n->record);
	*n = (struct slv_undo_names){ .file = NULL };
}

static enum slv_status
sync_around(const char *path, struct slv_err *err)
{
	char *dir = slv_temp_directory(path);
	enum slv_status st;

	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_directory_sync(dir, err);
	free(dir);
	return st;
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
	free(of);
	SLV_TRY(st);
	slv_buf_printf(&to, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir,
	    slv_target_base(n->record));
	text = slv_buf_take(&to);
	if (text == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_sys.symlink(text, n->beside) < 0)
		st = slv_fail_errno(err,
		    "%s: cannot leave a link to the undo record there",
		    n->beside);
	free(text);
	return st == SLV_OK ? sync_around(n->beside, err) : st;
}

/* Whether the name beside the file is a link to this very record. */
static enum slv_status
find_link(const struct slv_undo_names *n, bool *yes, struct slv_err *err)
{
	struct stat a, b;
	char to[1];

	*yes = false;
	if (!n->apart)
		return SLV_OK;
	if (slv_sys.readlink(n->beside, to, sizeof(to)) < 0) {
		if (errno == EINVAL || errno == ENOENT)
			return SLV_OK;
		return slv_fail_errno(err, "%s: cannot look at it", n->beside);
	}
	if (slv_sys.stat(n->record, &b) < 0 || slv_sys.stat(n->beside, &a) < 0)
		return errno == ENOENT
		    ? SLV_OK
		    : slv_fail_errno(err, "%s: cannot look at it", n->record);
	*yes = a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	return SLV_OK;
}

static enum slv_status
remove_name(const char *path, struct slv_err *err)
{
	if (slv_sys.unlink(path) < 0 && errno != ENOENT)
		return slv_fail_errno(err, "%s: cannot remove it", path);
	return sync_around(path, err);
}

enum slv_status
slv_undo_remove(const struct slv_undo_names *n, struct slv_err *err)
{
	bool linked;

	/* A link without a record would look like a disk that is away. */
	SLV_TRY(find_link(n, &linked, err));
	if (linked)
		SLV_TRY(remove_name(n->beside, err));
	return remove_name(n->record, err);
}

/* Whether a source has this size and this SHA-1. */
static enum slv_status
is_this(struct slv_source *s, uint64_t size, const uint8_t *sha1,
    const volatile sig_atomic_t *cancel, bool *yes, struct slv_err *err)
{
	uint8_t found[SLV_SHA1_SIZE];

	*yes = false;
	if (s->size != size)
		return SLV_OK;
	SLV_TRY(slv_digest_of(s, SLV_SHA1, NULL, cancel, found, err));
	*yes = memcmp(found, sha1, sizeof(found)) == 0 && s->unreadable.n == 0;
	return SLV_OK;
}

/* Whether the old bytes laid over the file give the old file. */
static enum slv_status
gives_old(const struct slv_undoing *u, const struct slv_undo_record *r,
    struct slv_source *now, bool *yes, struct slv_err *err)
{
	const struct slv_undo_facts *f = &r->says;
	struct slv_source *view = NULL;
	enum slv_status st;

	SLV_TRY(slv_undo_view(r, now, &view, err));
	st = is_this(view, f->old_size, f->old_sha1, u->cancel, yes, err);
	slv_source_close(view);
	return st;
}

/* What neither the record has nor the file any more. */
static enum slv_status
find_missing(struct slv_undoing *u, const struct slv_undo_record *r,
    uint64_t size, struct slv_err *err)
{
	uint64_t at = size, end = r->says.old_size;

	for (size_t i = 0; i < r->n; i++) {
		const struct slv_undo_piece *p = &r->at[i];

		if (p->off > at)
			SLV_TRY(
			    slv_ranges_add(&u->missing, at, p->off - at, err));
		at = slv_max64(at, p->off + p->len);
	}
	return at < end ? slv_ranges_add(&u->missing, at, end - at, err)
	                : SLV_OK;
}

/* Before anything is done: is the file what the record is about?  While a
 * repair was under way any part of it may have been written: then the old
 * bytes laid over the file must give the old file. */
static enum slv_status
check_file(struct slv_undoing *u, const struct slv_undo_record *r,
    struct slv_source *now, struct slv_err *err)
{
	const struct slv_undo_facts *f = &r->says;
	bool yes = false;

	if (f->closed)
		SLV_TRY(is_this(
		    now, f->new_size, f->new_sha1, u->cancel, &yes, err));
	if (!yes && (!f->closed || u->force))
		SLV_TRY(gives_old(u, r, now, &yes, err));
	if (yes)
		return SLV_OK;
	u->partly = true;
	if (u->force)
		return find_missing(u, r, now->size, err);
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is no longer what the repair left; nothing was changed; -f "
	    "writes the old bytes back all the same",
	    u->names->file);
}

/* The file as it is now: is it the old one? */
static enum slv_status
prove(struct slv_undoing *u, struct slv_err *err)
{
	struct slv_source *s = NULL;
	enum slv_status st;
	struct stat as;

	SLV_TRY(slv_source_file(u->names->file, &s, &as, err));
	st = is_this(
	    s, u->facts.old_size, u->facts.old_sha1, NULL, &u->exact, err);
	slv_source_close(s);
	if (st != SLV_OK || u->exact || u->force)
		return st;
	return slv_fail(err, SLV_E_IO,
	    "%s: does not read back as it was before the repair; check the "
	    "disk; %s stays",
	    u->names->file, u->names->record);
}

/* The repair is taken back: what stands beside its result goes too, before
 * the record, without which nobody would know that it must. */
static void
unsay(const struct slv_undoing *u)
{
	const struct slv_undo_facts *f = &u->facts;
	struct slv_claim claim = { .size = f->new_size };
	char *path = slv_sidecar_name(u->names->file);

	memcpy(claim.sha1, f->new_sha1, sizeof(claim.sha1));
	if (path != NULL)
		slv_sidecar_unsay(path, &claim, f->old_size);
	free(path);
}

static enum slv_status
put_back(struct slv_undoing *u, struct slv_undo_record *r,
    struct slv_place *file, struct slv_err *err)
{
	/* From here on the file is neither the one nor the other. */
	if (r->says.closed)
		SLV_TRY(slv_undo_set(u->names->record, r->seal, false, err));
	SLV_TRY(slv_undo_put_back(r, file, err));
	SLV_TRY(slv_place_sync(file, err));
	SLV_TRY(prove(u, err));
	unsay(u);
	u->partly = !u->exact;
	/* What it holds stays within reach, and the file can be judged. */
	if (u->partly)
		return slv_undo_set(u->names->record, r->seal, true, err);
	return slv_undo_remove(u->names, err);
}

/* The file is open and nobody writes it. */
static enum slv_status
take_back(struct slv_undoing *u, struct slv_undo_record *r,
    struct slv_source *now, const struct stat *st, struct slv_err *err)
{
	struct slv_place file;
	enum slv_status status;

	if (u->dry_run)
		return check_file(u, r, now, err);
	SLV_TRY(slv_place_open(&file, u->names->file, err));
	status = slv_active_change(u->names->file, st, &file.st, err);
	if (status == SLV_OK)
		status = check_file(u, r, now, err);
	if (status == SLV_OK)
		status = put_back(u, r, &file, err);
	slv_place_close(&file);
	return status;
}

static enum slv_status
read_record(struct slv_undoing *u, struct slv_undo_record *r, bool *exists,
    struct slv_err *err)
{
	bool closed;

	/* A link to a disk that is away names more than its record does. */
	SLV_TRY(slv_undo_state(u->names, exists, &closed, err));
	SLV_TRY(slv_undo_read(r, u->names->record, exists, err));
	u->facts = r->says;
	u->record_size = *exists ? r->source->size : 0;
	return SLV_OK;
}

static enum slv_status
no_record(const struct slv_undoing *u, struct slv_err *err)
{
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: there is no undo record, %s: it was not repaired in place, or "
	    "that was taken back or made final",
	    u->names->file, u->names->record);
}

enum slv_status
slv_undo_take_back(struct slv_undoing *u, struct slv_err *err)
{
	struct slv_undo_record r = { .source = NULL };
	struct slv_source *now = NULL;
	enum slv_status status;
	bool exists = false;
	struct stat st;

	status = slv_source_file(u->names->file, &now, &st, err);
	if (status == SLV_OK)
		status = slv_active_writer(now, err);
	if (status == SLV_OK)
		status = read_record(u, &r, &exists, err);
	if (status == SLV_OK)
		status = exists ? take_back(u, &r, now, &st, err)
		                : no_record(u, err);
	slv_undo_free(&r);
	slv_source_close(now);
	return status;
}

enum slv_status
slv_undo_discard(struct slv_undoing *u, struct slv_err *err)
{
	struct slv_undo_record r = { .source = NULL };
	bool exists = false;
	enum slv_status st = read_record(u, &r, &exists, err);

	slv_undo_free(&r);
	SLV_TRY(st);
	if (!exists)
		return no_record(u, err);
	if (!u->facts.closed)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: the repair was interrupted; its undo record is needed "
		    "to end it",
		    u->names->file);
	return u->dry_run ? SLV_OK : slv_undo_remove(u->names, err);
}

enum slv_status
slv_undo_recover(
    struct slv_undoing *u, bool discard, bool *rolled_back, struct slv_err *err)
{
	bool exists = false, closed = false;

	SLV_TRY(slv_undo_state(u->names, &exists, &closed, err));
	if (!exists || (closed && !discard))
		return SLV_OK;
	if (closed) {
		SLV_TRY(slv_undo_discard(u, err));
		u->discarded = true;
		return SLV_OK;
	}
	SLV_TRY(slv_undo_take_back(u, err));
	*rolled_back = !u->partly;
	if (*rolled_back)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is only in part as it was before the repair that was "
	    "interrupted; %s stays; --discard-undo repairs the file as it is "
	    "now",
	    u->names->file, u->names->record);
}
