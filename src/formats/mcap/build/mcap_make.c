/* mcap_make.c - records as they are written. */
#include "formats/mcap/build/mcap_make.h"

#include <string.h>

size_t
mcap_begin_record(struct slv_buf *buf, unsigned op)
{
	const uint8_t head[MCAP_HEAD] = { (uint8_t)op };

	slv_buf_add(buf, head, sizeof(head));
	return buf->len;
}

void
mcap_end_record(struct slv_buf *buf, size_t begun)
{
	if (!buf->failed)
		slv_put_le64(buf->at + begun - 8, buf->len - begun);
}

void
mcap_put16(struct slv_buf *buf, uint16_t v)
{
	uint8_t bytes[2];

	slv_put_le16(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
mcap_put32(struct slv_buf *buf, uint32_t v)
{
	uint8_t bytes[4];

	slv_put_le32(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
mcap_put64(struct slv_buf *buf, uint64_t v)
{
	uint8_t bytes[8];

	slv_put_le64(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
mcap_put_text(struct slv_buf *buf, struct slv_span text)
{
	mcap_put32(buf, (uint32_t)text.len);
	slv_buf_add(buf, text.at, text.len);
}

void
mcap_make_head(struct slv_buf *buf, const struct mcap_claim *claim,
    enum slv_codec_kind codec)
{
	const char *name = mcap_codec_name(codec);
	size_t at = mcap_begin_record(buf, MCAP_CHUNK);

	mcap_put64(buf, claim->start);
	mcap_put64(buf, claim->stop);
	mcap_put64(buf, claim->size);
	mcap_put32(buf, claim->crc);
	mcap_put_text(
	    buf, (struct slv_span){ (const uint8_t *)name, strlen(name) });
	mcap_put64(buf, claim->stored);
	if (!buf->failed)
		slv_put_le64(buf->at + at - 8, buf->len - at + claim->stored);
}

void
mcap_make_header(
    struct slv_buf *buf, struct slv_span profile, struct slv_span library)
{
	size_t at = mcap_begin_record(buf, MCAP_HEADER);

	mcap_put_text(buf, profile);
	mcap_put_text(buf, library);
	mcap_end_record(buf, at);
}

void
mcap_make_data_end(struct slv_buf *buf, uint32_t crc)
{
	size_t at = mcap_begin_record(buf, MCAP_DATA_END_OP);

	mcap_put32(buf, crc);
	mcap_end_record(buf, at);
}
