/* carla_records.c - the packets of a sound log, for readers of records.
 *
 * A packet has the time of its frame, and the frame's number.
 */
#include "core/format/records.h"

#include "base/search.h"
#include "formats/carla/carla.h"
#include "formats/carla/carla_state.h"

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	const char *vectors = c->dialect.vectors == CARLA_F64 ? "f64"
	    : c->dialect.vectors == CARLA_MIXED ? "f32, Position f64"
	                                        : "f32";

	for (unsigned id = 0; id < 256; id++) {
		struct slv_channel_about *out;

		if (c->counts[id].packets == 0)
			continue;
		SLV_TRY(slv_channel_list_add(list, id, &out, err));
		SLV_TRY(slv_channel_text(
		    &out->encoding, slv_span_of("carla"), err));
		SLV_TRY(slv_channel_meta(
		    out, slv_span_of("vectors"), slv_span_of(vectors), err));
	}
	return SLV_OK;
}

/* The frame, or the packet between frames, that off is in. */
static const struct carla_item *
item_at(const struct carla *c, uint64_t off)
{
	struct slv_search f = { .high = c->n_items };
	const struct carla_item *x;

	while (slv_search(&f))
		slv_search_on(&f, c->items[f.mid].off <= off);
	if (f.low == 0)
		return NULL;
	x = &c->items[f.low - 1];
	return off - x->off < x->len ? x : NULL;
}

/* How long the packet is: one of a frame as its contents need, because a known
 * writer states other sizes. */
static enum slv_status
measure(const struct slv_scan *s, const struct carla_item *x,
    struct carla_packet *p, struct slv_err *err)
{
	const struct carla_frame *f;
	bool fits = false;

	if (x->is_frame && p->id != CARLA_START) {
		SLV_TRY(carla_look(s, x->off, &f, err));
		SLV_TRY(carla_packet_fit(
		    s, p, f->vectors, x->off + x->len, &fits, err));
	}
	if (!fits)
		p->len = p->size;
	return SLV_OK;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	const struct carla_item *x = item_at(c, off);
	struct carla_packet p = { .body = off + CARLA_HEAD };
	const uint8_t *bytes;

	if (off == 0) {
		out->len = c->header.len;
		return SLV_OK;
	}
	if (x == NULL || !slv_range_in(off, CARLA_HEAD, s->source->size))
		return slv_fail(err, SLV_E_BUG, "%s: no packet at %llu",
		    s->source->name, (unsigned long long)off);
	SLV_TRY(slv_window_view(s->window, off, CARLA_HEAD, &bytes, err));
	p.id = bytes[0];
	p.size = slv_get_le32(bytes + 1);
	SLV_TRY(measure(s, x, &p, err));
	out->kind = SLV_ITEM_RECORD;
	out->len = CARLA_HEAD + p.len;
	out->channel = p.id;
	out->log_ns = out->publish_ns = SLV_NO_TIME;
	out->data = CARLA_HEAD;
	out->data_len = p.len;
	if (!x->is_frame)
		return SLV_OK;
	out->log_ns = slv_moment_ns(carla_moment(s, &x->start));
	out->numbered = true;
	out->sequence = x->start.id;
	return SLV_OK;
}

const struct slv_records carla_records = {
	.channels = list_channels,
	.item = item,
};
