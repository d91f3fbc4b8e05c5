/* carla_event.c - actors that appear, vanish and are attached. */
#include "formats/carla/read/carla_event.h"

#include "base/bytes.h"
#include "base/list.h"
#include "formats/carla/judge/carla_own.h"

#define CHAIN  3  /* packets in a row that confirm each other */
#define EFFORT 16 /* looks at a lost byte, on average */
#define BASE   ((uint64_t)1 << 20) /* bytes that may always be looked at */
#define STRIDE ((uint64_t)1 << 16) /* bytes searched at once */

static int
compare_keys(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return *a < *b ? -1 : *a > *b;
}

static bool
has_key(const struct carla_keys *k, uint64_t key)
{
	return slv_find_sorted(&key, k->at, k->n, sizeof(key), compare_keys)
	    != NULL;
}

bool
carla_event_adds(const struct carla_events *all, uint64_t actor)
{
	return has_key(&all->kept[0], actor);
}

bool
carla_event_formed(const struct carla_events *all, uint64_t form)
{
	return has_key(&all->forms, form);
}

bool
carla_event_tells(const struct carla_events *all, uint64_t actor)
{
	return actor < CARLA_ACTORS
	    && (all->seen[actor / 8] >> actor % 8 & 1) != 0;
}

static enum slv_status
add_key(struct carla_keys *k, uint64_t key, struct slv_err *err)
{
	return SLV_ADD_AT(k, err, key);
}

/* The same into keys that are in order already. */
static enum slv_status
insert_key(struct carla_keys *k, uint64_t key, struct slv_err *err)
{
	size_t low = 0, high = k->n;

	SLV_TRY(add_key(k, key, err));
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (k->at[mid] < key)
			low = mid + 1;
		else
			high = mid;
	}
	memmove(
	    k->at + low + 1, k->at + low, (k->n - 1 - low) * sizeof(*k->at));
	k->at[low] = key;
	return SLV_OK;
}

void
carla_event_forget(struct carla_events *all, uint8_t id, uint64_t key)
{
	struct carla_keys *k = &all->kept[id - CARLA_ADD];
	uint64_t *at =
	    slv_find_sorted(&key, k->at, k->n, sizeof(key), compare_keys);

	if (at == NULL)
		return;
	k->n--;
	memmove(at, at + 1, (size_t)(k->at + k->n - at) * sizeof(*at));
}

/* Remember the actors in a Position packet. */
static enum slv_status
note_actors(
    struct slv_scan *s, const struct carla_packet *p, struct slv_err *err)
{
	struct carla_events *all = &carla_edit(s)->events;
	const size_t len = (size_t)(p->len - 2) / p->n;
	const uint8_t *b;

	SLV_TRY(slv_window_view(s->window, p->body, (size_t)p->len, &b, err));
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t id = slv_get_le32(b + 2 + i * len);
		uint8_t bit = (uint8_t)(1u << id % 8);

		if (id >= CARLA_ACTORS || all->seen[id / 8] & bit)
			continue;
		all->seen[id / 8] |= bit;
		if (id > all->last)
			all->last = id;
		SLV_TRY(SLV_ADD(all, actors, err,
		    (struct carla_actor){ id, p->body - CARLA_HEAD }));
	}
	return SLV_OK;
}

/* Whose records are noted. */
struct noting {
	struct slv_scan *scan;
	uint8_t id; /* of their packet */
};

static enum slv_status
note_key(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	const struct noting *n = ctx;
	struct carla_events *all = &carla_edit(n->scan)->events;
	uint64_t form;

	SLV_TRY(add_key(&all->kept[n->id - CARLA_ADD], e->key, err));
	if (n->id != CARLA_ADD)
		return SLV_OK;
	SLV_TRY(carla_born_form(n->scan, off, e->len, &form, err));
	return add_key(&all->forms, form, err);
}

enum slv_status
carla_event_note(struct slv_scan *s, const struct carla_packet *p,
    enum carla_vectors v, struct slv_err *err)
{
	struct noting n = { s, p->id };

	if (p->id == CARLA_POSITION && p->n > 0)
		return note_actors(s, p, err);
	if (!carla_record_in(p))
		return SLV_OK;
	return carla_record_each(s, p, v, note_key, &n, err);
}

/* Packets of events that stand one after the other from off on, up to `end`,
 * and whether that is enough to believe them.  What is not followed by another
 * packet may end in zeros that were written over it, which only an EventAdd
 * would not fit then. */
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

		SLV_TRY(slv_window_view(s->window, at, CARLA_HEAD, &b, err));
		p.id = b[0];
		p.size = slv_get_le32(b + 1);
		fits = found == 0 || p.id == id + 1;
		id = p.id;
		if (fits)
			SLV_TRY(carla_packet_fit(s, &p, v, end, &fits, err));
		if (!fits)
			break;
		if (p.id == CARLA_ADD) {
			SLV_TRY(carla_frame_plain(s, &p, v, &sure, err));
			sure = sure && carla_record_in(&p);
		}
		if (p.id <= CARLA_PARENT)
			out[(*n)++] = p;
		found++;
		at = p.body + p.len;
	}
	if (found < CHAIN && !sure)
		*n = 0;
	if (*n == found && *n > 0 && out[*n - 1].id != CARLA_ADD)
		*n -= 1;
	return SLV_OK;
}

