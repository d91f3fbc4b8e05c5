/* cyber_channel.c - channels: found by name, and what declares them. */
#include "base/fnv.h"
#include "base/list.h"
#include "formats/cyber/cyber_state.h"

#define STRIDE ((uint64_t)64 << 10) /* bytes of a description read at once */

static int
compare_name(const struct cyber *c, const struct cyber_channel *ch,
    const uint8_t *name, size_t len)
{
	size_t n = ch->name_len < len ? ch->name_len : len;
	int order = memcmp(c->texts.at + ch->name, name, n);

	if (order != 0)
		return order;
	return ch->name_len < len ? -1 : ch->name_len > len;
}

/* Where the name is among the sorted ones, or would be. */
static size_t
place_of(const struct cyber *c, const uint8_t *name, size_t len, bool *there)
{
	struct slv_search f = { .high = c->n_channels };

	while (slv_search(&f))
		slv_search_on(&f,
		    compare_name(c, &c->channels[c->by_name[f.mid]], name, len)
		        < 0);
	*there = f.low < c->n_channels
	    && compare_name(c, &c->channels[c->by_name[f.low]], name, len) == 0;
	return f.low;
}

bool
cyber_channel_known(
    const struct cyber *c, const uint8_t *name, size_t len, uint32_t *out)
{
	size_t place;
	bool there;

	/* Often it is that of the message before. */
	*out = c->recent;
	if (c->recent < c->n_channels
	    && compare_name(c, &c->channels[c->recent], name, len) == 0)
		return true;
	place = place_of(c, name, len, &there);
	if (there)
		*out = c->by_name[place];
	return there;
}

/* Keep a text; where it is. */
static enum slv_status
keep_text(struct cyber *c, const uint8_t *text, size_t len, size_t *out,
    struct slv_err *err)
{
	*out = c->texts.len;
	slv_buf_add(&c->texts, text, len);
	return slv_buf_check(&c->texts, err);
}

static enum slv_status
add(struct slv_scan *s, const uint8_t *name, size_t len, size_t place,
    struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_channel ch = { .name_len = len, .item = SIZE_MAX };

	if (c->n_channels == CYBER_CHANNELS_MAX)
		return slv_fail(err, SLV_E_LIMIT, "%s: more than %d channels",
		    s->source->name, CYBER_CHANNELS_MAX);
	SLV_TRY(SLV_ROOM(c, channels, 1, err));
	SLV_TRY(slv_grow(&c->by_name, &c->cap_by_name, c->n_channels + 1,
	    sizeof(*c->by_name), err));
	SLV_TRY(keep_text(c, name, len, &ch.name, err));
	memmove(c->by_name + place + 1, c->by_name + place,
	    (c->n_channels - place) * sizeof(*c->by_name));
	c->by_name[place] = (uint32_t)c->n_channels;
	c->channels[c->n_channels++] = ch;
	return SLV_OK;
}

enum slv_status
cyber_channel_find(struct slv_scan *s, const uint8_t *name, size_t len,
    uint32_t *out, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	size_t place;
	bool there;

	if (!cyber_channel_known(c, name, len, out)) {
		place = place_of(c, name, len, &there);
		SLV_TRY(add(s, name, len, place, err));
		*out = c->by_name[place];
	}
	c->recent = *out;
	return SLV_OK;
}

enum slv_status
cyber_spec_read(struct slv_scan *s, uint64_t off, const struct cyber_decl *d,
    struct cyber_spec *spec, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const uint8_t *p;

	*spec = (struct cyber_spec){
		.at = off,
		.name_len = d->name_len,
		.type_len = d->type_len,
		.desc = off + d->desc,
		.desc_len = d->desc_len,
		.hash = SLV_FNV,
	};
	SLV_TRY(slv_window_view(s->window, off, d->desc, &p, err));
	SLV_TRY(keep_text(c, p + d->name, d->name_len, &spec->name, err));
	SLV_TRY(keep_text(c, p + d->type, d->type_len, &spec->type, err));
	for (uint64_t at = 0; at < d->desc_len; at += STRIDE) {
		size_t n = (size_t)slv_min64(STRIDE, d->desc_len - at);

		SLV_TRY(
		    slv_window_view(s->window, spec->desc + at, n, &p, err));
		spec->hash = slv_fnv(spec->hash, p, n);
	}
	return SLV_OK;
}

