/* cyber_cut.c - a record with only some of its messages, or with those of several. */
#include "core/format/cutting.h"
#include "formats/cyber/cyber_state.h"

static enum slv_status
chunk(const struct slv_cut_chunk *c, struct slv_buf *out, struct slv_err *err)
{
	const struct cyber_claim claim = {
		.begin = c->from,
		.end = c->to,
		.messages = c->records,
		.raw = c->content->len,
	};
	struct slv_buf head = { 0 };

	cyber_put_claim(&head, &claim);
	cyber_put_section(out, CYBER_CHUNK_HEADER, head.len);
	slv_buf_add(out, head.at, head.len);
	out->failed |= head.failed;
	slv_buf_free(&head);
	cyber_put_section(out, CYBER_CHUNK_BODY, c->content->len);
	slv_buf_add(out, c->content->at, c->content->len);
	return slv_buf_check(out, err);
}

const struct slv_cutting cyber_cutting = {
	.joins = true,
	.named = true,
	.sorts = true,
	.chunk = chunk,
};
