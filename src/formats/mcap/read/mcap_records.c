/* mcap_records.c - the messages of a sound file, for readers of records.
 *
 * Metadata and attachments are no records: they have no channel.
 */
#include "core/format/records.h"

#include "base/search.h"
#include "formats/mcap/mcap.h"
#include "formats/mcap/read/mcap_unit.h"

/* A string at *p, which moves to its end; false: it does not end by `end`. */
static bool
take_string(const uint8_t **p, const uint8_t *end, struct slv_span *out)
{
	size_t there = (size_t)(end - *p);
	uint32_t n;

	if (there < 4)
		return false;
	n = slv_get_le32(*p);
	if (n > there - 4)
		return false;
	*out = (struct slv_span){ *p + 4, n };
	*p += 4 + n;
	return true;
}

static enum slv_status
describe_map(
    struct slv_channel_about *out, struct slv_span map, struct slv_err *err)
{
	const uint8_t *p = map.at, *end = map.at + map.len;
	struct slv_span key, value;

	while (map.len > 0 && take_string(&p, end, &key)
	    && take_string(&p, end, &value))
		SLV_TRY(slv_channel_meta(out, key, value, err));
	return SLV_OK;
}

static enum slv_status
describe_schema(const struct slv_scan *s, uint16_t id,
    struct slv_channel_about *out, uint64_t *repeated, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	size_t i = id > 0 ? mcap_decl_find(m, MCAP_SCHEMA, id) : MCAP_NONE;
	const struct mcap_decl *d = i != MCAP_NONE ? &m->decls[i] : NULL;

	if (d == NULL || !d->declared)
		return SLV_OK;
	SLV_TRY(mcap_repeat(s, repeated, d, err));
	SLV_TRY(slv_channel_text(
	    &out->schema_encoding, mcap_decl_text(m, d, MCAP_ENCODING), err));
	slv_channel_share(out, mcap_decl_text(m, d, MCAP_DATA));
	out->schema_index = id;
	return SLV_OK;
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t repeated = 0;

	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];
		struct slv_channel_about *out;

		if (d->op != MCAP_CHANNEL || !d->declared)
			continue;
		SLV_TRY(slv_channel_list_add(list, d->id, &out, err));
		SLV_TRY(slv_channel_text(
		    &out->encoding, mcap_decl_text(m, d, MCAP_ENCODING), err));
		SLV_TRY(describe_map(out, mcap_decl_text(m, d, MCAP_MAP), err));
		SLV_TRY(describe_schema(s, d->schema, out, &repeated, err));
	}
	return SLV_OK;
}

/* The chunk of which off is in the data; NULL: none. */
static const struct mcap_chunk *
chunk_of(const struct mcap *m, uint64_t off)
{
	struct slv_search f = { .high = m->n_chunks };

	while (slv_search(&f))
		slv_search_on(&f, m->chunks[f.mid].data <= off);
	return f.low > 0 && off < m->chunks[f.low - 1].data_end
	    ? &m->chunks[f.low - 1]
	    : NULL;
}

/* An i64 holds all times but those that are 2262 and later. */
static int64_t
nanos_of(uint64_t ns)
{
	return ns <= INT64_MAX ? (int64_t)ns : SLV_NO_TIME;
}

static enum slv_item_kind
kind_of(unsigned op)
{
	switch (op) {
	case MCAP_MESSAGE: return SLV_ITEM_RECORD;
	case MCAP_CHANNEL: return SLV_ITEM_DECLARE;
	case MCAP_SCHEMA: return SLV_ITEM_SCHEMA;
	case MCAP_HEADER: return SLV_ITEM_HEAD;
	case MCAP_MESSAGE_INDEX:
	case MCAP_CHUNK_INDEX:
	case MCAP_DATA_END_OP:
	case MCAP_FOOTER: return SLV_ITEM_DERIVED;
	default: return SLV_ITEM_OTHER;
	}
}

static enum slv_status
take(const struct slv_scan *s, const struct mcap_bytes *b, uint64_t off,
    struct mcap_record *r, struct slv_item *out, struct slv_err *err)
{
	enum mcap_read read;

	SLV_TRY(mcap_record_get(b, off, r, &read, err));
	if (read != MCAP_WHOLE)
		return slv_fail(err, SLV_E_BUG, "%s: no record at %llu",
		    s->source->name, (unsigned long long)off);
	out->len = mcap_span(r);
	out->channel = (uint16_t)r->v[MCAP_ID];
	out->kind = kind_of(r->op);
	if (out->kind != SLV_ITEM_RECORD)
		return SLV_OK;
	out->log_ns = nanos_of(r->v[MCAP_LOG_TIME]);
	out->publish_ns = nanos_of(r->v[MCAP_PUBLISH]);
	out->numbered = true;
	out->sequence = r->v[MCAP_SEQUENCE];
	out->data = r->at[MCAP_DATA];
	out->data_len = r->v[MCAP_DATA];
	return SLV_OK;
}

/* A chunk: one that is not compressed continues with its records, and one with
 * an unknown compression cannot be read. */
static enum slv_status
take_chunk(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	struct mcap_head h;
	bool yes;

	SLV_TRY(mcap_head_get(s, off, &h, &yes, err));
	if (!yes || h.data <= off)
		return slv_fail(err, SLV_E_BUG, "%s: no chunk at %llu",
		    s->source->name, (unsigned long long)off);
	if (h.strange)
		return SLV_OK;
	if (h.codec == SLV_CODEC_NONE) {
		out->kind = SLV_ITEM_CHUNK;
		out->len = h.data - off;
		return SLV_OK;
	}
	out->kind = SLV_ITEM_PACK;
	_Static_assert(sizeof(h) <= sizeof(out->priv), "a head fits");
	memcpy(out->priv, &h, sizeof(h));
	return SLV_OK;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	const struct mcap_chunk *c;
	struct mcap_record r;

	if (off == 0) {
		out->kind = SLV_ITEM_HEAD;
		out->len = MCAP_MAGIC_SIZE;
		return SLV_OK;
	}
	SLV_TRY(take(s, &b, off, &r, out, err));
	out->ends = r.op == MCAP_DATA_END_OP || r.op == MCAP_FOOTER;
	if (r.op == MCAP_CHUNK)
		return take_chunk(s, off, out, err);
	if (out->kind != SLV_ITEM_RECORD)
		return SLV_OK;
	c = chunk_of(mcap_of(s), off);
	out->summed = c != NULL && c->summed;
	return SLV_OK;
}

static enum slv_status
content(struct slv_scan *s, uint64_t off, const struct slv_item *pack,
    struct slv_content *out, struct slv_err *err)
{
	const struct mcap_body *body;
	struct mcap_head h;

	memcpy(&h, pack->priv, sizeof(h));
	SLV_TRY(mcap_packed_body(s, &h, &body, err));
	if (!body->whole)
		return slv_fail(err, SLV_E_BUG,
		    "%s: the chunk at %llu cannot be decoded", s->source->name,
		    (unsigned long long)off);
	*out = (struct slv_content){ body->decode.out.at, body->decode.out.len,
		body->summed && !body->refuted };
	return SLV_OK;
}

static enum slv_status
inner(const struct slv_scan *s, const struct slv_content *c, uint64_t at,
    struct slv_item *out, struct slv_err *err)
{
	const struct mcap_bytes b = { NULL, c->at, c->len };
	struct mcap_record r;

	return take(s, &b, at, &r, out, err);
}

const struct slv_records mcap_records = {
	.channels = list_channels,
	.item = item,
	.content = content,
	.inner = inner,
};