/* Whether the event is needed: no kept frame has it, and one mentions the
 * actor. */
static bool
is_news(
    const struct carla_events *all, uint8_t id, const struct carla_record *e)
{
	if (!e->plain || has_key(&all->kept[id - CARLA_ADD], e->key))
		return false;
	return id == CARLA_ADD
	    || has_key(
	        &all->kept[0], id == CARLA_PARENT ? e->key >> 32 : e->key);
}

/* Where events are carried to. */
struct carrier {
	struct slv_scan *scan;
	size_t item;
	uint8_t id; /* of their packet */
};

/* Carry the record, if it is news. */
static enum slv_status
carry(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	const struct carrier *to = ctx;
	struct carla_events *all = &carla_edit(to->scan)->events;
	struct carla_keys *keys = &all->kept[to->id - CARLA_ADD];
	uint64_t form;

	if (!is_news(all, to->id, e)
	    || slv_ranges_hit(&to->scan->source->unreadable, off, e->len))
		return SLV_OK;
	SLV_TRY(insert_key(keys, e->key, err));
	if (to->id == CARLA_ADD) {
		SLV_TRY(carla_born_form(to->scan, off, e->len, &form, err));
		SLV_TRY(insert_key(&all->forms, form, err));
	}
	return SLV_ADD(all, carried, err,
	    (struct carla_carried){
	        to->item, to->id, off, e->len, e->key, false });
}

static enum slv_status
carry_born(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	struct carrier *to = ctx;

	to->id = CARLA_ADD;
	return carry(to, off, e, err);
}

/* Note an actor that is to be carried if no better record of it is found. */
static enum slv_status
keep_loose(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	const struct carrier *to = ctx;
	struct carla_events *all = &carla_edit(to->scan)->events;

	return SLV_ADD(all, loose, err,
	    (struct carla_carried){
	        to->item, CARLA_ADD, off, e->len, e->key, false });
}

/* The same of one that may begin as another does. */
static enum slv_status
keep_headless(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	const struct carrier *to = ctx;
	struct carla_events *all = &carla_edit(to->scan)->events;

	SLV_TRY(keep_loose(ctx, off, e, err));
	all->loose[all->n_loose - 1].headless = true;
	return SLV_OK;
}

/* The first place in [from, end) where events may begin: a packet of them, or an
 * actor. */
static enum slv_status
find_events(struct slv_scan *s, uint64_t from, uint64_t end,
    enum carla_vectors v, uint64_t *out, struct slv_err *err)
{
	for (; from < end; from += STRIDE) {
		size_t n =
		    (size_t)slv_min64(end - from, STRIDE + CARLA_RECORD_HEAD);
		const uint8_t *b;

		SLV_TRY(slv_window_view(s->window, from, n, &b, err));
		for (size_t i = 0; i < n && i < STRIDE; i++) {
			bool packet = n - i >= CARLA_HEAD && b[i] >= CARLA_ADD
			    && b[i] <= CARLA_PARENT && b[i + 4] == 0;

			*out = from + i;
			if (packet || carla_record_is_actor(b + i, n - i, v))
				return SLV_OK;
		}
	}
	*out = end;
	return SLV_OK;
}

/* Carry the events in n packets that follow each other, if they are the log's
 * own. */
static enum slv_status
carry_packets(struct carla_own *own, struct carrier *to,
    const struct carla_packet *found, size_t n, struct slv_err *err)
{
	const struct carla_packet *last = &found[n - 1];
	uint32_t seen = 0;
	bool yes;

	for (size_t i = 0; i < n; i++)
		seen |= UINT32_C(1) << found[i].id;
	SLV_TRY(carla_own_holds(own, found[0].body - CARLA_HEAD,
	    last->body + last->len, seen, &yes, err));
	for (size_t i = 0; yes && i < n; i++) {
		to->id = found[i].id;
		SLV_TRY(carla_record_each(
		    own->scan, &found[i], own->vectors, carry, to, err));
	}
	return SLV_OK;
}

/* Carry the actors from `at` on, in a packet that is broken, if they are the log's
 * own; *next: where to look on. */
