/* mcap_writer.c - records of another format as a new file.
 *
 * Chunks, of 1 MiB and compressed with zstd if nothing else is wanted, each with an
 * index for every channel, and a full summary, all with checksums.  The same records make the same bytes.
 */
#include "formats/mcap/write/mcap_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/text/utf8.h"
#include "codec/codec.h"
#include "core/format/records.h"
#include "digest/crc32.h"

#define CHUNK ((size_t)1 << 20) /* bytes of records, before it is compressed */

static enum slv_status
no_memory(struct slv_err *err)
{
	return slv_fail(err, SLV_E_NOMEM, "out of memory");
}

/* The profile says what all channels have in common. */
static const char *
profile_of(const struct mcap_writer *w)
{
	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (strcmp(w->channels[i].encoding, "ros1") != 0)
			return "";
	}
	return w->n_channels > 0 ? "ros1" : "";
}

static enum slv_codec_kind
codec_of(const char *compression)
{
	if (compression != NULL && strcmp(compression, "none") == 0)
		return SLV_CODEC_NONE;
	return compression != NULL && strcmp(compression, "lz4") == 0
	    ? SLV_CODEC_LZ4
	    : SLV_CODEC_ZSTD;
}

static enum slv_status
begin(void *state, const struct slv_write_how *how,
    const struct slv_channel_info *channels, uint32_t n,
    struct slv_outgoing *out, struct slv_err *err)
{
	struct mcap_writer *w = state;
	char library[64];

	w->codec = codec_of(how->compression);
	w->chunk_size = how->chunk_size != 0 ? how->chunk_size : CHUNK;
	if (n > (uint32_t)UINT16_MAX + 1)
		return slv_fail(err, SLV_E_LIMIT,
		    "MCAP has no room for more than %u channels",
		    (unsigned)UINT16_MAX + 1);
	w->channels = channels;
	w->n_channels = n;
	w->at = slv_calloc(n + 1, sizeof(*w->at));
	w->schemas = slv_calloc(n + 1, sizeof(*w->schemas));
	w->schema_written = slv_calloc(n + 1, sizeof(*w->schema_written));
	if (w->at == NULL || w->schemas == NULL || w->schema_written == NULL)
		return no_memory(err);
	SLV_TRY(mcap_writer_find_schemas(w, err));
	snprintf(library, sizeof(library), "salvor %s", slv_version());
	slv_buf_add(&out->buf, MCAP_MAGIC, MCAP_MAGIC_SIZE);
	mcap_make_header(
	    &out->buf, slv_span_of(profile_of(w)), slv_span_of(library));
	if (out->buf.failed)
		return no_memory(err);
	w->crc = slv_crc32(0, out->buf.at, out->buf.len);
	return SLV_OK;
}

/* The length of the character at the beginning of a text; 0: it is none, or one that
 * readers refuse. */
static size_t
character(const char *text)
{
	const uint8_t *p = (const uint8_t *)text;
	uint32_t code;

	return mcap_in_text(*p) ? slv_utf8_next(p, strnlen(text, 4), &code) : 0;
}

static bool
is_text(const char *text)
{
	size_t n = 1;

	for (; *text != '\0' && n > 0; text += n)
		n = character(text);
	return n > 0;
}

/* A text of the log.  Readers refuse bytes that are not UTF-8, and control characters:
 * these are written as \xNN. */
static void
put_name(struct slv_buf *buf, const char *text)
{
	struct slv_buf spelled = { 0 };

	if (is_text(text)) {
		mcap_put_text(buf, slv_span_of(text));
		return;
	}
	while (*text != '\0') {
		size_t n = character(text);

		if (n > 0)
			slv_buf_add(&spelled, text, n);
		else
			slv_buf_printf(
			    &spelled, "\\x%02x", (unsigned)(uint8_t)*text);
		text += n > 0 ? n : 1;
	}
	mcap_put_text(buf, (struct slv_span){ spelled.at, spelled.len });
	buf->failed |= spelled.failed;
	slv_buf_free(&spelled);
}

