/* rosbag_type.c - message types, from the definitions that a bag carries. */
#include "formats/rosbag/read/rosbag_type.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/list.h"
#include "formats/rosbag/read/rosbag_record.h"

#define TYPES_MAX  1024
#define FIELDS_MAX 65536
#define DEPTH      32      /* types in types */
#define STEPS      1000000 /* fields of a message that are looked at */

enum { NO_SIZE = 0 }; /* of a string */

static const struct {
	const char *name;
	uint32_t size; /* bytes */
	bool is_time;
} builtins[] = {
	{ "bool", 1, false },
	{ "byte", 1, false },
	{ "char", 1, false },
	{ "int8", 1, false },
	{ "uint8", 1, false },
	{ "int16", 2, false },
	{ "uint16", 2, false },
	{ "int32", 4, false },
	{ "uint32", 4, false },
	{ "int64", 8, false },
	{ "uint64", 8, false },
	{ "float32", 4, false },
	{ "float64", 8, false },
	{ "string", NO_SIZE, false },
	{ "time", 8, true },
	{ "duration", 8, false },
};

static bool
is(struct slv_span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.at, text, s.len) == 0;
}

static int
builtin_of(struct slv_span name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++) {
		if (is(name, builtins[i].name))
			return (int)i;
	}
	return -1;
}

static bool
is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct slv_span
strip(struct slv_span s)
{
	while (s.len > 0 && is_space(s.at[s.len - 1]))
		s.len--;
	for (; s.len > 0 && is_space(s.at[0]); s.len--)
		s.at++;
	return s;
}

/* What is before the first c, if there is one; all of it else. */
static struct slv_span
before(struct slv_span s, char c)
{
	const uint8_t *hit = s.len > 0 ? memchr(s.at, c, s.len) : NULL;

	if (hit != NULL)
		s.len = (size_t)(hit - s.at);
	return s;
}

/* What follows the first c, which is there. */
static struct slv_span
behind(struct slv_span s, char c)
{
	size_t skip = before(s, c).len + 1;

	return (struct slv_span){ s.at + skip, s.len - skip };
}

/* The next line, without its end; the text is what follows it. */
static struct slv_span
next_line(struct slv_span *text)
{
	struct slv_span line = before(*text, '\n');
	size_t skip = line.len < text->len ? line.len + 1 : line.len;

	text->at += skip;
	text->len -= skip;
	return line;
}

/* The first word; the text is what follows it. */
static struct slv_span
next_word(struct slv_span *text)
{
	struct slv_span word = { text->at, 0 };

	while (word.len < text->len && !is_space(word.at[word.len]))
		word.len++;
	text->at += word.len;
	text->len -= word.len;
	*text = strip(*text);
	return word;
}

/* "float64[36]", "Point[]" or "uint8": how many, and of what. */
static bool
read_array(struct rosbag_field *f, struct slv_span *base)
{
	struct slv_span in;
	uint64_t n = 0;

	*base = before(f->written, '[');
	if (base->len == f->written.len)
		return base->len > 0;
	in = (struct slv_span){ f->written.at + base->len + 1,
		f->written.len - base->len - 1 };
	if (base->len == 0 || in.len == 0 || in.at[in.len - 1] != ']')
		return false;
	f->array = in.len > 1 ? ROSBAG_FIXED : ROSBAG_SOME;
	for (size_t i = 0; i + 1 < in.len; i++) {
		if (in.at[i] < '0' || in.at[i] > '9' || n > UINT32_MAX / 10)
			return false;
		n = n * 10 + (in.at[i] - (uint64_t)'0');
	}
	f->count = (uint32_t)n;
	return true;
}

/* One line of a type.  *good: it is none that says something wrong. */
static enum slv_status
read_line(struct rosbag_types *t, struct slv_span line, bool *good,
    struct slv_err *err)
{
	struct slv_span text = strip(before(line, '#')), base;
	struct rosbag_field f = { .builtin = -1 };

	if (text.len == 0)
		return SLV_OK;
	f.written = next_word(&text);
	f.name = strip(before(text, '='));
	if (memchr(text.at, '=', text.len) != NULL) {
		/* A string goes on to the end of the line. */
		f.value = is(f.written, "string") ? line : text;
		f.value = strip(behind(f.value, '='));
	} else if (memchr(text.at, ' ', text.len) != NULL) {
		*good = false;
		return SLV_OK;
	}
	*good =
	    f.name.len > 0 && read_array(&f, &base) && t->n_fields < FIELDS_MAX;
	if (!*good)
		return SLV_OK;
	f.builtin = builtin_of(base);
	SLV_TRY(SLV_ADD(t, fields, err, f));
	t->at[t->n - 1].n++;
	return SLV_OK;
}

