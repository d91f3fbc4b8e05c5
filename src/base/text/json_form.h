/* json_form.h - check JSON that is passed on without being parsed.
 *
 * It costs no memory, whatever the text.
 */
#ifndef SLV_BASE_JSON_FORM_H
#define SLV_BASE_JSON_FORM_H

#include <stdbool.h>

/* Return true if a text is one object as salvor writes them: printable ASCII,
 * without spaces between tokens and without anything after it, at most
 * SLV_JSON_DEPTH nested arrays and objects, and acceptable to a parser.  A key
 * may occur more than once. */
bool slv_json_is_object(const char *text);

#endif
