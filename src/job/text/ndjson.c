/* ndjson.c - records as lines of JSON.
 *
 *	{"channel":{...}}   what the log says about a channel, before its first record
 *	{"topic":...}       a record
 *	{"gap":{...}}       after the records: what was lost
 *	{"salvor":{...}}    the last line: what became of the log on its way
 */
#include "job/text/ndjson.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text/base64.h"
#include "base/json/json_string.h"
#include "base/text/number.h"
#include "core/catalog/gaps.h"
#include "core/format/records.h"
#include "job/text/decoding.h"

const char *const slv_sure_names[] = {
	[SLV_SURE_SUSPECT] = "suspect",
	[SLV_SURE_STRUCTURE] = "structure",
	[SLV_SURE_CHECKSUM] = "checksum",
	[SLV_SURE_DIGEST] = "digest",
};

struct ndjson {
	struct slv_decoding decoding;
	const uint32_t *numbers; /* borrowed */
	bool *listed;            /* owned; channels that have a line */
};

static enum slv_status
begin(void *state, const struct slv_write_how *how,
    const struct slv_channel_info *channels, uint32_t n,
    struct slv_outgoing *out, struct slv_err *err)
{
	struct ndjson *x = state;

	(void)out;
	x->numbers = how->numbers;
	SLV_TRY(
	    slv_decoding_begin(&x->decoding, how->layout, channels, n, err));
	return slv_new(&x->listed, n, sizeof(*x->listed), err);
}

/* Append a member with bytes as a text. */
static void
put_bytes(struct slv_buf *out, const char *key, struct slv_span bytes)
{
	slv_buf_printf(out, "\"%s\":\"", key);
	slv_base64(out, bytes.at, bytes.len);
	slv_buf_text(out, "\"");
}

/* Append a member with a text of the log; one that is not UTF-8 has another key. */
static void
put_text(struct slv_buf *out, const char *key, const char *value)
{
	const struct slv_span text = slv_span_of(value);
	size_t begun = out->len;

	slv_buf_printf(out, "\"%s\":", key);
	if (slv_json_string(out, text))
		return;
	out->len = begun;
	slv_buf_printf(out, "\"%s_base64\":\"", key);
	slv_base64(out, text.at, text.len);
	slv_buf_text(out, "\"");
}

static void
put_number(struct slv_buf *out, const char *key, uint64_t v)
{
	slv_buf_text(out, key);
	slv_number_u64(out, v);
}

/* Append a member with a time in ns. */
static void
put_time(struct slv_buf *out, const char *key, int64_t ns)
{
	slv_buf_text(out, key);
	if (ns == SLV_NO_STAMP)
		slv_buf_text(out, "null");
	else
		slv_number_i64(out, ns);
}

void
slv_ndjson_meta(struct slv_buf *out, const struct slv_channel_info *c)
{
	slv_buf_text(out, "[");
	for (size_t i = 0; i < c->n_meta; i++) {
		slv_buf_text(out, i > 0 ? ",{" : "{");
		put_text(out, "key", c->meta[i].key);
		slv_buf_text(out, ",");
		put_text(out, "value", c->meta[i].value);
		slv_buf_text(out, "}");
	}
	slv_buf_text(out, "]");
}

/* A line about a channel. */
static void
put_channel(
    struct slv_buf *out, const struct slv_channel_info *c, uint32_t number)
{
	slv_buf_text(out, "{\"channel\":{");
	put_text(out, "topic", c->name);
	put_number(out, ",\"channel_id\":", number);
	slv_buf_text(out, ",");
	put_text(out, "type", c->type);
	slv_buf_text(out, ",");
	put_text(out, "encoding", c->encoding);
	slv_buf_text(out, ",");
	put_text(out, "schema_encoding", c->schema_encoding);
	slv_buf_text(out, ",\"metadata\":");
	slv_ndjson_meta(out, c);
	slv_buf_text(out, "}}\n");
}

