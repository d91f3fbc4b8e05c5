/* bddf_describe.c - what the log says about itself, for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_ident.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define TEXT_MAX  ((uint64_t)64 << 10) /* bytes of one string that are shown */
#define TEXTS_MAX 1000                 /* strings of one block that are shown */

/* Strings and numbers of one block, as they come. */
struct texts {
	struct bddf_field at[TEXTS_MAX];
	size_t n;
};

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct texts *t = ctx;

	if ((f->event == BDDF_STRING || f->event == BDDF_VALUE
	        || f->event == BDDF_OPEN)
	    && t->n < TEXTS_MAX)
		t->at[t->n++] = *f;
	return true;
}

/* The strings of a message; owned by the caller, NULL when it has none. */
static enum slv_status
collect(struct slv_scan *s, struct bddf_range at, const pb_msgdesc_t *desc,
    struct texts **out, struct slv_err *err)
{
	enum bddf_read read;

	SLV_TRY(slv_new(out, 1, sizeof(**out), err));
	return bddf_walk(
	    s->window, at.off, at.len, desc, visit, *out, &read, err);
}

/* Append the text of a string field. */
static enum slv_status
append(struct slv_scan *s, const struct bddf_field *f, struct slv_buf *buf,
    struct slv_err *err)
{
	size_t n = (size_t)slv_min64(f->len, TEXT_MAX);
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, f->off, n, &p, err));
	slv_buf_add(buf, p, strnlen((const char *)p, n));
	return slv_buf_check(buf, err);
}

static enum slv_status
name_of(const struct slv_scan *s, struct bddf_range ident, char **out,
    struct slv_err *err)
{
	struct slv_buf name = { 0 };
	enum slv_status st = bddf_ident_name(s, ident, &name, err);

	*out = slv_buf_take(&name);
	if (st == SLV_OK && *out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return st;
}

static void
append_pod(const struct bddf_field *f, struct slv_buf *buf)
{
	static const char *const names[] = { "unspecified", "int8", "int16",
		"int32", "int64", "uint8", "uint16", "uint32", "uint64",
		"float32", "float64" };

	if (f->tag == bosdyn_api_PodTypeDescriptor_dimension_tag)
		slv_buf_printf(buf, "[%" PRIu64 "]", f->value);
	else if (f->value < sizeof(names) / sizeof(*names))
		slv_buf_text(buf, names[f->value]);
	else
		slv_buf_printf(buf, "pod %" PRIu64, f->value);
}

/* The type of a series: its message's name, else its content type; the POD
 * with its dimensions; or that it is a struct. */
static enum slv_status
type_of(struct slv_scan *s, struct bddf_range block, char **out,
    struct slv_err *err)
{
	struct slv_buf buf = { 0 };
	struct texts *t = NULL;
	enum slv_status st =
	    collect(s, block, bosdyn_api_DescriptorBlock_fields, &t, err);

	for (size_t i = 0; st == SLV_OK && i < t->n; i++) {
		const struct bddf_field *f = &t->at[i];

		if (f->in == bosdyn_api_MessageTypeDescriptor_fields
		    && f->event == BDDF_STRING && f->len > 0) {
			buf.len = 0;
			st = append(s, f, &buf, err);
		} else if (f->in == bosdyn_api_PodTypeDescriptor_fields) {
			append_pod(f, &buf);
		} else if (f->in == bosdyn_api_SeriesDescriptor_fields
		    && f->tag == bosdyn_api_SeriesDescriptor_struct_type_tag) {
			slv_buf_text(&buf, "struct");
		}
	}
	*out = slv_buf_take(&buf);
	slv_free(t);
	if (st == SLV_OK && *out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return st;
}

static struct bddf_range
body_of(struct bddf_range block)
{
	return (struct bddf_range){ block.off + BDDF_HEADER_SIZE,
		block.len - BDDF_HEADER_SIZE };
}

static enum slv_status
describe_series(
    struct slv_scan *s, size_t i, struct slv_facts *f, struct slv_err *err)
{
	const struct bddf_series *series = &bddf_of(s)->series[i];
	struct slv_channel *c;

	SLV_TRY(slv_facts_channel(f, (uint32_t)i, &c, err));
	c->messages = series->n;
	c->bytes = series->bytes;
	c->first = series->from;
	c->last = series->to;
	if (series->ident.len > 0)
		SLV_TRY(name_of(s, series->ident, &c->name, err));
	if (series->declared)
		SLV_TRY(type_of(s, body_of(series->block), &c->type, err));
	return SLV_OK;
}

enum slv_status
bddf_annotations(struct slv_scan *s, struct slv_facts *f, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct texts *t = NULL;
	struct slv_buf key = { 0 }, value = { 0 };
	enum slv_status st;

	if (b->first.len == 0)
		return SLV_OK;
	st = collect(
	    s, body_of(b->first), bosdyn_api_DescriptorBlock_fields, &t, err);
	for (size_t i = 0; st == SLV_OK && i < t->n; i++) {
		const struct bddf_field *x = &t->at[i];
		bool last = i + 1 == t->n || t->at[i + 1].event == BDDF_OPEN
		    || t->at[i + 1].depth < 2;

		if (x->in
		        != bosdyn_api_FileFormatDescriptor_AnnotationsEntry_fields
		    || x->event != BDDF_STRING)
			continue;
		st = append(s, x, x->tag == 1 ? &key : &value, err);
		if (st != SLV_OK || !last)
			continue;
		st = slv_facts_annotation(
		    f, slv_buf_take(&key), slv_buf_take(&value), err);
	}
	slv_buf_free(&key);
	slv_buf_free(&value);
	slv_free(t);
	return st;
}

enum slv_status
bddf_describe(struct slv_scan *s, struct slv_facts *f, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const uint32_t *v = b->file.version;

	snprintf(f->dialect, sizeof(f->dialect), "%s",
	    bddf_dialect_name(b->dialect));
	if (b->first.len > 0) {
		snprintf(f->version, sizeof(f->version), "%u.%u.%u", v[0], v[1],
		    v[2]);
		snprintf(f->digest, sizeof(f->digest), "%s",
		    b->file.checksum == 1       ? "none"
		        : b->file.checksum == 2 ? "sha1"
		                                : "unknown");
	}
	SLV_TRY(bddf_annotations(s, f, err));
	for (size_t i = 0; i < b->n_series; i++)
		SLV_TRY(describe_series(s, i, f, err));
	return SLV_OK;
}

const char *
bddf_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct bddf *b = bddf_edit(s);
	struct slv_err err = { 0 };
	struct bddf_series *series;

	if (channel >= b->n_series || b->series[channel].ident.len == 0)
		return NULL;
	series = &b->series[channel];
	if (series->name == NULL
	    && name_of(s, series->ident, &series->name, &err) != SLV_OK) {
		slv_free(series->name);
		series->name = NULL;
	}
	return series->name;
}
