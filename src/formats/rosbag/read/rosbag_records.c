/* rosbag_records.c - the messages of a sound bag, for readers of records. */
#include "core/format/records.h"

#include "formats/rosbag/rosbag.h"
#include "formats/rosbag/rosbag_state.h"
#include "support/ros.h"

/* The data of a connection: all fields are metadata, and the definition is the
 * schema. */
static enum slv_status
describe_fields(struct slv_channel_about *out, const uint8_t *p, uint32_t n,
    struct slv_err *err)
{
	struct slv_ros_field f;
	uint32_t len;

	for (uint32_t at = 0; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			return SLV_OK;
		if (slv_ros_is(f.name, "message_definition"))
			SLV_TRY(slv_channel_schema(out, f.value, err));
		else
			SLV_TRY(slv_channel_meta(out, f.name, f.value, err));
	}
	return SLV_OK;
}

static enum slv_status
list_conn(const struct rosbag *b, const struct rosbag_conn *c,
    struct slv_channel_list *list, struct slv_err *err)
{
	const uint8_t *data = b->texts.at + c->text + c->head;
	struct slv_channel_about *out;

	SLV_TRY(slv_channel_list_add(list, c->out, &out, err));
	SLV_TRY(slv_channel_text(&out->encoding, slv_span_of("ros1"), err));
	SLV_TRY(describe_fields(out, data, c->len - c->head, err));
	return out->schema == NULL ? SLV_OK
	                           : slv_channel_text(&out->schema_encoding,
	                               slv_span_of("ros1msg"), err);
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	if (b->head.encrypted)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: encrypted; its records cannot be read without the key",
		    s->source->name);
	for (size_t i = 0; i < b->n_conns; i++) {
		if (b->conns[i].declared)
			SLV_TRY(list_conn(b, &b->conns[i], list, err));
	}
	return SLV_OK;
}

static int64_t
nanos_of(struct rosbag_time t)
{
	return (int64_t)t.sec * 1000000000 + t.nsec;
}

/* A record that may be in a chunk. */
static void
take(const struct rosbag_record *r, struct slv_item *out)
{
	out->len = rosbag_span(r);
	out->channel = r->conn;
	if (r->op == ROSBAG_CONN)
		out->kind = SLV_ITEM_DECLARE;
	else if (r->op != ROSBAG_MESSAGE)
		out->kind = SLV_ITEM_DERIVED;
	if (r->op != ROSBAG_MESSAGE)
		return;
	out->kind = SLV_ITEM_RECORD;
	out->log_ns = nanos_of(r->time);
	out->publish_ns = SLV_NO_TIME;
	out->data = rosbag_head(r);
	out->data_len = r->data;
}

static enum slv_status
odd(const struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	return slv_fail(err, SLV_E_BUG, "%s: no record at %llu",
	    s->source->name, (unsigned long long)off);
}

/* A chunk: one that is not compressed continues with its records. */
static void
take_chunk(const struct rosbag_record *r, uint64_t off, struct slv_item *out)
{
	uint64_t data = off + rosbag_head(r);

	if (r->codec == SLV_CODEC_NONE) {
		out->kind = SLV_ITEM_CHUNK;
		out->len = rosbag_head(r);
		return;
	}
	out->kind = SLV_ITEM_PACK;
	out->len = rosbag_span(r);
	out->priv[0] = data;
	out->priv[1] = r->data;
	out->priv[2] = r->size;
	out->priv[3] = (uint64_t)r->codec;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_record r;

	if (off == 0) {
		out->kind = SLV_ITEM_DERIVED;
		out->len = ROSBAG_MAGIC_SIZE;
		return SLV_OK;
	}
	if (b->tail != 0 && off >= b->tail) {
		out->kind = SLV_ITEM_DERIVED;
		out->len = s->source->size - off;
		out->ends = true;
		return SLV_OK;
	}
	SLV_TRY(rosbag_look(s, off, &r, err));
	if (r.read != ROSBAG_WHOLE
	    || !slv_range_in(off, rosbag_span(&r), s->source->size))
		return odd(s, off, err);
	if (r.op == ROSBAG_CHUNK)
		take_chunk(&r, off, out);
	else
		take(&r, out);
	return SLV_OK;
}

static enum slv_status
content(struct slv_scan *s, uint64_t off, const struct slv_item *pack,
    struct slv_content *out, struct slv_err *err)
{
	const struct rosbag_claim claim = { (uint32_t)pack->priv[1],
		(uint32_t)pack->priv[2] };
	const struct rosbag_body *body;

	SLV_TRY(rosbag_body_at(s, pack->priv[0], &claim,
	    (enum slv_codec_kind)pack->priv[3], &body, err));
	if (!body->whole)
		return odd(s, off, err);
	*out = (struct slv_content){ body->decode.out.at, body->decode.out.len,
		body->decode.pieces->proven };
	return SLV_OK;
}

static enum slv_status
inner(const struct slv_scan *s, const struct slv_content *c, uint64_t at,
    struct slv_item *out, struct slv_err *err)
{
	struct rosbag_record r;

	if (!rosbag_inner_get(c->at + at, c->len - (size_t)at, &r))
		return odd(s, at, err);
	take(&r, out);
	return SLV_OK;
}

const struct slv_records rosbag_records = {
	.channels = list_channels,
	.item = item,
	.content = content,
	.inner = inner,
};
