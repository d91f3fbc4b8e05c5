/* columns.c - a table of texts, aligned when it is complete. */
#include "report/text/columns.h"

#include <string.h>

#include "base/text/utf8.h"
#include "base/text/wrap.h"

void
slv_columns_add(struct slv_columns *c, const char *cell)
{
	slv_buf_add(&c->cells, cell, strlen(cell) + 1);
}

static void
pad(struct slv_buf *out, size_t have, size_t want)
{
	for (; have < want; have++)
		slv_buf_text(out, SLV_TIED);
}

/* A row is broken between cells and nowhere else. */
static void
put_cell(struct slv_buf *out, const char *cell)
{
	for (; *cell != '\0'; cell++) {
		if (*cell == ' ')
			slv_buf_text(out, SLV_TIED);
		else
			slv_buf_add(out, cell, 1);
	}
}

void
slv_columns_put(struct slv_columns *c, unsigned indent, struct slv_buf *out)
{
	size_t widths[SLV_COLUMNS_MAX] = { 0 };
	const char *first = (const char *)c->cells.at;
	const char *end = first == NULL ? NULL : first + c->cells.len;
	unsigned i = 0;

	for (const char *at = first; at < end; at += strlen(at) + 1) {
		size_t width = slv_utf8_width(at);

		if (width > widths[i] && width <= SLV_COLUMN_WIDE)
			widths[i] = width;
		i = (i + 1) % c->n;
	}
	for (const char *at = first; at < end; at += strlen(at) + 1) {
		slv_buf_printf(out, "%*s", i == 0 ? (int)indent : 2, "");
		if (c->right >> i & 1)
			pad(out, slv_utf8_width(at), widths[i]);
		put_cell(out, at);
		if (i + 1 == c->n)
			slv_buf_text(out, "\n");
		else if (!(c->right >> i & 1))
			pad(out, slv_utf8_width(at), widths[i]);
		i = (i + 1) % c->n;
	}
	out->failed |= c->cells.failed;
	slv_buf_free(&c->cells);
}