enum slv_status
cyber_desc_load(struct slv_scan *s, const struct cyber_spec *spec,
    struct slv_buf *out, struct slv_err *err)
{
	const uint8_t *p;

	if (spec->held)
		slv_buf_add(out, cyber_of(s)->held.at + spec->desc,
		    (size_t)spec->desc_len);
	for (uint64_t at = 0; !spec->held && at < spec->desc_len;
	     at += STRIDE) {
		size_t n = (size_t)slv_min64(STRIDE, spec->desc_len - at);

		SLV_TRY(
		    slv_window_view(s->window, spec->desc + at, n, &p, err));
		slv_buf_add(out, p, n);
	}
	return slv_buf_check(out, err);
}

bool
cyber_spec_same(const struct cyber *c, const struct cyber_spec *a,
    const struct cyber_spec *b)
{
	const uint8_t *t = c->texts.at;

	return a->name_len == b->name_len && a->type_len == b->type_len
	    && a->desc_len == b->desc_len && a->hash == b->hash
	    && memcmp(t + a->name, t + b->name, a->name_len) == 0
	    && (a->type_len == 0
	        || memcmp(t + a->type, t + b->type, a->type_len) == 0);
}

enum slv_status
cyber_declare(struct slv_scan *s, uint64_t off, uint64_t end,
    const struct cyber_spec *spec, bool stays, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_item *item;
	struct slv_buf name = { 0 };
	enum slv_status st;
	uint32_t i;

	SLV_TRY(SLV_ROOM(c, items, 1, err));
	item = cyber_item_add(s, CYBER_IS_CHANNEL, off, end);
	item->spec = *spec;
	item->stays = stays;
	/* The texts may move while one is added. */
	slv_buf_add(&name, c->texts.at + spec->name, spec->name_len);
	st = slv_buf_check(&name, err);
	if (st == SLV_OK)
		st = cyber_channel_find(s, name.at, spec->name_len, &i, err);
	slv_buf_free(&name);
	if (st == SLV_OK && c->channels[i].item == SIZE_MAX)
		c->channels[i].item = c->n_items - 1;
	return st;
}

enum slv_status
cyber_declare_at(struct slv_scan *s, uint64_t position,
    const struct cyber_spec *spec, struct slv_err *err)
{
	return cyber_declare(s, position, position, spec, false, err);
}

/* An item, and where it was among them. */
struct placed {
	struct cyber_item item;
	size_t was;
};

/* Whether no section of it is there. */
static bool
is_given(const struct cyber_item *item)
{
	return item->kind == CYBER_IS_CHANNEL && item->end == item->off;
}

/* As they stand in the file; before what is there, what was declared
 * there, and what was last is first. */
static int
compare_places(const void *p, const void *q)
{
	const struct placed *a = p, *b = q;
	bool given = is_given(&a->item);

	if (a->item.off != b->item.off)
		return a->item.off < b->item.off ? -1 : 1;
	if (given != is_given(&b->item))
		return given ? -1 : 1;
	return given ? (a->was < b->was) - (a->was > b->was)
	             : (a->was > b->was) - (a->was < b->was);
}

/* Put the items into order; now: room for where each of them is then. */
static void
put_in_order(struct cyber *c, struct placed *all, size_t *now)
{
	for (size_t i = 0; i < c->n_items; i++)
		all[i] = (struct placed){ c->items[i], i };
	slv_sort(all, c->n_items, sizeof(*all), compare_places);
	for (size_t i = 0; i < c->n_items; i++) {
		c->items[i] = all[i].item;
		now[all[i].was] = i;
	}
	for (size_t i = 0; i < c->n_channels; i++) {
		size_t *of = &c->channels[i].item;

		*of = *of == SIZE_MAX ? SIZE_MAX : now[*of];
	}
}

enum slv_status
cyber_order(struct cyber *c, struct slv_err *err)
{
	struct placed *all;
	enum slv_status st;
	size_t *now;

	/* What was given was added after all that was found. */
	if (c->n_items == 0 || !is_given(&c->items[c->n_items - 1]))
		return SLV_OK;
	SLV_TRY(slv_new(&all, c->n_items, sizeof(*all), err));
	st = slv_new(&now, c->n_items, sizeof(*now), err);
	if (st == SLV_OK)
		put_in_order(c, all, now);
	slv_free(all);
	slv_free(now);
	return st;
}
