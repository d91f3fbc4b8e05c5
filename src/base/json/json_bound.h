/* json_bound.h - limits on untrusted JSON before it is parsed.
 *
 * A parsed value takes about a hundred times the space of its shortest text,
 * and a parser calls itself for each array in an array.  So the text is counted
 * first.  A document far larger than any report of salvor is not parsed at all.
 */
#ifndef SLV_BASE_JSON_BOUND_H
#define SLV_BASE_JSON_BOUND_H

#include <stdbool.h>
#include <stddef.h>

#define SLV_JSON_DEPTH  32     /* nested arrays and objects */
#define SLV_JSON_VALUES 250000 /* in one document */

/* Return true if the document at the beginning of the text keeps both limits.
 * Text that is not JSON may keep them too. */
bool slv_json_is_bounded(const char *text, size_t n);

#endif
