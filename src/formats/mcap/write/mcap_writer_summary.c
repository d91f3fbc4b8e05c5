/* mcap_writer_summary.c - the end of a new file: DataEnd, summary and footer. */
#include "formats/mcap/write/mcap_writer.h"

#include <string.h>

#include "core/format/records.h"
#include "digest/crc32.h"

/* A group of records of the summary, while it is written. */
struct group {
	unsigned op;
	uint64_t off, len;
};

#define GROUPS 5

static void
put_statistics(const struct mcap_writer *w, struct slv_buf *buf)
{
	size_t at = mcap_begin_record(buf, MCAP_STATISTICS), map;

	slv_buf_put64(buf, w->n);
	slv_buf_put16(buf, w->n_schemas);
	slv_buf_put32(buf, w->n_channels);
	slv_buf_put32(buf, 0);
	slv_buf_put32(buf, (uint32_t)w->n_extras);
	slv_buf_put32(buf, (uint32_t)w->n_chunks);
	slv_buf_put64(buf, w->first);
	slv_buf_put64(buf, w->last);
	slv_buf_put32(buf, 0);
	map = buf->len;
	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (w->at[i].n == 0)
			continue;
		slv_buf_put16(buf, (uint16_t)i);
		slv_buf_put64(buf, w->at[i].n);
	}
	if (!buf->failed)
		slv_put_le32(buf->at + map - 4, (uint32_t)(buf->len - map));
	mcap_end_record(buf, at);
}

static void
put_chunk_index(const struct mcap_writer *w, const struct mcap_writer_chunk *c,
    struct slv_buf *buf)
{
	size_t at = mcap_begin_record(buf, MCAP_CHUNK_INDEX);

	slv_buf_put64(buf, c->claim.start);
	slv_buf_put64(buf, c->claim.stop);
	slv_buf_put64(buf, c->off);
	slv_buf_put64(buf, c->len);
	slv_buf_put32(buf, (uint32_t)(c->n * MCAP_COUNT));
	for (size_t i = c->first; i < c->first + c->n; i++) {
		slv_buf_put16(buf, w->indexes[i].channel);
		slv_buf_put64(buf, w->indexes[i].off);
	}
	slv_buf_put64(buf, c->index_len);
	mcap_put_text(buf, slv_span_of(mcap_codec_name(w->codec)));
	slv_buf_put64(buf, c->claim.stored);
	slv_buf_put64(buf, c->claim.size);
	mcap_end_record(buf, at);
}

static void
put_extra_index(const struct mcap_writer_extra *x, struct slv_buf *buf)
{
	size_t at = mcap_begin_record(buf, MCAP_METADATA_INDEX);

	slv_buf_put64(buf, x->off);
	slv_buf_put64(buf, x->len);
	mcap_put_text(buf, slv_span_of(x->name));
	mcap_end_record(buf, at);
}

/* The records of a group. */
static void
put_group(const struct mcap_writer *w, unsigned op, struct slv_buf *buf)
{
	switch (op) {
	case MCAP_SCHEMA:
		for (uint16_t i = 0; i < w->n_schemas; i++)
			mcap_writer_schema(w, (uint16_t)(i + 1), buf);
		break;
	case MCAP_CHANNEL:
		for (uint32_t i = 0; i < w->n_channels; i++)
			mcap_writer_channel(w, i, buf);
		break;
	case MCAP_STATISTICS: put_statistics(w, buf); break;
	case MCAP_CHUNK_INDEX:
		for (size_t i = 0; i < w->n_chunks; i++)
			put_chunk_index(w, &w->chunks[i], buf);
		break;
	default:
		for (size_t i = 0; i < w->n_extras; i++)
			put_extra_index(&w->extras[i], buf);
		break;
	}
}

static void
put_offset(const struct group *g, struct slv_buf *buf)
{
	size_t at = mcap_begin_record(buf, MCAP_SUMMARY_OFFSET);
	const uint8_t op = (uint8_t)g->op;

	slv_buf_add(buf, &op, 1);
	slv_buf_put64(buf, g->off);
	slv_buf_put64(buf, g->len);
	mcap_end_record(buf, at);
}

enum slv_status
mcap_writer_end(
    struct mcap_writer *w, struct slv_outgoing *out, struct slv_err *err)
{
	struct group groups[GROUPS] = { { .op = MCAP_SCHEMA },
		{ .op = MCAP_CHANNEL }, { .op = MCAP_STATISTICS },
		{ .op = MCAP_CHUNK_INDEX }, { .op = MCAP_METADATA_INDEX } };
	uint64_t start, offsets;
	size_t from, at;

	mcap_make_data_end(&out->buf, w->crc);
	from = out->buf.len;
	start = slv_outgoing_at(out);
	for (size_t i = 0; i < GROUPS; i++) {
		groups[i].off = slv_outgoing_at(out);
		put_group(w, groups[i].op, &out->buf);
		groups[i].len = slv_outgoing_at(out) - groups[i].off;
	}
	offsets = slv_outgoing_at(out);
	for (size_t i = 0; i < GROUPS; i++) {
		if (groups[i].len > 0)
			put_offset(&groups[i], &out->buf);
	}
	at = mcap_begin_record(&out->buf, MCAP_FOOTER);
	slv_buf_put64(&out->buf, start);
	slv_buf_put64(&out->buf, offsets);
	slv_buf_put32(&out->buf, 0);
	mcap_end_record(&out->buf, at);
	if (out->buf.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	/* The checksum is that of all from the summary up to itself. */
	slv_put_le32(out->buf.at + out->buf.len - 4,
	    slv_crc32(0, out->buf.at + from, out->buf.len - 4 - from));
	slv_buf_add(&out->buf, MCAP_MAGIC, MCAP_MAGIC_SIZE);
	return out->buf.failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                       : SLV_OK;
}
