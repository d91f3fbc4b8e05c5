/* fields.c - messages of protobuf, read field by field. */
#include "base/fields.h"

bool
slv_varint_take(struct slv_span *s, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 64 && s->len > 0; shift += 7) {
		uint8_t byte = *s->at++;

		s->len--;
		*v |= (uint64_t)(byte & 0x7f) << shift;
		/* What is over 64 bits would be lost. */
		if (shift == 63 && byte > 1)
			return false;
		if (byte < 0x80)
			return true;
	}
	return false;
}

bool
slv_field_take(struct slv_span *s, struct slv_field *f)
{
	uint64_t key, n;

	if (!slv_varint_take(s, &key))
		return false;
	*f = (struct slv_field){ .number = key >> 3 };
	switch (key & 7) {
	case SLV_FIELD_VARINT:
		return f->number > 0 && slv_varint_take(s, &f->value);
	case SLV_FIELD_64: n = 8; break;
	case SLV_FIELD_32: n = 4; break;
	case SLV_FIELD_BYTES:
		if (!slv_varint_take(s, &n))
			return false;
		break;
	default: return false;
	}
	if (n > s->len)
		return false;
	f->kind = (enum slv_field_kind)(key & 7);
	f->content = (struct slv_span){ s->at, (size_t)n };
	s->at += n;
	s->len -= (size_t)n;
	return f->number > 0;
}
