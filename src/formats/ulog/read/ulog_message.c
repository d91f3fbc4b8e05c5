/* ulog_message.c - one message: is it, by itself, what a logger writes?
 *
 * Nothing in a log has a checksum, so the bodies are checked as far as their
 * type allows: keys state the size of values, formats have a grammar, texts
 * hold no NUL.
 */
#include "formats/ulog/read/ulog_message.h"

#define SYNC      "\x2f\x73\x13\x20\x25\x0c\xbb\x12"
#define ARRAY_MAX 65535 /* elements */

const char *const ulog_kinds[ULOG_TAGS] = {
	[ULOG_TAG_NONE] = "message",
	[ULOG_TAG_HEADER] = "header",
	[ULOG_TAG_FLAGS] = "flags",
	[ULOG_TAG_FORMAT] = "format",
	[ULOG_TAG_INFO] = "information",
	[ULOG_TAG_PARAMETER] = "parameter",
	[ULOG_TAG_SUB] = "subscription",
	[ULOG_TAG_DATA] = "message",
	[ULOG_TAG_TEXT] = "text",
	[ULOG_TAG_MARK] = "mark",
	[ULOG_TAG_OTHER] = "unknown",
	[ULOG_TAG_CUT] = "cut message",
	[ULOG_TAG_LOG] = "log",
};

static bool
same(struct slv_span a, const char *text)
{
	return a.len == strlen(text) && memcmp(a.at, text, a.len) == 0;
}

static bool
is_printable(struct slv_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] <= ' ' || s.at[i] > '~')
			return false;
	}
	return s.len > 0;
}

bool
ulog_is_name(struct slv_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.at[i], letter = c | 0x20;

		if ((letter < 'a' || letter > 'z') && (c < '0' || c > '9')
		    && c != '_' && c != '-' && c != '/')
			return false;
	}
	return s.len > 0;
}

/* Bytes of a basic type; 0: it is none. */
static uint32_t
size_of(struct slv_span type)
{
	static const struct {
		const char *name;
		uint32_t size;
	} types[] = { { "uint8_t", 1 }, { "float", 4 }, { "uint64_t", 8 },
		{ "bool", 1 }, { "int32_t", 4 }, { "uint32_t", 4 },
		{ "uint16_t", 2 }, { "int16_t", 2 }, { "int8_t", 1 },
		{ "double", 8 }, { "char", 1 }, { "int64_t", 8 } };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (same(type, types[i].name))
			return types[i].size;
	}
	return 0;
}

/* "type name" or "type[n] name". */
static bool
read_field(struct slv_span text, struct ulog_field *f)
{
	const uint8_t *space = memchr(text.at, ' ', text.len), *open, *p;
	uint32_t n = 0;

	if (space == NULL)
		return false;
	f->type = (struct slv_span){ text.at, (size_t)(space - text.at) };
	f->name = (struct slv_span){ space + 1, text.len - f->type.len - 1 };
	f->count = 1;
	open = memchr(f->type.at, '[', f->type.len);
	if (open != NULL) {
		for (p = open + 1; p < space && *p >= '0' && *p <= '9'; p++) {
			n = n * 10 + (uint32_t)(*p - '0');
			if (n > ARRAY_MAX)
				return false;
		}
		if (p == open + 1 || p + 1 != space || *p != ']')
			return false;
		f->count = n;
		f->type.len = (size_t)(open - f->type.at);
	}
	f->element = size_of(f->type);
	return ulog_is_name(f->type);
}

bool
ulog_field_next(struct slv_span *rest, struct ulog_field *f)
{
	const uint8_t *end;
	size_t n;

	if (rest->len == 0)
		return false;
	end = memchr(rest->at, ';', rest->len);
	n = end == NULL ? rest->len : (size_t)(end - rest->at);
	if (!read_field((struct slv_span){ rest->at, n }, f)
	    || !ulog_is_name(f->name))
		return false;
	n += end != NULL;
	rest->at += n;
	rest->len -= n;
	return true;
}

bool
ulog_format_split(
    struct slv_span text, struct slv_span *name, struct slv_span *fields)
{
	const uint8_t *colon = memchr(text.at, ':', text.len);

	if (colon == NULL)
		return false;
	*name = (struct slv_span){ text.at, (size_t)(colon - text.at) };
	*fields = (struct slv_span){ colon + 1, text.len - name->len - 1 };
	return ulog_is_name(*name);
}

static bool
is_format(const uint8_t *p, uint32_t n)
{
	struct slv_span name, rest;
	struct ulog_field f;

	if (!ulog_format_split((struct slv_span){ p, n }, &name, &rest)
	    || rest.len == 0)
		return false;
	while (ulog_field_next(&rest, &f))
		;
	return rest.len == 0;
}

/* A length, a key and its value, in the n bytes at p. */
static bool
is_pair(const uint8_t *p, uint32_t n)
{
	struct ulog_field f;

	return n > 1 && p[0] <= n - 1
	    && read_field((struct slv_span){ p + 1, p[0] }, &f)
	    && is_printable(f.name) && f.element > 0
	    && f.count * f.element == n - 1 - p[0];
}

