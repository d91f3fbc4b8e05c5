/* inplace.c - run a plan on the file it was made from. */
#include "job/inplace/inplace.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/plan/plan_diff.h"
#include "core/scan/scan.h"
#include "io/write/temp.h"
#include "job/input/active.h"
#include "job/input/digests.h"

#define CHUNK ((size_t)256 << 10) /* bytes moved at once */

/* The state of a change. */
struct changing {
	struct slv_inplace *how;
	struct slv_place file;
	struct slv_undo_record record;
	struct slv_source *new; /* owned; the new content */
	uint8_t *buf;           /* owned; CHUNK bytes */
};

static enum slv_status
check_names(const struct slv_inplace *p, struct slv_err *err)
{
	if (!S_ISREG(p->input->st_mode))
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is no regular file; only such a file is changed in "
		    "place",
		    p->names->file);
	if (p->input->st_nlink <= 1 || p->linked_ok)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: has %llu names (hard links), and all of them would show the "
	    "repair; nothing was changed; -f repairs it",
	    p->names->file, (unsigned long long)p->input->st_nlink);
}

static enum slv_status
check_no_record(const struct slv_undo_names *n, struct slv_err *err)
{
	struct slv_undo_seen seen;

	SLV_TRY(slv_undo_state(n, &seen, err));
	if (!seen.exists)
		return SLV_OK;
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: an earlier repair can still be taken back, with %s; nothing "
	    "was changed; --discard-undo makes that repair final",
	    n->file, n->record);
}

/* Neither next to the file nor where the user wants it. */
static enum slv_status
check_no_records(const struct slv_undo_names *n, struct slv_err *err)
{
	struct slv_undo_names beside;
	enum slv_status st = SLV_OK;

	if (n->given) {
		st = slv_undo_names(&beside, n->file, NULL, err);
		if (st == SLV_OK)
			st = check_no_record(&beside, err);
		slv_undo_names_free(&beside);
	}
	return st == SLV_OK ? check_no_record(n, err) : st;
}

static enum slv_status
check_space(struct slv_inplace *p, struct slv_err *err)
{
	const struct slv_undo_names *n = p->names;
	char *of_record = slv_temp_directory(n->record);
	char *of_file = slv_temp_directory(n->file);
	struct slv_space here = { .need = p->appended };

	if (of_record == NULL || of_file == NULL) {
		slv_fail(err, SLV_E_NOMEM, "out of memory");
	} else {
		p->space.need = p->record.size + (n->apart ? 0 : p->appended);
		slv_space_look(of_record, &p->space);
		slv_space_check(&p->space, n->record, of_record,
		    "--undo-file can put the record on another disk", err);
		slv_space_look(of_file, &here);
		slv_space_check(&here, n->file, of_file, NULL, err);
	}
	slv_free(of_record);
	slv_free(of_file);
	return err->code;
}

enum slv_status
slv_inplace_measure(struct slv_inplace *p, struct slv_err *err)
{
	uint64_t old = p->source->size, size = p->plan->size;
	struct slv_undo_facts *f = &p->record.facts;

	SLV_TRY(check_names(p, err));
	SLV_TRY(check_no_records(p->names, err));
	SLV_TRY(slv_plan_patches(p->plan, p->source, &p->patches, err));
	p->record.file = p->source;
	p->record.patches = &p->patches;
	p->record.cancel = p->cancel;
	f->old_size = old;
	f->new_size = size;
	f->from = p->plan->whole_from;
	memcpy(f->new_sha1, p->plan->whole, sizeof(f->new_sha1));
	p->appended = size > old ? size - old : 0;
	p->cut = old > size ? old - size : 0;
	SLV_TRY(slv_undo_measure(&p->record, err));
	if (p->source->unreadable.n > 0)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: holds sectors that cannot be read; nothing was "
		    "changed; image the disk first, with GNU ddrescue",
		    p->names->file);
	return check_space(p, err);
}

