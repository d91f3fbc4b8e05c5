/* carla_message.c - packets as messages of protobuf, with descriptions of ours.
 *
 * A packet that is a list is a message with the list "records".  Fields are numbered as
 * their values follow each other in the packet; all of them are written.
 */
#include "formats/carla/export/carla_message.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "support/schema.h"
#include "support/wire.h"

#define FIELDS    16  /* of a message, at most */
#define MESSAGES  8   /* of a packet, at most */
#define DEPTH     16  /* structs and lists in each other */
#define UNDECODED 100 /* number of the field with what is no such packet */
#define FIXED32   5   /* how a field is written */
#define FIXED64   1

/* By the type of a value. */
static const enum slv_schema_type types[SLV_VALUE_TYPES] = {
	[SLV_VALUE_STRUCT] = SLV_SCHEMA_MESSAGE,
	[SLV_VALUE_BOOL] = SLV_SCHEMA_BOOL,
	[SLV_VALUE_U8] = SLV_SCHEMA_UINT32,
	[SLV_VALUE_U32] = SLV_SCHEMA_UINT32,
	[SLV_VALUE_U64] = SLV_SCHEMA_UINT64,
	[SLV_VALUE_I32] = SLV_SCHEMA_INT32,
	[SLV_VALUE_F32] = SLV_SCHEMA_FLOAT,
	[SLV_VALUE_F64] = SLV_SCHEMA_DOUBLE,
	[SLV_VALUE_TEXT16] = SLV_SCHEMA_STRING,
};

/* A description while it is made. */
struct making {
	const char *packet;
	const struct slv_layout *layout;
	struct slv_schema_field fields[MESSAGES][FIELDS];
	struct slv_schema_message messages[MESSAGES];
	char names[MESSAGES][CARLA_MESSAGE_NAME]; /* with the package */
};

/* The name of a shape: the first one is that of the packet or of its records, the
 * second one that of vectors, the third one that of a list in a record. */
static void
name_shape(struct making *m, size_t shape)
{
	const struct slv_layout *l = m->layout;
	const struct slv_shape *s = &l->shapes[shape];
	bool wide = s->n > 0 && l->parts[s->first].type == SLV_VALUE_F64;
	bool list = l->root.many != SLV_MANY_ONE;
	const char *const names[] = { list ? "Record" : "", wide ? "64" : "32",
		"Part" };

	snprintf(m->names[shape], CARLA_MESSAGE_NAME, ".salvor.carla.%s%s",
	    shape == 1 ? "Vector" : m->packet, names[shape]);
	m->messages[shape].name = strrchr(m->names[shape], '.') + 1;
	m->messages[shape].fields = m->fields[shape];
}

static void
describe_shape(struct making *m, size_t shape)
{
	const struct slv_layout *l = m->layout;
	const struct slv_shape *s = &l->shapes[shape];

	for (uint32_t i = 0; i < s->n && i + 1 < FIELDS; i++) {
		const struct slv_member *p = &l->parts[s->first + i];

		m->fields[shape][i] = (struct slv_schema_field){
			.name = slv_member_name(l, p),
			.number = i + 1,
			.type = types[p->type],
			.repeated = p->many != SLV_MANY_ONE,
			.message = p->type == SLV_VALUE_STRUCT
			    ? m->names[p->shape]
			    : NULL,
		};
	}
}

/* The message of a packet that is a list; otherwise a field of the first shape. */
static const char *
describe_packet(struct making *m)
{
	size_t n = m->layout->n_shapes;
	bool list = m->layout->root.many != SLV_MANY_ONE;
	struct slv_schema_field *fields = m->fields[list ? n : 0];

	if (list) {
		snprintf(m->names[n], CARLA_MESSAGE_NAME, ".salvor.carla.%s",
		    m->packet);
		m->messages[n].name = strrchr(m->names[n], '.') + 1;
		m->messages[n].fields = fields;
		*fields++ = (struct slv_schema_field){ "records", 1,
			SLV_SCHEMA_MESSAGE, true, m->names[0] };
	}
	while (fields->name != NULL)
		fields++;
	*fields = (struct slv_schema_field){ "undecoded", UNDECODED,
		SLV_SCHEMA_BYTES, false, NULL };
	return m->names[list ? n : 0];
}

