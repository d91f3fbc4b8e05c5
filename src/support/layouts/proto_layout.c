/* proto_layout.c - how messages of protobuf are laid out, by their descriptors.
 *
 * All messages of a FileDescriptorSet are listed by their full names; those that the
 * wanted one needs become shapes, one after the other.  Descriptors are as hostile as the
 * rest of the log: each limit here makes the payloads of a channel bytes.
 */
#include "support/layouts/proto_layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/list.h"
#include "core/format/records.h"
#include "core/layout/layout.h"
#include "support/descriptor.h"

#define SET_MAX   ((size_t)4 << 20) /* bytes of descriptors */
#define NAMES_MAX ((size_t)8 << 20) /* bytes of full names */
#define LIST_MAX  65536             /* messages */
#define NAME_MAX  1024              /* of one of them */
#define TYPES_MAX 4096              /* messages that one needs */
#define DEPTH     32                /* messages declared in messages */
#define REPEATED  3

/* Types of fields, by their numbers in descriptor.proto. */
enum { ENUM = 14, MESSAGE = 11 };
static const struct {
	enum slv_value_type type; /* STRUCT: a message, or none of ours */
	enum slv_coding coding;
} types[] = {
	[1] = { SLV_VALUE_F64, SLV_CODED_FIXED },
	[2] = { SLV_VALUE_F32, SLV_CODED_FIXED },
	[3] = { SLV_VALUE_I64, SLV_CODED_VARINT },
	[4] = { SLV_VALUE_U64, SLV_CODED_VARINT },
	[5] = { SLV_VALUE_I32, SLV_CODED_VARINT },
	[6] = { SLV_VALUE_U64, SLV_CODED_FIXED },
	[7] = { SLV_VALUE_U32, SLV_CODED_FIXED },
	[8] = { SLV_VALUE_BOOL, SLV_CODED_VARINT },
	[9] = { SLV_VALUE_TEXT32, SLV_CODED_FIXED },
	[MESSAGE] = { SLV_VALUE_STRUCT, SLV_CODED_FIXED },
	[12] = { SLV_VALUE_BYTE, SLV_CODED_FIXED },
	[13] = { SLV_VALUE_U32, SLV_CODED_VARINT },
	[ENUM] = { SLV_VALUE_I32, SLV_CODED_VARINT },
	[15] = { SLV_VALUE_I32, SLV_CODED_FIXED },
	[16] = { SLV_VALUE_I64, SLV_CODED_FIXED },
	[17] = { SLV_VALUE_I32, SLV_CODED_ZIGZAG },
	[18] = { SLV_VALUE_I64, SLV_CODED_ZIGZAG },
};
#define TYPES (sizeof(types) / sizeof(*types))

/* A message of the set. */
struct message {
	size_t name, name_len; /* in the names */
	struct slv_span body;
	uint32_t shape; /* UINT32_MAX: none so far */
};

/* A field of a message. */
struct declared {
	uint64_t number, label, type;
	struct slv_span name, type_name;
};

struct set {
	struct slv_layout *out;
	struct slv_buf names;     /* owned */
	struct message *messages; /* owned; sorted */
	size_t n_messages, cap_messages;
	size_t *shapes; /* owned; which message each is */
	size_t n_shapes, cap_shapes;
	struct declared *fields; /* owned; of the message that is read */
	size_t n_fields, cap_fields;
	bool good;
};

static struct slv_span
name_of(const struct set *s, const struct message *m)
{
	return (struct slv_span){ s->names.at + m->name, m->name_len };
}

static int
compare_spans(struct slv_span a, struct slv_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.at, b.at, n) : 0;

	return order != 0 ? order : SLV_ORDER_OF(a.len, b.len);
}

/* The last field of that number, if it is bytes. */
static struct slv_span
bytes_of(struct slv_span in, uint64_t number)
{
	struct slv_span out = { NULL, 0 };
	struct slv_field f;

	while (in.len > 0 && slv_field_take(&in, &f)) {
		if (f.number == number && f.kind == SLV_FIELD_BYTES)
			out = f.content;
	}
	return out;
}

/* Append the name of a message in a scope, "package.Outer": a scope is part of the
 * names, which move. */
