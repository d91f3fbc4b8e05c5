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
mcap_put_text(struct slv_buf *buf, struct slv_span text)
{
	slv_buf_put32(buf, (uint32_t)text.len);
	slv_buf_add(buf, text.at, text.len);
}

void
mcap_make_head(struct slv_buf *buf, const struct mcap_claim *claim,
    enum slv_codec_kind codec)
{
	const char *name = mcap_codec_name(codec);
	size_t at = mcap_begin_record(buf, MCAP_CHUNK);

	slv_buf_put64(buf, claim->start);
	slv_buf_put64(buf, claim->stop);
	slv_buf_put64(buf, claim->size);
	slv_buf_put32(buf, claim->crc);
	mcap_put_text(
	    buf, (struct slv_span){ (const uint8_t *)name, strlen(name) });
	slv_buf_put64(buf, claim->stored);
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

	slv_buf_put32(buf, crc);
	mcap_end_record(buf, at);
}
