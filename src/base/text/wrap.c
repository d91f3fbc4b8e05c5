/* wrap.c - break a paragraph into lines. */
#include "base/text/wrap.h"

#include <string.h>

void
slv_wrap(struct slv_buf *out, unsigned indent, unsigned width, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");

		if (column > 0 && column + 1 + len > width) {
			slv_buf_text(out, "\n");
			column = 0;
		}
		if (column == 0) {
			slv_buf_printf(out, "%*s", (int)indent, "");
			column = indent;
		} else {
			slv_buf_text(out, " ");
			column++;
		}
		slv_buf_add(out, text, len);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	if (column > 0)
		slv_buf_text(out, "\n");
}
