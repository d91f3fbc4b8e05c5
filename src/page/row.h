/* row.h - the row of one log in the table of all logs. */
#ifndef SLV_PAGE_ROW_H
#define SLV_PAGE_ROW_H

#include <jansson.h>

#include "base/buf.h"

/* The report in a document, borrowed from it.  For a line of a journal without
 * one, or for an error, the document itself; NULL: it is not about a log. */
const json_t *slv_row_report(const json_t *document);

/* The path in a line of a journal; NULL: the document is not such a line. */
const char *slv_row_path(const json_t *document);

/* Return true if the document is about several files: segments of one recording, or a
 * bag of ROS 2. */
bool slv_row_is_set(const json_t *document);

/* Return true if its row says all that people ask of the log: it is sound, with no
 * finding, and no rule or baseline objects. */
bool slv_row_is_all(const json_t *document);

/* Append the row as a JSON array; table.js names its members (ROW). */
void slv_row_put(struct slv_buf *, const json_t *document);

#endif
