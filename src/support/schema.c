/* schema.c - descriptions of protobuf messages, made from tables. */
#include "support/schema.h"

#include <string.h>

#include "support/wire.h"

/* Tags of descriptors. */
enum {
	SET_FILE = 1,
	FILE_NAME = 1,
	FILE_PACKAGE = 2,
	FILE_IMPORT = 3,
	FILE_MESSAGE = 4,
	FILE_SYNTAX = 12,
	MESSAGE_NAME = 1,
	MESSAGE_FIELD = 2,
	FIELD_NAME = 1,
	FIELD_NUMBER = 3,
	FIELD_LABEL = 4,
	FIELD_TYPE = 5,
	FIELD_TYPE_NAME = 6,
};

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

	put_text(&b, FIELD_NAME, f->name);
	slv_wire_number(&b, FIELD_NUMBER, f->number);
	slv_wire_number(&b, FIELD_LABEL, f->repeated ? REPEATED : OPTIONAL);
	slv_wire_number(&b, FIELD_TYPE, f->type);
	if (f->message != NULL)
		put_text(&b, FIELD_TYPE_NAME, f->message);
	slv_wire_message(message, MESSAGE_FIELD, &b);
}

static void
put_message(struct slv_buf *file, const struct slv_schema_message *m)
{
	struct slv_buf b = { 0 };

	put_text(&b, MESSAGE_NAME, m->name);
	for (const struct slv_schema_field *f = m->fields; f->name != NULL; f++)
		put_field(&b, f);
	slv_wire_message(file, FILE_MESSAGE, &b);
}

void
slv_schema_put(struct slv_buf *out, const struct slv_schema_file *file)
{
	struct slv_buf b = { 0 };

	put_text(&b, FILE_NAME, file->name);
	put_text(&b, FILE_PACKAGE, file->package);
	for (size_t i = 0; file->imports != NULL && file->imports[i] != NULL;
	     i++)
		put_text(&b, FILE_IMPORT, file->imports[i]);
	for (const struct slv_schema_message *m = file->messages;
	     m->name != NULL; m++)
		put_message(&b, m);
	/* Numbers of a list are packed in this syntax. */
	put_text(&b, FILE_SYNTAX, "proto3");
	slv_wire_message(out, SET_FILE, &b);
}
