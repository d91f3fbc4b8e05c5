/* dataflash_layout.c - how messages are laid out, by their format in the log.
 *
 * Values are as they are written: centidegrees and degrees times 1e7 stay whole
 * numbers.
 */
#include <string.h>

#include "core/format/records.h"
#include "core/layout/layout.h"
#include "formats/dataflash/dataflash_state.h"

static const struct {
	char letter;
	enum slv_value_type type;
	uint32_t count; /* of a list; 0: one value */
} letters[] = {
	{ 'a', SLV_VALUE_I16, 32 },
	{ 'b', SLV_VALUE_I8, 0 },
	{ 'B', SLV_VALUE_U8, 0 },
	{ 'M', SLV_VALUE_U8, 0 },
	{ 'h', SLV_VALUE_I16, 0 },
	{ 'H', SLV_VALUE_U16, 0 },
	{ 'c', SLV_VALUE_I16, 0 },
	{ 'C', SLV_VALUE_U16, 0 },
	{ 'g', SLV_VALUE_BYTE, 2 }, /* half a float */
	{ 'i', SLV_VALUE_I32, 0 },
	{ 'I', SLV_VALUE_U32, 0 },
	{ 'e', SLV_VALUE_I32, 0 },
	{ 'E', SLV_VALUE_U32, 0 },
	{ 'L', SLV_VALUE_I32, 0 },
	{ 'f', SLV_VALUE_F32, 0 },
	{ 'd', SLV_VALUE_F64, 0 },
	{ 'q', SLV_VALUE_I64, 0 },
	{ 'Q', SLV_VALUE_U64, 0 },
	{ 'n', SLV_VALUE_CHAR, 4 },
	{ 'N', SLV_VALUE_CHAR, 16 },
	{ 'Z', SLV_VALUE_CHAR, 64 },
};

/* What a letter means; false: it is unknown. */
static bool
find_letter(uint8_t letter, struct slv_member *out)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++) {
		if (letters[i].letter != (char)letter)
			continue;
		*out = (struct slv_member){ .type = letters[i].type,
			.many = letters[i].count > 0 ? SLV_MANY_FIXED
			                             : SLV_MANY_ONE,
			.count = letters[i].count };
		return true;
	}
	return false;
}

/* The next text up to a mark, or the end. */
static struct slv_span
take_text(struct slv_span *rest, char mark)
{
	const uint8_t *end =
	    rest->len > 0 ? memchr(rest->at, mark, rest->len) : NULL;
	size_t n = end == NULL ? rest->len : (size_t)(end - rest->at);
	const struct slv_span text = { rest->at, n };

	n += end != NULL;
	rest->at += n;
	rest->len -= n;
	return text;
}

enum slv_status
dataflash_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	struct slv_span rest = { c->schema, c->schema_len }, format;

	*known = true;
	out->root = (struct slv_member){ .type = SLV_VALUE_STRUCT };
	SLV_TRY(slv_layout_shape(out, err));
	(void)take_text(&rest, ':');
	format = take_text(&rest, ':');
	for (size_t i = 0; i < format.len && *known; i++) {
		const struct slv_span name = take_text(&rest, ',');
		struct slv_member p;

		*known = find_letter(format.at[i], &p);
		if (*known)
			SLV_TRY(slv_layout_add(out, name, &p, known, err));
	}
	return *known ? slv_layout_settle(out, known, err) : SLV_OK;
}
