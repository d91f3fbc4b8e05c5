/* bddf_desc.c - what a descriptor block says, as far as the scan needs it. */
#include "formats/bddf/bddf_proto.h"
#include "formats/bddf/bddf_state.h"
#include "proto/bddf.pb.h"

#define FIELD(message, name) bosdyn_api_##message##_##name##_tag

/* The outermost message names its one member.  A second member of another
 * kind takes the place of the first, as protobuf has it. */
static void
open_member(struct bddf_desc *d, const struct bddf_field *f)
{
	if (d->member == f->tag)
		return;
	*d = (struct bddf_desc){ .member = f->tag, .strange = d->strange };
}

static void
file_field(struct bddf_desc *d, const struct bddf_field *f)
{
	if (f->in == bosdyn_api_FileFormatVersion_fields && f->tag <= 3) {
		d->version[f->tag - 1] = (uint32_t)f->value;
		return;
	}
	if (f->in != bosdyn_api_FileFormatDescriptor_fields)
		return;
	if (f->tag == FIELD(FileFormatDescriptor, checksum_type))
		d->checksum = (uint32_t)slv_min64(f->value, UINT32_MAX);
	if (f->tag == FIELD(FileFormatDescriptor, checksum_num_bytes))
		d->checksum_bytes = (uint32_t)f->value;
}

static void
series_field(struct bddf_desc *d, const struct bddf_field *f)
{
	if (f->in != bosdyn_api_SeriesDescriptor_fields)
		return;
	switch (f->tag) {
	case FIELD(SeriesDescriptor, series_index):
		d->series = (uint32_t)f->value;
		break;
	case FIELD(SeriesDescriptor, identifier_hash):
		d->hash = f->value;
		break;
	case FIELD(SeriesDescriptor, additional_index_names):
		d->n_names++;
		break;
	case FIELD(SeriesDescriptor, series_identifier):
		if (f->event == BDDF_OPEN) {
			d->ident_off = f->off;
			d->ident_len = f->len;
			d->n_idents += d->n_idents < 2;
		}
		break;
	}
}

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct bddf_desc *d = ctx;

	if (f->event == BDDF_ENTRY)
		d->strange |= f->more.strange;
	else if (f->event == BDDF_UNKNOWN)
		d->strange = true;
	else if (f->depth == 0 && f->event == BDDF_OPEN)
		open_member(d, f);
	else if (d->member == FIELD(DescriptorBlock, file_descriptor))
		file_field(d, f);
	else if (d->member == FIELD(DescriptorBlock, series_descriptor))
		series_field(d, f);
	else if (f->in == bosdyn_api_SeriesBlockIndex_fields
	    && f->tag == FIELD(SeriesBlockIndex, series_index))
		d->series = (uint32_t)f->value;
	/* Two identifiers would have to be merged to be carried over; no
	 * writer does that. */
	return d->n_idents < 2;
}

static enum slv_status
read_body(struct slv_window *w, uint64_t off, uint64_t len, struct bddf_desc *d,
    enum bddf_read *read, struct slv_err *err)
{
	*d = (struct bddf_desc){ 0 };
	return bddf_walk(w, off, len, bosdyn_api_DescriptorBlock_fields, visit,
	    d, read, err);
}

enum slv_status
bddf_desc_get(struct slv_scan *s, uint64_t off, uint64_t len,
    struct bddf_desc *d, enum bddf_read *read, struct slv_err *err)
{
	return read_body(&s->window, off, len, d, read, err);
}

enum slv_status
bddf_desc_memory(const uint8_t *body, size_t n, struct bddf_desc *d,
    enum bddf_read *read, struct slv_err *err)
{
	struct slv_source *source = NULL;
	struct slv_window window;
	enum slv_status st;

	SLV_TRY(slv_source_memory(body, n, &source, err));
	slv_window_init(&window, source, NULL);
	st = read_body(&window, 0, n, d, read, err);
	slv_window_free(&window);
	slv_source_close(source);
	return st;
}
