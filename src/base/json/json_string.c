/* json_string.c - text as a string of JSON. */
#include "base/json/json_string.h"

#include "base/text/utf8.h"

/* Append a character that is not printable ASCII, or means something in JSON. */
static void
put_escaped(struct slv_buf *out, uint32_t code)
{
	if (code == '"' || code == '\\')
		slv_buf_printf(out, "\\%c", (char)code);
	else if (code == '\n')
		slv_buf_text(out, "\\n");
	else if (code == '\t')
		slv_buf_text(out, "\\t");
	else if (code < 0x10000)
		slv_buf_printf(out, "\\u%04x", (unsigned)code);
	else
		slv_buf_printf(out, "\\u%04x\\u%04x",
		    (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
		    (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
}

bool
slv_json_string(struct slv_buf *out, struct slv_span text)
{
	size_t begun = out->len, size;
	uint32_t code;

	slv_buf_text(out, "\"");
	for (size_t at = 0, plain; at < text.len; at += size) {
		for (plain = at; plain < text.len && text.at[plain] >= ' '
		     && text.at[plain] < 0x7f && text.at[plain] != '"'
		     && text.at[plain] != '\\';
		     plain++)
			;
		slv_buf_add(out, text.at + at, plain - at);
		at = plain;
		size = 0;
		if (at == text.len)
			break;
		size = slv_utf8_next(text.at + at, text.len - at, &code);
		if (size == 0) {
			out->len = begun;
			return false;
		}
		put_escaped(out, code);
	}
	slv_buf_text(out, "\"");
	return true;
}