static enum slv_status
carry_actors(struct carla_own *own, struct carrier *to, uint64_t at,
    uint64_t *next, struct slv_err *err)
{
	const struct carla_takers all = { carry_born, keep_loose, keep_headless,
		to };
	bool yes;

	SLV_TRY(carla_born_each(
	    own->scan, at, own->end, own->vectors, NULL, next, err));
	SLV_TRY(carla_own_holds(
	    own, at, *next, UINT32_C(1) << CARLA_ADD, &yes, err));
	return yes ? carla_born_each(
	           own->scan, at, own->end, own->vectors, &all, next, err)
	           : SLV_OK;
}

/* Look through lost bytes for events, which go into the item. */
static enum slv_status
search(struct carla_own *own, size_t item, struct slv_err *err)
{
	struct slv_scan *s = own->scan;
	uint64_t at = own->off, end = own->end;
	uint64_t budget = s->window->viewed + EFFORT * (end - at) + BASE;
	struct carrier to = { .scan = s, .item = item };

	for (;;) {
		struct carla_packet found[CARLA_EVENTS];
		size_t n = 0;

		SLV_TRY(find_events(s, at, end, own->vectors, &at, err));
		if (at == end || s->window->viewed > budget)
			return SLV_OK;
		SLV_TRY(find_chain(s, at, end, own->vectors, found, &n, err));
		if (n == 0) {
			SLV_TRY(carry_actors(own, &to, at, &at, err));
			continue;
		}
		SLV_TRY(carry_packets(own, &to, found, n, err));
		at = found[n - 1].body + found[n - 1].len;
	}
}

/* Look through [off, end), which is lost. */
static enum slv_status
search_lost(struct slv_scan *s, uint64_t off, uint64_t end, size_t item,
    struct slv_err *err)
{
	const struct carla_frame *f;
	struct carla_own own;
	enum slv_status st;

	/* They were written as what follows was. */
	SLV_TRY(carla_look(s, carla_of(s)->items[item].off, &f, err));
	st = carla_own_open(&own, s, off, end, item, f->vectors, err);
	if (st == SLV_OK)
		st = search(&own, item, err);
	carla_own_close(&own);
	return st;
}

/* Whether a frame mentions an actor that no event creates. */
static bool
has_orphan(const struct carla_events *all)
{
	for (size_t i = 0; i < all->n_actors; i++) {
		if (!has_key(&all->kept[0], all->actors[i].id))
			return true;
	}
	return false;
}

/* Carry those of which nothing better was found.  Of two records that were joined
 * where bytes are missing, the first gives its number and the second, of which
 * frames tell, has lost its own. */
static enum slv_status
carry_loose(struct slv_scan *s, struct slv_err *err)
{
	const struct carla_events *all = &carla_edit(s)->events;
	bool orphan = all->n_loose > 0 && has_orphan(all);

	for (size_t i = 0; i < all->n_loose; i++) {
		const struct carla_carried *x = &all->loose[i];
		struct carrier to = { s, x->item, CARLA_ADD };
		const struct carla_frame *f;
		struct carla_record e;
		bool yes;

		if (x->headless && orphan && !carla_event_tells(all, x->key))
			continue;
		SLV_TRY(
		    carla_look(s, carla_of(s)->items[x->item].off, &f, err));
		SLV_TRY(carla_record_read(s, CARLA_ADD, f->vectors, x->off,
		    x->off + x->len, &e, &yes, err));
		if (yes)
			SLV_TRY(carry(&to, x->off, &e, err));
	}
	return SLV_OK;
}

/* Look through all that is lost. */
static enum slv_status
search_all(struct slv_scan *s, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	size_t item = 0;

	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];
		uint64_t end = x->off + x->len;

		while (item < c->n_items
		    && (c->items[item].off < x->off
		        || !c->items[item].is_frame))
			item++;
		if (item == c->n_items || x->fate != SLV_LOST)
			continue;
		while (i + 1 < s->catalog.n
		    && s->catalog.at[i + 1].fate == SLV_LOST)
			end += s->catalog.at[++i].len;
		SLV_TRY(search_lost(s, x->off, end, item, err));
	}
	SLV_TRY(carry_loose(s, err));
	return carla_event_merge(s, err);
}

enum slv_status
carla_event_carry(struct slv_scan *s, struct slv_err *err)
{
	struct carla_events *all = &carla_edit(s)->events;

	for (size_t i = 0; i < CARLA_EVENTS; i++)
		slv_sort(all->kept[i].at, all->kept[i].n, sizeof(uint64_t),
		    compare_keys);
	slv_sort(all->forms.at, all->forms.n, sizeof(uint64_t), compare_keys);
	if (s->reference == NULL && !(s->opt.reading & SLV_READ_UNCORRECTED))
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
		slv_free(all->kept[i].at);
	slv_free(all->forms.at);
	slv_free(all->loose);
	slv_free(all->actors);
	slv_free(all->carried);
	slv_free(all->merges);
}
