/* json_text.c - any text as JSON strings. */
#include "report/json/json_text.h"

#include <string.h>

#include "base/text/base64.h"
#include "base/text/utf8.h"

/* Text as a JSON string, with U+FFFD for what is not UTF-8. */
json_t *
slv_json_text(const char *text)
{
	struct slv_buf clean = { 0 };
	size_t left = text != NULL ? strlen(text) : 0;
	const uint8_t *at = (const uint8_t *)text;
	json_t *json = NULL;

	if (text == NULL)
		return json_null();
	while (left > 0) {
		uint32_t code;
		size_t len = slv_utf8_next(at, left, &code);

		if (len > 0)
			slv_buf_add(&clean, at, len);
		else
			slv_buf_text(&clean, "\xef\xbf\xbd");
		len += len == 0;
		at += len;
		left -= len;
	}
	if (!clean.failed)
		json = json_stringn(
		    clean.len > 0 ? (const char *)clean.at : "", clean.len);
	slv_buf_free(&clean);
	return json;
}

bool
slv_json_is_utf8(const char *text)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t left = strlen(text);

	while (left > 0) {
		uint32_t code;
		size_t len = slv_utf8_next(at, left, &code);

		if (len == 0)
			return false;
		at += len;
		left -= len;
	}
	return true;
}

json_t *
slv_json_base64(const char *text)
{
	struct slv_buf out = { 0 };
	json_t *json = NULL;

	slv_base64(&out, text, strlen(text));
	if (!out.failed)
		json = json_stringn((const char *)out.at, out.len);
	slv_buf_free(&out);
	return json;
}