static enum slv_status
write_range(struct changing *c, uint64_t off, uint64_t end, struct slv_err *err)
{
	while (off < end) {
		size_t n = (size_t)slv_min64(end - off, CHUNK);

		SLV_TRY(slv_source_read(c->new, off, c->buf, n, err));
		SLV_TRY(slv_place_write(&c->file, off, c->buf, n, err));
		off += n;
	}
	return SLV_OK;
}

/* Bytes that another thread appends. */
struct appending {
	struct slv_place *file;
	uint64_t off; /* offset of the next piece */
	struct slv_err err;
};

static void
append_piece(void *ctx, const uint8_t *bytes, size_t n)
{
	struct appending *a = ctx;

	if (a->err.code == SLV_OK)
		(void)slv_place_write(a->file, a->off, bytes, n, &a->err);
	a->off += n;
}

/* Append the additional bytes: while one piece is made, another one is
 * written. */
static enum slv_status
append(struct changing *c, uint64_t off, uint64_t end, struct slv_err *err)
{
	struct appending a = { .file = &c->file, .off = off };
	struct slv_ring *ring = NULL;
	enum slv_status st = SLV_OK;

	if (end - off >= SLV_HASHER_ALONE)
		ring = slv_ring_start(
		    &(struct slv_ring_work){ append_piece, &a }, 1);
	if (ring == NULL)
		return write_range(c, off, end, err);
	while (st == SLV_OK && off < end) {
		size_t n = (size_t)slv_min64(end - off, SLV_RING_PIECE);
		uint8_t *room = slv_ring_room(ring);

		st = slv_source_read(c->new, off, room, n, err);
		slv_ring_give(ring, st == SLV_OK ? n : 0);
		off += n;
	}
	slv_ring_free(ring);
	if (st == SLV_OK)
		*err = a.err;
	return err->code;
}

/* The bytes that make the rest a log: those at its end point to the index,
 * those at its beginning identify it. */
enum turn { MIDDLE, LAST, FIRST, TURNS };

static enum turn
turn_of(const struct changing *c, const struct slv_range *r)
{
	if (r->off < SLV_SECTOR)
		return FIRST;
	return c->how->plan->size - r->end < SLV_SECTOR ? LAST : MIDDLE;
}

static enum slv_status
write_patches(struct changing *c, enum turn turn, struct slv_err *err)
{
	const struct slv_ranges *patches = &c->how->patches;
	size_t n = 0;

	for (size_t i = 0; i < patches->n; i++) {
		const struct slv_range *r = &patches->at[i];

		if (turn_of(c, r) != turn)
			continue;
		SLV_TRY(write_range(c, r->off, r->end, err));
		n++;
	}
	return n > 0 ? slv_place_sync(&c->file, err) : SLV_OK;
}

static enum slv_status
verify_written(const struct changing *c, struct slv_err *err)
{
	const struct slv_inplace *how = c->how;
	uint8_t found[SLV_SHA1_SIZE];
	struct slv_source *s = NULL;
	enum slv_status status;

	if (!how->verify_written)
		return SLV_OK;
	SLV_TRY(slv_undo_reread(how->names, &c->file, &s, err));
	status = slv_digest_end(s, how->plan->whole_from, NULL, found, err);
	if (status == SLV_OK
	    && (s->size != how->plan->size || s->unreadable.n > 0
	        || memcmp(found, how->plan->whole, sizeof(found)) != 0))
		status = slv_fail(err, SLV_E_IO,
		    "%s: what was written does not read back; check the disk",
		    how->names->file);
	slv_source_close(s);
	return status;
}

