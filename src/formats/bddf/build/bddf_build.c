/* bddf_build.c - the repaired log as a plan.
 *
 *	magic, first block, the data part as it was (what is lost left out,
 *	placeholders for lost declarations put in), an index block a series,
 *	the file index, the end block
 *
 * Blocks of the index are copied where they survived and say the same.
 */
#include "base/list.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/read/bddf_ident.h"

/* Something to put into the data part at an offset of the input. */
struct edit {
	uint64_t off;
	uint64_t skip; /* bytes of the input that it replaces */
	size_t series; /* series of the placeholder or of the corrected bytes */
};

SLV_ORDER2(compare_edits, struct edit, off, series)

/* Copy a stretch of the input and remember where it goes. */
static enum slv_status
copy(struct bddf *b, struct slv_plan *plan, uint64_t off, uint64_t len,
    struct slv_err *err)
{
	struct bddf_piece *last =
	    b->n_pieces > 0 ? &b->pieces[b->n_pieces - 1] : NULL;

	if (len == 0)
		return SLV_OK;
	if (last != NULL && last->in + last->len == off
	    && last->out + last->len == plan->size) {
		last->len += len;
	} else {
		SLV_TRY(SLV_ADD(b, pieces, err,
		    (struct bddf_piece){ off, plan->size, len }));
	}
	return slv_plan_copy(plan, off, len, err);
}

/* Append what a buffer holds, and empty it. */
static enum slv_status
add_buf(struct slv_plan *plan, struct slv_buf *buf, struct slv_err *err)
{
	enum slv_status st = slv_plan_buf(plan, buf, err);

	slv_buf_free(buf);
	return st;
}

/* The identifier of a series that is not declared: the file index's, or one
 * of ours. */
static enum slv_status
lost_ident(
    struct slv_scan *s, size_t i, struct slv_buf *out, struct slv_err *err)
{
	struct bddf_series *series = &bddf_of(s)->series[i];
	const uint8_t *p;

	if (series->ident.len == 0) {
		bddf_make_ident((uint32_t)i, out, &series->hash);
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(
	    s->window, series->ident.off, (size_t)series->ident.len, &p, err));
	slv_buf_add(out, p, (size_t)series->ident.len);
	return SLV_OK;
}

static enum slv_status
add_placeholder(
    struct slv_scan *s, struct slv_plan *plan, size_t i, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_buf ident = { 0 }, block = { 0 };
	enum slv_status st = lost_ident(s, i, &ident, err);

	b->series[i].placed = plan->size;
	if (st == SLV_OK)
		bddf_make_series(b->dialect, (uint32_t)i,
		    (struct slv_span){ ident.at, ident.len }, b->series[i].hash,
		    b->series[i].n_names, &block);
	block.failed |= ident.failed;
	slv_buf_free(&ident);
	if (st != SLV_OK)
		slv_buf_free(&block);
	return st == SLV_OK ? add_buf(plan, &block, err) : st;
}

/* Put a declaration that is too late where it is needed, and correct it. */
static enum slv_status
move_declaration(
    struct slv_plan *plan, struct bddf_series *series, struct slv_err *err)
{
	struct bddf_range block = series->block, from = series->mend.from;
	uint64_t at = series->mend.at.off, skip = series->mend.at.len;
	uint64_t end = block.off + block.len;

	series->placed = plan->size;
	if (skip == 0)
		return slv_plan_copy(plan, block.off, block.len, err);
	SLV_TRY(slv_plan_copy(plan, block.off, at - block.off, err));
	SLV_TRY(slv_plan_copy(plan, from.off, from.len, err));
	return slv_plan_copy(plan, at + skip, end - at - skip, err);
}

/* The edits of the data part, in order; owned by the caller.  Declarations
 * follow the first block, even if an index before it names them. */
static enum slv_status
collect_edits(
    const struct bddf *b, struct edit **out, size_t *n, struct slv_err *err)
{
	uint64_t from = b->first_late ? 0 : b->first.off + b->first.len;
	struct edit *edits;

	*n = 0;
	SLV_TRY(slv_new(&edits, b->n_series, sizeof(*edits), err));
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i];

		if (!series->declared || series->early)
			edits[(*n)++] = (struct edit){
				.off = slv_max64(series->need_off, from),
				.series = i,
			};
		else if (series->mend.at.len > 0)
			edits[(*n)++] = (struct edit){ series->mend.at.off,
				series->mend.at.len, i };
	}
	slv_sort(edits, *n, sizeof(*edits), compare_edits);
	*out = edits;
	return SLV_OK;
}

static enum slv_status
apply_edit(struct slv_scan *s, struct slv_plan *plan, const struct edit *e,
    struct slv_err *err)
{
	struct bddf_series *series = &bddf_of(s)->series[e->series];

	if (e->skip == 0 && series->declared)
		return move_declaration(plan, series, err);
	if (e->skip == 0)
		return add_placeholder(s, plan, e->series, err);
	return slv_plan_copy(
	    plan, series->mend.from.off, series->mend.from.len, err);
}