static enum slv_status
add_type(struct rosbag_types *t, struct slv_span name, bool *good,
    struct slv_err *err)
{
	*good = t->n < TYPES_MAX;
	if (!*good)
		return SLV_OK;
	return SLV_ADD_AT(t, err,
	    (struct rosbag_type){
	        .name = name,
	        .first = t->n_fields,
	    });
}

/* Whether the line separates two types. */
static bool
is_rule(struct slv_span line)
{
	line = strip(line);
	for (size_t i = 0; i < line.len; i++) {
		if (line.at[i] != '=')
			return false;
	}
	return line.len >= 8;
}

/* Whether the type is the one that a field of `user` names. */
static bool
is_named(struct slv_span type, struct slv_span user, struct slv_span name)
{
	struct slv_span package = before(user, '/');

	if (memchr(name.at, '/', name.len) != NULL)
		return type.len == name.len
		    && memcmp(type.at, name.at, name.len) == 0;
	if (is(name, "Header"))
		return is(type, "std_msgs/Header");
	return type.len == package.len + 1 + name.len
	    && memcmp(type.at, package.at, package.len) == 0
	    && type.at[package.len] == '/'
	    && memcmp(type.at + package.len + 1, name.at, name.len) == 0;
}

/* Find the types of all fields. */
static bool
resolve(struct rosbag_types *t)
{
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->at[i].n; k++) {
			struct rosbag_field *f = &t->fields[t->at[i].first + k];
			struct slv_span name = before(f->written, '[');

			if (f->builtin >= 0)
				continue;
			while (f->type < t->n
			    && !is_named(
			        t->at[f->type].name, t->at[i].name, name))
				f->type++;
			if (f->type == t->n || f->value.at != NULL)
				return false;
		}
	}
	return true;
}

enum slv_status
rosbag_types_read(struct rosbag_types *t, struct slv_span name,
    struct slv_span definition, bool *good, struct slv_err *err)
{
	static const char mark[] = "MSG:";

	*t = (struct rosbag_types){ .n = 0 };
	SLV_TRY(add_type(t, name, good, err));
	while (*good && definition.len > 0) {
		struct slv_span line = next_line(&definition);

		if (!is_rule(line)) {
			SLV_TRY(read_line(t, line, good, err));
			continue;
		}
		line = next_line(&definition);
		*good = line.len > sizeof(mark) - 1
		    && memcmp(line.at, mark, sizeof(mark) - 1) == 0;
		if (!*good)
			break;
		line.at += sizeof(mark) - 1;
		line.len -= sizeof(mark) - 1;
		SLV_TRY(add_type(t, strip(line), good, err));
	}
	*good = *good && resolve(t);
	return SLV_OK;
}

void
rosbag_types_free(struct rosbag_types *t)
{
	slv_free(t->at);
	slv_free(t->fields);
	*t = (struct rosbag_types){ .n = 0 };
}

static void
to_hex(const uint8_t *md5, char out[33])
{
	for (size_t i = 0; i < SLV_MD5_SIZE; i++)
		snprintf(out + 2 * i, 3, "%02x", md5[i]);
}

static bool add_up(struct rosbag_types *, size_t type, unsigned depth);

static void
put(struct slv_buf *b, struct slv_span s)
{
	if (s.len > 0)
		slv_buf_add(b, s.at, s.len);
}

/* "type name", or "sum name". */
static bool
put_field(struct rosbag_types *t, const struct rosbag_field *f, unsigned depth,
    struct slv_buf *b)
{
	char hex[33];

	if (f->builtin >= 0) {
		put(b, f->written);
	} else {
		if (!add_up(t, f->type, depth + 1))
			return false;
		to_hex(t->at[f->type].md5, hex);
		slv_buf_text(b, hex);
	}
	slv_buf_text(b, " ");
	put(b, f->name);
	if (f->value.at != NULL) {
		slv_buf_text(b, "=");
		put(b, f->value);
	}
	slv_buf_text(b, "\n");
	return true;
}

/* Compute the sum of a type: over its constants and then its fields, a line
 * each. */