static enum slv_status
change(struct changing *c, struct slv_err *err)
{
	const struct slv_inplace *how = c->how;
	uint64_t old = how->source->size, size = how->plan->size;

	if (size > old) {
		SLV_TRY(append(c, old, size, err));
		SLV_TRY(slv_place_sync(&c->file, err));
	} else if (size < old) {
		SLV_TRY(slv_place_resize(&c->file, size, err));
		SLV_TRY(slv_place_sync(&c->file, err));
	}
	for (enum turn turn = MIDDLE; turn < TURNS; turn++)
		SLV_TRY(write_patches(c, turn, err));
	/* Zeros were served for unreadable bytes. */
	if (how->source->unreadable.n > 0 || c->record.source->unreadable.n > 0)
		return slv_fail(err, SLV_E_IO,
		    "%s: sectors fail that could be read before; image the "
		    "disk first, with GNU ddrescue",
		    how->names->file);
	return verify_written(c, err);
}

/* The plan from here on.  Encode at the same time what comes from the input. */
static enum slv_status
change_from(struct changing *c, struct slv_plan *plan, struct slv_source *old,
    struct slv_err *err)
{
	struct slv_source *file = slv_scan_read_from(c->how->scan, old);
	enum slv_status st;

	plan->input = old;
	st = slv_plan_source(plan, &c->new, err);
	if (st == SLV_OK)
		st = change(c, err);
	slv_source_close(c->new);
	slv_scan_read_from(c->how->scan, file);
	return st;
}

/* The new content, read from the old one: bytes that are overwritten come from
 * the record. */
