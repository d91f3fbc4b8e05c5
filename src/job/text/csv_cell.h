/* csv_cell.h - cells of comma-separated values (RFC 4180), in UTF-8. */
#ifndef SLV_JOB_CSV_CELL_H
#define SLV_JOB_CSV_CELL_H

#include "core/layout/layout.h"

/* Append the text of a cell.  What is no text, because it is not UTF-8 or holds a
 * NUL, is "base64:" and its base64; so is text that begins like that. */
void slv_csv_text(struct slv_buf *, struct slv_span);

/* Append bytes as base64, without a mark. */
void slv_csv_bytes(struct slv_buf *, struct slv_span);

void slv_csv_value(struct slv_buf *, const struct slv_value *);

#endif
