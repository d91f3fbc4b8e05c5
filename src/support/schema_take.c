/* schema_take.c - the part of a FileDescriptorSet that a message needs. */
#include "support/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/mem.h"
#include "support/descriptor.h"
#include "support/wire.h"

#define FILES_MAX 65536 /* no program has more */
#define DEPTH     64    /* messages in messages */

enum mark { UNTOUCHED, OPEN, TAKEN };

struct file {
	struct slv_span bytes, name;
	enum mark mark;
	struct slv_span imports; /* what is still to be looked at */
};

struct taking {
	struct file *files; /* owned */
	size_t n, cap;
	size_t *stack; /* owned; files that wait for those that they import */
	size_t depth;
};

/* Take the next field that is bytes off the front of *s; false: there is none, or
 * what follows is no field. */
static bool
next(struct slv_span *s, uint64_t *tag, struct slv_span *content)
{
	struct slv_field f;

	while (s->len > 0 && slv_field_take(s, &f)) {
		*tag = f.number;
		*content = f.content;
		if (f.kind == SLV_FIELD_BYTES)
			return true;
	}
	return false;
}

static struct slv_span
find(struct slv_span s, uint64_t wanted)
{
	struct slv_span content, out = { NULL, 0 };
	uint64_t tag;

	while (next(&s, &tag, &content)) {
		if (tag == wanted)
			out = content;
	}
	return out;
}

/* Is `name` what is left of the full name `wanted` after a scope and a dot?  Then
 * *rest is it: the scope is taken off. */
static bool
take_scope(struct slv_span wanted, struct slv_span scope, struct slv_span *rest)
{
	*rest = wanted;
	if (scope.len == 0)
		return true;
	if (wanted.len <= scope.len || wanted.at[scope.len] != '.'
	    || memcmp(wanted.at, scope.at, scope.len) != 0)
		return false;
	*rest = (struct slv_span){ wanted.at + scope.len + 1,
		wanted.len - scope.len - 1 };
	return true;
}

/* Does the file or message declare the message?  Its messages have this tag. */
static bool
declares(struct slv_span in, uint64_t messages, struct slv_span wanted,
    unsigned depth)
{
	struct slv_span one, name, rest;
	uint64_t tag;

	while (depth > 0 && next(&in, &tag, &one)) {
		if (tag != messages)
			continue;
		name = find(one, SLV_MESSAGE_NAME);
		if (slv_span_same(name, wanted))
			return true;
		if (name.len > 0 && take_scope(wanted, name, &rest)
		    && declares(one, SLV_MESSAGE_NESTED, rest, depth - 1))
			return true;
	}
	return false;
}

static enum slv_status
list_files(struct taking *t, struct slv_span set, struct slv_err *err)
{
	struct slv_span bytes;
	uint64_t tag;

	while (next(&set, &tag, &bytes)) {
		if (tag != SLV_SET_FILE || t->n == FILES_MAX)
			continue;
		SLV_TRY(slv_grow(
		    &t->files, &t->cap, t->n + 1, sizeof(*t->files), err));
		t->files[t->n++] = (struct file){
			.bytes = bytes,
			.name = find(bytes, SLV_FILE_NAME),
			.imports = bytes,
		};
	}
	return SLV_OK;
}

/* The file that declares the message; t->n: there is none. */
static size_t
find_file(const struct taking *t, struct slv_span message)
{
	struct slv_span rest;

	for (size_t i = 0; i < t->n; i++) {
		if (take_scope(message,
		        find(t->files[i].bytes, SLV_FILE_PACKAGE), &rest)
		    && declares(
		        t->files[i].bytes, SLV_FILE_MESSAGE, rest, DEPTH))
			return i;
	}
	return t->n;
}

static size_t
find_named(const struct taking *t, struct slv_span name)
{
	size_t i = 0;

	while (i < t->n && !slv_span_same(t->files[i].name, name))
		i++;
	return i;
}

/* The next file that this one imports and that is not taken yet; t->n: there is
 * none.  *good = false: it is missing, or imports this one. */
static size_t
next_import(struct taking *t, struct file *f, bool *good)
{
	struct slv_span name;
	uint64_t tag;

	while (next(&f->imports, &tag, &name)) {
		size_t i;

		if (tag != SLV_FILE_IMPORT)
			continue;
		i = find_named(t, name);
		*good = i < t->n && t->files[i].mark != OPEN;
		if (!*good)
			return t->n;
		if (t->files[i].mark == UNTOUCHED)
			return i;
	}
	return t->n;
}

/* Append the file after those that it imports. */
static bool
take_files(struct taking *t, size_t first, struct slv_buf *out)
{
	bool good = true;

	t->stack[t->depth++] = first;
	t->files[first].mark = OPEN;
	while (t->depth > 0 && good) {
		struct file *f = &t->files[t->stack[t->depth - 1]];
		size_t import = next_import(t, f, &good);

		if (import < t->n) {
			t->files[import].mark = OPEN;
			t->stack[t->depth++] = import;
			continue;
		}
		slv_wire_text(out, SLV_SET_FILE, f->bytes);
		f->mark = TAKEN;
		t->depth--;
	}
	return good;
}

enum slv_status
slv_schema_take(struct slv_span set, struct slv_span message,
    struct slv_buf *out, bool *found, struct slv_err *err)
{
	struct taking t = { .n = 0 };
	size_t was = out->len, first;
	enum slv_status st = list_files(&t, set, err);

	*found = false;
	first = st == SLV_OK ? find_file(&t, message) : 0;
	if (st == SLV_OK && message.len > 0 && first < t.n) {
		t.stack = slv_calloc(t.n, sizeof(*t.stack));
		if (t.stack == NULL)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		else
			*found = take_files(&t, first, out);
		if (!*found)
			out->len = was;
	}
	slv_free(t.files);
	slv_free(t.stack);
	return st == SLV_OK ? slv_buf_check(out, err) : st;
}
