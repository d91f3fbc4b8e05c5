/* carla_event.c - actors that appear, vanish and are attached. */
#include "formats/carla/carla_event.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "formats/carla/carla_state.h"

#define CHAIN  3  /* packets in a row that confirm each other */
#define EFFORT 16 /* looks at a lost byte, on average */
#define BASE   ((uint64_t)1 << 20) /* bytes that may always be looked at */

/* One event in the body of a packet. */
struct event {
	size_t at, len; /* in the body */
	uint64_t key;   /* whom it is about */
	bool plain;     /* everything in it can be */
};

static int
compare_keys(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return *a < *b ? -1 : *a > *b;
}

static bool
has_key(const struct carla_keys *k, uint64_t key)
{
	return k->n > 0
	    && bsearch(&key, k->at, k->n, sizeof(key), compare_keys) != NULL;
}

static enum slv_status
add_key(struct carla_keys *k, uint64_t key, struct slv_err *err)
{
	SLV_TRY(slv_grow(&k->at, &k->cap, k->n + 1, sizeof(*k->at), err));
	k->at[k->n++] = key;
	return SLV_OK;
}

/* The string at p[*at]; false: it is not one, or there is none. */
static bool
take_text(const uint8_t *p, size_t n, size_t *at, bool *plain)
{
	size_t len;

	if (n - *at < 2)
		return false;
	len = p[*at] | (size_t)p[*at + 1] << 8;
	*at += 2;
	if (n - *at < len)
		return false;
	for (size_t i = 0; i < len; i++)
		*plain &= p[*at + i] >= ' ' && p[*at + i] != 0x7f;
	*at += len;
	return true;
}

/* An actor that appears: what it is, where, and its attributes. */
static bool
take_actor(const uint8_t *p, size_t n, uint32_t vec, struct event *e)
{
	enum { TYPES = 6, SORTS = 4 }; /* the last of them */
	size_t at = e->at, fixed = 4 + 1 + 2 * (size_t)vec + 4;
	uint32_t attributes;

	if (n - at < fixed)
		return false;
	e->key = slv_get_le32(p + at);
	e->plain = p[at + 4] <= TYPES;
	at += fixed;
	if (!take_text(p, n, &at, &e->plain) || n - at < 2)
		return false;
	e->plain &= at > e->at + fixed + 2;
	attributes = p[at] | (uint32_t)p[at + 1] << 8;
	at += 2;
	for (uint32_t i = 0; i < attributes; i++) {
		if (at == n)
			return false;
		e->plain &= p[at++] <= SORTS;
		if (!take_text(p, n, &at, &e->plain)
		    || !take_text(p, n, &at, &e->plain))
			return false;
	}
	e->len = at - e->at;
	return true;
}

/* The event at e->at of the n bytes of a body. */
static bool
take_event(
    uint8_t id, uint32_t vec, const uint8_t *p, size_t n, struct event *e)
{
	if (id == CARLA_ADD)
		return take_actor(p, n, vec, e);
	e->len = id == CARLA_DEL ? 4 : 8;
	if (n - e->at < e->len)
		return false;
	e->plain = true;
	e->key = slv_get_le32(p + e->at);
	if (id == CARLA_PARENT)
		e->key = e->key << 32 | slv_get_le32(p + e->at + 4);
	return true;
}

static uint32_t
vector_len(enum carla_vectors v)
{
	return v == CARLA_F64 ? 24 : 12;
}

/* Whether the packet tells of events, and fits into memory. */
static bool
has_events(const struct carla_packet *p)
{
	return p->id >= CARLA_ADD && p->id <= CARLA_PARENT && p->n > 0
	    && p->len <= SLV_WINDOW_MAX;
}

/* Remember which actors a Position tells of. */
static enum slv_status
note_actors(
    struct slv_scan *s, const struct carla_packet *p, struct slv_err *err)
{
	struct carla_events *all = &carla_of(s)->events;
	const size_t len = (size_t)(p->len - 2) / p->n;
	const uint8_t *b;

	SLV_TRY(slv_window_view(&s->window, p->body, (size_t)p->len, &b, err));
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t id = slv_get_le32(b + 2 + i * len);
		uint8_t bit = (uint8_t)(1u << id % 8);

		if (id >= CARLA_ACTORS || all->seen[id / 8] & bit)
			continue;
		all->seen[id / 8] |= bit;
		SLV_TRY(slv_grow(&all->actors, &all->cap_actors,
		    all->n_actors + 1, sizeof(*all->actors), err));
		all->actors[all->n_actors++] =
		    (struct carla_actor){ id, p->body - CARLA_HEAD };
	}
	return SLV_OK;
}

