/* json_bound.c - JSON that anybody may have written, before it is parsed. */
#include "base/json_bound.h"

/* Where the string ends that begins before `at`. */
static size_t
end_of_string(const char *text, size_t n, size_t at)
{
	while (at < n && text[at] != '"')
		at += text[at] == '\\' ? 2 : 1;
	return at;
}

bool
slv_json_is_bounded(const char *text, size_t n)
{
	size_t depth = 0, values = 0;

	for (size_t at = 0; at < n; at++) {
		switch (text[at]) {
		case '"': at = end_of_string(text, n, at + 1); break;
		case '[':
		case '{':
			values++;
			if (++depth > SLV_JSON_DEPTH)
				return false;
			break;
		case ']':
		case '}':
			if (depth <= 1)
				return true;
			depth--;
			break;
		case ',': values++; break;
		default: break;
		}
		if (values > SLV_JSON_VALUES)
			return false;
	}
	return true;
}