static void
put_head(struct slv_buf *out, const struct slv_channel_info *c, uint32_t number,
    const struct slv_record *r)
{
	slv_buf_text(out, "{");
	put_text(out, "topic", c->name);
	put_number(out, ",\"channel_id\":", number);
	put_time(out, ",\"log_time\":", r->log_ns);
	if (r->publish_ns != SLV_NO_STAMP)
		put_time(out, ",\"publish_time\":", r->publish_ns);
	put_number(out, ",\"sequence\":", r->sequence);
	slv_buf_printf(out, ",\"sure\":\"%s\"", slv_sure_names[r->sure]);
	put_number(out, ",\"offset\":", r->off);
	if (r->inner != SLV_UNPACKED)
		put_number(out, ",\"inner\":", r->inner);
	if (r->flags & SLV_RECORD_AFTER_GAP)
		slv_buf_text(out, ",\"after_gap\":true");
	if (r->flags & SLV_RECORD_MADE)
		slv_buf_text(out, ",\"made\":true");
}

static enum slv_status
record(void *state, const struct slv_record *r, struct slv_outgoing *out,
    struct slv_err *err)
{
	struct ndjson *x = state;
	struct slv_buf *buf = &out->buf;
	const struct slv_channel_info *c = &x->decoding.channels[r->channel];
	const struct slv_span data = { r->data, r->len };
	const uint32_t number = x->numbers[r->channel];
	const struct slv_layout *layout;

	SLV_TRY(slv_decoding_of(&x->decoding, r->channel, &layout, err));
	if (!x->listed[r->channel])
		put_channel(buf, c, number);
	x->listed[r->channel] = true;
	put_head(buf, c, number, r);
	slv_buf_text(buf, ",\"data\":");
	out->opaque = layout == NULL || !slv_ndjson_data(buf, layout, data);
	out->unfit = layout != NULL;
	if (out->opaque) {
		buf->len -= sizeof("\"data\":") - 1;
		put_bytes(buf, "data_base64", data);
	}
	slv_buf_text(buf, "}\n");
	return slv_buf_check(buf, err);
}

static enum slv_status
gap(void *state, const struct slv_gap *g, struct slv_outgoing *out,
    struct slv_err *err)
{
	struct slv_buf *buf = &out->buf;

	(void)state;
	put_time(buf, "{\"gap\":{\"from\":", slv_moment_ns(g->before));
	put_time(buf, ",\"to\":", slv_moment_ns(g->after));
	put_number(buf, ",\"offset\":", g->off);
	put_number(buf, ",\"bytes\":", g->bytes);
	slv_buf_text(buf, g->earlier ? ",\"earlier\":true}}\n" : "}}\n");
	return slv_buf_check(buf, err);
}

static enum slv_status
note(void *state, const char *name, const struct slv_pair *pairs, uint32_t n,
    struct slv_outgoing *out, struct slv_err *err)
{
	struct slv_buf *buf = &out->buf;

	(void)state;
	slv_buf_printf(buf, "{\"%s\":{", name);
	for (uint32_t i = 0; i < n; i++) {
		slv_buf_text(buf, i > 0 ? "," : "");
		put_text(buf, pairs[i].key, pairs[i].value);
	}
	slv_buf_text(buf, "}}\n");
	return slv_buf_check(buf, err);
}

static enum slv_status
end(void *state, struct slv_outgoing *out, struct slv_err *err)
{
	(void)state;
	(void)out;
	(void)err;
	return SLV_OK;
}

static void
release(void *state)
{
	struct ndjson *x = state;

	slv_decoding_free(&x->decoding);
	slv_free(x->listed);
}

const struct slv_writing slv_ndjson = {
	.state_size = sizeof(struct ndjson),
	.as_logged = true,
	.begin = begin,
	.record = record,
	.gap = gap,
	.note = note,
	.end = end,
	.release = release,
};
