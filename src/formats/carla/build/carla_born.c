/* carla_born.c - actors that appear in a broken packet.
 *
 * An actor's record is recognised without the packet around it.  But where
 * bytes are missing or repeated, a record can begin as one actor and end as
 * another, and looks like any.  The records around it show that.
 */
#include "base/bytes.h"
#include "base/fnv.h"
#include "base/list.h"
#include "formats/carla/carla_state.h"
#include "formats/carla/read/carla_event.h"

#define HEAD   (CARLA_HEAD + 2)  /* bytes: the head of a list packet */
#define ID     4                 /* bytes: the number of an actor */
#define STRIDE ((size_t)1 << 12) /* bytes read at once */

/* Numbers of actors in one log: at most so many times the largest known one,
 * plus so many. */
#define FAR  4
#define NEAR 256

/* A record. */
struct born {
	uint64_t off, len; /* in the input */
	uint64_t actor;
	uint64_t hash; /* of the whole record */
	bool repeats;  /* what follows it was there before */
	bool loose;    /* nothing confirms one of its ends */
	bool headless; /* ... for its beginning */
	bool out;      /* it is not trusted */
};

/* Records that follow each other. */
struct row {
	struct born *at; /* owned; in order */
	size_t n, cap;
	struct born **by_actor; /* owned; the same sorted by actor */
	size_t cap_by_actor;
};

/* The actor at off, recognised without its packet; *yes: there is one. */
static enum slv_status
read_actor(struct slv_scan *s, uint64_t off, uint64_t end, enum carla_vectors v,
    struct carla_record *e, bool *yes, struct slv_err *err)
{
	size_t n = (size_t)slv_min64(end - off, CARLA_RECORD_HEAD);
	const uint8_t *b;

	SLV_TRY(slv_window_view(s->window, off, n, &b, err));
	*yes = carla_record_is_actor(b, n, v);
	if (*yes)
		SLV_TRY(
		    carla_record_read(s, CARLA_ADD, v, off, end, e, yes, err));
	*yes = *yes && e->plain;
	return SLV_OK;
}

static enum slv_status
hash_of(struct slv_scan *s, uint64_t off, uint64_t len, uint64_t *hash,
    struct slv_err *err)
{
	*hash = SLV_FNV;
	for (uint64_t at = 0; at < len; at += STRIDE) {
		size_t n = (size_t)slv_min64(STRIDE, len - at);
		const uint8_t *b;

		SLV_TRY(slv_window_view(s->window, off + at, n, &b, err));
		*hash = slv_fnv(*hash, b, n);
	}
	return SLV_OK;
}

enum slv_status
carla_born_form(struct slv_scan *s, uint64_t off, uint64_t len, uint64_t *form,
    struct slv_err *err)
{
	return hash_of(s, off + ID, len - ID, form, err);
}

/* All that follow each other from off on; *next: after them. */
static enum slv_status
read_row(struct slv_scan *s, uint64_t off, uint64_t end, enum carla_vectors v,
    struct row *r, uint64_t *next, struct slv_err *err)
{
	struct carla_record e = { .len = 0 };
	bool yes = true;

	*next = off;
	for (;;) {
		struct born x = { .off = *next };

		SLV_TRY(read_actor(s, *next, end, v, &e, &yes, err));
		if (!yes)
			return SLV_OK;
		x.len = e.len;
		x.actor = e.key;
		SLV_TRY(hash_of(s, x.off, x.len, &x.hash, err));
		SLV_TRY(SLV_ADD_AT(r, err, x));
		*next += e.len;
	}
}

static int
compare_actors(const void *p, const void *q)
{
	const struct born *a = *(struct born *const *)p;
	const struct born *b = *(struct born *const *)q;

	if (a->actor != b->actor)
		return a->actor < b->actor ? -1 : 1;
	return (a->off > b->off) - (a->off < b->off);
}

static enum slv_status
sort_row(struct row *r, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &r->by_actor, &r->cap_by_actor, r->n, sizeof(struct born *), err));
	for (size_t i = 0; i < r->n; i++)
		r->by_actor[i] = &r->at[i];
	slv_sort(r->by_actor, r->n, sizeof(struct born *), compare_actors);
	return SLV_OK;
}

/* Note what precedes an actor that was there before, n times in a row: where a
 * range is repeated it goes back to such an actor. */
static void
judge_actor(
    const struct carla_events *all, struct row *r, struct born **one, size_t n)
{
	for (size_t i = carla_event_adds(all, one[0]->actor) ? 0 : 1; i < n;
	     i++) {
		if (one[i] > r->at)
			one[i][-1].repeats = true;
	}
}

/* Leave out the joined ones of an actor's n records.  A record before a
 * repeated range begins as one record and ends as another, if a later record of
 * the same actor differs.  Returns true if any is left. */
static bool
leave_torn(struct born **one, size_t n)
{
	const struct born *last = one[n - 1];
	bool alike = true, any = false;

	/* From the end, where it is known if all later ones are equal. */
	for (size_t i = n; i-- > 0;) {
		struct born *x = one[i];

		alike &= x->hash == last->hash && x->len == last->len;
		x->out |= x->repeats && !alike;
		any |= !x->out;
	}
	return any;
}

/* The records of one actor, from i on. */
static size_t
count_same(const struct row *r, size_t i)
{
	size_t n = 1;

	while (
	    i + n < r->n && r->by_actor[i + n]->actor == r->by_actor[i]->actor)
		n++;
	return n;
}