static bool
add_up(struct rosbag_types *t, size_t type, unsigned depth)
{
	struct rosbag_type *own = &t->at[type];
	struct slv_buf b = { 0 };
	bool good = depth < DEPTH && own->state != 1;
	struct slv_span all;

	if (own->state == 2)
		return true;
	own->state = 1;
	for (int constants = 1; constants >= 0; constants--) {
		for (size_t i = 0; good && i < own->n; i++) {
			const struct rosbag_field *f =
			    &t->fields[own->first + i];

			if ((f->value.at != NULL) == (constants == 1))
				good = put_field(t, f, depth, &b);
		}
	}
	good &= !b.failed;
	all = strip((struct slv_span){ b.at, b.len });
	if (good)
		slv_md5(all.at != NULL ? all.at : (const uint8_t *)"", all.len,
		    own->md5);
	own->state = good ? 2 : 0;
	slv_buf_free(&b);
	return good;
}

bool
rosbag_types_md5(struct rosbag_types *t, char out[33])
{
	if (!add_up(t, 0, 0))
		return false;
	to_hex(t->at[0].md5, out);
	return true;
}

enum slv_status
rosbag_sum_check(
    const uint8_t *p, size_t n, enum rosbag_sum *out, struct slv_err *err)
{
	struct rosbag_about about;
	struct rosbag_types t;
	enum slv_status st;
	char sum[33];
	bool good;

	*out = ROSBAG_SUM_UNKNOWN;
	if (!rosbag_about_get(p, n, &about)
	    || about.md5sum.len != sizeof(sum) - 1)
		return SLV_OK;
	st = rosbag_types_read(&t, about.type, about.definition, &good, err);
	if (st == SLV_OK && good && rosbag_types_md5(&t, sum))
		*out = is(about.md5sum, sum) ? ROSBAG_SUM_FITS
		                             : ROSBAG_SUM_DIFFERS;
	rosbag_types_free(&t);
	return st;
}

/* A message that is read. */
struct reading {
	const struct rosbag_types *types;
	const uint8_t *p;
	size_t n, at;
	unsigned steps;
};

static bool
skip(struct reading *r, uint64_t n)
{
	if (n > r->n - r->at)
		return false;
	r->at += (size_t)n;
	return true;
}

static bool
read_count(struct reading *r, uint32_t *out)
{
	if (r->n - r->at < 4)
		return false;
	*out = slv_get_le32(r->p + r->at);
	r->at += 4;
	return true;
}

static bool
read_builtin(struct reading *r, int builtin, uint32_t count)
{
	uint32_t size = builtins[builtin].size, len;

	if (size != NO_SIZE && !builtins[builtin].is_time)
		return skip(r, (uint64_t)size * count);
	for (uint32_t i = 0; i < count; i++) {
		if (r->steps++ > STEPS)
			return false;
		if (size == NO_SIZE) {
			if (!read_count(r, &len) || !skip(r, len))
				return false;
		} else if (r->n - r->at < 8
		    || slv_get_le32(r->p + r->at + 4) >= 1000000000) {
			return false;
		} else {
			r->at += 8;
		}
	}
	return true;
}

static bool
read_type(struct reading *r, size_t type, unsigned depth)
{
	const struct rosbag_type *t = &r->types->at[type];

	for (size_t i = 0; i < t->n; i++) {
		const struct rosbag_field *f = &r->types->fields[t->first + i];
		uint32_t count = f->array == ROSBAG_FIXED ? f->count : 1;

		if (f->value.at != NULL)
			continue;
		if (f->array == ROSBAG_SOME && !read_count(r, &count))
			return false;
		if (f->builtin >= 0) {
			if (!read_builtin(r, f->builtin, count))
				return false;
			continue;
		}
		for (uint32_t k = 0; k < count; k++) {
			if (depth == DEPTH || r->steps++ > STEPS
			    || !read_type(r, f->type, depth + 1))
				return false;
		}
	}
	return true;
}

bool
rosbag_types_fit(const struct rosbag_types *t, const uint8_t *p, size_t n)
{
	struct reading r = { .types = t, .p = p, .n = n };

	return read_type(&r, 0, 0) && r.at == n;
}

struct slv_span
rosbag_types_frame(const struct rosbag_types *t, const uint8_t *p, size_t n)
{
	enum { AT = 16 }; /* after seq, stamp and its length */
	size_t i = 0, end = t->at[0].n;
	const struct rosbag_field *f;

	while (i < end && t->fields[i].value.at != NULL)
		i++;
	f = &t->fields[i];
	if (i == end || f->builtin >= 0 || f->array != ROSBAG_ONE
	    || !is(t->at[f->type].name, "std_msgs/Header") || n < AT
	    || slv_get_le32(p + 12) > n - AT)
		return (struct slv_span){ NULL, 0 };
	return (struct slv_span){ p + AT, slv_get_le32(p + 12) };
}