static enum slv_status
change_all(struct changing *c, struct slv_err *err)
{
	const struct slv_inplace *how = c->how;
	struct slv_plan plan = *how->plan;
	struct slv_source *old = NULL, *patched = NULL;
	enum slv_status st;

	c->buf = slv_realloc(NULL, CHUNK);
	if (c->buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_undo_view(&c->record, how->source, &old, err);
	if (st == SLV_OK && plan.mends != NULL)
		st = slv_patched_source(old, plan.mends, &patched, err);
	if (st == SLV_OK)
		st =
		    change_from(c, &plan, patched != NULL ? patched : old, err);
	slv_source_close(patched);
	slv_source_close(old);
	slv_free(c->buf);
	return st;
}

/* End the sentence that says why it failed. */
static void
add_to_cause(struct slv_err *err, const char *what, const char *file)
{
	struct slv_err cause = *err;

	err->code = SLV_OK;
	slv_fail(err, cause.code, "%.*s; %s%s", SLV_ERR_TEXT / 2, cause.text,
	    what, file);
	err->os = cause.os;
}

/* Remove the record of this repair, if it exists. */
static enum slv_status
remove_record(const struct changing *c, struct slv_err *err)
{
	const struct slv_undo_facts *f = &c->how->record.facts;
	struct slv_undo_record r = { .source = NULL };
	struct slv_undo_seen seen;
	enum slv_status st = slv_undo_read(
	    &r, &c->how->names->record_at, &c->file.st, NULL, &seen, err);
	bool ours = st == SLV_OK && seen.exists && r.says.from == f->from
	    && memcmp(r.says.old_sha1, f->old_sha1, SLV_SHA1_SIZE) == 0
	    && memcmp(r.says.new_sha1, f->new_sha1, SLV_SHA1_SIZE) == 0;

	if (ours)
		st = slv_undo_remove(c->how->names, &r.as, err);
	slv_undo_free(&r);
	return st;
}

/* Before a byte was changed: remove the record. */
static void
give_up(const struct changing *c, struct slv_err *err)
{
	const struct slv_undo_names *n = c->how->names;
	struct slv_err again = { 0 };
	struct slv_undo_seen seen;

	if (remove_record(c, &again) == SLV_OK)
		return;
	again = (struct slv_err){ 0 };
	if (slv_undo_state(n, &seen, &again) != SLV_OK || seen.exists)
		add_to_cause(err,
		    "nothing was changed, but its undo record may be left; to "
		    "end that: salvor undo ",
		    n->file);
}

/* There will be no such log, so its report is removed too. */
static void
unsay(const struct slv_inplace *how)
{
	if (how->sidecar != NULL)
		slv_sidecar_unsay(how->sidecar->path, how->sidecar->log_at,
		    &how->sidecar->claim, how->source->size);
}

/* Restore the old bytes of the file. */
static enum slv_status
restore(struct changing *c, struct slv_err *err)
{
	SLV_TRY(slv_undo_put_back(&c->record, &c->file, err));
	SLV_TRY(slv_place_sync(&c->file, err));
	unsay(c->how);
	return slv_undo_remove(c->how->names, &c->record.as, err);
}

/* After a failure: restore the file. */
static void
roll_back(struct changing *c, struct slv_err *err)
{
	struct slv_err again = { 0 };

	if (restore(c, &again) == SLV_OK)
		add_to_cause(err, "nothing was changed", "");
	else
		add_to_cause(err,
		    "it could not be put back either; when that is solved: "
		    "salvor undo ",
		    c->how->names->file);
}

/* Check everything that can fail without a byte being changed. */
static enum slv_status
prepare(struct changing *c, struct slv_err *err)
{
	const struct slv_inplace *how = c->how;
	struct slv_undo_seen seen;

	if (how->names->apart)
		SLV_TRY(slv_undo_link(how->names, err));
	SLV_TRY(slv_undo_read(
	    &c->record, &how->names->record_at, &c->file.st, NULL, &seen, err));
	if (!seen.exists)
		return slv_fail(err, SLV_E_IO,
		    "%s: is gone; nothing was changed", how->names->record);
	SLV_TRY(
	    slv_place_reserve(&c->file, how->source->size, how->appended, err));
	return how->sidecar != NULL ? slv_sidecar_publish(how->sidecar, err)
	                            : SLV_OK;
}

/* The record has its name. */
static enum slv_status
with_record(struct changing *c, struct slv_err *err)
{
	const struct slv_undo_names *n = c->how->names;
	enum slv_status st = prepare(c, err);

	if (st != SLV_OK) {
		struct slv_err again = { 0 };

		/* Releases what was reserved. */
		if (c->how->appended > 0)
			slv_place_resize(
			    &c->file, c->how->source->size, &again);
		unsay(c->how);
		give_up(c, err);
		return st;
	}
	st = change_all(c, err);
	if (st != SLV_OK) {
		roll_back(c, err);
		return st;
	}
	st = slv_undo_set(&c->record, &n->record_at, true, err);
	if (st != SLV_OK)
		add_to_cause(err,
		    "the repair is done, but its undo record could not be "
		    "closed; again: salvor repair --in-place ",
		    n->file);
	return st;
}

/* The file is locked, and unchanged since the scan. */
static enum slv_status
with_file(struct changing *c, struct slv_err *err)
{
	struct slv_inplace *how = c->how;
	enum slv_status st;

	SLV_TRY(
	    slv_active_touch(how->names->file, how->input, &c->file.st, err));
	if (slv_is_cancelled(how->cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	st = slv_undo_write(
	    &how->record, &how->names->record_at, how->input, err);
	if (st == SLV_OK)
		return with_record(c, err);
	/* It may nevertheless have its name, but that is not certain. */
	if (st != SLV_E_EXISTS)
		give_up(c, err);
	return st;
}

enum slv_status
slv_inplace_run(struct slv_inplace *p, struct slv_err *err)
{
	struct changing c = { .how = p };
	enum slv_status st;

	if (p->sidecar != NULL)
		SLV_TRY(slv_sidecar_check(p->sidecar, err));
	SLV_TRY(slv_active_writer(p->source, err));
	SLV_TRY(slv_place_open(&c.file, &p->names->file_at, err));
	st = with_file(&c, err);
	slv_undo_free(&c.record);
	slv_place_close(&c.file);
	return st;
}

void
slv_inplace_free(struct slv_inplace *p)
{
	slv_ranges_free(&p->patches);
}
