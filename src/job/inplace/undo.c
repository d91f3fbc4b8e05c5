/* undo.c - undo a repair in place, or end one that was interrupted. */
#include "job/inplace/undo.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "io/sys.h"
#include "job/input/active.h"
#include "job/input/digests.h"
#include "job/output/sidecar.h"

/* Return true if a source has this size, and this SHA-1 from an offset on. */
static enum slv_status
is_this(struct slv_source *s, uint64_t size, uint64_t from, const uint8_t *sha1,
    const volatile sig_atomic_t *cancel, bool *yes, struct slv_err *err)
{
	uint8_t found[SLV_SHA1_SIZE];

	*yes = false;
	if (s->size != size)
		return SLV_OK;
	SLV_TRY(slv_digest_end(s, from, cancel, found, err));
	*yes = memcmp(found, sha1, sizeof(found)) == 0 && s->unreadable.n == 0;
	return SLV_OK;
}

/* Return true if the old bytes laid over the file give the old file. */
static enum slv_status
gives_old(const struct slv_undoing *u, const struct slv_undo_record *r,
    struct slv_source *now, bool *yes, struct slv_err *err)
{
	const struct slv_undo_facts *f = &r->says;
	struct slv_source *view = NULL;
	enum slv_status st;

	SLV_TRY(slv_undo_view(r, now, &view, err));
	st = is_this(
	    view, f->old_size, f->from, f->old_sha1, u->cancel, yes, err);
	slv_source_close(view);
	return st;
}

/* Ranges that are neither in the record nor in the file any more. */
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

/* Before anything is done: is the record about this file?  During a repair any
 * part of it may have been written: then the old bytes laid over the file must
 * give the old file. */
static enum slv_status
check_file(struct slv_undoing *u, const struct slv_undo_record *r,
    struct slv_source *now, struct slv_err *err)
{
	const struct slv_undo_facts *f = &r->says;
	bool yes = false;

	if (f->closed)
		SLV_TRY(is_this(now, f->new_size, f->from, f->new_sha1,
		    u->cancel, &yes, err));
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

enum slv_status
slv_undo_reread(const struct slv_undo_names *n, const struct slv_place *file,
    struct slv_source **out, struct slv_err *err)
{
	struct stat st;
	int fd;

	SLV_TRY(slv_site_file(&n->file_at, O_RDONLY, &fd, &st, err));
	if (slv_site_same(&st, &file->st))
		return slv_source_fd_open(fd, n->file, out, &st, err);
	slv_sys.close(fd);
	return slv_fail(err, SLV_E_ACTIVE,
	    "%s: was replaced while it was changed", n->file);
}

/* Is the present file the old one? */
static enum slv_status
prove(struct slv_undoing *u, const struct slv_place *file, struct slv_err *err)
{
	struct slv_source *s = NULL;
	enum slv_status st;

	SLV_TRY(slv_undo_reread(u->names, file, &s, err));
	st = is_this(s, u->facts.old_size, u->facts.from, u->facts.old_sha1,
	    NULL, &u->exact, err);
	slv_source_close(s);
	if (st != SLV_OK || u->exact || u->force)
		return st;
	return slv_fail(err, SLV_E_IO,
	    "%s: does not read back as it was before the repair; check the "
	    "disk; %s stays",
	    u->names->file, u->names->record);
}

/* The repair is undone.  The report next to its result goes too, before the
 * record, because without the record its removal would be forgotten. */
static void
unsay(struct slv_undoing *u)
{
	const struct slv_undo_facts *f = &u->facts;
	struct slv_claim claim = { .size = f->new_size, .from = f->from };
	char *path = slv_sidecar_name(u->names->file);

	memcpy(claim.sha1, f->new_sha1, sizeof(claim.sha1));
	if (path != NULL)
		u->unsaid = slv_sidecar_unsay(
		    path, &u->names->file_at, &claim, f->old_size);
	slv_free(path);
}

static enum slv_status
put_back(struct slv_undoing *u, struct slv_undo_record *r,
    struct slv_place *file, struct slv_err *err)
{
	/* From here on the file is neither the one nor the other. */
	if (r->says.closed)
		SLV_TRY(slv_undo_set(r, &u->names->record_at, false, err));
	SLV_TRY(slv_undo_put_back(r, file, err));
	SLV_TRY(slv_place_sync(file, err));
	SLV_TRY(prove(u, file, err));
	unsay(u);
	u->partly = !u->exact;
	/* Its content stays available, and the file can be judged. */
	if (u->partly)
		return slv_undo_set(r, &u->names->record_at, true, err);
	return slv_undo_remove(u->names, &r->as, err);
}

/* The file is open and no other process writes it. */
static enum slv_status
take_back(struct slv_undoing *u, struct slv_undo_record *r,
    struct slv_source *now, const struct stat *st, struct slv_err *err)
{
	struct slv_place file;
	enum slv_status status;

	if (u->dry_run)
		return check_file(u, r, now, err);
	SLV_TRY(slv_place_open(&file, &u->names->file_at, err));
	status = slv_active_change(u->names->file, st, &file.st, err);
	if (status == SLV_OK)
		status = check_file(u, r, now, err);
	if (status == SLV_OK)
		status = put_back(u, r, &file, err);
	slv_place_close(&file);
	return status;
}

static enum slv_status
read_record(struct slv_undoing *u, struct slv_undo_record *r,
    const struct stat *of, bool *exists, struct slv_err *err)
{
	struct slv_undo_seen seen;

	/* A link to a disk that is not mounted names more than its record
	 * does. */
	SLV_TRY(slv_undo_state(u->names, &seen, err));
	SLV_TRY(
	    slv_undo_read(r, &u->names->record_at, of, u->cancel, &seen, err));
	if (seen.exists)
		SLV_TRY(slv_undo_check_led(u->names, &r->as, &seen, err));
	*exists = seen.exists;
	u->facts = r->says;
	u->record_size = seen.exists ? r->source->size : 0;
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

static enum slv_status
open_log(struct slv_undoing *u, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	int fd;

	SLV_TRY(slv_site_file(&u->names->file_at, O_RDONLY, &fd, st, err));
	return slv_source_fd_open(fd, u->names->file, out, st, err);
}

enum slv_status
slv_undo_take_back(struct slv_undoing *u, struct slv_err *err)
{
	struct slv_undo_record r = { .source = NULL };
	struct slv_source *now = NULL;
	enum slv_status status;
	bool exists = false;
	struct stat st;

	status = open_log(u, &now, &st, err);
	if (status == SLV_OK)
		status = slv_active_writer(now, err);
	if (status == SLV_OK)
		status = read_record(u, &r, &st, &exists, err);
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
	enum slv_status st = read_record(
	    u, &r, u->names->found ? &u->names->of : NULL, &exists, err);
	struct stat as = r.as;

	slv_undo_free(&r);
	SLV_TRY(st);
	if (!exists)
		return no_record(u, err);
	if (!u->facts.closed)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: the repair was interrupted; its undo record is needed "
		    "to end it",
		    u->names->file);
	return u->dry_run ? SLV_OK : slv_undo_remove(u->names, &as, err);
}

enum slv_status
slv_undo_recover(
    struct slv_undoing *u, bool discard, bool *rolled_back, struct slv_err *err)
{
	struct slv_undo_seen seen;

	SLV_TRY(slv_undo_state(u->names, &seen, err));
	if (!seen.exists || (seen.closed && !discard))
		return SLV_OK;
	if (seen.closed) {
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
