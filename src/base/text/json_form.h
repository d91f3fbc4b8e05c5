/* json_form.h - JSON that goes on as it is, without being parsed.
 *
 * It costs no memory, whatever the text.
 */
#ifndef SLV_BASE_JSON_FORM_H
#define SLV_BASE_JSON_FORM_H

#include <stdbool.h>

/* Whether a text is one object as salvor writes them: printable ASCII, with no
 * space between its tokens and nothing after it, at most SLV_JSON_DEPTH arrays
 * and objects in one another, and with nothing that a parser refuses.  A key may
 * come more than once. */
bool slv_json_is_object(const char *text);

#endif
