/* bddf_export.c - convert data blocks for readers of other formats.
 *
 * A block of plain numbers becomes a protobuf message with one list, and gets its
 * description.  Protobuf stores numbers of 4 and 8 bytes as BDDF does: a key and a length
 * are put before them.  Shorter numbers are widened to 4 bytes.  Blocks that hold protobuf
 * messages get the descriptions that the caller supplies, because the log has none.
 */
#include "core/format/exporting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/format/records.h"
#include "formats/bddf/bddf.h"
#include "formats/bddf/bddf_state.h"
#include "support/schema.h"
#include "support/wire.h"

#define VALUES 1 /* tag of the list */
#define REST   2 /* ... of bytes that are no whole value */

/* A type of plain numbers, by its number in the log. */
struct pod {
	const char *message; /* NULL: there is no such type */
	enum slv_schema_type type;
	uint8_t size; /* bytes of a value */
	bool is_signed;
};

static const struct pod pods[BDDF_PODS] = {
	{ NULL, SLV_SCHEMA_BYTES, 0, false },
	{ "Int8Series", SLV_SCHEMA_SFIXED32, 1, true },
	{ "Int16Series", SLV_SCHEMA_SFIXED32, 2, true },
	{ "Int32Series", SLV_SCHEMA_SFIXED32, 4, true },
	{ "Int64Series", SLV_SCHEMA_SFIXED64, 8, true },
	{ "Uint8Series", SLV_SCHEMA_FIXED32, 1, false },
	{ "Uint16Series", SLV_SCHEMA_FIXED32, 2, false },
	{ "Uint32Series", SLV_SCHEMA_FIXED32, 4, false },
	{ "Uint64Series", SLV_SCHEMA_FIXED64, 8, false },
	{ "Float32Series", SLV_SCHEMA_FLOAT, 4, true },
	{ "Float64Series", SLV_SCHEMA_DOUBLE, 8, true },
};
#define NAME_MAX_POD 32 /* bytes of "salvor.Float64Series" */

struct export
{
	uint8_t *pod; /* owned; of each channel, or 0 */
	struct slv_buf schemas[BDDF_PODS];
	char names[BDDF_PODS][NAME_MAX_POD];
	struct slv_buf *taken; /* owned; the description of each channel */
	uint32_t n;
	struct slv_buf payload; /* owned */
};

static void
make_schema(const struct pod *pod, struct slv_buf *out)
{
	const struct slv_schema_field fields[] = {
		{ "values", VALUES, pod->type, true, NULL },
		{ "rest", REST, SLV_SCHEMA_BYTES, false, NULL },
		{ .name = NULL },
	};
	const struct slv_schema_message messages[] = {
		{ pod->message, fields, NULL },
		{ .name = NULL },
	};
	const struct slv_schema_file file = {
		.name = "salvor/series.proto",
		.package = "salvor",
		.messages = messages,
	};

	slv_schema_put(out, &file);
}

static void
describe(struct slv_channel_info *c, const char *type, const struct slv_buf *b)
{
	c->encoding = c->schema_encoding = "protobuf";
	c->type = type;
	c->schema = b->at;
	c->schema_len = b->len;
}

static enum slv_status
describe_numbers(struct export *x, struct slv_channel_info *c, uint8_t number,
    struct slv_err *err)
{
	const struct pod *pod = &pods[number];
	struct slv_buf *schema = &x->schemas[number];

	if (schema->len == 0)
		make_schema(pod, schema);
	snprintf(x->names[number], NAME_MAX_POD, "salvor.%s", pod->message);
	describe(c, x->names[number], schema);
	return slv_buf_check(schema, err);
}

static enum slv_status
begin(void *state, const struct slv_export_help *help,
    struct slv_channel_info *channels, uint32_t n, struct slv_err *err)
{
	struct export *x = state;
	bool found;

	x->pod = slv_calloc(n + 1, sizeof(*x->pod));
	x->taken = slv_calloc(n + 1, sizeof(*x->taken));
	if (x->pod == NULL || x->taken == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	x->n = n;
	for (uint32_t i = 0; i < n; i++) {
		struct slv_channel_info *c = &channels[i];

		x->pod[i] = help->as_logged ? 0 : bddf_pod_of(c);
		if (x->pod[i] != 0)
			SLV_TRY(describe_numbers(x, c, x->pod[i], err));
		if (strcmp(c->encoding, "protobuf") != 0 || x->pod[i] != 0)
			continue;
		SLV_TRY(slv_schema_take(help->descriptors, slv_span_of(c->type),
		    &x->taken[i], &found, err));
		if (found)
			describe(c, c->type, &x->taken[i]);
	}
	return SLV_OK;
}

/* A value of one or two bytes, as 4 bytes. */
static uint32_t
widen(const uint8_t *p, const struct pod *pod)
{
	if (pod->size == 1)
		return pod->is_signed ? (uint32_t)(int8_t)*p : *p;
	return pod->is_signed ? (uint32_t)(int16_t)slv_get_le16(p)
	                      : slv_get_le16(p);
}

static enum slv_status
record(void *state, struct slv_record *r, struct slv_err *err)
{
	struct export *x = state;
	const struct pod *pod = &pods[x->pod[r->channel]];
	struct slv_buf *out = &x->payload;
	const uint8_t *p = r->data;
	size_t rest, n;

	if (pod->message == NULL)
		return SLV_OK;
	rest = r->len % pod->size;
	n = (r->len - rest) / pod->size;
	out->len = 0;
	if (pod->size >= 4 && n > 0)
		slv_wire_text(
		    out, VALUES, (struct slv_span){ p, r->len - rest });
	else if (n > 0)
		slv_wire_span(out, VALUES, (uint64_t)n * 4);
	for (size_t i = 0; pod->size < 4 && i < n; i++)
		slv_buf_put32(out, widen(p + i * pod->size, pod));
	if (rest > 0)
		slv_wire_text(
		    out, REST, (struct slv_span){ p + r->len - rest, rest });
	r->data = out->at != NULL ? out->at : (const uint8_t *)"";
	r->len = out->len;
	return slv_buf_check(out, err);
}

static void
release(void *state)
{
	struct export *x = state;

	for (size_t i = 0; i < BDDF_PODS; i++)
		slv_buf_free(&x->schemas[i]);
	for (uint32_t i = 0; i < x->n; i++)
		slv_buf_free(&x->taken[i]);
	slv_free(x->taken);
	slv_free(x->pod);
	slv_buf_free(&x->payload);
}

const struct slv_exporting bddf_exporting = {
	.state_size = sizeof(struct export),
	.takes_messages = true,
	.begin = begin,
	.record = record,
	.release = release,
};
