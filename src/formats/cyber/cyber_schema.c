/* cyber_schema.c - a channel's description, read.
 *
 * It is a tree: of each file the descriptor, and the trees of those that it
 * imports.  Of descriptors the names of messages and the numbers and types of
 * their fields are taken; all else is passed by.
 */
#include "formats/cyber/cyber_schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/cyber/cyber_wire.h"

#define DEPTH    64    /* files that import files, messages in messages */
#define MESSAGES 65536 /* more are no robot's */
#define FIELDS   1048576

/* Tags of descriptors. */
enum {
	TREE_FILE = 1,
	TREE_IMPORT = 2,
	FILE_PACKAGE = 2,
	FILE_MESSAGE = 4,
	MESSAGE_NAME = 1,
	MESSAGE_FIELD = 2,
	MESSAGE_NESTED = 3,
	FIELD_NUMBER = 3,
	FIELD_TYPE = 5,
	FIELD_TYPE_NAME = 6,
};

/* Reads it; what goes wrong ends everything. */
struct reading {
	struct cyber_schema *schema;
	struct slv_err *err;
	bool bad; /* it is no description */
};

/* Take the next field off the front of *s; false: there is none. */
static bool
next(struct reading *x, struct slv_span *s, struct cyber_field *f,
    struct slv_span *content)
{
	if (s->len == 0 || x->bad || x->err->code != SLV_OK)
		return false;
	x->bad = cyber_field_get(s->at, s->len, f) != CYBER_WHOLE
	    || f->len > s->len - f->head;
	if (x->bad)
		return false;
	*content = (struct slv_span){ s->at + f->head, (size_t)f->len };
	s->at += f->head + f->len;
	s->len -= f->head + (size_t)f->len;
	return true;
}

/* The text of the last field of that tag. */
static struct slv_span
text_of(struct reading *x, struct slv_span s, uint32_t tag)
{
	struct slv_span out = { (const uint8_t *)"", 0 }, content;
	struct cyber_field f;

	while (next(x, &s, &f, &content)) {
		if (f.tag == tag && f.is_span)
			out = content;
	}
	return out;
}

static void
read_field(struct reading *x, struct slv_span s)
{
	struct cyber_schema *m = x->schema;
	struct cyber_schema_field out = { .message = SIZE_MAX };
	struct slv_span content;
	struct cyber_field f;

	while (next(x, &s, &f, &content)) {
		if (f.tag == FIELD_NUMBER)
			out.number = (uint32_t)f.number;
		else if (f.tag == FIELD_TYPE)
			out.type = (unsigned)f.number;
		else if (f.tag == FIELD_TYPE_NAME && f.is_span)
			out.name = content;
	}
	x->bad |= out.number == 0 || out.type == 0 || out.type > CYBER_TYPES_MAX
	    || m->n_fields == FIELDS;
	if (!x->bad
	    && slv_grow(&m->fields, &m->cap_fields, m->n_fields + 1,
	           sizeof(out), x->err)
	        == SLV_OK)
		m->fields[m->n_fields++] = out;
}

/* A message of the scope, a package or another message, and those in it. */
static void
read_message(
    struct reading *x, struct slv_span s, struct slv_span scope, unsigned depth)
{
	struct cyber_schema *m = x->schema;
	struct cyber_schema_message out = {
		.name = m->names.len,
		.first = m->n_fields,
	};
	struct slv_span name = text_of(x, s, MESSAGE_NAME), rest = s, content;
	struct slv_buf full = { 0 };
	struct cyber_field f;

	x->bad |= depth == 0 || m->n_messages == MESSAGES || name.len == 0;
	slv_buf_add(&full, scope.at, scope.len);
	slv_buf_add(&full, ".", scope.len > 0);
	slv_buf_add(&full, name.at, name.len);
	slv_buf_add(&m->names, full.at, full.len);
	out.name_len = full.len;
	while (next(x, &rest, &f, &content)) {
		if (f.tag == MESSAGE_FIELD && f.is_span)
			read_field(x, content);
	}
	out.n = m->n_fields - out.first;
	if (full.failed || m->names.failed)
		slv_fail(x->err, SLV_E_NOMEM, "out of memory");
	else if (!x->bad
	    && slv_grow(&m->messages, &m->cap_messages, m->n_messages + 1,
	           sizeof(out), x->err)
	        == SLV_OK)
		m->messages[m->n_messages++] = out;
	while (next(x, &s, &f, &content)) {
		if (f.tag == MESSAGE_NESTED && f.is_span)
			read_message(x, content,
			    (struct slv_span){ full.at, full.len }, depth - 1);
	}
	slv_buf_free(&full);
}

static void
read_file(struct reading *x, struct slv_span s)
{
	struct slv_span package = text_of(x, s, FILE_PACKAGE), content;
	struct cyber_field f;

	while (next(x, &s, &f, &content)) {
		if (f.tag == FILE_MESSAGE && f.is_span)
			read_message(x, content, package, DEPTH);
	}
}

static void
read_tree(struct reading *x, struct slv_span s, unsigned depth)
{
	struct slv_span content;
	struct cyber_field f;

	x->bad |= depth == 0;
	while (next(x, &s, &f, &content)) {
		x->bad |= !f.is_span;
		if (f.tag == TREE_FILE)
			read_file(x, content);
		else if (f.tag == TREE_IMPORT)
			read_tree(x, content, depth - 1);
	}
}

/* The message of that full name; SIZE_MAX: there is none. */
static size_t
find_message(const struct cyber_schema *m, struct slv_span name)
{
	for (size_t i = 0; i < m->n_messages; i++) {
		const struct cyber_schema_message *one = &m->messages[i];

		if (one->name_len == name.len && name.len > 0
		    && memcmp(m->names.at + one->name, name.at, name.len) == 0)
			return i;
	}
	return SIZE_MAX;
}

enum slv_status
cyber_schema_read(struct cyber_schema *m, struct slv_span type, bool *good,
    struct slv_err *err)
{
	struct reading x = { .schema = m, .err = err };

	read_tree(&x, (struct slv_span){ m->desc.at, m->desc.len }, DEPTH);
	if (err->code != SLV_OK)
		return err->code;
	for (size_t i = 0; !x.bad && i < m->n_fields; i++) {
		struct cyber_schema_field *f = &m->fields[i];

		/* Names are full, behind a dot. */
		if (f->type == CYBER_T_MESSAGE && f->name.len > 0)
			f->message = find_message(m,
			    (struct slv_span){
			        f->name.at + 1, f->name.len - 1 });
	}
	m->root = find_message(m, type);
	*good = !x.bad && m->root != SIZE_MAX;
	return SLV_OK;
}

const struct cyber_schema_field *
cyber_schema_find(const struct cyber_schema *m, size_t message, uint32_t number)
{
	const struct cyber_schema_message *one = &m->messages[message];

	for (size_t i = 0; i < one->n; i++) {
		if (m->fields[one->first + i].number == number)
			return &m->fields[one->first + i];
	}
	return NULL;
}

void
cyber_schema_free(struct cyber_schema *m)
{
	slv_buf_free(&m->desc);
	slv_buf_free(&m->names);
	free(m->messages);
	free(m->fields);
	*m = (struct cyber_schema){ .root = SIZE_MAX };
}
