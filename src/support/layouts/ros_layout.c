/* ros_layout.c - how messages of ROS 1 and 2 are laid out, by their definition.
 *
 *	type name          a field
 *	type[] name        a list; type[3] name: of three
 *	type NAME=value    a constant, which is no part of a message
 *	# a comment
 *	=====...           another type follows:
 *	MSG: package/Type
 *
 * ROS 2 has in addition
 *
 *	type<=9 name       a text of at most 9 bytes; type[<=9] name: a list
 *	type name value    a field with a default
 *
 * and package/msg/Type is package/Type.
 */
#include "support/layouts/ros_layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "core/format/records.h"
#include "core/layout/layout.h"
#include "support/layouts/ros_service.h"

#define TEXT_MAX  ((size_t)4 << 20) /* bytes of a definition that are read */
#define TYPES_MAX 4096              /* types in it */
#define NAME_LONG 512      /* bytes of package and type, names of files */
#define HEADER    "Header" /* of this package or that one: */
#define MSG       "MSG:"

/* A type of the definition. */
struct type {
	struct slv_span name; /* "std_msgs/Header" */
	struct slv_span text;
	uint32_t shape;
};

struct definition {
	struct slv_layout *out;
	struct type *types; /* owned; in its order */
	size_t n_types, cap_types;
	struct type *by_name; /* owned; the same, sorted */
	bool two;             /* of ROS 2 */
	struct slv_buf event; /* owned; its text, if that of the log is of a
			       * service */
	bool good;
};

static const struct {
	const char *name;
	enum slv_value_type type, two;
} plain[] = {
	{ "bool", SLV_VALUE_BOOL, SLV_VALUE_BOOL },
	{ "byte", SLV_VALUE_I8, SLV_VALUE_U8 },
	{ "char", SLV_VALUE_U8, SLV_VALUE_U8 },
	{ "float32", SLV_VALUE_F32, SLV_VALUE_F32 },
	{ "float64", SLV_VALUE_F64, SLV_VALUE_F64 },
	{ "int16", SLV_VALUE_I16, SLV_VALUE_I16 },
	{ "int32", SLV_VALUE_I32, SLV_VALUE_I32 },
	{ "int64", SLV_VALUE_I64, SLV_VALUE_I64 },
	{ "int8", SLV_VALUE_I8, SLV_VALUE_I8 },
	{ "string", SLV_VALUE_TEXT32, SLV_VALUE_TEXT0 },
	{ "uint16", SLV_VALUE_U16, SLV_VALUE_U16 },
	{ "uint32", SLV_VALUE_U32, SLV_VALUE_U32 },
	{ "uint64", SLV_VALUE_U64, SLV_VALUE_U64 },
	{ "uint8", SLV_VALUE_U8, SLV_VALUE_U8 },
};

/* Types that every definition has: their shapes follow its own.  Writers of ROS 2 may
 * leave them out. */
static const struct {
	const char *name;
	const char *name_two;
	enum slv_value_type type;
} times[] = {
	{ "time", "builtin_interfaces/Time", SLV_VALUE_U32 },
	{ "duration", "builtin_interfaces/Duration", SLV_VALUE_I32 },
};
#define TIMES (sizeof(times) / sizeof(*times))

static bool
is(struct slv_span a, const char *text)
{
	return slv_span_same(a, slv_span_of(text));
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The next line of a text, without its end; false: there is none. */
static bool
take_line(struct slv_span *text, struct slv_span *line)
{
	const uint8_t *end;

	if (text->len == 0)
		return false;
	end = memchr(text->at, '\n', text->len);
	*line = *text;
	if (end != NULL)
		line->len = (size_t)(end - text->at);
	text->at += line->len + (end != NULL);
	text->len -= line->len + (end != NULL);
	return true;
}

static void
skip_blanks(struct slv_span *line)
{
	while (line->len > 0 && is_blank(*line->at)) {
		line->at++;
		line->len--;
	}
}

/* The next word of a line, as long as none of its bytes is `stop`. */
static struct slv_span
take_word(struct slv_span *line, uint8_t stop)
{
	struct slv_span word;

	skip_blanks(line);
	word = (struct slv_span){ line->at, 0 };
	while (line->len > 0 && !is_blank(*line->at) && *line->at != stop) {
		word.len++;
		line->at++;
		line->len--;
	}
	return word;
}

/* Take the package off the name of a type, in which "/msg/" is "/". */
static struct slv_span
take_package(struct slv_span *name)
{
	const uint8_t *slash =
	    name->len > 0 ? memchr(name->at, '/', name->len) : NULL;
	struct slv_span package = { name->at, 0 };
	size_t skip;

	if (slash == NULL)
		return package;
	package.len = (size_t)(slash - name->at);
	skip = package.len + 1;
	if (name->len - skip > 4 && memcmp(slash + 1, "msg/", 4) == 0)
		skip += 4;
	name->at += skip;
	name->len -= skip;
	return package;
}

static int
compare_spans(struct slv_span a, struct slv_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.at, b.at, n) : 0;

	return order != 0 ? order : SLV_ORDER_OF(a.len, b.len);
}

