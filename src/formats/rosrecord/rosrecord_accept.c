/* rosrecord_accept.c - a unit belongs to the bag: remember what it says. */
#include "base/list.h"
#include "formats/rosrecord/rosrecord_state.h"
#include "support/memory.h"

static enum slv_status
add_item(
    struct slv_scan *s, const struct rosrec_item *item, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	uint64_t memory = b->n_items * sizeof(*item);

	SLV_TRY(slv_memory_take(s, &memory, sizeof(*item), "messages", err));
	return SLV_ADD(b, items, err, *item);
}

/* What a message or a definition says. */
static enum slv_status
accept_record(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    const struct rosrec_record *r, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	struct rosrec_item item = {
		.off = off,
		.len = u->len,
		.sec = r->sec,
		.nsec = r->nsec,
		.is_def = r->op == ROSREC_DEF,
	};
	struct rosrec_topic *t;

	SLV_TRY(rosrec_topic_get(s, r->topic, &item.topic, err));
	t = &b->topics[item.topic];
	item.type = rosrec_type_id(r);
	if (item.is_def && t->def_len == 0) {
		t->def = off;
		t->def_len = u->len;
		t->def_of = item.topic;
		t->def_own = true;
		t->type = item.type;
	}
	if (!item.is_def) {
		t->n++;
		t->bytes += r->data;
	}
	return add_item(s, &item, err);
}

static enum slv_status
accept_index(
    struct slv_scan *s, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	return SLV_ADD(b, lists, err, (struct rosrec_list){ off, len });
}

/* What follows the fields of the bag header is spaces. */
static enum slv_status
check_padding(struct slv_scan *s, uint64_t off, const struct rosrec_record *r,
    struct slv_unit *u, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	uint32_t n = r->data;
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off + rosrec_head(r), n, &p, err));
	for (uint32_t i = 0; i < n; i++) {
		if (p[i] == ' ')
			continue;
		b->spoilt_header = true;
		u->fate = SLV_REBUILT;
		u->problem = ROSREC_P_HEADER;
		break;
	}
	return SLV_OK;
}

enum slv_status
rosrec_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	struct rosrec_record r;

	b->spoilt_header |= u->tag == ROSREC_TAG_HEADER && u->fate != SLV_KEPT;
	if (u->fate != SLV_KEPT || u->part == SLV_PART_FRAME)
		return SLV_OK;
	SLV_TRY(rosrec_look(s, off, &r, err));
	if (r.read != ROSREC_WHOLE)
		return slv_scan_changed(s, err);
	switch (r.op) {
	case ROSREC_HEADER:
		b->has_header = true;
		b->index_pos = r.index_pos;
		return check_padding(s, off, &r, u, err);
	case ROSREC_INDEX: return accept_index(s, off, u->len, err);
	default:
		SLV_TRY(accept_record(s, off, u, &r, err));
		u->has_channel = r.op == ROSREC_MESSAGE;
		u->channel = b->items[b->n_items - 1].topic;
		return SLV_OK;
	}
}
