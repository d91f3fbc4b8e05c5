/* bddf_records.c - the data blocks of a sound log, for readers of records. */
#include "core/format/records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"
#include "base/sort.h"
#include "formats/bddf/bddf.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define TEXT_MAX   ((uint64_t)64 << 10) /* bytes of one text that are taken */
#define FIELDS_MAX 4096                 /* fields of a declaration */
#define PROTOBUF   "application/protobuf"

/* The fields of a declaration: the visitor of a walk cannot read texts. */
struct fields {
	struct bddf_field *at; /* owned */
	size_t n, cap;
	struct slv_err *err;
};

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct fields *x = ctx;

	if (f->event != BDDF_STRING && f->event != BDDF_VALUE)
		return true;
	if (x->n == FIELDS_MAX
	    || slv_grow(&x->at, &x->cap, x->n + 1, sizeof(*f), x->err)
	        != SLV_OK)
		return false;
	x->at[x->n++] = *f;
	return true;
}

/* What a text in a declaration is called as metadata of the channel. */
static const struct {
	const pb_msgdesc_t *in;
	uint32_t tag;
	const char *key;
} names[] = {
	{ bosdyn_api_SeriesIdentifier_fields,
	    bosdyn_api_SeriesIdentifier_series_type_tag, "series_type" },
	{ bosdyn_api_MessageTypeDescriptor_fields,
	    bosdyn_api_MessageTypeDescriptor_content_type_tag, "content_type" },
	{ bosdyn_api_SeriesDescriptor_fields,
	    bosdyn_api_SeriesDescriptor_description_tag, "description" },
};

/* ... and the keys of a map. */
static const struct {
	const pb_msgdesc_t *in;
	const char *prefix;
} maps[] = {
	{ bosdyn_api_SeriesIdentifier_SpecEntry_fields, "spec." },
	{ bosdyn_api_SeriesDescriptor_AnnotationsEntry_fields, "annotation." },
};

/* A declaration while it is taken. */
struct taking {
	struct slv_scan *scan;
	struct slv_channel_about *out;
	struct slv_buf key; /* owned; of a map's entry, or with a number */
	unsigned n_indexes, n_dimensions;
};

static struct slv_span
span_of(const struct slv_buf *b)
{
	return (struct slv_span){ b->at != NULL ? b->at : (const uint8_t *)"",
		b->len };
}

/* A field that may be there several times: "dimension.0", "dimension.1". */
static enum slv_status
take_numbered(struct taking *x, const char *name, unsigned number,
    struct slv_span value, struct slv_err *err)
{
	x->key.len = 0;
	slv_buf_printf(&x->key, "%s.%u", name, number);
	return x->key.failed
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : slv_channel_meta(x->out, span_of(&x->key), value, err);
}

/* The value of a map's entry.  A key is of one value: others of an entry, which no writer
 * has, would take the room of the key once more each. */
static enum slv_status
put_value(struct taking *x, const char *prefix, struct slv_span value,
    struct slv_err *err)
{
	if (x->key.len == 0)
		slv_buf_text(&x->key, prefix);
	SLV_TRY(slv_channel_meta(x->out, span_of(&x->key), value, err));
	x->key.len = 0;
	return SLV_OK;
}

/* A text field: a metadata entry, or the key or value of one. */
static enum slv_status
take_text(struct taking *x, const struct bddf_field *f, struct slv_err *err)
{
	struct slv_channel_about *out = x->out;
	struct slv_buf *key = &x->key;
	size_t n = (size_t)slv_min64(f->len, TEXT_MAX);
	struct slv_span text = { NULL, n };

	SLV_TRY(slv_window_view(x->scan->window, f->off, n, &text.at, err));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (f->in == names[i].in && f->tag == names[i].tag)
			SLV_TRY(slv_channel_meta(
			    out, slv_span_of(names[i].key), text, err));
	}
	if (f->in == bosdyn_api_SeriesDescriptor_fields
	    && f->tag == bosdyn_api_SeriesDescriptor_additional_index_names_tag)
		return take_numbered(
		    x, "additional_index", x->n_indexes++, text, err);
	if (f->in == bosdyn_api_MessageTypeDescriptor_fields
	    && f->tag == bosdyn_api_MessageTypeDescriptor_content_type_tag)
		return slv_channel_text(&out->encoding,
		    n == sizeof(PROTOBUF) - 1
		            && memcmp(text.at, PROTOBUF, n) == 0
		        ? slv_span_of("protobuf")
		        : text,
		    err);
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		if (f->in == maps[i].in && f->tag == 1) {
			key->len = 0;
			slv_buf_text(key, maps[i].prefix);
			slv_buf_add(key, text.at, text.len);
		} else if (f->in == maps[i].in) {
			SLV_TRY(put_value(x, maps[i].prefix, text, err));
		}
	}
	return key->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                   : SLV_OK;
}

/* A number: what plain data are, or that a message explains others. */
static enum slv_status
take_number(struct taking *x, const struct bddf_field *f, struct slv_err *err)
{
	bool pod = f->in == bosdyn_api_PodTypeDescriptor_fields;
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, f->value);
	if (pod)
		SLV_TRY(slv_channel_text(
		    &x->out->encoding, slv_span_of("pod"), err));
	if (pod && f->tag != bosdyn_api_PodTypeDescriptor_pod_type_tag)
		return take_numbered(
		    x, "dimension", x->n_dimensions++, slv_span_of(text), err);
	if (pod || f->in == bosdyn_api_MessageTypeDescriptor_fields)
		return slv_channel_meta(x->out,
		    slv_span_of(pod ? "pod_type" : "is_metadata"),
		    slv_span_of(text), err);
	return SLV_OK;
}

