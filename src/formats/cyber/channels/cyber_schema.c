/* cyber_schema.c - a channel's description, read.
 *
 * It is a tree: of each file the descriptor, and the trees of those that it
 * imports.  Of descriptors the names of messages and of enumerations and the
 * names, numbers and types of fields are taken; all else is passed by.
 */
#include "formats/cyber/channels/cyber_schema.h"

#include "base/list.h"
#include "formats/cyber/read/cyber_wire.h"
#include "support/descriptor.h"

#define DEPTH    64    /* files that import files, messages in messages */
#define MESSAGES 65536 /* more are no robot's */
#define FIELDS   1048576

/* Tags of the tree in a record. */
enum { TREE_FILE = 1, TREE_IMPORT = 2 };

/* Tags that each of them has, as bits. */
#define TREE_TAGS    0x6u
#define FILE_TAGS    0x5ffeu
#define MESSAGE_TAGS 0x7feu
#define FIELD_TAGS   0x207feu

#define LABEL_LAST   3
#define ENUM         14

/* Reads it; what goes wrong ends everything. */
struct reading {
	struct cyber_schema *schema;
	struct slv_err *err;
	bool bad; /* it is no description */
	bool odd; /* no program has made it so */
};

bool
cyber_schema_name(struct slv_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')
		    && !(c >= '0' && c <= '9') && c != '_' && c != '.')
			return false;
	}
	return true;
}

/* Take the next field off the front of *s; false: there is none. */
static bool
next(struct reading *x, struct slv_span *s, uint32_t tags,
    struct cyber_field *f, struct slv_span *content)
{
	if (s->len == 0 || x->bad || x->err->code != SLV_OK)
		return false;
	x->bad = cyber_field_get(s->at, s->len, f) != CYBER_WHOLE
	    || f->len > s->len - f->head;
	if (x->bad)
		return false;
	x->odd |= f->tag > 31 || (tags >> f->tag & 1) == 0;
	*content = (struct slv_span){ s->at + f->head, (size_t)f->len };
	s->at += f->head + f->len;
	s->len -= f->head + (size_t)f->len;
	return true;
}

/* The name that the last field of that tag is. */
static struct slv_span
name_of(struct reading *x, struct slv_span s, uint32_t tags, uint32_t tag)
{
	struct slv_span out = { (const uint8_t *)"", 0 }, content;
	struct cyber_field f;

	while (next(x, &s, tags, &f, &content)) {
		if (f.tag == tag && f.is_span)
			out = content;
	}
	x->odd |= !cyber_schema_name(out);
	return out;
}

static void
read_field(struct reading *x, struct slv_span s)
{
	struct cyber_schema *m = x->schema;
	struct cyber_schema_field out = { .message = SIZE_MAX };
	struct slv_span content;
	struct cyber_field f;

	while (next(x, &s, FIELD_TAGS, &f, &content)) {
		if (f.tag == SLV_FIELD_NUMBER)
			out.number = (uint32_t)f.number;
		else if (f.tag == SLV_FIELD_TYPE)
			out.type = (unsigned)f.number;
		else if (f.tag == SLV_FIELD_TYPE_NAME && f.is_span)
			out.name = content;
		else if (f.tag == SLV_FIELD_NAME && f.is_span)
			x->odd |=
			    !cyber_schema_name(content) || content.len == 0;
		else if (f.tag == SLV_FIELD_LABEL)
			x->odd |= f.number == 0 || f.number > LABEL_LAST;
	}
	x->bad |= out.number == 0 || out.type == 0 || out.type > CYBER_TYPES_MAX
	    || m->n_fields == FIELDS;
	if (!x->bad && SLV_ROOM(m, fields, 1, x->err) == SLV_OK)
		m->fields[m->n_fields++] = out;
}

/* Take down the name of a message or an enumeration of the scope, a package or
 * a message; full: with that. */
static struct cyber_schema_message
read_name(struct reading *x, struct slv_span s, struct slv_span scope,
    struct slv_buf *full)
{
	struct cyber_schema *m = x->schema;
	struct cyber_schema_message out = {
		.name = m->names.len,
		.first = m->n_fields,
	};
	struct slv_span name = name_of(x, s, MESSAGE_TAGS, SLV_MESSAGE_NAME);