void
mcap_writer_schema(
    const struct mcap_writer *w, uint16_t id, struct slv_buf *buf)
{
	const struct slv_channel_info *c = &w->channels[w->schemas[id - 1]];
	size_t at = mcap_begin_record(buf, MCAP_SCHEMA);

	slv_buf_put16(buf, id);
	put_name(buf, c->type);
	put_name(buf, c->schema_encoding);
	mcap_put_text(buf, (struct slv_span){ c->schema, c->schema_len });
	mcap_end_record(buf, at);
}

/* By key; equal keys in the order of the log. */
static int
compare_pairs(const void *p, const void *q)
{
	const struct slv_pair *const *a = p, *const *b = q;
	int order = strcmp((*a)->key, (*b)->key);

	return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

/* A map of texts.  Readers refuse duplicate keys: only the last one of each key is
 * written. */
static void
put_pairs(struct slv_buf *buf, const struct slv_pair *pairs, size_t n)
{
	const struct slv_pair **sorted = slv_calloc(n + 1, sizeof(*sorted));
	bool backslashes = false;
	size_t at;

	buf->failed |= sorted == NULL;
	slv_buf_put32(buf, 0);
	at = buf->len;
	for (size_t i = 0; i < n && sorted != NULL; i++) {
		sorted[i] = &pairs[i];
		backslashes |= strchr(pairs[i].key, '\\') != NULL;
	}
	if (sorted != NULL)
		slv_sort(sorted, n, sizeof(*sorted), compare_pairs);
	for (size_t i = 0; i < n && sorted != NULL; i++) {
		/* A key that is no text, written as \xNN, may equal another key. */
		if ((i + 1 < n
		        && strcmp(sorted[i]->key, sorted[i + 1]->key) == 0)
		    || (!is_text(sorted[i]->key) && backslashes))
			continue;
		put_name(buf, sorted[i]->key);
		put_name(buf, sorted[i]->value);
	}
	if (!buf->failed)
		slv_put_le32(buf->at + at - 4, (uint32_t)(buf->len - at));
	slv_free(sorted);
}

void
mcap_writer_channel(
    const struct mcap_writer *w, uint32_t channel, struct slv_buf *buf)
{
	const struct slv_channel_info *c = &w->channels[channel];
	size_t at = mcap_begin_record(buf, MCAP_CHANNEL);

	slv_buf_put16(buf, (uint16_t)channel);
	slv_buf_put16(buf, w->at[channel].schema);
	put_name(buf, c->name);
	put_name(buf, c->encoding);
	put_pairs(buf, c->meta, c->n_meta);
	mcap_end_record(buf, at);
}

/* Declare the channel before its first message. */
static void
declare(struct mcap_writer *w, uint32_t channel)
{
	struct mcap_writer_channel *c = &w->at[channel];

	if (c->schema != 0 && !w->schema_written[c->schema - 1]) {
		mcap_writer_schema(w, c->schema, &w->chunk);
		w->schema_written[c->schema - 1] = true;
	}
	mcap_writer_channel(w, channel, &w->chunk);
	c->written = true;
}

/* Put the MessageIndex of each channel that is in the chunk just written. */
static enum slv_status
put_indexes(struct mcap_writer *w, struct mcap_writer_chunk *chunk,
    struct slv_outgoing *out, struct slv_err *err)
{
	for (uint32_t i = 0; i < w->n_channels; i++) {
		struct mcap_writer_channel *c = &w->at[i];
		size_t at;

		if (c->n_noted == 0)
			continue;
		SLV_TRY(slv_grow(&w->indexes, &w->cap_indexes, w->n_indexes + 1,
		    sizeof(*w->indexes), err));
		w->indexes[w->n_indexes++] =
		    (struct mcap_writer_index){ (uint16_t)i,
			    slv_outgoing_at(out) };
		chunk->n++;
		at = mcap_begin_record(&out->buf, MCAP_MESSAGE_INDEX);
		slv_buf_put16(&out->buf, (uint16_t)i);
		slv_buf_put32(&out->buf, (uint32_t)(c->n_noted * MCAP_ENTRY));
		for (size_t k = 0; k < c->n_noted; k++) {
			slv_buf_put64(&out->buf, c->noted[k].time);
			slv_buf_put64(&out->buf, c->noted[k].offset);
		}
		mcap_end_record(&out->buf, at);
		c->n_noted = 0;
	}
	return SLV_OK;
}

/* Compress the open chunk; *out: the bytes to store. */
static enum slv_status
pack(struct mcap_writer *w, const struct slv_buf **out, struct slv_err *err)
{
	w->packed.len = 0;
	*out = w->codec == SLV_CODEC_NONE ? &w->chunk : &w->packed;
	if (w->codec == SLV_CODEC_ZSTD)
		return slv_encode_zstd(
		    w->chunk.at, w->chunk.len, SLV_ZSTD_LEVEL, &w->packed, err);
	return w->codec == SLV_CODEC_NONE
	    ? SLV_OK
	    : slv_encode_lz4(
	        w->chunk.at, w->chunk.len, SLV_LZ4_PLAIN, &w->packed, err);
}

/* Write the open chunk. */
static enum slv_status
close_chunk(
    struct mcap_writer *w, struct slv_outgoing *out, struct slv_err *err)
{
	struct mcap_writer_chunk chunk = { .off = slv_outgoing_at(out),
		.first = w->n_indexes };
	const struct slv_buf *stored;
	size_t from = out->buf.len;

	if (w->chunk.failed)
		return no_memory(err);
	if (w->chunk.len == 0)
		return SLV_OK;
	SLV_TRY(pack(w, &stored, err));
	chunk.claim = (struct mcap_claim){
		.start = w->n_here > 0 ? w->from : 0,
		.stop = w->n_here > 0 ? w->to : 0,
		.size = w->chunk.len,
		.stored = stored->len,
		.crc = slv_crc32(0, w->chunk.at, w->chunk.len),
	};
	mcap_make_head(&out->buf, &chunk.claim, w->codec);
	slv_buf_add(&out->buf, stored->at, stored->len);
	chunk.len = slv_outgoing_at(out) - chunk.off;
	SLV_TRY(put_indexes(w, &chunk, out, err));
	chunk.index_len = slv_outgoing_at(out) - chunk.off - chunk.len;
	SLV_TRY(slv_grow(&w->chunks, &w->cap_chunks, w->n_chunks + 1,
	    sizeof(*w->chunks), err));
	w->chunks[w->n_chunks++] = chunk;
	w->chunk.len = 0;
	w->n_here = 0;
	if (out->buf.failed)
		return no_memory(err);
	w->crc = slv_crc32(w->crc, out->buf.at + from, out->buf.len - from);
	return SLV_OK;
}

/* MCAP has no value for an unknown time: the message gets the time of the message
 * before it. */
static uint64_t
time_of(const struct mcap_writer *w, int64_t ns)
{
	return ns != SLV_NO_STAMP && ns >= 0 ? (uint64_t)ns : w->time;
}

static void
count(struct mcap_writer *w, uint64_t time)
{
	if (w->n_here++ == 0)
		w->from = w->to = time;
	if (w->n++ == 0)
		w->first = w->last = time;
	w->from = slv_min64(w->from, time);
	w->to = slv_max64(w->to, time);
	w->first = slv_min64(w->first, time);
	w->last = slv_max64(w->last, time);
	w->time = time;
}

/* JSON needs no schema. */
static bool
is_opaque(const struct slv_channel_info *c)
{
	return c->schema_len == 0 && strcmp(c->encoding, "json") != 0;
}

static enum slv_status
record(void *state, const struct slv_record *r, struct slv_outgoing *out,
    struct slv_err *err)
{
	struct mcap_writer *w = state;
	struct mcap_writer_channel *c = &w->at[r->channel];
	uint64_t time = time_of(w, r->log_ns);
	size_t at;

	out->opaque = is_opaque(&w->channels[r->channel]);
	if (!c->written)
		declare(w, r->channel);
	SLV_TRY(slv_grow(
	    &c->noted, &c->cap_noted, c->n_noted + 1, sizeof(*c->noted), err));
	c->noted[c->n_noted++] = (struct mcap_noted){ time, w->chunk.len };
	c->n++;
	at = mcap_begin_record(&w->chunk, MCAP_MESSAGE);
	slv_buf_put16(&w->chunk, (uint16_t)r->channel);
	/* As converters do it: one counter for all channels. */
	slv_buf_put32(&w->chunk,
	    (uint32_t)(r->flags & SLV_RECORD_NUMBERED ? r->sequence : w->n));
	count(w, time);
	slv_buf_put64(&w->chunk, time);
	slv_buf_put64(&w->chunk,
	    r->publish_ns != SLV_NO_STAMP && r->publish_ns >= 0
	        ? (uint64_t)r->publish_ns
	        : time);
	slv_buf_add(&w->chunk, r->data, r->len);
	mcap_end_record(&w->chunk, at);
	return w->chunk.len >= w->chunk_size || w->chunk.failed
	    ? close_chunk(w, out, err)
	    : SLV_OK;
}

static enum slv_status
note(void *state, const char *name, const struct slv_pair *pairs, uint32_t n,
    struct slv_outgoing *out, struct slv_err *err)
{
	struct mcap_writer *w = state;
	struct mcap_writer_extra extra = { .name = slv_strdup(name) };
	size_t from, at;

	if (extra.name == NULL)
		return no_memory(err);
	if (slv_grow(&w->extras, &w->cap_extras, w->n_extras + 1,
	        sizeof(*w->extras), err)
	    != SLV_OK) {
		slv_free(extra.name);
		return err->code;
	}
	w->extras[w->n_extras++] = extra;
	SLV_TRY(close_chunk(w, out, err));
	from = out->buf.len;
	w->extras[w->n_extras - 1].off = slv_outgoing_at(out);
	at = mcap_begin_record(&out->buf, MCAP_METADATA);
	mcap_put_text(&out->buf, slv_span_of(name));
	put_pairs(&out->buf, pairs, n);
	mcap_end_record(&out->buf, at);
	if (out->buf.failed)
		return no_memory(err);
	w->extras[w->n_extras - 1].len = out->buf.len - from;
	w->crc = slv_crc32(w->crc, out->buf.at + from, out->buf.len - from);
	return SLV_OK;
}

static enum slv_status
end(void *state, struct slv_outgoing *out, struct slv_err *err)
{
	struct mcap_writer *w = state;

	/* Channels without records are channels, too. */
	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (!w->at[i].written)
			declare(w, i);
	}
	SLV_TRY(close_chunk(w, out, err));
	return mcap_writer_end(w, out, err);
}

static void
release(void *state)
{
	struct mcap_writer *w = state;

	for (uint32_t i = 0; i < w->n_channels && w->at != NULL; i++)
		slv_free(w->at[i].noted);
	for (size_t i = 0; i < w->n_extras; i++)
		slv_free(w->extras[i].name);
	slv_free(w->at);
	slv_free(w->schemas);
	slv_free(w->schema_written);
	slv_buf_free(&w->chunk);
	slv_buf_free(&w->packed);
	slv_free(w->chunks);
	slv_free(w->indexes);
	slv_free(w->extras);
}

const struct slv_writing mcap_writing = {
	.state_size = sizeof(struct mcap_writer),
	.begin = begin,
	.record = record,
	.note = note,
	.end = end,
	.release = release,
};
