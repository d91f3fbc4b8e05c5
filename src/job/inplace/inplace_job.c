/* inplace_job.c - what a job does in addition when it changes a file in
 * place. */
#include "job/inplace/inplace_job.h"
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/plan/plan_diff.h"
#include "io/sys.h"
#include "job/input/digests.h"
#include "job/input/packed.h"

enum slv_status
slv_inplace_names(struct slv_undo_names *n, struct slv_report *r,
    const struct slv_options *opt, const char *given)
{
	return opt->found ? slv_undo_names_found(n, r->file, given, &r->err)
	                  : slv_undo_names(n, r->file, given, &r->err);
}

enum slv_status
slv_inplace_report(struct slv_report *r, const struct slv_undo_names *n,
    const struct slv_undo_facts *f, uint64_t size)
{
	struct slv_in_place *p = &r->in_place;

	if (p->record == NULL)
		p->record = slv_strdup(n->record);
	if (p->record == NULL)
		return slv_fail(&r->err, SLV_E_NOMEM, "out of memory");
	p->record_size = size;
	p->patched = f->patched;
	p->appended = f->new_size > f->old_size ? f->new_size - f->old_size : 0;
	p->cut = f->old_size > f->new_size ? f->old_size - f->new_size : 0;
	return SLV_OK;
}

void
slv_inplace_look(struct slv_report *r, const struct slv_undo_names *n)
{
	struct slv_undo_seen seen;
	struct slv_err err = { 0 };

	/* An unreadable record is not known to be closed. */
	(void)slv_undo_state(n, &seen, &err);
	r->in_place.state = seen.closed         ? SLV_UNDO_CLOSED
	    : seen.exists && seen.doubt == NULL ? SLV_UNDO_OPEN
	                                        : SLV_UNDO_NONE;
}

static enum slv_status
recover(struct slv_report *r, const struct slv_options *opt,
    const struct slv_undo_names *n)
{
	struct slv_undoing u = {
		.names = n,
		.force = opt->force,
		.cancel = opt->cancel,
	};
	enum slv_status st = slv_undo_recover(
	    &u, opt->discard_undo, &r->in_place.rolled_back, &r->err);

	slv_ranges_free(&u.missing);
	if (st != SLV_OK || !u.discarded)
		return st;
	slv_free(r->in_place.forgotten);
	r->in_place.forgotten = slv_strdup(n->record);
	return r->in_place.forgotten != NULL
	    ? SLV_OK
	    : slv_fail(&r->err, SLV_E_NOMEM, "out of memory");
}

enum slv_status
slv_inplace_recover(struct slv_report *r, const struct slv_options *opt)
{
	struct slv_undo_names n;
	enum slv_status st = slv_inplace_names(&n, r, opt, NULL);

	if (st == SLV_OK)
		st = recover(r, opt, &n);
	slv_undo_names_free(&n);
	if (st != SLV_OK || opt->undo_file == NULL)
		return st;
	/* The link to a record elsewhere may be lost. */
	st = slv_inplace_names(&n, r, opt, opt->undo_file);
	if (st == SLV_OK)
		st = recover(r, opt, &n);
	slv_undo_names_free(&n);
	return st;
}

/* Find out if the record exists and is open.  If it is damaged, or on a disk
 * that is not mounted, its repair may not be finished, and the report says
 * why. */
static enum slv_status
look_for_open(struct slv_report *r, bool *open)
{
	struct slv_undo_names n;
	struct slv_undo_seen seen = { .exists = false };
	struct slv_err why = { 0 };

	*open = false;
	/* Through a link that another user may have made, the file is read and
	 * nothing else. */
	if (slv_undo_names(&n, r->file, NULL, &why) == SLV_E_REFUSED)
		why = (struct slv_err){ 0 };
	else if (why.code == SLV_OK)
		(void)slv_undo_state(&n, &seen, &why);
	slv_undo_names_free(&n);
	/* slv_beside_judge() raises it. */
	if (seen.doubt != NULL)
		return SLV_OK;
	*open = why.code == SLV_E_REFUSED || (seen.exists && !seen.closed);
	if (why.code == SLV_E_REFUSED) {
		r->undo_trouble = slv_strdup(why.text);
		why = (struct slv_err){ 0 };
		if (r->undo_trouble == NULL)
			slv_fail(&why, SLV_E_NOMEM, "out of memory");
	}
	r->err = why;
	return why.code;
}

enum slv_status
slv_inplace_unfinished(
    struct slv_report *r, struct slv_audit *a, const struct stat *st)
{
	struct slv_problem found = {
		.info = &slv_core_problems[SLV_P_UNFINISHED],
	};
	enum slv_status status;
	bool open;

	/* Standard input and devices have no files next to them. */
	if (!slv_report_is_of_file(r) || !S_ISREG(st->st_mode))
		return SLV_OK;
	status = look_for_open(r, &open);
	if (status != SLV_OK || !open)
		return status;
	r->unfinished = true;
	a->state = SLV_STATE_DAMAGED;
	a->scan.problems.max = 1;
	return slv_problems_add(&a->scan.problems, &found, &r->err);
}

