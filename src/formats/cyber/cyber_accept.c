/* cyber_accept.c - a unit belongs to the record: remember what it says. */
#include "base/list.h"
#include "formats/cyber/judge/cyber_twice.h"
#include "formats/cyber/read/cyber_unit.h"

static enum slv_status
accept_header(struct slv_scan *s, const struct slv_unit *u, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, s->base, (size_t)u->len, &p, err));
	cyber_head_get(p, (size_t)u->len, &c->head);
	c->head_len = u->len;
	return SLV_OK;
}

static enum slv_status
accept_message(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_message m;
	const uint8_t *p;
	size_t head;

	u->has_channel = true;
	/* Where all is known it need not be looked at again. */
	if (u->priv[CYBER_U_CHANNEL] > 0) {
		u->channel = (uint32_t)(u->priv[CYBER_U_CHANNEL] - 1);
		c->recent = u->channel;
		m = (struct cyber_message){
			.head = (size_t)(u->len - u->priv[CYBER_U_CONTENT]),
			.content = u->priv[CYBER_U_CONTENT],
			.name_len = c->channels[u->channel].name_len,
			.time = u->priv[CYBER_U_TIME],
		};
		return cyber_chunk_add(s, off, &m, u->channel, err);
	}
	SLV_TRY(cyber_look_message(s, off, &m, err));
	head = m.read == CYBER_WHOLE && m.head <= u->len ? m.head : 0;
	SLV_TRY(slv_window_view(s->window, off, head, &p, err));
	/* What one view says is not believed of another. */
	if (cyber_message_get(p, head, &m) != CYBER_WHOLE || m.head != head)
		return slv_scan_changed(s, err);
	SLV_TRY(
	    cyber_channel_find(s, p + m.name, m.name_len, &u->channel, err));
	return cyber_chunk_add(s, off, &m, u->channel, err);
}

static enum slv_status
accept_channel(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    const struct cyber_section *k, struct slv_err *err)
{
	struct cyber_spec spec;

	if (k->found != CYBER_CHANNEL || k->decl.name_len == 0)
		return slv_scan_changed(s, err);
	SLV_TRY(cyber_chunk_close(s, err));
	SLV_TRY(cyber_spec_read(s, off + CYBER_SECTION, &k->decl, &spec, err));
	return cyber_declare(s, off, off + u->len, &spec, k->agrees, err);
}

static enum slv_status
accept_index(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	bool more = false;

	SLV_TRY(cyber_chunk_close(s, err));
	c->index = off;
	c->index_end = off + u->len;
	c->index_stays = u->fate == SLV_KEPT;
	SLV_TRY(cyber_index_read(s, off + CYBER_SECTION, c->index_end, err));
	if (u->ends)
		SLV_TRY(cyber_index_before(s, c->index_end, &more, err));
	u->ends &= !more;
	return SLV_OK;
}

static enum slv_status
accept_other(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	SLV_TRY(cyber_chunk_close(s, err));
	SLV_TRY(SLV_ROOM(c, items, 1, err));
	cyber_item_add(s, CYBER_IS_OTHER, off, off + u->len)->stays = true;
	return SLV_OK;
}

static enum slv_status
accept_section(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	bool body = u->tag == CYBER_TAG_CHUNK_BODY;
	struct cyber_section k;

	SLV_TRY(cyber_look_section(s, off, &k, err));
	if (u->tag == CYBER_TAG_CHANNEL)
		return accept_channel(s, off, u, &k, err);
	if (u->tag == CYBER_TAG_INDEX)
		return accept_index(s, off, u, err);
	if (body) {
		SLV_TRY(cyber_chunk_body(s, off, k.size, err));
		c->items[c->n_items - 1].broken_body = u->fate != SLV_KEPT;
		return SLV_OK;
	}
	/* Its section may be damaged, and what it says is not. */
	SLV_TRY(cyber_chunk_open(s, off, off + u->len,
	    k.found == CYBER_CHUNK_HEADER ? &k.claim : NULL, err));
	c->items[c->n_items - 1].broken_head = u->fate != SLV_KEPT;
	return SLV_OK;
}

enum slv_status
cyber_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	if (u->fate == SLV_FOREIGN)
		return SLV_OK;
	c->gap = off != c->upto && !cyber_twice_skipped(s, c->upto, off);
	if (c->gap)
		SLV_TRY(cyber_break_add(s, off, err));
	if (u->tag == CYBER_TAG_HEADER)
		SLV_TRY(accept_header(s, u, err));
	else if (u->tag == CYBER_TAG_MESSAGE)
		SLV_TRY(accept_message(s, off, u, err));
	else if (u->tag == CYBER_TAG_OTHER)
		SLV_TRY(accept_other(s, off, u, err));
	else
		SLV_TRY(accept_section(s, off, u, err));
	c->unit = off;
	c->upto = off + u->len;
	return SLV_OK;
}
