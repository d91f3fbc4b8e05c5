/* json_bound.c - limits on untrusted JSON before it is parsed. */
#include "base/json/json_bound.h"

#include <string.h>

/* End of the string that begins before `at`. */
static size_t
end_of_string(const char *text, size_t n, size_t at)
{
	while (at < n && text[at] != '"')
		at += text[at] == '\\' ? 2 : 1;
	return at;
}

static bool
is_one_of(const char *set, char c)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* A parser reads no further than the first impossible byte.  So only that much
 * is counted, even if parts of a long text are checked often. */
bool
slv_json_is_bounded(const char *text, size_t n)
{
	size_t depth = 0, values = 0;

	for (size_t at = 0; at < n; at++) {
		if (depth == 0 && !is_one_of("[{ \t\r\n", text[at]))
			return true;
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
		default:
			if (!is_one_of(
			        " \t\r\n:+-.0123456789Eaeflnrstu", text[at]))
				return true;
		}
		if (values > SLV_JSON_VALUES)
			return false;
	}
	return true;
}
