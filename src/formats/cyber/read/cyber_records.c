/* cyber_records.c - the messages of a sound record, for readers of records.
 *
 * A channel has a tree of file descriptors, in which a file is as often as other
 * files import it.  Readers of protobuf want a FileDescriptorSet: each file once,
 * and after the files that it imports.
 */
#include "core/format/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "formats/cyber/channels/cyber_schema.h"
#include "formats/cyber/cyber.h"
#include "formats/cyber/cyber_state.h"
#include "support/descriptor.h"

#define DEPTH     64   /* files that import files */
#define FILES_MAX 4096 /* no robot has more */

/* Tags of the tree. */
enum { TREE_FILE = 1, TREE_IMPORT = 2 };

struct set {
	struct slv_span *names; /* owned; of the files so far */
	size_t n, cap;
	struct slv_buf out; /* owned */
	bool bad;           /* it is no such tree */
};

/* The next field of *rest that is a span; false: there is none. */
static bool
next_span(struct set *x, struct slv_span *rest, struct cyber_field *f,
    struct slv_span *content)
{
	while (rest->len > 0) {
		x->bad |= cyber_field_get(rest->at, rest->len, f) != CYBER_WHOLE
		    || f->len > rest->len - f->head;
		if (x->bad)
			return false;
		*content =
		    (struct slv_span){ rest->at + f->head, (size_t)f->len };
		rest->at += f->head + f->len;
		rest->len -= f->head + (size_t)f->len;
		if (f->is_span)
			return true;
	}
	return false;
}

/* The content of the last field of a tag; empty: there is none. */
static struct slv_span
last_of(struct set *x, struct slv_span in, uint32_t tag)
{
	struct slv_span out = { (const uint8_t *)"", 0 }, content;
	struct cyber_field f;

	while (next_span(x, &in, &f, &content)) {
		if (f.tag == tag)
			out = content;
	}
	return out;
}

/* Add a file, unless one of its name is there. */
static enum slv_status
add_file(struct set *x, struct slv_span file, struct slv_err *err)
{
	struct slv_span name = last_of(x, file, SLV_FILE_NAME);
	uint8_t head[11] = { TREE_FILE << 3 | 2 };
	uint64_t left = file.len;
	size_t n = 1;

	for (size_t i = 0; i < x->n; i++) {
		if (x->names[i].len == name.len
		    && memcmp(x->names[i].at, name.at, name.len) == 0)
			return SLV_OK;
	}
	x->bad |= x->n == FILES_MAX;
	if (x->bad)
		return SLV_OK;
	SLV_TRY(slv_grow(&x->names, &x->cap, x->n + 1, sizeof(*x->names), err));
	x->names[x->n++] = name;
	for (; left > 0x7f; left >>= 7)
		head[n++] = (uint8_t)(left | 0x80);
	head[n++] = (uint8_t)left;
	slv_buf_add(&x->out, head, n);
	slv_buf_add(&x->out, file.at, file.len);
	return x->out.failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                     : SLV_OK;
}

static enum slv_status
add_tree(
    struct set *x, struct slv_span tree, unsigned depth, struct slv_err *err)
{
	struct slv_span rest = tree, content;
	struct cyber_field f;

	x->bad |= depth == 0;
	while (!x->bad && next_span(x, &rest, &f, &content)) {
		if (f.tag == TREE_IMPORT)
			SLV_TRY(add_tree(x, content, depth - 1, err));
	}
	return x->bad ? SLV_OK : add_file(x, last_of(x, tree, TREE_FILE), err);
}

static enum slv_status
describe(struct slv_channel_about *out, struct set *x, struct slv_buf *desc,
    struct slv_err *err)
{
	if (desc->len == 0)
		return SLV_OK;
	SLV_TRY(
	    add_tree(x, (struct slv_span){ desc->at, desc->len }, DEPTH, err));
	if (x->bad)
		return SLV_OK;
	SLV_TRY(slv_channel_text(
	    &out->schema_encoding, slv_span_of("protobuf"), err));
	return slv_channel_schema(
	    out, (struct slv_span){ x->out.at, x->out.len }, err);
}

