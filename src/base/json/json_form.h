/* json_form.h - check JSON that is passed on without being parsed.
 *
 * It costs no memory, whatever the text.
 */
#ifndef SLV_BASE_JSON_FORM_H
#define SLV_BASE_JSON_FORM_H

#include <stdbool.h>
#include <stddef.h>

/* Return true if a text is one object as salvor writes them: printable ASCII,
 * without spaces between tokens and without anything after it, at most
 * SLV_JSON_DEPTH nested arrays and objects, and acceptable to a parser.  A key
 * may occur more than once. */
bool slv_json_is_object(const char *text);

/* Whether one of n keys is among the members of such an object, of which `rest` is
 * what follows some of them; those of what is in it do not count.  A key with an
 * escape may be any. */
bool slv_json_has_any(const char *rest, const char *const *keys, size_t n);

#endif
