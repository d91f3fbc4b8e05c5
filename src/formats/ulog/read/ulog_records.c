/* ulog_records.c - messages of data, for readers of records.
 *
 * A payload is the fields of the topic's format, packed.  The schema of a topic
 * is the text of its format, and of all formats in it, one a line.
 */
#include "core/format/records.h"

#include <stdlib.h>

#include "base/mem.h"
#include "formats/ulog/ulog_state.h"
#include "support/memory.h"

/* Append a format and those in it, each once. */
static void
put_schema(struct ulog *m, const struct ulog_sub *sub, struct slv_buf *out)
{
	const struct ulog_format *own =
	    ulog_format_find(m, ulog_text(m, sub->name, sub->name_len));

	for (size_t i = 0; i < m->n_formats; i++)
		m->formats[i].used = false;
	ulog_sub_need(m, sub);
	for (size_t i = 0; i <= m->n_formats; i++) {
		const struct ulog_format *f = i == 0 ? own : &m->formats[i - 1];

		if (f == NULL || !f->used || (i > 0 && f == own))
			continue;
		slv_buf_add(out, m->texts.at + f->text, f->len);
		slv_buf_text(out, "\n");
	}
}

/* The texts that a channel has of its topic.  The schemas of topics are remembered,
 * and that of one format is made once: `first` is the channel, + 1, that has it. */
static enum slv_status
describe_channel(struct slv_scan *s, const struct ulog_sub *sub,
    struct slv_channel_list *list, uint32_t *first, uint64_t *sum,
    struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	const struct ulog_format *f =
	    ulog_format_find(m, ulog_text(m, sub->name, sub->name_len));
	uint32_t *same = &first[f - m->formats];
	struct slv_channel_about *out;
	struct slv_buf schema = { 0 };
	enum slv_status st;

	SLV_TRY(slv_channel_list_add(list, sub->id, &out, err));
	SLV_TRY(slv_channel_text(&out->encoding, slv_span_of("ulog"), err));
	SLV_TRY(
	    slv_channel_text(&out->schema_encoding, slv_span_of("ulog"), err));
	if (*same > 0) {
		const struct slv_channel_about *as = &list->at[*same - 1];

		slv_channel_share(
		    out, (struct slv_span){ as->schema, as->schema_len });
		return SLV_OK;
	}
	*same = (uint32_t)list->n;
	put_schema(m, sub, &schema);
	st = slv_buf_check(&schema, err);
	if (st == SLV_OK)
		st = slv_memory_repeat(s, sum, schema.len, "formats", err);
	if (st == SLV_OK)
		st = slv_channel_schema(
		    out, (struct slv_span){ schema.at, schema.len }, err);
	slv_buf_free(&schema);
	return st;
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	enum slv_status st = SLV_OK;
	uint64_t sum = 0;
	uint32_t *first;

	if (m->encrypted)
		return slv_fail(err, SLV_E_REFUSED, "%s: the log is encrypted",
		    s->source->name);
	SLV_TRY(
	    slv_new(&first, slv_max64(m->n_formats, 1), sizeof(*first), err));
	for (size_t i = 0; st == SLV_OK && i < m->n_subs; i++) {
		const struct ulog_sub *sub = &m->subs[i];

		if (sub->usable && sub->declared)
			st = describe_channel(s, sub, list, first, &sum, err);
	}
	slv_free(first);
	return st;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	const struct ulog_sub *sub;
	struct ulog_message msg;
	bool whole;

	out->len = ULOG_HEADER;
	if (off == 0)
		return SLV_OK;
	for (int i = 0; i < ULOG_OFFSETS; i++) {
		/* The rest of a message is nothing without the offset in the
		 * flags. */
		out->kind = SLV_ITEM_DERIVED;
		out->len = m->offsets[i] - off;
		if (m->cuts[i] == off)
			return SLV_OK;
	}
	out->kind = SLV_ITEM_OTHER;
	SLV_TRY(ulog_look(s, off, &msg, &whole, err));
	if (!whole)
		return slv_fail(err, SLV_E_BUG, "%s: no message at %llu",
		    s->source->name, (unsigned long long)off);
	out->len = ULOG_HEAD + (uint64_t)msg.size;
	if (msg.type == 'A') {
		out->kind = SLV_ITEM_DECLARE;
		out->channel = slv_get_le16(msg.body + 1);
		return SLV_OK;
	}
	sub = msg.type == 'D' && msg.size > 2 ? ulog_sub_of(m, ulog_id(&msg))
	                                      : NULL;
	if (sub == NULL || !sub->usable)
		return SLV_OK;
	out->kind = SLV_ITEM_RECORD;
	out->channel = sub->id;
	out->data = ULOG_HEAD + 2;
	out->data_len = msg.size - 2;
	out->log_ns = SLV_NO_TIME;
	if (sub->stamp > 0 && slv_range_in(sub->stamp, 8, msg.size))
		out->log_ns = slv_moment_ns(
		    ulog_moment(m, slv_get_le64(msg.body + sub->stamp)));
	out->publish_ns = out->log_ns;
	return SLV_OK;
}

const struct slv_records ulog_records = {
	.channels = list_channels,
	.item = item,
};
