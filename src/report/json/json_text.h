/* json_text.h - any text as JSON strings.
 *
 * A JSON string is UTF-8; text in logs and file systems need not be.
 */
#ifndef SLV_REPORT_JSON_TEXT_H
#define SLV_REPORT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>

/* The text, with U+FFFD for what is not UTF-8; null for NULL.  A new reference,
 * or NULL: out of memory. */
json_t *slv_json_text(const char *text);

bool slv_json_is_utf8(const char *text);

/* The bytes as base64, for what slv_json_text would change.  A new reference,
 * or NULL: out of memory. */
json_t *slv_json_base64(const char *text);

#endif
