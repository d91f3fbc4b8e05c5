/* json_string.h - text as a string of JSON. */
#ifndef SLV_BASE_JSON_STRING_H
#define SLV_BASE_JSON_STRING_H

#include "base/buf.h"
#include "base/bytes.h"

/* Append it in quotation marks, as printable ASCII: it has no byte that ends a
 * line for anyone.  false: it is not UTF-8, and nothing was appended. */
bool slv_json_string(struct slv_buf *, struct slv_span text);

#endif