/* The kept bytes of [off, end) with the edits that fall into it. */
static enum slv_status
add_extent(struct slv_scan *s, struct slv_plan *plan, uint64_t off,
    uint64_t end, const struct edit **next, const struct edit *stop,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	for (; *next < stop && (*next)->off < end; (*next)++) {
		const struct edit *e = *next;

		if (e->off > off)
			SLV_TRY(copy(b, plan, off, e->off - off, err));
		off = slv_max64(off, e->off + e->skip);
		SLV_TRY(apply_edit(s, plan, e, err));
	}
	return off < end ? copy(b, plan, off, end - off, err) : SLV_OK;
}

static enum slv_status
add_data(struct slv_scan *s, struct slv_plan *plan, const struct edit *edits,
    size_t n_edits, struct slv_err *err)
{
	const struct edit *next = edits, *stop = edits + n_edits;
	const struct slv_catalog *c = &s->catalog;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		uint64_t end = x->off + x->len;
		bool mended = x->fate == SLV_REBUILT && next < stop
		    && next->off == x->off && next->skip == x->len;

		if (x->part == SLV_PART_DATA && (x->fate == SLV_KEPT || mended))
			SLV_TRY(
			    add_extent(s, plan, x->off, end, &next, stop, err));
	}
	for (; next < stop; next++)
		SLV_TRY(apply_edit(s, plan, next, err));
	return SLV_OK;
}

static enum slv_status
add_beginning(struct slv_scan *s, struct slv_plan *plan, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_buf block = { 0 };

	const struct slv_catalog *c = &s->catalog;
	const struct slv_extent *magic = &c->at[slv_catalog_find(c, s->base)];

	if (magic->part == SLV_PART_FRAME && magic->fate == SLV_KEPT)
		SLV_TRY(copy(b, plan, s->base, BDDF_MAGIC_SIZE, err));
	else
		SLV_TRY(slv_plan_bytes(plan, BDDF_MAGIC, BDDF_MAGIC_SIZE, err));
	if (b->first_made.len > 0)
		return slv_plan_bytes(
		    plan, b->first_made.at, b->first_made.len, err);
	if (b->first_late)
		return slv_plan_copy(plan, b->first.off, b->first.len, err);
	if (b->first.len > 0)
		return SLV_OK;
	bddf_make_file(b->dialect, NULL, &block);
	return add_buf(plan, &block, err);
}

/* Where the identifier of a declared series is copied from: the surviving
 * FileIndex, whose order of keys may differ from the declaration's. */
static struct bddf_range
ident_of(const struct bddf_series *series)
{
	if (series->index_ident.len > 0)
		return series->index_ident;
	if (series->mend.at.len > 0 && series->mend.at.off == series->ident.off)
		return series->mend.from;
	return series->ident;
}

static enum slv_status
hash_of(struct slv_scan *s, const struct bddf_series *series, uint64_t *out,
    struct slv_err *err)
{
	struct bddf_range ident = ident_of(series);
	uint8_t meaning[BDDF_DIGEST_SIZE];
	bool known;

	*out = series->hash;
	if (series->mend.at.len == 0)
		return SLV_OK;
	return bddf_ident(s, ident, out, meaning, &known, err);
}

/* The lists of offsets and hashes of a FileIndex, packed. */
static enum slv_status
pack_lists(struct slv_scan *s, const uint64_t *offsets, struct slv_buf *out,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_buf list = { 0 };

	for (size_t i = 0; i < b->n_series; i++)
		slv_wire_varint(&list, offsets[i]);
	slv_wire_text(out, 2, (struct slv_span){ list.at, list.len });
	out->failed |= list.failed;
	list.len = 0;
	for (size_t i = 0; i < b->n_series; i++) {
		uint64_t hash;

		if (hash_of(s, &b->series[i], &hash, err) != SLV_OK)
			break;
		slv_wire_varint(&list, hash);
	}
	slv_wire_text(out, 3, (struct slv_span){ list.at, list.len });
	out->failed |= list.failed;
	slv_buf_free(&list);
	return err->code;
}

/* One identifier as an element of the FileIndex; counts only while plan is
 * NULL. */
static enum slv_status
add_ident(struct slv_scan *s, size_t i, struct slv_plan *plan, uint64_t *size,
    struct slv_err *err)
{
	struct bddf_series *series = &bddf_of(s)->series[i];
	struct bddf_range at = ident_of(series);
	struct slv_buf head = { 0 }, own = { 0 };
	enum slv_status st = SLV_OK;
	uint64_t len = at.len;

	if (!series->declared) {
		st = lost_ident(s, i, &own, err);
		len = own.len;
	}
	slv_buf_add(&head, "\x0a", 1);
	slv_wire_varint(&head, len);
	*size += head.len + len;
	if (st == SLV_OK && (head.failed || own.failed))
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK && plan != NULL) {
		st = add_buf(plan, &head, err);
		series->ident_seg = plan->n;
		if (st == SLV_OK && series->declared)
			st = slv_plan_copy(plan, at.off, at.len, err);
		else if (st == SLV_OK)
			st = add_buf(plan, &own, err);
	}
	slv_buf_free(&head);
	slv_buf_free(&own);
	return st;
}

