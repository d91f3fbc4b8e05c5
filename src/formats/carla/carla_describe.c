/* carla_describe.c - what the log says about itself, for people. */
#include <stdio.h>
#include <time.h>

#include "formats/carla/carla_state.h"

/* The meaning of an id of 21 to 24 in this log; 0 for others. */
static unsigned
variants_of(const struct carla *c, unsigned id)
{
	return id >= CARLA_VARYING && id < CARLA_KNOWN
	    ? c->dialect.variants[id - CARLA_VARYING]
	    : 0;
}

static enum slv_status
describe_kind(const struct carla *c, unsigned id, struct slv_facts *facts,
    struct slv_err *err)
{
	const struct carla_count *n = &c->counts[id];
	struct slv_channel *ch;
	const char *name = carla_packet_name(id, variants_of(c, id));

	SLV_TRY(slv_facts_channel(facts, id, &ch, err));
	ch->messages = n->packets;
	ch->bytes = n->bytes;
	return slv_text_copy(name, strlen(name), &ch->name, err);
}

/* Where the log was recorded, and when. */
static enum slv_status
describe_header(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct carla_header *h = &carla_of(s)->header;
	char text[CARLA_MAP_MAX + 1];
	time_t date = (time_t)h->date;
	const uint8_t *p;
	struct tm tm;

	if (!h->named)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, s->base + CARLA_MAP, h->map_len, &p, err));
	if (h->map != CARLA_MAP_READ)
		p = (const uint8_t *)h->name;
	snprintf(text, sizeof(text), "%.*s", (int)h->map_len, (const char *)p);
	SLV_TRY(slv_facts_text(facts, "map", text, err));
	if (date == 0 || gmtime_r(&date, &tm) == NULL
	    || strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return SLV_OK;
	return slv_facts_text(facts, "date", text, err);
}

static const struct carla_item *
last_frame(const struct carla *c)
{
	for (size_t i = c->n_items; i-- > 0;) {
		if (c->items[i].is_frame)
			return &c->items[i];
	}
	return NULL;
}

/* When it was recorded, how much, and of how many actors. */
static enum slv_status
describe_frames(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	const struct carla_item *last = last_frame(c);

	for (size_t i = 0; last != NULL && i < facts->n_channels; i++) {
		struct slv_channel *ch = &facts->channels[i];

		if (ch->index != CARLA_START)
			continue;
		for (const struct carla_item *f = c->items; f <= last; f++) {
			if (f->is_frame)
				slv_moment_span(carla_moment(s, &f->start),
				    &ch->first, &ch->last);
		}
	}
	SLV_TRY(slv_facts_number(facts, "frames", c->n_frames, err));
	return slv_facts_number(
	    facts, "actors", c->counts[CARLA_ADD].records, err);
}

enum slv_status
carla_describe(struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	static const char *const vectors[] = {
		[CARLA_F32] = "f32",
		[CARLA_F64] = "f64",
		[CARLA_MIXED] = "f32, Position f64",
	};
	const struct carla *c = carla_of(s);
	unsigned v = c->dialect.vectors;

	if (v == CARLA_F32 || v == CARLA_F64 || v == CARLA_MIXED)
		snprintf(
		    facts->dialect, sizeof(facts->dialect), "%s", vectors[v]);
	snprintf(facts->version, sizeof(facts->version), "1");
	snprintf(facts->digest, sizeof(facts->digest), "none");
	facts->undated = c->header.date == 0;
	SLV_TRY(describe_header(s, facts, err));
	for (unsigned id = 0; id < 256; id++) {
		if (c->counts[id].packets > 0)
			SLV_TRY(describe_kind(c, id, facts, err));
	}
	return describe_frames(s, facts, err);
}

/* The numbers on both sides show how many frames a gap has cost. */
enum slv_status
carla_missing(
    struct slv_scan *s, struct slv_gap_list *list, struct slv_err *err)
{
	const struct carla *c = carla_of(s);

	for (size_t i = 0, k = 0; i < list->n; i++) {
		struct slv_gap_count n = { .channel = CARLA_START };

		while (k < c->n_items && c->items[k].off < list->at[i].off)
			k++;
		if (k == c->n_items)
			break;
		n.n = c->items[k].missing;
		if (n.n > 0)
			SLV_TRY(slv_gap_told(list, i, &n, 1, err));
	}
	return SLV_OK;
}

const char *
carla_channel_name(struct slv_scan *s, uint32_t channel)
{
	return carla_packet_name(channel, variants_of(carla_of(s), channel));
}
