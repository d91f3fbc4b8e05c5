/* ulog_layout.c - how messages of data are laid out, by the formats in the log. */
#include <string.h>

#include "core/format/records.h"
#include "core/layout/layout.h"
#include "formats/ulog/ulog_state.h"

#define PADDING    "_padding"
#define EFFORT_MAX ((uint64_t)1 << 20) /* bytes compared to find formats */

static const struct {
	const char *name;
	enum slv_value_type type;
} plain[] = {
	{ "int8_t", SLV_VALUE_I8 },
	{ "uint8_t", SLV_VALUE_U8 },
	{ "int16_t", SLV_VALUE_I16 },
	{ "uint16_t", SLV_VALUE_U16 },
	{ "int32_t", SLV_VALUE_I32 },
	{ "uint32_t", SLV_VALUE_U32 },
	{ "int64_t", SLV_VALUE_I64 },
	{ "uint64_t", SLV_VALUE_U64 },
	{ "float", SLV_VALUE_F32 },
	{ "double", SLV_VALUE_F64 },
	{ "bool", SLV_VALUE_BOOL },
	{ "char", SLV_VALUE_CHAR },
};

/* The next line; false: there is none. */
static bool
take_line(struct slv_span *text, struct slv_span *line)
{
	const uint8_t *end =
	    text->len > 0 ? memchr(text->at, '\n', text->len) : NULL;

	if (end == NULL)
		return false;
	*line = (struct slv_span){ text->at, (size_t)(end - text->at) };
	text->at += line->len + 1;
	text->len -= line->len + 1;
	return true;
}

/* The position of a format in the schema; UINT32_MAX: it is not there. */
static uint32_t
place_of(struct slv_span schema, struct slv_span wanted)
{
	struct slv_span line, name, fields;

	for (uint32_t i = 0; take_line(&schema, &line); i++) {
		if (ulog_format_split(line, &name, &fields)
		    && slv_span_same(name, wanted))
			return i;
	}
	return UINT32_MAX;
}

static struct slv_member
part_of(const struct ulog_field *f, struct slv_span schema)
{
	struct slv_member p = { .type = SLV_VALUE_STRUCT, .count = f->count };

	/* A list of one is written as one is: the format does not say. */
	p.many = f->count != 1 ? SLV_MANY_FIXED : SLV_MANY_ONE;
	p.hidden = f->name.len >= strlen(PADDING)
	    && memcmp(f->name.at, PADDING, strlen(PADDING)) == 0;
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		if (slv_span_same(f->type, slv_span_of(plain[i].name)))
			p.type = plain[i].type;
	}
	if (p.type == SLV_VALUE_STRUCT)
		p.shape = place_of(schema, f->type);
	return p;
}

enum slv_status
ulog_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	const struct slv_span schema = { c->schema, c->schema_len };
	struct slv_span rest = schema, line, name, fields;
	struct ulog_field f;
	uint64_t effort = 0;

	*known = true;
	out->root = (struct slv_member){ .type = SLV_VALUE_STRUCT };
	while (*known && take_line(&rest, &line)) {
		*known = ulog_format_split(line, &name, &fields);
		SLV_TRY(slv_layout_shape(out, err));
		while (*known && ulog_field_next(&fields, &f)) {
			const struct slv_member p = part_of(&f, schema);

			SLV_TRY(slv_layout_add(out, f.name, &p, known, err));
			effort += p.type == SLV_VALUE_STRUCT ? schema.len : 0;
			*known &= effort < EFFORT_MAX;
		}
	}
	return *known ? slv_layout_settle(out, known, err) : SLV_OK;
}
