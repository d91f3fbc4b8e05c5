/* yaml.c - a YAML text as a tree. */
#include "batch/ros2/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/mem.h"

size_t
slv_yaml_get(const struct slv_yaml *y, size_t of, const char *key)
{
	size_t i = SLV_YAML_NONE;

	if (of < y->n && y->at[of].kind == SLV_YAML_MAP)
		i = y->at[of].first;
	while (i != SLV_YAML_NONE && strcmp(y->at[i].key, key) != 0)
		i = y->at[i].next;
	return i;
}

size_t
slv_yaml_first(const struct slv_yaml *y, size_t of)
{
	return of < y->n ? y->at[of].first : SLV_YAML_NONE;
}

size_t
slv_yaml_count(const struct slv_yaml *y, size_t of)
{
	size_t n = 0;

	for (size_t i = slv_yaml_first(y, of); i != SLV_YAML_NONE;
	     i = y->at[i].next)
		n++;
	return n;
}

bool
slv_yaml_is_null(const struct slv_yaml *y, size_t node)
{
	static const char *const words[] = { "~", "", "null", "Null", "NULL" };

	if (node >= y->n || y->at[node].kind != SLV_YAML_SCALAR)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (y->at[node].plain
		    && strcmp(y->at[node].text, words[i]) == 0)
			return true;
	}
	return false;
}

const char *
slv_yaml_text(const struct slv_yaml *y, size_t node)
{
	return node < y->n && !slv_yaml_is_null(y, node) ? y->at[node].text
	                                                 : NULL;
}

bool
slv_yaml_number(const struct slv_yaml *y, size_t node, uint64_t *out)
{
	const char *p = slv_yaml_text(y, node);

	*out = 0;
	if (p == NULL || *p == '\0' || !y->at[node].plain
	    || (*p == '0' && p[1] != '\0'))
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		unsigned digit = (unsigned)(*p - '0');

		if (*out > (UINT64_MAX - digit) / 10)
			return false;
		*out = *out * 10 + digit;
	}
	return *p == '\0';
}

bool
slv_yaml_equal(
    const struct slv_yaml *a, size_t x, const struct slv_yaml *b, size_t z)
{
	const struct slv_yaml_node *p = &a->at[x], *q = &b->at[z];
	bool null = slv_yaml_is_null(a, x);
	size_t k;

	if (p->kind != q->kind || slv_yaml_count(a, x) != slv_yaml_count(b, z))
		return false;
	if (p->kind == SLV_YAML_SCALAR)
		return null == slv_yaml_is_null(b, z)
		    && (null || strcmp(p->text, q->text) == 0);
	k = q->first;
	for (size_t i = p->first; i != SLV_YAML_NONE; i = a->at[i].next) {
		if (p->kind == SLV_YAML_MAP)
			k = slv_yaml_get(b, z, a->at[i].key);
		if (k == SLV_YAML_NONE || !slv_yaml_equal(a, i, b, k))
			return false;
		k = b->at[k].next;
	}
	return true;
}

/* Append a node; takes over the strings, also on failure. */
static enum slv_status
append(struct slv_yaml *y, size_t into, struct slv_yaml_node node, size_t *out,
    struct slv_err *err)
{
	struct slv_yaml_node *parent;
	enum slv_status st =
	    (node.kind == SLV_YAML_SCALAR) == (node.text != NULL)
	    ? slv_grow(&y->at, &y->cap, y->n + 1, sizeof(*y->at), err)
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");

	if (st != SLV_OK) {
		slv_free(node.key);
		slv_free(node.text);
		return st;
	}
	node.first = node.last = node.next = SLV_YAML_NONE;
	y->at[y->n] = node;
	if (into != SLV_YAML_NONE) {
		parent = &y->at[into];
		if (parent->last == SLV_YAML_NONE)
			parent->first = y->n;
		else
			y->at[parent->last].next = y->n;
		parent->last = y->n;
	}
	if (out != NULL)
		*out = y->n;
	y->n++;
	return SLV_OK;
}