static enum slv_status
describe(struct slv_scan *s, const struct bddf_series *series,
    struct slv_channel_about *out, struct slv_err *err)
{
	struct taking to = { .scan = s, .out = out };
	struct fields x = { .err = err };
	enum bddf_read read;
	enum slv_status st =
	    bddf_walk(s->window, series->block.off + BDDF_HEADER_SIZE,
	        series->block.len - BDDF_HEADER_SIZE,
	        bosdyn_api_DescriptorBlock_fields, visit, &x, &read, err);

	if (st == SLV_OK)
		st = err->code;
	for (size_t i = 0; st == SLV_OK && i < x.n; i++)
		st = x.at[i].event == BDDF_STRING
		    ? take_text(&to, &x.at[i], err)
		    : take_number(&to, &x.at[i], err);
	slv_buf_free(&to.key);
	slv_free(x.at);
	return st;
}

/* Metadata while they are sorted. */
struct sorted {
	struct slv_annotation it;
	size_t order;
};

static int
compare(const void *p, const void *q)
{
	const struct sorted *a = p, *b = q;
	int order = strcmp(a->it.key, b->it.key);

	return order != 0 ? order : SLV_ORDER_OF(a->order, b->order);
}

/* Writers keep no order of the keys of a map. */
static enum slv_status
sort_meta(struct slv_channel_about *c, struct slv_err *err)
{
	struct sorted *all;

	SLV_TRY(slv_new(&all, c->n_meta, sizeof(*all), err));
	for (size_t i = 0; i < c->n_meta; i++)
		all[i] = (struct sorted){ c->meta[i], i };
	slv_sort(all, c->n_meta, sizeof(*all), compare);
	for (size_t i = 0; i < c->n_meta; i++)
		c->meta[i] = all[i].it;
	slv_free(all);
	return SLV_OK;
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	for (uint32_t i = 0; i < b->n_series; i++) {
		struct slv_channel_about *out;

		if (!b->series[i].declared)
			continue;
		SLV_TRY(slv_channel_list_add(list, i, &out, err));
		SLV_TRY(describe(s, &b->series[i], out, err));
		SLV_TRY(sort_meta(out, err));
	}
	return SLV_OK;
}

static enum slv_status
take_data(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	struct bddf_data d;
	enum bddf_read read;
	const uint8_t *p;
	uint32_t size;

	SLV_TRY(slv_window_view(s->window, off, BDDF_DATA_HEAD, &p, err));
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (size == 0 || size > BDDF_DD_MAX || size > out->len - BDDF_DATA_HEAD)
		return slv_fail(err, SLV_E_BUG, "%s: no data block at %llu",
		    s->source->name, (unsigned long long)off);
	SLV_TRY(bddf_data_at(s, off, size, size, &d, &read, err));
	if (read != BDDF_WHOLE)
		return slv_fail(err, SLV_E_BUG, "%s: no data block at %llu",
		    s->source->name, (unsigned long long)off);
	out->kind = SLV_ITEM_RECORD;
	out->channel = d.series;
	out->log_ns = slv_moment_ns((struct slv_moment){
	    d.sec, (uint32_t)d.nanos, d.has_time && bddf_data_time_ok(&d) });
	out->publish_ns = SLV_NO_TIME;
	out->data = BDDF_DATA_HEAD + size;
	out->data_len = out->len - out->data;
	return SLV_OK;
}

/* A descriptor before the index: the first block, a declaration, or one that this
 * version does not know. */
static enum slv_status
take_descriptor(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	struct bddf_desc d;
	enum bddf_read read;

	SLV_TRY(bddf_desc_get(s, off + BDDF_HEADER_SIZE,
	    out->len - BDDF_HEADER_SIZE, &d, &read, err));
	if (d.member == BDDF_FILE)
		out->kind = SLV_ITEM_HEAD;
	if (d.member != BDDF_SERIES)
		return SLV_OK;
	out->kind = SLV_ITEM_DECLARE;
	out->channel = d.series;
	return SLV_OK;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	struct bddf_head h;
	const uint8_t *p;

	if (off == 0) {
		out->kind = SLV_ITEM_HEAD;
		out->len = BDDF_MAGIC_SIZE;
		return SLV_OK;
	}
	if (off >= bddf_of(s)->data_end) {
		out->kind = SLV_ITEM_DERIVED;
		out->len = s->source->size - off;
		out->ends = true;
		return SLV_OK;
	}
	if (!slv_range_in(off, BDDF_DATA_HEAD, s->source->size))
		return slv_fail(err, SLV_E_BUG, "%s: no block at %llu",
		    s->source->name, (unsigned long long)off);
	SLV_TRY(slv_window_view(s->window, off, BDDF_HEADER_SIZE, &p, err));
	h = bddf_head_get(bddf_of(s)->dialect, p);
	out->len = bddf_head_span(h);
	return h.type == BDDF_DATA ? take_data(s, off, out, err)
	                           : take_descriptor(s, off, out, err);
}

const struct slv_records bddf_records = {
	.channels = list_channels,
	.item = item,
};
