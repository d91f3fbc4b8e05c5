/* bddf_entries.c - a SeriesBlockIndex, entry by entry. */
#include "formats/bddf/index/bddf_entries.h"

#include "proto/bddf.pb.h"

#define FIELD(message, name) bosdyn_api_##message##_##name##_tag

static void
one_extra(void *ctx, uint64_t value)
{
	struct bddf_entries *e = ctx;

	if (e->extra != NULL)
		e->extra(e, value);
	e->n_extra++;
}

/* A small entry, all of it. */
static void
whole_entry(struct bddf_entries *e, const struct bddf_field *f)
{
	struct bddf_entry_more again;

	e->entry = *f->entry;
	e->n_extra = 0;
	if (f->more.n_extra > 0)
		bddf_entry_get(
		    f->bytes, (size_t)f->len, &e->entry, &again, one_extra, e);
	e->entry.off = f->entry->off + e->base;
	e->done(e);
}

/* A field of a large one. */
static void
entry_field(struct bddf_entries *e, const struct bddf_field *f)
{
	if (f->in == bosdyn_api_Timestamp_fields) {
		if (f->tag == FIELD(Timestamp, seconds))
			e->entry.sec = (int64_t)f->value;
		else
			e->entry.nanos = f->value <= INT32_MAX
			    ? (uint32_t)f->value
			    : BDDF_BAD_TIME;
	} else if (f->tag == FIELD(BlockEntry, timestamp)) {
		if (e->entry.nanos == BDDF_NO_TIME)
			e->entry.nanos = 0;
	} else if (f->tag == FIELD(BlockEntry, file_offset)) {
		e->entry.off = f->value + e->base;
	} else {
		one_extra(e, f->value);
	}
}

static void
series_field(struct bddf_entries *e, const struct bddf_field *f)
{
	switch (f->tag) {
	case FIELD(SeriesBlockIndex, series_index): e->index = f->value; break;
	case FIELD(SeriesBlockIndex, descriptor_file_offset):
		e->descriptor = f->value + e->base;
		break;
	case FIELD(SeriesBlockIndex, total_bytes): e->total = f->value; break;
	case FIELD(SeriesBlockIndex, block_entries):
		if (f->event == BDDF_ENTRIES) {
			if (e->many != NULL)
				*f->taken = e->many(e, f);
			break;
		}
		if (f->event == BDDF_ENTRY) {
			whole_entry(e, f);
			break;
		}
		if (f->event == BDDF_CLOSE) {
			e->done(e);
			break;
		}
		e->entry = (struct bddf_entry){ .nanos = BDDF_NO_TIME };
		e->n_extra = 0;
	}
}

void
bddf_entries_field(struct bddf_entries *e, const struct bddf_field *f)
{
	if (f->event == BDDF_UNKNOWN)
		return;
	if (f->in == bosdyn_api_SeriesBlockIndex_fields)
		series_field(e, f);
	else if ((f->in == bosdyn_api_BlockEntry_fields
	             || f->in == bosdyn_api_Timestamp_fields)
	    && f->event != BDDF_CLOSE)
		entry_field(e, f);
}

static bool
visit(void *ctx, const struct bddf_field *f)
{
	bddf_entries_field(ctx, f);
	return true;
}

enum slv_status
bddf_entries_read(struct slv_window *window, struct bddf_range body,
    struct bddf_entries *e, enum bddf_read *read, struct slv_err *err)
{
	return bddf_walk(window, body.off, body.len,
	    bosdyn_api_DescriptorBlock_fields, visit, e, read, err);
}

enum slv_status
bddf_entries_memory(const uint8_t *bytes, size_t n, struct bddf_entries *e,
    enum bddf_read *read, struct slv_err *err)
{
	struct slv_source *source = NULL;
	struct slv_window window;
	enum slv_status st;

	SLV_TRY(slv_source_memory(bytes, n, &source, err));
	slv_window_init(&window, source, NULL);
	st = bddf_walk(&window, 0, n, bosdyn_api_SeriesBlockIndex_fields, visit,
	    e, read, err);
	slv_window_free(&window);
	slv_source_close(source);
	return st;
}