static bool
add_name(struct set *s, size_t scope, size_t scope_len, struct slv_span name)
{
	size_t n = scope_len + (scope_len > 0) + name.len;

	s->good &= n <= NAME_MAX && s->names.len + n <= NAMES_MAX
	    && s->n_messages < LIST_MAX;
	if (!s->good)
		return false;
	if (scope_len > 0) {
		char text[NAME_MAX];

		memcpy(text, s->names.at + scope, scope_len);
		slv_buf_add(&s->names, text, scope_len);
		slv_buf_text(&s->names, ".");
	}
	slv_buf_add(&s->names, name.at, name.len);
	return true;
}

/* List the messages of a file, or in a message: they are fields with that number. */
static enum slv_status
list(struct set *s, struct slv_span in, uint64_t number, size_t scope,
    size_t scope_len, unsigned depth, struct slv_err *err)
{
	struct slv_field f;

	s->good &= depth > 0;
	while (s->good && in.len > 0) {
		struct message m = { .name = s->names.len,
			.shape = UINT32_MAX };

		s->good &= slv_field_take(&in, &f);
		if (!s->good || f.number != number || f.kind != SLV_FIELD_BYTES)
			continue;
		m.body = f.content;
		if (!add_name(s, scope, scope_len,
		        bytes_of(m.body, SLV_MESSAGE_NAME)))
			break;
		m.name_len = s->names.len - m.name;
		SLV_TRY(slv_buf_check(&s->names, err));
		SLV_TRY(SLV_ADD(s, messages, err, m));
		SLV_TRY(list(s, m.body, SLV_MESSAGE_NESTED, m.name, m.name_len,
		    depth - 1, err));
	}
	return SLV_OK;
}

static enum slv_status
list_files(struct set *s, struct slv_span set, struct slv_err *err)
{
	struct slv_field f;

	while (s->good && set.len > 0) {
		size_t scope = s->names.len;
		struct slv_span package;

		s->good &= slv_field_take(&set, &f);
		if (!s->good || f.number != SLV_SET_FILE
		    || f.kind != SLV_FIELD_BYTES)
			continue;
		package = bytes_of(f.content, SLV_FILE_PACKAGE);
		if (!add_name(s, 0, 0, package))
			break;
		SLV_TRY(list(s, f.content, SLV_FILE_MESSAGE, scope, package.len,
		    DEPTH, err));
	}
	return slv_buf_check(&s->names, err);
}

/* For sorting: the names are not at hand there. */
struct by_name {
	struct slv_span name;
	struct message message;
};

static int
compare_names(const void *p, const void *q)
{
	const struct by_name *a = p, *b = q;

	return compare_spans(a->name, b->name);
}

/* Of two with one name neither can be meant. */
static enum slv_status
sort(struct set *s, struct slv_err *err)
{
	struct by_name *all;

	SLV_TRY(slv_new(&all, s->n_messages, sizeof(*all), err));
	for (size_t i = 0; i < s->n_messages; i++)
		all[i] = (struct by_name){ name_of(s, &s->messages[i]),
			s->messages[i] };
	slv_sort(all, s->n_messages, sizeof(*all), compare_names);
	for (size_t i = 0; i < s->n_messages; i++) {
		s->messages[i] = all[i].message;
		s->good &=
		    i == 0 || compare_spans(all[i - 1].name, all[i].name) != 0;
	}
	slv_free(all);
	return SLV_OK;
}

/* The shape of a message, which is read later if it is a new one. */
static enum slv_status
shape_of(
    struct set *s, struct slv_span name, uint32_t *shape, struct slv_err *err)
{
	struct slv_search f = { .high = s->n_messages };
	struct message *m;

	while (slv_search(&f))
		slv_search_on(&f,
		    compare_spans(name_of(s, &s->messages[f.mid]), name) < 0);
	s->good &= f.low < s->n_messages
	    && slv_span_same(name_of(s, &s->messages[f.low]), name);
	if (!s->good)
		return SLV_OK;
	m = &s->messages[f.low];
	if (m->shape == UINT32_MAX) {
		s->good &= s->n_shapes < TYPES_MAX;
		m->shape = (uint32_t)s->n_shapes;
		SLV_TRY(SLV_ADD(s, shapes, err, f.low));
	}
	*shape = m->shape;
	return SLV_OK;
}