enum slv_status
slv_yaml_add(struct slv_yaml *y, size_t into, const char *key,
    enum slv_yaml_kind kind, const char *text, size_t *out, struct slv_err *err)
{
	struct slv_yaml_node node = { .kind = kind, .plain = text == NULL };

	if (kind == SLV_YAML_SCALAR)
		node.text = slv_strdup(text != NULL ? text : "~");
	if (key != NULL)
		node.key = slv_strdup(key);
	if (key != NULL && node.key == NULL) {
		slv_free(node.text);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	return append(y, into, node, out, err);
}

enum slv_status
slv_yaml_add_number(struct slv_yaml *y, size_t into, const char *key,
    uint64_t number, struct slv_err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return slv_yaml_add(y, into, key, SLV_YAML_SCALAR, text, NULL, err);
}

enum slv_status
slv_yaml_copy(struct slv_yaml *y, size_t into, const char *key,
    const struct slv_yaml *from, size_t node, struct slv_err *err)
{
	const struct slv_yaml_node *old = &from->at[node];
	size_t here;

	SLV_TRY(slv_yaml_add(y, into, key, old->kind,
	    slv_yaml_is_null(from, node) ? NULL : old->text, &here, err));
	for (size_t i = old->first; i != SLV_YAML_NONE; i = from->at[i].next)
		SLV_TRY(slv_yaml_copy(y, here, from->at[i].key, from, i, err));
	return SLV_OK;
}

/* A text while it is read. */
struct reading {
	struct slv_yaml *y;
	size_t open[SLV_YAML_DEPTH]; /* lists and maps around the next node */
	size_t keys[SLV_YAML_DEPTH]; /* ... and how many keys they have */
	size_t depth;
	char *key; /* owned; of the next entry of a map; NULL: it is next */
	unsigned documents;
};

/* The text is damaged here. */
static void
blame(struct slv_yaml *y, const char *why, size_t line)
{
	snprintf(y->why, sizeof(y->why), "%s", why);
	y->line = line + 1;
}

static bool
wants_key(const struct reading *r)
{
	return r->depth > 0 && r->key == NULL
	    && r->y->at[r->open[r->depth - 1]].kind == SLV_YAML_MAP;
}

/* Why a scalar cannot be a key, or NULL. */
static const char *
refuse_key(struct reading *r, const char *key)
{
	size_t in = r->depth - 1;

	if (r->keys[in]++ == SLV_YAML_KEYS)
		return "a map has too many keys";
	return slv_yaml_get(r->y, r->open[in], key) != SLV_YAML_NONE
	    ? "a key is there twice"
	    : NULL;
}

/* A node begins; a list or a map then is open.  Takes over the text. */
static enum slv_status
begin(struct reading *r, enum slv_yaml_kind kind, char *text, bool plain,
    const char **why, struct slv_err *err)
{
	struct slv_yaml_node node = { .kind = kind, .text = text };
	size_t into = r->depth > 0 ? r->open[r->depth - 1] : SLV_YAML_NONE;
	size_t here;

	*why = r->y->n >= SLV_YAML_NODES ? "there are too many entries"
	    : kind != SLV_YAML_SCALAR && r->depth == SLV_YAML_DEPTH
	    ? "entries are nested too deep"
	    : kind != SLV_YAML_SCALAR && wants_key(r) ? "a key is no word"
	                                              : NULL;
	if (*why != NULL) {
		slv_free(text);
		return SLV_OK;
	}
	node.plain = plain;
	node.key = r->key;
	r->key = NULL;
	SLV_TRY(append(r->y, into, node, &here, err));
	if (kind != SLV_YAML_SCALAR) {
		r->keys[r->depth] = 0;
		r->open[r->depth++] = here;
	}
	return SLV_OK;
}

static enum slv_status
scalar(struct reading *r, const yaml_event_t *e, const char **why,
    struct slv_err *err)
{
	const char *text = (const char *)e->data.scalar.value;
	size_t len = e->data.scalar.length;
	char *copy;

