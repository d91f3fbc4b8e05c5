/* json_bound.h - JSON that anybody may have written, before it is parsed.
 *
 * A parsed value takes about a hundred times the room of its shortest text, and
 * a parser calls itself for each array in an array.  So the text is counted
 * first, and what no report of salvor's comes near to is not parsed at all.
 */
#ifndef SLV_BASE_JSON_BOUND_H
#define SLV_BASE_JSON_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#define SLV_JSON_DEPTH  32     /* arrays and objects in one another */
#define SLV_JSON_VALUES 250000 /* of one document */

/* Whether the document that the text begins with keeps within both.  What is no
 * JSON may do so, too. */
bool slv_json_is_bounded(const char *text, size_t n);

#endif
