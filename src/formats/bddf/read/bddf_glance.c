/* bddf_glance.c - index-only read: describe the log by both ends and the index.
 *
 * The index repeats the place, the time and the size of every block, so that a
 * sound footer describes the log in a few reads.  If anything does not fit together,
 * the log is scanned instead.
 */
#include <string.h>

#include "formats/bddf/index/bddf_entries.h"

/* The entries of a SeriesBlockIndex, summed up while it is walked. */
struct sum {
	uint64_t n;    /* entries */
	uint64_t last; /* offset of the entry before */
	bool ordered;  /* offsets rise */
	struct slv_moment from, to;
};

static void
sum_entry(struct bddf_entries *e)
{
	struct sum *c = e->ctx;
	struct slv_moment at = {
		.known = e->entry.nanos != BDDF_NO_TIME,
		.sec = e->entry.sec,
		.nanos = e->entry.nanos,
	};

	c->ordered &= c->n == 0 || e->entry.off > c->last;
	c->last = e->entry.off;
	c->n++;
	slv_moment_span(at, &c->from, &c->to);
}

/* The descriptor block at off, if one is there that ends before `end`. */
static enum slv_status
block_at(struct slv_scan *s, uint64_t off, uint64_t end, uint32_t member,
    struct bddf_range *block, struct bddf_desc *d, bool *yes,
    struct slv_err *err)
{
	struct bddf_head head;
	enum bddf_read read;
	const uint8_t *p;

	*yes = slv_range_in(off, BDDF_HEADER_SIZE, end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	*block = (struct bddf_range){ off, bddf_head_span(head) };
	*yes = head.type == BDDF_DESCRIPTOR && head.size > 0
	    && slv_range_in(off, block->len, end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(
	    bddf_desc_get(s, off + BDDF_HEADER_SIZE, head.size, d, &read, err));
	*yes = read == BDDF_WHOLE && d->member == member;
	return SLV_OK;
}

/* The end block at the end of the file, borrowed from the window; NULL: there
 * is none. */
static enum slv_status
end_block(const struct slv_scan *s, const uint8_t **out, struct slv_err *err)
{
	uint64_t size = s->source->size;
	const uint8_t *p;

	*out = NULL;
	if (size <= 2 * BDDF_END_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, size - BDDF_END_SIZE, BDDF_END_SIZE, &p, err));
	if (bddf_is_end_header(bddf_of(s)->dialect, p, BDDF_HEADER_SIZE)
	    && memcmp(p + BDDF_END_SIZE - BDDF_MAGIC_SIZE, BDDF_END_MAGIC,
	           BDDF_MAGIC_SIZE)
	        == 0)
		*out = p;
	return SLV_OK;
}

enum slv_status
bddf_closed(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(end_block(s, &p, err));
	*yes = p != NULL;
	return SLV_OK;
}

static enum slv_status
glance_end(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	uint64_t off = s->source->size - BDDF_END_SIZE;
	const uint8_t *p;

	SLV_TRY(end_block(s, &p, err));
	*yes = b->first_parses && p != NULL;
	if (!*yes)
		return SLV_OK;
	b->end = (struct bddf_range){ off, BDDF_END_SIZE };
	b->end_index = slv_get_le64(p + BDDF_HEADER_SIZE);
	b->end_whole = true;
	return SLV_OK;
}

/* One series by its index block and its declaration. */
static enum slv_status
glance_series(struct slv_scan *s, size_t i, bool *yes, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_series *series = &b->series[i];
	struct sum c = { .ordered = true };
	struct bddf_entries e = { .done = sum_entry, .ctx = &c };
	struct bddf_range body;
	enum bddf_read read;
	struct bddf_desc d;

	SLV_TRY(block_at(s, series->index_at, b->end.off, BDDF_SERIES_INDEX,
	    &series->index, &d, yes, err));
	if (!*yes)
		return SLV_OK;
	body = (struct bddf_range){ series->index.off + BDDF_HEADER_SIZE,
		series->index.len - BDDF_HEADER_SIZE };
	SLV_TRY(bddf_entries_read(s->window, body, &e, &read, err));
	*yes = read == BDDF_WHOLE && e.index == i && c.ordered
	    && c.last < series->index.off;
	if (!*yes)
		return SLV_OK;
	series->n = c.n;
	series->bytes = e.total;
	series->from = c.from;
	series->to = c.to;
	SLV_TRY(block_at(s, e.descriptor, series->index.off, BDDF_SERIES,
	    &series->block, &d, yes, err));
	*yes = *yes && d.series == i;
	series->declared = true;
	series->ident = (struct bddf_range){ d.ident_off, d.ident_len };
	series->hash = d.hash;
	series->n_names = d.n_names;
	return SLV_OK;
}

static enum slv_status
glance_index(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_range body;
	struct bddf_desc d;

	SLV_TRY(block_at(s, b->end_index, b->end.off, BDDF_INDEX,
	    &b->file_index, &d, yes, err));
	*yes = *yes && b->file_index.off + b->file_index.len == b->end.off;
	if (!*yes)
		return SLV_OK;
	body = (struct bddf_range){ b->file_index.off + BDDF_HEADER_SIZE,
		b->file_index.len - BDDF_HEADER_SIZE };
	/* The first pass learns the series and the place of each index. */
	SLV_TRY(bddf_index_file(s, body, yes, err));
	for (size_t i = 0; *yes && i < b->n_series; i++)
		SLV_TRY(glance_series(s, i, yes, err));
	/* The second pass compares the FileIndex with them. */
	if (*yes)
		SLV_TRY(bddf_index_file(s, body, yes, err));
	for (size_t i = 0; *yes && i < b->n_series; i++) {
		s->units_kept += b->series[i].n + 1;
		*yes = b->series[i].mend.at.len == 0;
	}
	return SLV_OK;
}

enum slv_status
bddf_glance(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_desc d;

	SLV_TRY(glance_end(s, yes, err));
	if (*yes)
		SLV_TRY(block_at(s, BDDF_MAGIC_SIZE, s->source->size, BDDF_FILE,
		    &b->first, &d, yes, err));
	if (!*yes)
		return SLV_OK;
	memcpy(b->file.version, d.version, sizeof(d.version));
	b->file.checksum = d.checksum;
	b->file.checksum_bytes = d.checksum_bytes;
	s->units_kept = 1;
	SLV_TRY(glance_index(s, yes, err));
	s->end = SLV_END_KNOWN;
	return *yes ? bddf_finish_first(s, err) : SLV_OK;
}
