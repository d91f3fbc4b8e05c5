/* mcap_cut.c - a file with only some of its messages, or with those of several. */
#include "core/format/cutting.h"
#include "digest/crc32.h"
#include "formats/mcap/build/mcap_make.h"

static enum slv_status
chunk(const struct slv_cut_chunk *c, struct slv_buf *out, struct slv_err *err)
{
	const struct mcap_claim claim = {
		.start = c->from,
		.stop = c->to,
		.size = c->content->len,
		.stored = c->content->len,
		.crc = slv_crc32(0, c->content->at, c->content->len),
	};

	mcap_make_head(out, &claim, SLV_CODEC_NONE);
	slv_buf_add(out, c->content->at, c->content->len);
	return slv_buf_check(out, err);
}

/* Numbers have two bytes, of which a channel's own are the first in its record, and in
 * that of a message. */
static enum slv_status
renumber(const struct slv_scan *s, struct slv_buf *head,
    const struct slv_numbers *to, struct slv_err *err)
{
	uint8_t *p = head->at + MCAP_HEAD;

	(void)s;
	if (to->channel > UINT16_MAX || to->schema > UINT16_MAX)
		return slv_fail(err, SLV_E_LIMIT,
		    "a file of this format has no more than 65,535 channels "
		    "and schemas");
	if (head->at[0] == MCAP_SCHEMA) {
		slv_put_le16(p, (uint16_t)to->schema);
		return SLV_OK;
	}
	slv_put_le16(p, (uint16_t)to->channel);
	if (head->at[0] == MCAP_CHANNEL)
		slv_put_le16(p + 2, (uint16_t)to->schema);
	return SLV_OK;
}

const struct slv_cutting mcap_cutting = {
	.joins = true,
	.sorts = true,
	.declares_inside = true,
	.renumber = renumber,
	.chunk = chunk,
};