	if (memchr(text, '\0', len) != NULL) {
		*why = "a text has a zero byte";
		return SLV_OK;
	}
	copy = slv_strdup(text);
	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (!wants_key(r))
		return begin(r, SLV_YAML_SCALAR, copy,
		    e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE, why, err);
	*why = refuse_key(r, copy);
	r->key = copy;
	return SLV_OK;
}

/* Whether an event has what ROS 2 never writes. */
static const char *
refuse(struct reading *r, const yaml_event_t *e)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;

	switch (e->type) {
	case YAML_ALIAS_EVENT: return "an alias is there";
	case YAML_SCALAR_EVENT:
		anchor = e->data.scalar.anchor;
		tag = e->data.scalar.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = e->data.sequence_start.anchor;
		tag = e->data.sequence_start.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = e->data.mapping_start.anchor;
		tag = e->data.mapping_start.tag;
		break;
	case YAML_DOCUMENT_START_EVENT:
		return r->documents++ > 0 ? "there is a second document" : NULL;
	default: return NULL;
	}
	return anchor != NULL ? "an anchor is there"
	    : tag != NULL     ? "a tag is there"
	                      : NULL;
}

/* *why: the text is damaged. */
static enum slv_status
take(struct reading *r, const yaml_event_t *e, const char **why,
    struct slv_err *err)
{
	*why = refuse(r, e);
	if (*why != NULL)
		return SLV_OK;
	switch (e->type) {
	case YAML_SCALAR_EVENT: return scalar(r, e, why, err);
	case YAML_SEQUENCE_START_EVENT:
		return begin(r, SLV_YAML_LIST, NULL, false, why, err);
	case YAML_MAPPING_START_EVENT:
		return begin(r, SLV_YAML_MAP, NULL, false, why, err);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: r->depth--; return SLV_OK;
	default: return SLV_OK;
	}
}

static enum slv_status
read_events(struct reading *r, yaml_parser_t *parser, struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	const char *why = NULL;
	bool ended = false;
	yaml_event_t e;

	while (!ended && st == SLV_OK && why == NULL) {
		if (slv_is_cancelled(r->y->cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		if (!yaml_parser_parse(parser, &e)) {
			if (parser->error == YAML_MEMORY_ERROR)
				return slv_fail(
				    err, SLV_E_NOMEM, "out of memory");
			blame(r->y,
			    parser->problem != NULL ? parser->problem
			                            : "it is no YAML",
			    parser->problem_mark.line);
			return SLV_OK;
		}
		st = take(r, &e, &why, err);
		if (why != NULL)
			blame(r->y, why, e.start_mark.line);
		ended = e.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&e);
	}
	return st;
}

enum slv_status
slv_yaml_read(
    struct slv_yaml *y, const void *text, size_t len, struct slv_err *err)
{
	struct reading r = { .y = y };
	yaml_parser_t parser;
	enum slv_status st;

	if (len > SLV_YAML_MOST) {
		blame(y, "it is too long", 0);
		return SLV_OK;
	}
	if (!yaml_parser_initialize(&parser))
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	/* An empty buffer has no address, and libyaml insists on one. */
	yaml_parser_set_input_string(
	    &parser, len > 0 ? text : (const void *)"", len);
	st = read_events(&r, &parser, err);
	yaml_parser_delete(&parser);
	slv_free(r.key);
	if (st == SLV_OK && y->n == 0 && y->why[0] == '\0')
		blame(y, "nothing is in it", 0);
	return st;
}

void
slv_yaml_free(struct slv_yaml *y)
{
	for (size_t i = 0; i < y->n; i++) {
		slv_free(y->at[i].key);
		slv_free(y->at[i].text);
	}
	slv_free(y->at);
	*y = (struct slv_yaml){ .n = 0 };
}