enum slv_status
carla_message_describe(const char *packet, const struct slv_layout *layout,
    struct slv_buf *schema, char name[CARLA_MESSAGE_NAME], struct slv_err *err)
{
	struct making m = { .packet = packet, .layout = layout };
	char path[CARLA_MESSAGE_NAME];
	const struct slv_schema_file file = {
		.name = path,
		.package = "salvor.carla",
		.messages = m.messages,
	};

	for (size_t i = 0; i < layout->n_shapes; i++)
		name_shape(&m, i);
	for (size_t i = 0; i < layout->n_shapes; i++)
		describe_shape(&m, i);
	snprintf(name, CARLA_MESSAGE_NAME, "%s", describe_packet(&m) + 1);
	snprintf(path, sizeof(path), "salvor/carla/%s.proto", packet);
	slv_schema_put(schema, &file);
	return slv_buf_check(schema, err);
}

/* A message, or a list in one, while it is written. */
struct open {
	struct slv_buf *buf;  /* of the message */
	struct slv_buf inner; /* owned; a message in another one */
	uint32_t tag;         /* of the last field; of a list */
	bool is_list;
};

struct writing {
	struct open open[DEPTH];
	unsigned n;
	bool bad; /* it has no message */
};

static uint32_t
next_tag(struct writing *w)
{
	struct open *top = &w->open[w->n - 1];

	return top->is_list ? top->tag : ++top->tag;
}

static void
put_open(void *ctx, const char *name, bool is_list, uint64_t n)
{
	struct writing *w = ctx;
	struct open *in = &w->open[w->n - 1], *top = &w->open[w->n];

	(void)name;
	(void)n;
	/* All of a packet is the message itself, or its list. */
	if (w->n == 1 && !is_list && in->tag == 0) {
		*top = (struct open){ .buf = in->buf };
	} else {
		top->tag = next_tag(w);
		top->is_list = is_list;
		top->buf = is_list ? in->buf : &top->inner;
		top->inner.len = 0;
		if (!is_list)
			top->tag = 0;
	}
	w->n++;
}

static void
put_close(void *ctx, bool is_list)
{
	struct writing *w = ctx;
	struct open *top = &w->open[--w->n], *in = &w->open[w->n - 1];

	if (!is_list && top->buf == &top->inner)
		slv_wire_message(in->buf, in->tag, &top->inner);
}

static bool
is_text(struct slv_span s)
{
	struct slv_utf8 u = { 0 };
	bool good = true;

	for (size_t i = 0; good && i < s.len; i++)
		good = slv_utf8_add(&u, s.at[i]);
	return good && u.more == 0;
}

static void
put_value(void *ctx, const char *name, const struct slv_value *v)
{
	struct writing *w = ctx;
	struct slv_buf *out = w->open[w->n - 1].buf;
	uint32_t tag = next_tag(w), narrow;
	uint64_t wide;

	(void)name;
	switch (v->type) {
	case SLV_VALUE_F32:
		memcpy(&narrow, &v->f32, sizeof(narrow));
		slv_wire_varint(out, (uint64_t)tag << 3 | FIXED32);
		slv_buf_put32(out, narrow);
		break;
	case SLV_VALUE_F64:
		memcpy(&wide, &v->f64, sizeof(wide));
		slv_wire_varint(out, (uint64_t)tag << 3 | FIXED64);
		slv_buf_put64(out, wide);
		break;
	case SLV_VALUE_TEXT32:
		w->bad |= !is_text(v->bytes);
		slv_wire_text(out, tag, v->bytes);
		break;
	case SLV_VALUE_I64: slv_wire_number(out, tag, (uint64_t)v->i); break;
	default: slv_wire_number(out, tag, v->u); break;
	}
}

enum slv_status
carla_message_put(const struct slv_layout *layout, struct slv_span packet,
    struct slv_buf *out, struct slv_err *err)
{
	static const struct slv_visitor visitor = {
		.open = put_open,
		.close = put_close,
		.value = put_value,
	};
	struct writing w = { .open = { { .buf = out } }, .n = 1 };
	size_t begun = out->len;

	if (!slv_layout_walk(layout, packet, &visitor, &w) || w.bad) {
		out->len = begun;
		slv_wire_text(out, UNDECODED, packet);
	}
	for (unsigned i = 0; i < DEPTH; i++)
		slv_buf_free(&w.open[i].inner);
	return slv_buf_check(out, err);
}
