/* columns.h - a table of texts, aligned when it is complete.
 *
 * { 0 } with `n` set is an empty table.  Cells are appended row by row.  The
 * rows have the marks of base/text/wrap.h: where they are too long, all are
 * broken before the same cell.
 */
#ifndef SLV_REPORT_COLUMNS_H
#define SLV_REPORT_COLUMNS_H

#include "base/buf.h"

#define SLV_COLUMNS_MAX 12

/* Wider cells are shown whole but no longer widen their column. */
#define SLV_COLUMN_WIDE 44

struct slv_columns {
	unsigned n;           /* cells of a row, 1 .. SLV_COLUMNS_MAX */
	unsigned right;       /* bit i: column i is aligned to the right */
	struct slv_buf cells; /* owned; each ends with a NUL */
};

void slv_columns_add(struct slv_columns *, const char *cell);

/* Append the table to out, every line indented by `indent` columns, and free
 * it.  A failed append shows as out->failed. */
void slv_columns_put(
    struct slv_columns *, unsigned indent, struct slv_buf *out);

#endif