enum slv_status
carla_event_note(struct slv_scan *s, const struct carla_packet *p,
    enum carla_vectors v, struct slv_err *err)
{
	struct carla_events *all = &carla_of(s)->events;
	struct event e = { .at = 2 };
	const uint8_t *b;

	if (p->id == CARLA_POSITION && p->n > 0)
		return note_actors(s, p, err);
	if (!has_events(p))
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, p->body, (size_t)p->len, &b, err));
	while (take_event(p->id, vector_len(v), b, (size_t)p->len, &e)) {
		SLV_TRY(add_key(&all->kept[p->id - CARLA_ADD], e.key, err));
		e.at += e.len;
	}
	return SLV_OK;
}

/* Whether every event of the packet can be. */
static enum slv_status
is_plain(struct slv_scan *s, const struct carla_packet *p, enum carla_vectors v,
    bool *yes, struct slv_err *err)
{
	struct event e = { .at = 2 };
	const uint8_t *b;

	*yes = has_events(p);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, p->body, (size_t)p->len, &b, err));
	while (take_event(p->id, vector_len(v), b, (size_t)p->len, &e)) {
		*yes &= e.plain;
		e.at += e.len;
	}
	return SLV_OK;
}

/* Packets of events that stand one behind the other from off on, up to `end`,
 * and whether that is enough to believe them. */
static enum slv_status
find_chain(struct slv_scan *s, uint64_t off, uint64_t end, enum carla_vectors v,
    struct carla_packet *out, size_t *n, struct slv_err *err)
{
	uint64_t at = off;
	unsigned found = 0;
	bool fits = true, sure = false;
	uint8_t id = 0;

	*n = 0;
	while (fits && slv_range_in(at, CARLA_HEAD, end) && found < 5) {
		struct carla_packet p = { .body = at + CARLA_HEAD };
		const uint8_t *b;

		SLV_TRY(slv_window_view(&s->window, at, CARLA_HEAD, &b, err));
		p.id = b[0];
		p.size = slv_get_le32(b + 1);
		fits = found == 0 || p.id == id + 1;
		id = p.id;
		if (fits)
			SLV_TRY(carla_packet_fit(s, &p, v, end, &fits, err));
		if (!fits)
			break;
		if (p.id == CARLA_ADD)
			SLV_TRY(is_plain(s, &p, v, &sure, err));
		if (p.id <= CARLA_PARENT)
			out[(*n)++] = p;
		found++;
		at = p.body + p.len;
	}
	if (found < CHAIN && !sure)
		*n = 0;
	return SLV_OK;
}

/* Whether the event is news: no frame that is kept tells of it, and one tells of
 * the actor. */
static bool
is_news(const struct carla_events *all, uint8_t id, const struct event *e)
{
	if (!e->plain || has_key(&all->kept[id - CARLA_ADD], e->key))
		return false;
	return id == CARLA_ADD
	    || has_key(
	        &all->kept[0], id == CARLA_PARENT ? e->key >> 32 : e->key);
}

/* Carry what is news in a packet of a lost frame. */
static enum slv_status
carry_packet(struct slv_scan *s, const struct carla_packet *p,
    enum carla_vectors v, size_t item, struct slv_err *err)
{
	struct carla_events *all = &carla_of(s)->events;
	struct carla_keys *keys = &all->kept[p->id - CARLA_ADD];
	struct event e = { .at = 2 };
	const uint8_t *b;

	if (!has_events(p)
	    || slv_ranges_hit(&s->source->unreadable, p->body, p->len))
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, p->body, (size_t)p->len, &b, err));
	for (; take_event(p->id, vector_len(v), b, (size_t)p->len, &e);
	     e.at += e.len) {
		if (!is_news(all, p->id, &e))
			continue;
		SLV_TRY(add_key(keys, e.key, err));
		slv_sort(keys->at, keys->n, sizeof(*keys->at), compare_keys);
		SLV_TRY(slv_grow(&all->carried, &all->cap_carried,
		    all->n_carried + 1, sizeof(*all->carried), err));
		all->carried[all->n_carried++] = (struct carla_carried){ item,
			p->id, p->body + e.at, e.len };
	}
	return SLV_OK;
}

/* Look through lost bytes for events, which go into the item. */
static enum slv_status
search(struct slv_scan *s, const struct slv_extent *x, size_t item,
    struct slv_err *err)
{
	enum carla_vectors v = (enum carla_vectors)carla_of(s)->dialect.vectors;
	uint64_t at = x->off, end = x->off + x->len;
	uint64_t budget = s->window.viewed + EFFORT * x->len + BASE;