	x->bad |= m->n_messages == MESSAGES || name.len == 0;
	slv_buf_add(full, scope.at, scope.len);
	slv_buf_add(full, ".", scope.len > 0);
	slv_buf_add(full, name.at, name.len);
	slv_buf_add(&m->names, full->at, full->len);
	out.name_len = full->len;
	if (full->failed || m->names.failed)
		slv_fail(x->err, SLV_E_NOMEM, "out of memory");
	return out;
}

static void
add_message(struct reading *x, const struct cyber_schema_message *out)
{
	struct cyber_schema *m = x->schema;

	if (!x->bad && x->err->code == SLV_OK
	    && SLV_ROOM(m, messages, 1, x->err) == SLV_OK)
		m->messages[m->n_messages++] = *out;
}

/* Of enumerations the name is all. */
static void
read_enum(struct reading *x, struct slv_span s, struct slv_span scope)
{
	struct slv_buf full = { 0 };
	struct cyber_schema_message out = read_name(x, s, scope, &full);

	add_message(x, &out);
	slv_buf_free(&full);
}

/* A message of the scope, and those in it. */
static void
read_message(
    struct reading *x, struct slv_span s, struct slv_span scope, unsigned depth)
{
	struct slv_buf full = { 0 };
	struct cyber_schema_message out = read_name(x, s, scope, &full);
	struct slv_span rest = s, content, inner;
	struct cyber_field f;

	x->bad |= depth == 0;
	while (next(x, &rest, MESSAGE_TAGS, &f, &content)) {
		if (f.tag == SLV_MESSAGE_FIELD && f.is_span)
			read_field(x, content);
	}
	out.n = x->schema->n_fields - out.first;
	add_message(x, &out);
	inner = (struct slv_span){ full.at, full.len };
	while (next(x, &s, MESSAGE_TAGS, &f, &content)) {
		if (f.tag == SLV_MESSAGE_NESTED && f.is_span)
			read_message(x, content, inner, depth - 1);
		else if (f.tag == SLV_MESSAGE_ENUM && f.is_span)
			read_enum(x, content, inner);
	}
	slv_buf_free(&full);
}

static void
read_file(struct reading *x, struct slv_span s)
{
	struct slv_span package = name_of(x, s, FILE_TAGS, SLV_FILE_PACKAGE);
	struct slv_span content;
	struct cyber_field f;

	while (next(x, &s, FILE_TAGS, &f, &content)) {
		if (f.tag == SLV_FILE_MESSAGE && f.is_span)
			read_message(x, content, package, DEPTH);
		else if (f.tag == SLV_FILE_ENUM && f.is_span)
			read_enum(x, content, package);
	}
}

static int
compare_spans(struct slv_span a, struct slv_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.at, b.at, n) : 0;

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* The content of the next field of that tag; false: there is none. */
static bool
next_of(struct reading *x, struct slv_span *s, uint32_t tags, uint32_t tag,
    struct slv_span *content)
{
	struct cyber_field f;

	while (next(x, s, tags, &f, content)) {
		if (f.tag == tag && f.is_span)
			return true;
	}
	return false;
}

/* Whether the tree of a file holds exactly the files that it imports, in their
 * order. */
static bool
has_imports(struct reading *x, struct slv_span tree)
{
	struct slv_span trees = tree, file, wanted, import, name, own;

	if (!next_of(x, &tree, TREE_TAGS, TREE_FILE, &file))
		return false;
	while (next_of(x, &file, FILE_TAGS, SLV_FILE_IMPORT, &wanted)) {
		if (!next_of(x, &trees, TREE_TAGS, TREE_IMPORT, &import)
		    || !next_of(x, &import, TREE_TAGS, TREE_FILE, &own)
		    || !next_of(x, &own, FILE_TAGS, SLV_FILE_NAME, &name)
		    || compare_spans(name, wanted) != 0)
			return false;
	}
	return !next_of(x, &trees, TREE_TAGS, TREE_IMPORT, &import);
}

