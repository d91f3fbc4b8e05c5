/* json_text.h - text of any kind as JSON strings.
 *
 * A JSON string is UTF-8; what logs and file systems hold need not be.
 */
#ifndef SLV_REPORT_JSON_TEXT_H
#define SLV_REPORT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>

/* The text, in which what is no UTF-8 becomes U+FFFD; null for NULL.  A new
 * reference, or NULL: out of memory. */
json_t *slv_json_text(const char *text);

bool slv_json_is_utf8(const char *text);

/* The bytes as base64, for what slv_json_text would change.  A new reference,
 * or NULL: out of memory. */
json_t *slv_json_base64(const char *text);

#endif