	while (slv_range_in(at, CARLA_HEAD, end) && s->window.viewed < budget) {
		struct carla_packet found[CARLA_EVENTS];
		const uint8_t *b;
		size_t n = 0;

		SLV_TRY(slv_window_view(&s->window, at, CARLA_HEAD, &b, err));
		if (b[0] >= CARLA_ADD && b[0] <= CARLA_PARENT && b[4] == 0)
			SLV_TRY(find_chain(s, at, end, v, found, &n, err));
		for (size_t i = 0; i < n; i++)
			SLV_TRY(carry_packet(s, &found[i], v, item, err));
		at = n > 0 ? found[n - 1].body + found[n - 1].len : at + 1;
	}
	return SLV_OK;
}

static int
compare_carried(const void *p, const void *q)
{
	const struct carla_carried *a = p, *b = q;

	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

/* What goes into a frame, and where: its packets are handed out. */
struct target {
	struct slv_scan *scan;
	size_t item;
};

static enum slv_status
merge_into(void *ctx, const struct carla_packet *p, struct slv_err *err)
{
	const struct target *t = ctx;
	struct carla *c = carla_of(t->scan);
	struct carla_events *all = &c->events;
	struct carla_merge m = { p->body - CARLA_HEAD, p->id, p->size, p->n, 0,
		0 };
	uint64_t more = 0;

	for (size_t i = 0; i < all->n_carried; i++) {
		const struct carla_carried *e = &all->carried[i];

		if (e->item != t->item || e->id != p->id)
			continue;
		if (m.more++ == 0)
			m.first = i;
		more += e->len;
	}
	if (m.more == 0)
		return SLV_OK;
	m.n += (uint32_t)m.more;
	m.size += (uint32_t)more;
	if (m.n > UINT16_MAX || more > UINT32_MAX / 2)
		return SLV_OK;
	c->items[t->item].grown += more;
	SLV_TRY(slv_grow(&all->merges, &all->cap_merges, all->n_merges + 1,
	    sizeof(*all->merges), err));
	all->merges[all->n_merges++] = m;
	return carla_problem(t->scan, CARLA_P_CARRIED, m.packet, 0,
	    c->items[t->item].start.id, m.more, err);
}

/* Put what is carried into its frames. */
static enum slv_status
merge(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_of(s);
	struct carla_events *all = &c->events;
	size_t last = SIZE_MAX;

	slv_sort(all->carried, all->n_carried, sizeof(*all->carried),
	    compare_carried);
	for (size_t i = 0; i < all->n_carried; i++) {
		struct target t = { s, all->carried[i].item };
		const struct carla_frame *f;

		if (t.item == last)
			continue;
		last = t.item;
		SLV_TRY(carla_look(s, c->items[t.item].off, &f, err));
		SLV_TRY(carla_frame_packets(
		    s, c->items[t.item].off, f, merge_into, &t, err));
	}
	return SLV_OK;
}

/* Look through all that is lost. */
static enum slv_status
search_all(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_of(s);
	unsigned v = c->dialect.vectors;
	size_t item = 0;

	if (v == 0 || (v & (v - 1)) != 0)
		return SLV_OK;
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		while (item < c->n_items
		    && (c->items[item].off < x->off
		        || !c->items[item].is_frame))
			item++;
		if (item < c->n_items && x->fate == SLV_LOST)
			SLV_TRY(search(s, x, item, err));
	}
	return merge(s, err);
}

enum slv_status
carla_event_carry(struct slv_scan *s, struct slv_err *err)
{
	struct carla_events *all = &carla_of(s)->events;

	for (size_t i = 0; i < CARLA_EVENTS; i++)
		slv_sort(all->kept[i].at, all->kept[i].n, sizeof(uint64_t),
		    compare_keys);
	if (s->reference == NULL)
		SLV_TRY(search_all(s, err));
	for (size_t i = 0; i < all->n_actors; i++) {
		const struct carla_actor *a = &all->actors[i];

		if (!has_key(&all->kept[0], a->id))
			SLV_TRY(carla_problem(
			    s, CARLA_P_ACTOR, a->off, 0, 0, a->id, err));
	}
	return SLV_OK;
}

void
carla_events_free(struct carla_events *all)
{
	for (size_t i = 0; i < CARLA_EVENTS; i++)
		free(all->kept[i].at);
	free(all->actors);
	free(all->carried);
	free(all->merges);
}