static int
compare_type_names(struct slv_span a, struct slv_span b)
{
	struct slv_span of_a = take_package(&a), of_b = take_package(&b);
	int order = compare_spans(of_a, of_b);

	return order != 0 ? order : compare_spans(a, b);
}

/* Of two with the same name the first one counts. */
static int
compare_types(const void *p, const void *q)
{
	const struct type *a = p, *b = q;
	int order = compare_type_names(a->name, b->name);

	return order != 0 ? order : SLV_ORDER_OF(a->shape, b->shape);
}

/* Note a type.  The name of one is compared with those of all fields, so none is as long
 * as the definition. */
static enum slv_status
add_type(struct definition *d, const struct type *t, struct slv_err *err)
{
	d->good &= t->name.len <= NAME_LONG;
	return SLV_ADD(d, types, err, *t);
}

/* List the types of a definition; their shapes are numbered in its order. */
static enum slv_status
list_types(struct definition *d, struct slv_span root, struct slv_span text,
    struct slv_err *err)
{
	struct type t = { .name = root, .text = { text.at, 0 } };
	struct slv_span line, rest;

	while (take_line(&text, &line)) {
		rest = line;
		if (line.len >= 4 && memcmp(line.at, "====", 4) == 0)
			continue;
		if (!is(take_word(&rest, 0), MSG)) {
			t.text.len = (size_t)(line.at + line.len - t.text.at);
			continue;
		}
		SLV_TRY(add_type(d, &t, err));
		t.name = take_word(&rest, 0);
		t.text = (struct slv_span){ text.at, 0 };
		t.shape++;
		d->good &= t.shape < TYPES_MAX;
		if (!d->good)
			return SLV_OK;
	}
	return add_type(d, &t, err);
}

/* The shape of a type; UINT32_MAX: it is not in the definition. */
static uint32_t
shape_of(const struct definition *d, struct slv_span name)
{
	struct slv_search f = { .high = d->n_types };

	while (slv_search(&f))
		slv_search_on(
		    &f, compare_type_names(d->by_name[f.mid].name, name) < 0);
	return f.low < d->n_types
	        && compare_type_names(d->by_name[f.low].name, name) == 0
	    ? d->by_name[f.low].shape
	    : UINT32_MAX;
}

/* The shape of a type of a package; the name may say another one. */
static enum slv_status
find_shape(struct definition *d, struct slv_span package, struct slv_span name,
    uint32_t *shape, struct slv_err *err)
{
	struct slv_span places[] = { slv_span_of("std_msgs"),
		slv_span_of("roslib"), package };
	struct slv_buf full = { 0 };

	*shape = shape_of(d, name);
	for (size_t i = 0; i < TIMES; i++) {
		if (d->two ? *shape == UINT32_MAX && is(name, times[i].name_two)
		           : is(name, times[i].name))
			*shape = (uint32_t)(d->n_types + i);
	}
	for (size_t i = is(name, HEADER) ? 0 : 2; i < 3 && *shape == UINT32_MAX;
	     i++) {
		full.len = 0;
		slv_buf_add(&full, places[i].at, places[i].len);
		slv_buf_text(&full, "/");
		slv_buf_add(&full, name.at, name.len);
		if (slv_buf_check(&full, err) != SLV_OK)
			break;
		*shape = shape_of(d, (struct slv_span){ full.at, full.len });
	}
	slv_buf_free(&full);
	return err->code;
}

/* "[]", "[3]" or, in ROS 2, "[<=3]": how many values there are. */
static bool
read_many(
    const struct definition *d, struct slv_span text, struct slv_member *p)
{
	bool bound = d->two && text.len > 3 && memcmp(text.at, "[<=", 3) == 0;
	uint64_t n = 0;

	if (text.len == 0)
		return true;
	if (text.len < 2 || text.at[0] != '[' || text.at[text.len - 1] != ']')
		return false;
	p->many = text.len == 2 || bound ? SLV_MANY_COUNTED32 : SLV_MANY_FIXED;
	for (size_t i = bound ? 3 : 1; i < text.len - 1; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
		n = n * 10 + (text.at[i] - '0');
		if (n > SLV_LAYOUT_COUNT)
			return false;
	}
	p->count = bound ? 0 : (uint32_t)n;
	return true;
}

/* What a type is, other than how many values. */
static enum slv_status
read_type(struct definition *d, struct slv_span package, struct slv_span type,
    struct slv_member *p, struct slv_err *err)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		if (!is(type, plain[i].name))
			continue;
		p->type = d->two ? plain[i].two : plain[i].type;
		/* As the tools of ROS have it: a list of them is bytes. */
		if (p->type == SLV_VALUE_U8 && p->many != SLV_MANY_ONE)
			p->type = SLV_VALUE_BYTE;
		return SLV_OK;
	}
	p->type = SLV_VALUE_STRUCT;
	SLV_TRY(find_shape(d, package, type, &p->shape, err));
	d->good &= p->shape != UINT32_MAX;
	return SLV_OK;
}

/* "string<=9" is a string. */
static void
cut_bound(struct slv_span *type)
{
	const uint8_t *bound = memchr(type->at, '<', type->len);

	if (bound != NULL)
		type->len = (size_t)(bound - type->at);
}

