/* escape.c - text from a log or a file name, made safe to show.
 *
 * A name can hold any byte.  What could drive a terminal (control
 * characters), what is no text (bad UTF-8) and what could show a line in
 * another order than it has (bidirectional controls) is shown as \xNN.
 */
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "salvor.h"

/* Controls, line ends, and code points that are invisible or change the order
 * of others: Cc, Zl, Zp, Cf (format) and Default_Ignorable_Code_Point, as in
 * Unicode 15.1 (UnicodeData.txt, DerivedCoreProperties.txt).  Sorted. */
static bool
is_harmless(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} harmful[] = {
		{ 0x00, 0x1f },
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x600, 0x605 },
		{ 0x61c, 0x61c },
		{ 0x6dd, 0x6dd },
		{ 0x70f, 0x70f },
		{ 0x890, 0x891 },
		{ 0x8e2, 0x8e2 },
		{ 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },
		{ 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd },
		{ 0x13430, 0x1343f },
		{ 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < sizeof(harmful) / sizeof(*harmful); i++) {
		if (code <= harmful[i].last)
			return code < harmful[i].first;
	}
	return true;
}

char *
slv_escape(const char *text)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t left = strlen(text);
	struct slv_buf out = { 0 };

	while (left > 0) {
		uint32_t code = 0;
		size_t len = slv_utf8_next(at, left, &code);

		if (len > 0 && is_harmless(code)) {
			slv_buf_add(&out, at, len);
		} else {
			len += len == 0;
			for (size_t i = 0; i < len; i++)
				slv_buf_printf(&out, "\\x%02X", at[i]);
		}
		at += len;
		left -= len;
	}
	return slv_buf_take(&out);
}
