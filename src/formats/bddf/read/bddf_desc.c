/* bddf_desc.c - what a descriptor block says, as far as the scan needs it. */
#include "formats/bddf/index/bddf_entries.h"
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
	case FIELD(SeriesDescriptor, message_type):
	case FIELD(SeriesDescriptor, pod_type):
	case FIELD(SeriesDescriptor, struct_type): d->typed = true; break;
	case FIELD(SeriesDescriptor, series_identifier):
		if (f->event == BDDF_OPEN) {
			d->ident_off = f->off;
			d->ident_len = f->len;
			d->n_idents += d->n_idents < 2;
		}
		break;
	}
}

/* A descriptor block while it is read. */
struct reading {
	struct bddf_desc *d;
	struct bddf_check *check; /* of an index; NULL: not requested */
	uint32_t
	    last[BDDF_DEPTH_MAX + 1]; /* field of the messages that are open */
	enum slv_status status;       /* of what is done meanwhile */
	struct slv_err *err;
};

/* Writers write the fields of a message in order, and only lists repeat one. */
static void
note_order(struct reading *r, const struct bddf_field *f)
{
	uint32_t *last = &r->last[f->depth];

	if (f->event != BDDF_OPEN && f->event != BDDF_VALUE
	    && f->event != BDDF_STRING)
		return;
	r->d->jumbled |= f->tag < *last
	    || (f->tag == *last
	        && f->in == bosdyn_api_MessageTypeDescriptor_fields);
	last[0] = f->tag;
	last[1] = 0;
}

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct reading *r = ctx;
	struct bddf_desc *d = r->d;

	note_order(r, f);
	if (r->check != NULL && d->member == BDDF_SERIES_INDEX)
		bddf_entries_field(&r->check->entries, f);
	if (f->event == BDDF_ENTRIES && r->check != NULL
	    && r->check->hasher != NULL)
		r->status = slv_hasher_step(
		    r->check->hasher, f->off + *f->taken, r->err);
	if (f->event == BDDF_ENTRY || f->event == BDDF_ENTRIES)
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
	return d->n_idents < 2 && r->status == SLV_OK;
}

static enum slv_status
read_body(struct slv_window *w, struct bddf_range body, struct reading *r,
    enum bddf_read *read, struct slv_err *err)
{
	*r->d = (struct bddf_desc){ 0 };
	SLV_TRY(bddf_walk(w, body.off, body.len,
	    bosdyn_api_DescriptorBlock_fields, visit, r, read, err));
	return r->status;
}

/* A large index is compared and hashed at once, where it is the next unit or
 * after that.  The digest up to there may be wanted again. */
static enum slv_status
hash_along(const struct slv_scan *s, uint64_t body, struct reading *r,
    struct slv_err *err)
{
	uint64_t off = body - BDDF_HEADER_SIZE;

	if (s->along == NULL || off < s->catalog.end
	    || off - s->catalog.end > SLV_HASHER_ALONE)
		return SLV_OK;
	SLV_TRY(slv_hasher_mark(s->along, s->catalog.end, err));
	r->check->hasher = s->along;
	return slv_hasher_mark(s->along, off, err);
}

enum slv_status
bddf_desc_memory(const uint8_t *body, size_t n, struct bddf_desc *d,
    enum bddf_read *read, struct slv_err *err)
{
	struct reading r = { .d = d };
	struct slv_source *source = NULL;
	struct slv_window window;
	enum slv_status st;

	SLV_TRY(slv_source_memory(body, n, &source, err));
	slv_window_init(&window, source, NULL);
	st = read_body(&window, (struct bddf_range){ 0, n }, &r, read, err);
	slv_window_free(&window);
	slv_source_close(source);
	return st;
}

enum slv_status
bddf_desc_get(const struct slv_scan *s, uint64_t off, uint64_t len,
    struct bddf_desc *d, enum bddf_read *read, struct slv_err *err)
{
	void *room = slv_cache_find(s->cache, BDDF_CACHED_DESC, off);
	const struct bddf_last *last = room;
	struct bddf_last now = { .body = { off, len } };
	struct bddf_check check;
	struct reading r = { .d = &now.desc, .check = &check, .err = err };

	if (last == NULL || last->body.len != len) {
		bddf_check_begin(&check, s);
		if (len >= SLV_HASHER_ALONE)
			SLV_TRY(hash_along(s, off, &r, err));
		SLV_TRY(read_body(s->window, now.body, &r, &now.read, err));
		now.compared = bddf_check_end(&check,
		    now.read == BDDF_WHOLE
		        && now.desc.member == BDDF_SERIES_INDEX);
		SLV_TRY(
		    slv_cache_claim(s->cache, BDDF_CACHED_DESC, &room, err));
		last = memcpy(room, &now, sizeof(now));
		slv_cache_keep(s->cache, BDDF_CACHED_DESC, room, off);
	}
	*d = last->desc;
	*read = last->read;
	return SLV_OK;
}