/* Return true if the number of an actor is far above all known numbers: a simulator counts
 * actors. */
static bool
is_far(const struct carla_events *all, uint64_t actor)
{
	const struct carla_keys *k = &all->kept[0];
	uint64_t most = k->n > 0 ? k->at[k->n - 1] : 0;

	return actor > FAR * slv_max64(most, all->last) + NEAR;
}

/* If nothing confirms the beginning of the first record, it may be the end of another.
 * It is left out if no frame states a position of its actor, and its number is impossible
 * or not below the next one, or an equal actor exists, or the next actor is known. */
static enum slv_status
judge_first(struct slv_scan *s, struct row *r, struct slv_err *err)
{
	const struct carla_events *all = &carla_of(s)->events;
	struct born *x = &r->at[0];
	const uint8_t *b;
	uint64_t form;

	if (x->off >= HEAD) {
		SLV_TRY(
		    slv_window_view(s->window, x->off - HEAD, HEAD, &b, err));
		if (b[0] == CARLA_ADD && b[4] == 0)
			return SLV_OK;
	}
	x->loose = x->headless = true;
	if (carla_event_tells(all, x->actor))
		return SLV_OK;
	SLV_TRY(carla_born_form(s, x->off, x->len, &form, err));
	x->out |= is_far(all, x->actor) || carla_event_formed(all, form)
	    || (r->n > 1
	        && (r->at[1].actor <= x->actor
	            || carla_event_adds(all, r->at[1].actor)));
	return SLV_OK;
}

/* Find those that are not trusted; returns how many actors are left. */
static size_t
judge_row(const struct carla_events *all, struct row *r)
{
	size_t left = 0;

	for (size_t i = 0, n; i < r->n; i += n) {
		n = count_same(r, i);
		judge_actor(all, r, r->by_actor + i, n);
	}
	for (size_t i = 0, n; i < r->n; i += n) {
		n = count_same(r, i);
		left += leave_torn(r->by_actor + i, n);
	}
	return left;
}

/* Return true if an EventDel begins at off, as after every EventAdd. */
static enum slv_status
is_del(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const uint8_t *b;

	*yes = slv_range_in(off, HEAD, s->source->size);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, HEAD, &b, err));
	*yes = b[0] == CARLA_DEL
	    && slv_get_le32(b + 1) == 2 + 4 * (uint32_t)slv_get_le16(b + 5);
	return SLV_OK;
}

/* Return true if the row of n actors, which ends at `end`, can be trusted.
 *
 * If they fill a possible EventAdd, and neither its count nor its size is
 * theirs, bytes are missing between them, and one begins as one and ends as
 * another.
 *
 * If the last one ends in a zero, and a zero follows, zeros may have been
 * written over the rest of it. */
static enum slv_status
weigh(struct slv_scan *s, struct row *r, size_t n, uint64_t end, bool *yes,
    struct slv_err *err)
{
	uint64_t off = r->at[0].off, size, count;
	const uint8_t *b;
	bool ends;

	*yes = true;
	SLV_TRY(is_del(s, end, &ends, err));
	r->at[r->n - 1].loose |= !ends;
	if (!ends && slv_range_in(end, 1, s->source->size)) {
		SLV_TRY(slv_window_view(s->window, end - 1, 2, &b, err));
		r->at[r->n - 1].out |= b[0] == 0 && b[1] == 0;
	}
	if (!ends || off < HEAD)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off - HEAD, HEAD, &b, err));
	size = slv_get_le32(b + 1);
	count = slv_get_le16(b + CARLA_HEAD);
	*yes = b[0] != CARLA_ADD || size > s->source->size
	    || size / CARLA_RECORD_MIN < count || count == n
	    || size == end - off + 2;
	return SLV_OK;
}

/* The receiver for it. */
static carla_record_fn
take(const struct carla_takers *to, const struct born *x)
{
	if (x->headless)
		return to->headless;
	return x->loose ? to->loose : to->sure;
}

/* Report those that are trusted. */
static enum slv_status
hand_out(struct slv_scan *s, uint64_t end, enum carla_vectors v,
    const struct row *r, const struct carla_takers *to, struct slv_err *err)
{
	struct carla_record e;
	bool yes;

	for (size_t i = 0; i < r->n; i++) {
		if (r->at[i].out)
			continue;
		SLV_TRY(carla_record_read(
		    s, CARLA_ADD, v, r->at[i].off, end, &e, &yes, err));
		SLV_TRY(take(to, &r->at[i])(to->ctx, r->at[i].off, &e, err));
	}
	return SLV_OK;
}

enum slv_status
carla_born_each(struct slv_scan *s, uint64_t off, uint64_t end,
    enum carla_vectors v, const struct carla_takers *to, uint64_t *next,
    struct slv_err *err)
{
	struct row r = { .n = 0 };
	enum slv_status st = read_row(s, off, end, v, &r, next, err);
	bool yes = r.n > 0;
	size_t left;

	if (st == SLV_OK && yes)
		st = sort_row(&r, err);
	if (st == SLV_OK && yes)
		st = judge_first(s, &r, err);
	if (st == SLV_OK && yes) {
		left = judge_row(&carla_of(s)->events, &r);
		st = weigh(s, &r, left, *next, &yes, err);
	}
	if (st == SLV_OK && yes && to != NULL)
		st = hand_out(s, end, v, &r, to, err);
	*next = slv_max64(*next, off + 1);
	slv_free(r.at);
	slv_free(r.by_actor);
	return st;
}
