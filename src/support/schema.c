/* schema.c - descriptions of protobuf messages, made from tables. */
#include "support/schema.h"

#include <string.h>

#include "support/descriptor.h"
#include "support/wire.h"

enum { OPTIONAL = 1, REPEATED = 3 };

static void
put_text(struct slv_buf *b, uint32_t tag, const char *text)
{
	slv_wire_text(
	    b, tag, (struct slv_span){ (const uint8_t *)text, strlen(text) });
}

static void
put_field(struct slv_buf *message, const struct slv_schema_field *f)
{
	struct slv_buf b = { 0 };

	put_text(&b, SLV_FIELD_NAME, f->name);
	slv_wire_number(&b, SLV_FIELD_NUMBER, f->number);
	slv_wire_number(&b, SLV_FIELD_LABEL, f->repeated ? REPEATED : OPTIONAL);
	slv_wire_number(&b, SLV_FIELD_TYPE, f->type);
	if (f->message != NULL)
		put_text(&b, SLV_FIELD_TYPE_NAME, f->message);
	slv_wire_message(message, SLV_MESSAGE_FIELD, &b);
}

static void
put_types(struct slv_buf *message, const char *const *names)
{
	struct slv_buf b = { 0 };

	put_text(&b, SLV_ENUM_NAME, "Type");
	for (unsigned i = 0; names[i] != NULL; i++) {
		struct slv_buf v = { 0 };

		put_text(&v, SLV_VALUE_NAME, names[i]);
		slv_wire_number(&v, SLV_VALUE_NUMBER, i);
		slv_wire_message(&b, SLV_ENUM_VALUE, &v);
	}
	slv_wire_message(message, SLV_MESSAGE_ENUM, &b);
}

static void
put_message(struct slv_buf *file, const struct slv_schema_message *m)
{
	struct slv_buf b = { 0 };

	put_text(&b, SLV_MESSAGE_NAME, m->name);
	for (const struct slv_schema_field *f = m->fields; f->name != NULL; f++)
		put_field(&b, f);
	if (m->types != NULL)
		put_types(&b, m->types);
	slv_wire_message(file, SLV_FILE_MESSAGE, &b);
}

void
slv_schema_put(struct slv_buf *out, const struct slv_schema_file *file)
{
	struct slv_buf b = { 0 };

	put_text(&b, SLV_FILE_NAME, file->name);
	put_text(&b, SLV_FILE_PACKAGE, file->package);
	for (size_t i = 0; file->imports != NULL && file->imports[i] != NULL;
	     i++)
		put_text(&b, SLV_FILE_IMPORT, file->imports[i]);
	for (const struct slv_schema_message *m = file->messages;
	     m->name != NULL; m++)
		put_message(&b, m);
	/* Numbers of a list are packed in this syntax. */
	put_text(&b, SLV_FILE_SYNTAX, "proto3");
	slv_wire_message(out, SLV_SET_FILE, &b);
}
