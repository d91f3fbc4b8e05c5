/* message.c - small protobuf messages. */
#include "message.h"

#include <string.h>

enum { NUMBER, COUNTED = 2 }; /* wire types */

void
message_varint(struct message *m, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		m->at[m->n++] = (uint8_t)(v | 0x80);
	m->at[m->n++] = (uint8_t)v;
}

void
message_number(struct message *m, unsigned field, uint64_t v)
{
	if (v == 0)
		return;
	message_varint(m, field << 3 | NUMBER);
	message_varint(m, v);
}

void
message_begin(struct message *m, unsigned field, uint64_t n)
{
	message_varint(m, field << 3 | COUNTED);
	message_varint(m, n);
}

static void
counted(struct message *m, unsigned field, const void *bytes, size_t n)
{
	message_begin(m, field, n);
	memcpy(m->at + m->n, bytes, n);
	m->n += n;
}

void
message_text(struct message *m, unsigned field, const char *s)
{
	counted(m, field, s, strlen(s));
}

void
message_inside(struct message *m, unsigned field, const struct message *inner)
{
	counted(m, field, inner->at, inner->n);
}

void
message_pair(
    struct message *m, unsigned field, const char *key, const char *value)
{
	struct message entry;

	entry.n = 0;
	message_text(&entry, 1, key);
	message_text(&entry, 2, value);
	message_inside(m, field, &entry);
}
