/* bddf_notes.c - the first block with annotations of ours.
 *
 * All other bytes of it stay as they are; annotations with the same keys, of
 * an earlier repair, go.  The block grows, so that every block after it moves
 * and no surviving index holds.
 */
#include <string.h>

#include "base/ranges.h"
#include "core/format/notes.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define ENTRY bosdyn_api_FileFormatDescriptor_AnnotationsEntry_fields

/* The first block while it is looked through. */
struct look {
	const struct slv_notes *notes;
	struct slv_span raw;   /* the block; offsets count from its beginning */
	uint64_t base;         /* where it is */
	size_t files;          /* FileFormatDescriptors in it */
	struct slv_range file; /* the last of them */
	struct slv_range last; /* the field of it that was met last */
	struct slv_ranges old; /* annotations to leave out */
	struct slv_err *err;
};

static bool
is_note(const struct look *l, const struct bddf_field *f)
{
	const uint8_t *key = l->raw.at + (f->off - l->base);

	for (size_t i = 0; i < l->notes->n; i++) {
		const char *note = l->notes->at[i].key;

		if (strlen(note) == f->len && memcmp(note, key, f->len) == 0)
			return true;
	}
	return false;
}

/* A field begins where the one before it ended. */
static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct look *l = ctx;
	uint64_t end = f->off + f->len;

	if (f->event == BDDF_CLOSE)
		return true;
	if (f->depth == 0) {
		l->files++;
		l->file = (struct slv_range){ f->off, end };
		l->last = (struct slv_range){ f->off, f->off };
	} else if (f->depth == 1) {
		l->last = (struct slv_range){ l->last.end, end };
	} else if (f->in == ENTRY && f->tag == 1 && is_note(l, f)) {
		return slv_ranges_add(&l->old, l->last.off,
		           l->last.end - l->last.off, l->err)
		    == SLV_OK;
	}
	return true;
}

/* Append what the FileFormatDescriptor says, without old notes. */
static void
put_rest(const struct look *l, struct slv_buf *out)
{
	uint64_t from = l->file.off;

	for (size_t i = 0; i < l->old.n; i++) {
		slv_buf_add(out, l->raw.at + (from - l->base),
		    (size_t)(l->old.at[i].off - from));
		from = l->old.at[i].end;
	}
	slv_buf_add(
	    out, l->raw.at + (from - l->base), (size_t)(l->file.end - from));
}

/* Rebuild the first block from the present one.  *done = false: that is not as
 * expected. */
static enum slv_status
rewrite(struct slv_scan *s, const struct slv_notes *notes, bool *done,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_buf raw = { 0 }, file = { 0 };
	struct look l = { .notes = notes, .base = b->first.off, .err = err };
	enum slv_status st;
	enum bddf_read read;
	const uint8_t *p;

	st = slv_window_view(
	    s->window, b->first.off, (size_t)b->first.len, &p, err);
	if (st == SLV_OK)
		slv_buf_add(&raw, p, (size_t)b->first.len);
	if (raw.failed)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	l.raw = (struct slv_span){ raw.at, raw.len };
	if (st == SLV_OK)
		st = bddf_walk(s->window, b->first.off + BDDF_HEADER_SIZE,
		    b->first.len - BDDF_HEADER_SIZE,
		    bosdyn_api_DescriptorBlock_fields, visit, &l, &read, err);
	if (st == SLV_OK)
		st = err->code;
	*done = st == SLV_OK && read == BDDF_WHOLE && l.files == 1;
	if (*done) {
		put_rest(&l, &file);
		bddf_put_notes(notes, &file);
		bddf_put_file(b->dialect, &file, &b->first_made);
	}
	slv_ranges_free(&l.old);
	slv_buf_free(&file);
	slv_buf_free(&raw);
	return st;
}

enum slv_status
bddf_annotate(struct slv_scan *s, const struct slv_notes *notes, bool *done,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	*done = true;
	if (b->first.len > SLV_WINDOW_MAX)
		*done = false;
	else if (b->first.len > 0)
		SLV_TRY(rewrite(s, notes, done, err));
	else
		bddf_make_file(b->dialect, notes, &b->first_made);
	if (!*done)
		return SLV_OK;
	SLV_TRY(slv_buf_check(&b->first_made, err));
	SLV_TRY(slv_catalog_set(
	    &s->catalog, b->first.off, b->first.len, SLV_REBUILT, err));
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_range at = b->series[i].index;

		b->series[i].index_same = false;
		SLV_TRY(slv_catalog_queue(
		    &s->catalog, at.off, at.len, SLV_REBUILT, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}