/* A line of a type. */
static enum slv_status
read_line(struct definition *d, struct slv_span package, struct slv_span line,
    struct slv_err *err)
{
	struct slv_member p = { .many = SLV_MANY_ONE };
	const uint8_t *comment =
	    line.len > 0 ? memchr(line.at, '#', line.len) : NULL;
	struct slv_span type, many, name;
	bool fits;

	if (comment != NULL)
		line.len = (size_t)(comment - line.at);
	type = take_word(&line, '[');
	if (type.len == 0)
		return SLV_OK;
	skip_blanks(&line);
	many = line;
	if (line.len > 0 && *line.at == '[')
		many = take_word(&line, 0);
	else
		many.len = 0;
	name = take_word(&line, '=');
	skip_blanks(&line);
	if (line.len > 0 && *line.at == '=')
		return SLV_OK;
	/* What follows in ROS 2 is a default. */
	d->good &= read_many(d, many, &p) && (d->two || line.len == 0);
	if (d->two)
		cut_bound(&type);
	if (!d->good)
		return SLV_OK;
	SLV_TRY(read_type(d, package, type, &p, err));
	SLV_TRY(slv_layout_add(d->out, name, &p, &fits, err));
	d->good &= fits;
	return SLV_OK;
}

/* A message of ROS 2 without fields has a byte on the wire. */
static enum slv_status
add_nothing(struct definition *d, struct slv_err *err)
{
	const struct slv_member p = { .type = SLV_VALUE_U8, .hidden = true };
	bool fits;

	SLV_TRY(slv_layout_add(d->out,
	    slv_span_of("structure_needs_at_least_one_member"), &p, &fits,
	    err));
	d->good &= fits;
	return SLV_OK;
}

static enum slv_status
read_types(struct definition *d, struct slv_err *err)
{
	for (size_t i = 0; d->good && i < d->n_types; i++) {
		const struct type *t = &d->types[i];
		struct slv_span text = t->text, line, name = t->name;
		struct slv_span package = take_package(&name);

		SLV_TRY(slv_layout_shape(d->out, err));
		while (d->good && take_line(&text, &line))
			SLV_TRY(read_line(d, package, line, err));
		if (d->two && d->out->shapes[i].n == 0)
			SLV_TRY(add_nothing(d, err));
	}
	return SLV_OK;
}

static enum slv_status
add_times(struct definition *d, struct slv_err *err)
{
	bool fits;

	for (size_t i = 0; d->good && i < TIMES; i++) {
		const struct slv_member p = { .type = d->two ? SLV_VALUE_I32
			                                     : times[i].type };

		SLV_TRY(slv_layout_shape(d->out, err));
		SLV_TRY(
		    slv_layout_add(d->out, slv_span_of("sec"), &p, &fits, err));
		d->good &= fits;
		const struct slv_member rest = { .type = SLV_VALUE_U32 };

		SLV_TRY(slv_layout_add(d->out,
		    slv_span_of(d->two ? "nanosec" : "nsec"),
		    d->two ? &rest : &p, &fits, err));
		d->good &= fits;
	}
	return SLV_OK;
}

static enum slv_status
read_definition(
    struct definition *d, const struct slv_channel_info *c, struct slv_err *err)
{
	struct slv_span text = { c->schema, c->schema_len };

	if (d->two)
		SLV_TRY(slv_ros_service(
		    slv_span_of(c->type), text, &d->event, err));
	if (d->event.len > 0)
		text = (struct slv_span){ d->event.at, d->event.len };
	SLV_TRY(list_types(d, slv_span_of(c->type), text, err));
	if (!d->good)
		return SLV_OK;
	SLV_TRY(slv_new(&d->by_name, d->n_types, sizeof(*d->types), err));
	memcpy(d->by_name, d->types, d->n_types * sizeof(*d->types));
	slv_sort(d->by_name, d->n_types, sizeof(*d->types), compare_types);
	SLV_TRY(read_types(d, err));
	SLV_TRY(add_times(d, err));
	return d->good ? slv_layout_settle(d->out, &d->good, err) : SLV_OK;
}

static bool
is_of(const struct slv_channel_info *c, const char *encoding,
    const char *schema_encoding)
{
	return strcmp(c->encoding, encoding) == 0
	    && strcmp(c->schema_encoding, schema_encoding) == 0;
}

enum slv_status
slv_ros_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	struct definition d = { .out = out, .good = true };
	enum slv_status st;

	*known = false;
	d.two = is_of(c, "cdr", "ros2msg");
	if ((!d.two && !is_of(c, "ros1", "ros1msg"))
	    || c->schema_len > TEXT_MAX)
		return SLV_OK;
	if (d.two)
		out->wire = SLV_WIRE_CDR;
	/* All of a payload is the first type. */
	out->root = (struct slv_member){ .type = SLV_VALUE_STRUCT };
	st = read_definition(&d, c, err);
	slv_free(d.types);
	slv_free(d.by_name);
	slv_buf_free(&d.event);
	*known = d.good;
	return st;
}