static enum slv_status
make_file_index(struct slv_scan *s, struct slv_plan *plan,
    const uint64_t *offsets, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_buf lists = { 0 }, head = { 0 };
	uint8_t header[BDDF_HEADER_SIZE];
	enum slv_status st = SLV_OK;
	uint64_t body = 0, size;

	for (size_t i = 0; st == SLV_OK && i < b->n_series; i++)
		st = add_ident(s, i, NULL, &body, err);
	if (st == SLV_OK && b->n_series > 0)
		st = pack_lists(s, offsets, &lists, err);
	body += lists.len;
	size = 1 + bddf_varint_size(body) + body;
	bddf_head_put(b->dialect,
	    (struct bddf_head){ .type = BDDF_DESCRIPTOR, .size = size },
	    header);
	slv_buf_add(&head, header, sizeof(header));
	slv_buf_add(&head, "\x22", 1);
	slv_wire_varint(&head, body);
	if (st == SLV_OK)
		st = add_buf(plan, &head, err);
	for (size_t i = 0; st == SLV_OK && i < b->n_series; i++)
		st = add_ident(s, i, plan, &body, err);
	if (st == SLV_OK)
		st = add_buf(plan, &lists, err);
	slv_buf_free(&head);
	slv_buf_free(&lists);
	return st;
}

static enum slv_status
add_end(struct slv_scan *s, struct slv_plan *plan, uint64_t index,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint8_t head[BDDF_DIGEST_AT];

	bddf_end_header(b->dialect, head);
	slv_put_le64(head + BDDF_HEADER_SIZE, index);
	SLV_TRY(slv_plan_bytes(plan, head, sizeof(head), err));
	if (b->file.checksum == 1)
		SLV_TRY(slv_plan_fill(plan, 0, BDDF_DIGEST_SIZE, err));
	else
		SLV_TRY(slv_plan_digest(plan, err));
	SLV_TRY(slv_plan_bytes(plan, BDDF_END_MAGIC, BDDF_MAGIC_SIZE, err));
	return slv_catalog_set(
	    &s->catalog, b->end.off, b->end.len, SLV_REBUILT, err);
}

/* Whether the footer stays as it is, because all before it does. */
static bool
end_stays(const struct slv_scan *s, const struct slv_plan *plan)
{
	const struct bddf *b = bddf_of(s);
	const struct slv_catalog *c = &s->catalog;

	return b->end.len == BDDF_END_SIZE && b->end.off == plan->size
	    && slv_plan_prefix(plan) == plan->size
	    && s->seal.as_is != SLV_SEAL_OTHER
	    && c->at[slv_catalog_find(c, b->end.off)].fate == SLV_KEPT;
}

/* Whether the surviving FileIndex is right for the new places of the indexes. */
static bool
file_index_stays(const struct bddf *b, const uint64_t *offsets)
{
	for (size_t i = 0; i < b->n_series; i++) {
		if (b->series[i].index_at != offsets[i])
			return false;
	}
	return b->index_same;
}

static enum slv_status
add_index(struct slv_scan *s, struct slv_plan *plan, uint64_t *offsets,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	uint64_t index;

	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i];

		offsets[i] = plan->size;
		if (series->index_same)
			SLV_TRY(slv_plan_copy(
			    plan, series->index.off, series->index.len, err));
		else
			SLV_TRY(bddf_encode_series(b, i, plan, err));
		SLV_TRY(bddf_note_huge(s, b->data_end,
		    plan->size - offsets[i] - BDDF_HEADER_SIZE, err));
	}
	index = plan->size;
	if (file_index_stays(b, offsets)) {
		SLV_TRY(slv_plan_copy(
		    plan, b->file_index.off, b->file_index.len, err));
	} else {
		SLV_TRY(slv_catalog_set(&s->catalog, b->file_index.off,
		    b->file_index.len, SLV_REBUILT, err));
		b->made_index = index;
		SLV_TRY(make_file_index(s, plan, offsets, err));
	}
	if (end_stays(s, plan))
		return slv_plan_copy(plan, b->end.off, b->end.len, err);
	return add_end(s, plan, index, err);
}

enum slv_status
bddf_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct edit *edits = NULL;
	uint64_t *offsets;
	enum slv_status st;
	size_t n = 0;

	*possible = false;
	b->n_pieces = 0; /* of an earlier plan */
	if (!s->supported || !bddf_has_content(b))
		return SLV_OK;
	SLV_TRY(slv_new(&offsets, b->n_series, sizeof(*offsets), err));
	st = collect_edits(b, &edits, &n, err);
	if (st == SLV_OK)
		st = add_beginning(s, plan, err);
	if (st == SLV_OK)
		st = add_data(s, plan, edits, n, err);
	if (st == SLV_OK)
		st = add_index(s, plan, offsets, err);
	slv_free(edits);
	slv_free(offsets);
	*possible = st == SLV_OK;
	return st;
}
