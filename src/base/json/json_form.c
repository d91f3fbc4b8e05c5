/* json_form.c - JSON that goes on as it is, without being parsed. */
#include "base/json/json_form.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json_bound.h"

#define DIGITS   19 /* of an integer that 64 bits hold */
#define EXPONENT 200

/* A place in the text; `at` is NULL where it is not JSON. */
struct cursor {
	const char *at;
	char closes[SLV_JSON_DEPTH]; /* what ends each open array or object */
	size_t depth;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_digits(const char *at)
{
	while (is_digit(*at))
		at++;
	return at;
}

/* The number after \u; -1: there is none. */
static long
code_at(const char *at)
{
	char hex[5] = "";

	for (int i = 0; i < 4; i++) {
		if (strchr("0123456789abcdefABCDEF", at[i]) == NULL
		    || at[i] == '\0')
			return -1;
		hex[i] = at[i];
	}
	return strtol(hex, NULL, 16);
}

/* After \u and its digits; the second half of a pair only after the first, and
 * no NUL. */
static const char *
skip_code(const char *at)
{
	long code = code_at(at), low;

	if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff))
		return NULL;
	if (code < 0xd800 || code > 0xdfff)
		return at + 4;
	if (at[4] != '\\' || at[5] != 'u')
		return NULL;
	low = code_at(at + 6);
	return low >= 0xdc00 && low <= 0xdfff ? at + 10 : NULL;
}

/* After the string that begins here; NULL: there is none. */
static const char *
skip_string(const char *at)
{
	if (*at != '"')
		return NULL;
	for (at++; *at != '"';) {
		if (*at < 0x20 || *at > 0x7e)
			return NULL;
		if (*at++ != '\\')
			continue;
		if (*at == 'u')
			at = skip_code(at + 1);
		else
			at = *at != '\0' && strchr("\"\\/bfnrt", *at) != NULL
			    ? at + 1
			    : NULL;
		if (at == NULL)
			return NULL;
	}
	return at + 1;
}

/* The same of a number that 64 bits hold. */
static const char *
skip_number(const char *at)
{
	static const char most[] = "9223372036854775807";
	const char *from, *end;

	at += *at == '-';
	from = at;
	at = skip_digits(at);
	if (at == from || (*from == '0' && at > from + 1) || at - from > DIGITS
	    || (at - from == DIGITS && strncmp(from, most, DIGITS) > 0))
		return NULL;
	if (*at == '.') {
		from = ++at;
		at = skip_digits(at);
		if (at == from)
			return NULL;
	}
	if (*at != 'e' && *at != 'E')
		return at;
	at++;
	at += *at == '-' || *at == '+';
	end = skip_digits(at);
	return end > at && end - at <= 3 && atoi(at) <= EXPONENT ? end : NULL;
}

static const char *
skip_word(const char *at)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(at, words[i], n) == 0)
			return at + n;
	}
	return NULL;
}

/* The key of a member and its colon, where an object is open. */
static void
skip_key(struct cursor *c)
{
	if (c->closes[c->depth - 1] != '}')
		return;
	c->at = skip_string(c->at);
	if (c->at != NULL)
		c->at = *c->at == ':' ? c->at + 1 : NULL;
}

/* An array or object that begins here.  false: it is empty, and ended. */
static bool
open_one(struct cursor *c)
{
	if (c->depth == SLV_JSON_DEPTH) {
		c->at = NULL;
		return false;
	}
	c->closes[c->depth++] = *c->at++ == '{' ? '}' : ']';
	if (*c->at != c->closes[c->depth - 1]) {
		skip_key(c);
		return true;
	}
	c->at++;
	c->depth--;
	return false;
}

/* What follows a value. */
static void
go_on(struct cursor *c)
{
	while (c->depth > 0 && *c->at == c->closes[c->depth - 1]) {
		c->depth--;
		c->at++;
	}
	if (c->depth == 0)
		return;
	if (*c->at != ',') {
		c->at = NULL;
		return;
	}
	c->at++;
	skip_key(c);
}

bool
slv_json_is_object(const char *text)
{
	struct cursor c = { .at = *text == '{' ? text : NULL };

	do {
		if (c.at == NULL)
			return false;
		switch (*c.at) {
		case '{':
		case '[':
			if (open_one(&c))
				continue;
			break;
		case '"': c.at = skip_string(c.at); break;
		case 't':
		case 'f':
		case 'n': c.at = skip_word(c.at); break;
		default: c.at = skip_number(c.at); break;
		}
		if (c.at != NULL)
			go_on(&c);
	} while (c.at == NULL || c.depth > 0);
	return *c.at == '\0';
}

/* Whether the string from `at` to `end`, with its quotes, is one of these. */
static bool
is_any(const char *at, const char *end, const char *const *keys, size_t n)
{
	size_t len = (size_t)(end - at) - 2;

	for (size_t i = 0; i < n; i++) {
		if (strlen(keys[i]) == len && memcmp(at + 1, keys[i], len) == 0)
			return true;
	}
	return memchr(at, '\\', len + 2) != NULL;
}

bool
slv_json_has_any(const char *rest, const char *const *keys, size_t n)
{
	size_t depth = 1;

	for (const char *at = rest, *end; *at != '\0'; at = end) {
		end = at + 1;
		if (*at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']')
			depth--;
		if (*at != '"')
			continue;
		end = skip_string(at);
		if (depth == 1 && *end == ':' && is_any(at, end, keys, n))
			return true;
	}
	return false;
}