static void
read_tree(struct reading *x, struct slv_span s, unsigned depth)
{
	struct slv_span content;
	struct cyber_field f;

	x->bad |= depth == 0;
	x->odd |= !x->bad && !has_imports(x, s);
	while (next(x, &s, TREE_TAGS, &f, &content)) {
		x->bad |= !f.is_span;
		if (f.tag == TREE_FILE)
			read_file(x, content);
		else if (f.tag == TREE_IMPORT)
			read_tree(x, content, depth - 1);
	}
}

/* By name; equal names in the order of the tree, which has a file once for each file that
 * imports it. */
static int
compare_names(const void *p, const void *q)
{
	const struct cyber_schema_name *a = p, *b = q;
	int order = compare_spans(a->name, b->name);

	return order != 0
	    ? order
	    : (a->message > b->message) - (a->message < b->message);
}

static enum slv_status
sort_names(struct cyber_schema *m, struct slv_err *err)
{
	SLV_TRY(slv_grow(&m->by_name, &m->cap_by_name, m->n_messages + 1,
	    sizeof(*m->by_name), err));
	for (size_t i = 0; i < m->n_messages; i++) {
		const struct cyber_schema_message *one = &m->messages[i];

		m->by_name[i] = (struct cyber_schema_name){
			.name = { m->names.at + one->name, one->name_len },
			.message = i,
		};
	}
	slv_sort(m->by_name, m->n_messages, sizeof(*m->by_name), compare_names);
	return SLV_OK;
}

/* The message of that full name; SIZE_MAX: there is none. */
static size_t
find_message(const struct cyber_schema *m, struct slv_span name)
{
	struct slv_search f = { .high = m->n_messages };

	while (slv_search(&f))
		slv_search_on(
		    &f, compare_spans(m->by_name[f.mid].name, name) < 0);
	return name.len > 0 && f.low < m->n_messages
	        && compare_spans(m->by_name[f.low].name, name) == 0
	    ? m->by_name[f.low].message
	    : SIZE_MAX;
}

/* Find the types of fields.  Names are full, after a dot. */
static void
resolve(struct reading *x)
{
	struct cyber_schema *m = x->schema;

	for (size_t i = 0; i < m->n_fields; i++) {
		struct cyber_schema_field *f = &m->fields[i];
		size_t type;

		x->odd |= !cyber_schema_name(f->name);
		if (f->name.len == 0
		    || (f->type != CYBER_T_MESSAGE && f->type != ENUM))
			continue;
		type = find_message(
		    m, (struct slv_span){ f->name.at + 1, f->name.len - 1 });
		x->odd |= type == SIZE_MAX || f->name.at[0] != '.';
		if (f->type == CYBER_T_MESSAGE)
			f->message = type;
	}
}

enum slv_status
cyber_schema_read(struct cyber_schema *m, struct slv_span type,
    enum cyber_fit *fit, struct slv_err *err)
{
	struct reading x = { .schema = m, .err = err };

	*fit = CYBER_FIT_NONE;
	m->root = SIZE_MAX;
	read_tree(&x, (struct slv_span){ m->desc.at, m->desc.len }, DEPTH);
	if (err->code != SLV_OK)
		return err->code;
	if (x.bad)
		return SLV_OK;
	SLV_TRY(sort_names(m, err));
	resolve(&x);
	m->root = find_message(m, type);
	if (m->root != SIZE_MAX)
		*fit = x.odd ? CYBER_FIT_ODD : CYBER_FIT_ALL;
	else if (m->n_messages > 0 && !x.odd)
		*fit = CYBER_FIT_OTHER;
	return SLV_OK;
}

const struct cyber_schema_field *
cyber_schema_find(const struct cyber_schema *m, size_t message, uint32_t number)
{
	const struct cyber_schema_message *one = &m->messages[message];

	for (size_t i = 0; i < one->n; i++) {
		if (m->fields[one->first + i].number == number)
			return &m->fields[one->first + i];
	}
	return NULL;
}

void
cyber_schema_free(struct cyber_schema *m)
{
	slv_buf_free(&m->desc);
	slv_buf_free(&m->names);
	slv_free(m->messages);
	slv_free(m->fields);
	slv_free(m->by_name);
	*m = (struct cyber_schema){ .root = SIZE_MAX };
}