static bool
is_multi(const uint8_t *p, uint32_t n)
{
	return p[0] <= 1 && is_pair(p + 1, n - 1);
}

static bool
is_parameter(const uint8_t *p, uint32_t n)
{
	return is_pair(p, n) && n == 1u + p[0] + 4
	    && (memcmp(p + 1, "int32_t ", 8) == 0
	        || memcmp(p + 1, "float ", 6) == 0);
}

static bool
is_default(const uint8_t *p, uint32_t n)
{
	return p[0] >= 1 && p[0] <= 3 && is_parameter(p + 1, n - 1);
}

static bool
is_sub(const uint8_t *p, uint32_t n)
{
	return ulog_is_name((struct slv_span){ p + 3, n - 3 });
}

static bool
is_text(const uint8_t *p, uint32_t n)
{
	return p[0] >= '0' && p[0] <= '7' && memchr(p + 9, '\0', n - 9) == NULL;
}

static bool
is_tagged(const uint8_t *p, uint32_t n)
{
	return p[0] >= '0' && p[0] <= '7'
	    && memchr(p + 11, '\0', n - 11) == NULL;
}

static bool
is_sync(const uint8_t *p, uint32_t n)
{
	return memcmp(p, SYNC, n) == 0;
}

/* All types, by letter. */
static const struct {
	enum ulog_tag tag;
	uint16_t min, max; /* bytes of a body */
	bool (*sound)(const uint8_t *body, uint32_t size);
} types[128] = {
	['A'] = { ULOG_TAG_SUB, 4, 259, is_sub },
	['B'] = { ULOG_TAG_FLAGS, ULOG_FLAGS_SIZE, UINT16_MAX, NULL },
	['C'] = { ULOG_TAG_TEXT, 11, UINT16_MAX, is_tagged },
	['D'] = { ULOG_TAG_DATA, 3, UINT16_MAX, NULL },
	['F'] = { ULOG_TAG_FORMAT, 5, UINT16_MAX, is_format },
	['I'] = { ULOG_TAG_INFO, 8, UINT16_MAX, is_pair },
	['L'] = { ULOG_TAG_TEXT, 9, UINT16_MAX, is_text },
	['M'] = { ULOG_TAG_INFO, 9, UINT16_MAX, is_multi },
	['O'] = { ULOG_TAG_MARK, 2, 2, NULL },
	['P'] = { ULOG_TAG_PARAMETER, 12, 260, is_parameter },
	['Q'] = { ULOG_TAG_PARAMETER, 13, 261, is_default },
	['R'] = { ULOG_TAG_MARK, 2, 2, NULL },
	['S'] = { ULOG_TAG_MARK, 8, 8, is_sync },
};

enum ulog_tag
ulog_tag_of(uint8_t type)
{
	return type < 128 ? types[type].tag : ULOG_TAG_NONE;
}

bool
ulog_is_size(uint8_t type, uint32_t size)
{
	return type < 128 && size >= types[type].min && size <= types[type].max;
}

/* A key and its length begin here, in a body of n bytes. */
static bool
is_key(const uint8_t *p, uint32_t n)
{
	return p[0] >= 6 && p[0] < n && (uint8_t)(p[1] - 'a') < 26
	    && (uint8_t)(p[2] - 'a') < 26 && (uint8_t)(p[3] - 'a') < 26;
}

bool
ulog_is_mark(const uint8_t p[ULOG_MARK])
{
	const uint8_t *body = p + ULOG_HEAD;
	uint32_t size = slv_get_le16(p);

	if (!ulog_is_size(p[2], size))
		return false;
	switch (p[2]) {
	case 'A': return ulog_is_name((struct slv_span){ body + 3, 1 });
	case 'F': return ulog_is_name((struct slv_span){ body, 3 });
	case 'I':
	case 'P': return is_key(body, size);
	case 'M': return body[0] <= 1 && is_key(body + 1, size - 1);
	case 'Q': return body[0] <= 3 && is_key(body + 1, size - 1);
	case 'C':
	case 'L': return body[0] >= '0' && body[0] <= '7' && body[8] == 0;
	case 'S': return memcmp(body, SYNC, 8) == 0;
	default: return false;
	}
}

bool
ulog_is_sound(const struct ulog_message *m)
{
	return ulog_tag_of(m->type) != ULOG_TAG_NONE
	    && ulog_is_size(m->type, m->size)
	    && (types[m->type].sound == NULL
	        || types[m->type].sound(m->body, m->size));
}

void
ulog_pair(
    const struct ulog_message *m, struct slv_span *key, struct slv_span *value)
{
	size_t at = m->type == 'M' || m->type == 'Q';
	size_t n = m->body[at++];

	*key = (struct slv_span){ m->body + at, n };
	*value = (struct slv_span){ m->body + at + n, m->size - at - n };
}
