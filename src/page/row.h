/* row.h - what the table of all logs shows of one. */
#ifndef SLV_PAGE_ROW_H
#define SLV_PAGE_ROW_H

#include <jansson.h>

#include "base/buf.h"

/* The report in a document, borrowed from it; the document itself where it is
 * a line of a journal that has none, or an error; NULL: it is about no log. */
const json_t *slv_row_report(const json_t *document);

/* The path of a line of a journal; NULL: the document is none. */
const char *slv_row_path(const json_t *document);

/* Whether the document is about segments of one recording. */
bool slv_row_is_set(const json_t *document);

/* Append the row as a JSON array; table.js names its members (ROW). */
void slv_row_put(struct slv_buf *, const json_t *document);

#endif