static enum slv_status
list_channel(struct slv_scan *s, uint32_t i, struct slv_channel_list *list,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	size_t item = c->channels[i].item;
	struct slv_channel_about *out;
	struct slv_buf desc = { 0 };
	struct set x = { .n = 0 };
	enum slv_status st;

	SLV_TRY(slv_channel_list_add(list, i, &out, err));
	SLV_TRY(slv_channel_text(&out->encoding, slv_span_of("protobuf"), err));
	if (item == SIZE_MAX || c->items[item].spec.desc_len > CYBER_DESC_MAX)
		return SLV_OK;
	st = cyber_desc_load(s, &c->items[item].spec, &desc, err);
	if (st == SLV_OK)
		st = describe(out, &x, &desc, err);
	slv_buf_free(&desc);
	slv_buf_free(&x.out);
	slv_free(x.names);
	return st;
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (uint32_t i = 0; i < c->n_channels; i++) {
		if (c->channels[i].item != SIZE_MAX
		    || c->channels[i].messages > 0)
			SLV_TRY(list_channel(s, i, list, err));
	}
	return SLV_OK;
}

static enum slv_status
take_message(struct slv_scan *s, uint64_t off, const struct cyber_message *m,
    struct slv_item *out, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, m->head, &p, err));
	out->kind = SLV_ITEM_RECORD;
	out->len = cyber_message_span(m);
	if (!cyber_channel_known(
	        cyber_of(s), p + m->name, m->name_len, &out->channel))
		return slv_fail(err, SLV_E_BUG,
		    "%s: the message at %llu is of an unknown channel",
		    s->source->name, (unsigned long long)off);
	cyber_edit(s)->recent = out->channel;
	out->log_ns = m->time <= INT64_MAX ? (int64_t)m->time : SLV_NO_TIME;
	out->publish_ns = SLV_NO_TIME;
	out->data = m->head;
	out->data_len = m->content;
	return SLV_OK;
}

/* The channel that the section at off declares. */
static enum slv_status
find_channel(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct slv_search f = { .high = c->n_items };
	const struct cyber_spec *spec;

	while (slv_search(&f))
		slv_search_on(&f, c->items[f.mid].off < off);
	if (f.low == c->n_items || c->items[f.low].off != off)
		return slv_fail(err, SLV_E_BUG, "%s: no channel at %llu",
		    s->source->name, (unsigned long long)off);
	spec = &c->items[f.low].spec;
	if (!cyber_channel_known(
	        c, c->texts.at + spec->name, spec->name_len, &out->channel))
		out->kind = SLV_ITEM_DERIVED;
	return SLV_OK;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	struct cyber_section k;
	struct cyber_message m;

	if (off == 0) {
		out->kind = SLV_ITEM_HEAD;
		out->len = CYBER_DATA_START;
		return SLV_OK;
	}
	SLV_TRY(cyber_look_message(s, off, &m, err));
	if (m.read == CYBER_WHOLE)
		return take_message(s, off, &m, out, err);
	SLV_TRY(cyber_look_section(s, off, &k, err));
	if (k.read != CYBER_WHOLE)
		return slv_fail(err, SLV_E_BUG, "%s: no section at %llu",
		    s->source->name, (unsigned long long)off);
	/* The messages of a chunk are in its body. */
	out->len = CYBER_SECTION;
	out->kind = SLV_ITEM_CHUNK;
	if (k.type == CYBER_CHUNK_BODY)
		return SLV_OK;
	out->len += k.size;
	out->kind =
	    k.type == CYBER_CHANNEL ? SLV_ITEM_DECLARE : SLV_ITEM_DERIVED;
	return k.type == CYBER_CHANNEL ? find_channel(s, off, out, err)
	                               : SLV_OK;
}

const struct slv_records cyber_records = {
	.channels = list_channels,
	.item = item,
};