static struct declared
read_field(struct slv_span in)
{
	struct declared d = { .number = 0 };
	struct slv_field f;

	while (in.len > 0 && slv_field_take(&in, &f)) {
		if (f.kind == SLV_FIELD_VARINT && f.number == SLV_FIELD_NUMBER)
			d.number = f.value;
		if (f.kind == SLV_FIELD_VARINT && f.number == SLV_FIELD_LABEL)
			d.label = f.value;
		if (f.kind == SLV_FIELD_VARINT && f.number == SLV_FIELD_TYPE)
			d.type = f.value;
		if (f.kind == SLV_FIELD_BYTES && f.number == SLV_FIELD_NAME)
			d.name = f.content;
		if (f.kind == SLV_FIELD_BYTES
		    && f.number == SLV_FIELD_TYPE_NAME)
			d.type_name = f.content;
	}
	return d;
}

static int
compare_numbers(const void *p, const void *q)
{
	const struct declared *a = p, *b = q;

	return SLV_ORDER_OF(a->number, b->number);
}

static enum slv_status
add_field(struct set *s, const struct declared *d, struct slv_err *err)
{
	struct slv_span type = d->type_name;
	struct slv_member p = {
		.many =
		    d->label == REPEATED ? SLV_MANY_COUNTED32 : SLV_MANY_ONE,
		.number = (uint32_t)d->number,
	};
	bool fits;

	s->good &= d->type < TYPES && d->number > 0 && d->number < 1u << 29
	    && (d->type == MESSAGE || types[d->type].type != SLV_VALUE_STRUCT);
	if (!s->good)
		return SLV_OK;
	p.type = types[d->type].type;
	p.coding = types[d->type].coding;
	if (p.type == SLV_VALUE_STRUCT) {
		s->good &= type.len > 1 && type.at[0] == '.';
		if (!s->good)
			return SLV_OK;
		type.at++;
		type.len--;
		SLV_TRY(shape_of(s, type, &p.shape, err));
	}
	SLV_TRY(slv_layout_add(s->out, d->name, &p, &fits, err));
	s->good &= fits;
	return SLV_OK;
}

/* The fields of a message, in the order of their numbers. */
static enum slv_status
add_message(struct set *s, struct slv_span body, struct slv_err *err)
{
	struct slv_field f;

	s->n_fields = 0;
	while (s->n_fields < SLV_LAYOUT_PARTS && body.len > 0
	    && slv_field_take(&body, &f)) {
		if (f.number == SLV_MESSAGE_FIELD && f.kind == SLV_FIELD_BYTES)
			SLV_TRY(SLV_ADD(s, fields, err, read_field(f.content)));
	}
	slv_sort(s->fields, s->n_fields, sizeof(*s->fields), compare_numbers);
	SLV_TRY(slv_layout_shape(s->out, err));
	for (size_t i = 0; s->good && i < s->n_fields; i++) {
		s->good &=
		    i == 0 || s->fields[i - 1].number != s->fields[i].number;
		SLV_TRY(add_field(s, &s->fields[i], err));
	}
	return SLV_OK;
}

static enum slv_status
read_set(struct set *s, const struct slv_channel_info *c, struct slv_err *err)
{
	const struct slv_span bytes = { c->schema, c->schema_len };

	SLV_TRY(list_files(s, bytes, err));
	if (!s->good)
		return SLV_OK;
	SLV_TRY(sort(s, err));
	if (s->good)
		SLV_TRY(shape_of(
		    s, slv_span_of(c->type), &s->out->root.shape, err));
	for (size_t i = 0; s->good && i < s->n_shapes; i++)
		SLV_TRY(add_message(s, s->messages[s->shapes[i]].body, err));
	return s->good ? slv_layout_settle(s->out, &s->good, err) : SLV_OK;
}

enum slv_status
slv_proto_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	struct set s = { .out = out, .good = true };
	enum slv_status st;

	*known = false;
	if (strcmp(c->encoding, "protobuf") != 0
	    || strcmp(c->schema_encoding, "protobuf") != 0
	    || c->schema_len > SET_MAX)
		return SLV_OK;
	out->wire = SLV_WIRE_PROTOBUF;
	out->root = (struct slv_member){ .type = SLV_VALUE_STRUCT };
	st = read_set(&s, c, err);
	slv_buf_free(&s.names);
	slv_free(s.messages);
	slv_free(s.shapes);
	slv_free(s.fields);
	*known = s.good;
	return st;
}