/* Return true if recorded bytes of the file would move. */
static bool
moves(const struct slv_audit *a, struct slv_range *what, uint64_t *to)
{
	const struct slv_piece *p = slv_view_moved(&a->view);

	if (p == NULL)
		return slv_plan_moves(&a->plan, &a->scan.catalog, what, to);
	*what = (struct slv_range){ p->off, p->off + p->len };
	*to = p->at;
	return true;
}

/* The file stays as it is; a copy could be repaired. */
static void
leave(struct slv_audit *a)
{
	a->planned = false;
	a->moves = true;
	a->state = SLV_STATE_DAMAGED;
}

enum slv_status
slv_inplace_possible(struct slv_audit *a, struct slv_err *err)
{
	struct slv_range what;
	uint64_t to;

	if (!a->planned || slv_audit_is_sound(a))
		return SLV_OK;
	if (slv_packed_file(a->input) != a->input) {
		leave(a);
		return slv_scan_core_problem(
		    &a->scan, SLV_P_PACKED_IN_PLACE, 0, a->input->size, err);
	}
	if (!moves(a, &what, &to))
		return SLV_OK;
	leave(a);
	return slv_scan_problem(&a->scan, &slv_core_problems[SLV_P_IN_PLACE],
	    what.off, what.end - what.off, 0, to, err);
}

static enum slv_status
check_link(const struct slv_report *r, const struct slv_options *opt,
    const struct slv_undo_names *n, struct slv_err *err)
{
	char to[1];

	if (opt->force
	    || slv_sys.readlink(AT_FDCWD, r->file, to, sizeof(to)) < 0)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is a symbolic link; nothing was changed; name the file, %s, "
	    "or "
	    "-f repairs that",
	    r->file, n->file);
}

/* The record holds a digest of the whole file.  For a hole that takes days, and
 * no disk could hold what would then be written. */
static enum slv_status
check_holes(struct slv_report *r, const struct slv_audit *a)
{
	uint64_t unwritten = slv_ranges_sum(&a->scan.holes);

	if (unwritten <= SLV_UNDO_ZEROS)
		return SLV_OK;
	return slv_fail(&r->err, SLV_E_REFUSED,
	    "%s: %llu bytes of it were never written (holes), and the undo "
	    "record needs a digest of all bytes; nothing was changed; repair "
	    "to another file, with -o or -d",
	    r->file, (unsigned long long)unwritten);
}

/* The furthest state of a digest of the file that the scan or the proof has left;
 * NULL: none. */
static const struct slv_hash_mark *
find_mark(const struct slv_audit *a, const struct slv_source *file)
{
	const struct slv_hash_mark *scan = a->hasher.source == file
	    ? slv_hasher_before(&a->hasher, file->size)
	    : NULL;
	const struct slv_plan *p = &a->plan;
	const struct slv_hash_mark *proof = &p->prefix_mark;

	if (!p->known || proof->off == 0 || p->digest_kind != SLV_SHA1
	    || p->input != file || (p->mends != NULL && p->mends->n > 0))
		return scan;
	return scan != NULL && scan->off >= proof->off ? scan : proof;
}

enum slv_status
slv_inplace_begin(struct slv_inplace_job *j, struct slv_report *r,
    const struct slv_options *opt, struct slv_audit *a, struct slv_source *file,
    const struct stat *input)
{
	struct slv_inplace *p = &j->in;
	const struct slv_hash_mark *from = find_mark(a, file);

	SLV_TRY(slv_inplace_names(&j->names, r, opt, opt->undo_file));
	*p = (struct slv_inplace){
		.plan = &a->plan,
		.scan = &a->scan,
		.source = file,
		.input = input,
		.names = &j->names,
		.verify_written = opt->verify_written,
		.linked_ok = opt->force,
		.cancel = opt->cancel,
	};
	SLV_TRY(check_link(r, opt, &j->names, &r->err));
	SLV_TRY(check_holes(r, a));
	SLV_TRY(a->plan.whole_from > 0
	        ? slv_digest_end(file, a->plan.whole_from, opt->cancel,
	            p->record.facts.old_sha1, &r->err)
	        : slv_digest_of(file, SLV_SHA1, from, opt->cancel,
	            p->record.facts.old_sha1, &r->err));
	SLV_TRY(slv_inplace_measure(p, &r->err));
	SLV_TRY(
	    slv_inplace_report(r, &j->names, &p->record.facts, p->record.size));
	r->space_known = p->space.known;
	r->space_free = p->space.free;
	/* The report next to the log says how it will be. */
	r->in_place.state = SLV_UNDO_CLOSED;
	return SLV_OK;
}

enum slv_status
slv_inplace_end(struct slv_inplace_job *j, struct slv_report *r,
    const struct slv_options *opt, struct slv_sidecar *sidecar)
{
	if (opt->dry_run) {
		r->in_place.state = SLV_UNDO_NONE;
		r->outcome = SLV_OUT_PLANNED;
		return SLV_OK;
	}
	j->in.sidecar = sidecar;
	if (slv_inplace_run(&j->in, &r->err) == SLV_OK) {
		r->outcome = SLV_OUT_WRITTEN;
		return SLV_OK;
	}
	slv_inplace_look(r, &j->names);
	return r->err.code;
}

void
slv_inplace_job_free(struct slv_inplace_job *j)
{
	slv_inplace_free(&j->in);
	slv_undo_names_free(&j->names);
}
