/* cyber_stray.c - is a whole message, or a section, in the wrong place?
 *
 * The head of a body says how many bytes of messages follow, and the header of the
 * chunk how many messages.  So where nothing is torn and one message was put in, one
 * chunk holds too much, by just that message; where it was taken from another chunk,
 * that one lacks it.  A section that was put into a body is followed by the rest of
 * its messages.
 */
#include <stdlib.h>
#include <string.h>

#include "core/readings/stray_names.h"
#include "formats/cyber/judge/cyber_twice.h"
#include "formats/cyber/read/cyber_walk.h"

#define LISTED ((uint64_t)1 << 20) /* messages of a chunk, at most */

/* The messages of a chunk. */
static enum slv_status
list(struct cyber_walk *w, const struct cyber_walked *c,
    struct cyber_places *out, struct slv_err *err)
{
	const struct cyber_run run = { c->data, c->end - c->data };

	return cyber_list_run(w->scan, &run, out, err);
}

static uint64_t
step_back(const struct cyber_places *p, size_t from, size_t to)
{
	uint64_t a = p->at[from].time, b = p->at[to].time;

	return a > b ? a - b : 0;
}

/* How much farther time goes back with messages [i, i + k) than without them, in
 * ns. */
static uint64_t
go_back(const struct cyber_places *p, size_t i, size_t k)
{
	uint64_t with = 0, without = 0;

	for (size_t x = i > 0 ? i : 1; x <= i + k && x < p->n; x++)
		with += step_back(p, x - 1, x);
	if (i > 0 && i + k < p->n)
		without = step_back(p, i - 1, i + k);
	return with > without ? with - without : 0;
}

/* Where messages of a time belong in a chunk that lacks them. */
static enum slv_status
place_in(struct cyber_walk *w, const struct cyber_walked *c, uint64_t time,
    uint64_t *to, struct slv_err *err)
{
	struct cyber_places p = { 0 };
	enum slv_status st = list(w, c, &p, err);

	*to = c->end;
	for (size_t i = 0; i < p.n && *to == c->end; i++) {
		if (p.at[i].time > time)
			*to = p.at[i].off;
	}
	slv_free(p.at);
	return st;
}

static bool
is_within(uint64_t time, const struct cyber_claim *claim)
{
	return time >= claim->begin && time <= claim->end;
}

/* Messages [i, i + k) of a list, with sums over them. */
struct stretch {
	const struct cyber_places *p;
	const struct cyber_claim *claim;
	size_t i, k;
	uint64_t raw;
	size_t alien; /* of other times than the header of the chunk has */
	size_t all;   /* ... of all messages */
};

static void
stretch_add(struct stretch *x, size_t i)
{
	x->raw += x->p->at[i].content;
	x->alien += !is_within(x->p->at[i].time, x->claim);
}

static struct stretch
stretch_first(
    const struct cyber_places *p, size_t k, const struct cyber_claim *c)
{
	struct stretch x = { .p = p, .claim = c, .k = k };

	for (size_t i = 0; i < p->n; i++)
		x.all += !is_within(p->at[i].time, c);
	for (size_t i = 0; i < k; i++)
		stretch_add(&x, i);
	return x;
}

static bool
stretch_next(struct stretch *x)
{
	if (x->i + x->k >= x->p->n)
		return false;
	stretch_add(x, x->i + x->k);
	x->raw -= x->p->at[x->i].content;
	x->alien -= !is_within(x->p->at[x->i].time, x->claim);
	x->i++;
	return true;
}

/* Propose the messages of a list that are as many and as long as those that the
 * chunk has too much, and of the times that it has too much. */
static enum slv_status
propose_from(struct cyber_walk *w, const struct cyber_places *p,
    struct slv_strays *out, struct slv_err *err)
{
	const struct cyber_walked *c = &w->more, *less = &w->less;
	uint64_t bytes = c->end - c->data - c->size;
	size_t k = (size_t)(c->messages - c->claim.messages);
	struct stretch y = stretch_first(p, k, &c->claim);

	do {
		struct slv_stray x = { p->at[y.i].off, p->at[y.i + k - 1].end,
			p->at[y.i].off, 0, 0 };
		uint64_t time = p->at[y.i].time;

		if (x.end - x.off != bytes || y.raw != c->raw - c->claim.raw
		    || y.alien != y.all
		    || (w->n_less > 0 && !is_within(time, &less->claim)))
			continue;
		x.odd = go_back(p, y.i, k);
		if (w->n_less > 0)
			SLV_TRY(place_in(w, less, time, &x.to, err));
		slv_strays_add(out, &x);
	} while (stretch_next(&y));
	return SLV_OK;
}

/* Whether the chunk that has too little lacks what the other one has too much. */
static bool
is_exchange(const struct cyber_walked *more, const struct cyber_walked *less)
{
	return more->messages - more->claim.messages
	    == less->claim.messages - less->messages
	    && more->raw - more->claim.raw == less->claim.raw - less->raw
	    && more->end - more->data - more->size
	    == less->size - (less->end - less->data);
}

static enum slv_status
propose_messages(
    struct cyber_walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct cyber_walked *c = &w->more;
	struct cyber_places p = { 0 };
	enum slv_status st;

	if (c->messages > LISTED
	    || c->messages - c->claim.messages > c->messages / 2
	    || (w->n_less > 0 && !is_exchange(c, &w->less)))
		return SLV_OK;
	st = list(w, c, &p, err);
	if (st == SLV_OK && p.n == c->messages)
		st = propose_from(w, &p, out, err);
	slv_free(p.at);
	return st;
}

/* Messages between sections: a chunk lacks them, or index and header count none
 * of them. */
static enum slv_status
propose_loose(struct cyber_walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(w->scan);
	const struct cyber_walked *less = &w->less;
	struct slv_stray x = { w->loose.off, w->loose.end, w->loose.off, 0, 0 };
	const struct cyber_run run = { x.off, x.end - x.off };
	struct cyber_places p = { 0 };
	uint64_t raw = 0, total = 0, time;
	enum slv_status st = cyber_list_run(w->scan, &run, &p, err);
	bool counted = cyber_total(c, &total), fits;

	for (size_t i = 0; i < p.n; i++)
		raw += p.at[i].content;
	time = p.n > 0 ? p.at[0].time : 0;
	slv_free(p.at);
	SLV_TRY(st);
	fits = w->n_less > 0 && less->messages + p.n == less->claim.messages
	    && less->raw + raw == less->claim.raw
	    && less->end - less->data + x.end - x.off == less->size;
	if (fits)
		SLV_TRY(place_in(w, less, time, &x.to, err));
	else if (w->n_less > 0 || (counted && w->messages != total + p.n)
	    || (!counted && !w->headed))
		return SLV_OK;
	slv_strays_add(out, &x);
	return SLV_OK;
}

/* Whether an entry of the index is of the section that is inside a chunk. */
static enum slv_status
is_entry_of(struct cyber_walk *w, const struct cyber_entry *e, bool *yes,
    struct slv_err *err)
{
	const struct cyber_section *k = &w->inner;
	const struct cyber *c = cyber_of(w->scan);
	const uint8_t *p;

	*yes = e->type == k->found;
	if (!*yes)
		return SLV_OK;
	if (k->found == CYBER_CHUNK_HEADER) {
		*yes = memcmp(&e->claim, &k->claim, sizeof(e->claim)) == 0;
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(w->scan->window,
	    w->amid.off + CYBER_SECTION + k->decl.name, k->decl.name_len, &p,
	    err));
	*yes = e->spec.name_len == k->decl.name_len
	    && memcmp(p, c->texts.at + e->spec.name, e->spec.name_len) == 0;
	return SLV_OK;
}

/* Where the index has the section, which is in the file once; the end of the last
 * section: it has none such. */
static enum slv_status
place_section(struct cyber_walk *w, uint64_t *to, struct slv_err *err)
{
	const struct cyber *c = cyber_of(w->scan);
	bool yes = false;

	for (size_t i = 0; i < c->n_entries && i < w->n_sections; i++) {
		SLV_TRY(is_entry_of(w, &c->entries[i], &yes, err));
		*to = w->sections[i];
		if (yes)
			return SLV_OK;
	}
	*to = w->amid.off;
	return SLV_OK;
}

/* Whether another chunk has the header of the one that is inside messages. */
static bool
is_copy(const struct cyber_walk *w)
{
	const struct cyber *c = cyber_of(w->scan);
	size_t n = 0;

	for (size_t i = 0; i < c->n_items; i++)
		n += c->items[i].kind == CYBER_IS_CHUNK && c->items[i].claims
		    && memcmp(&c->items[i].claim, &w->inner.claim,
		           sizeof(w->inner.claim))
		        == 0;
	return n > 1;
}

/* A section inside messages: the index has one less of its kind, or it belongs
 * between two others. */
static enum slv_status
propose_section(
    struct cyber_walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(w->scan);
	enum cyber_type kind = w->inner.found;
	struct slv_stray x = { w->amid.off, w->amid.end, w->amid.off, 1, 0 };
	size_t n = 0;

	for (size_t i = 0; i < c->n_entries; i++)
		n += c->entries[i].type == kind;
	if (!c->index_whole || c->index_end == c->index) {
		out->more = true; /* only a copy may be left out */
		if (kind == CYBER_CHANNEL || !is_copy(w))
			x.to = w->outer;
	} else if (w->n_kind[kind] == n) {
		SLV_TRY(place_section(w, &x.to, err));
	} else if (w->n_kind[kind] != n + 1) {
		return SLV_OK;
	}
	slv_strays_add(out, &x);
	return SLV_OK;
}

/* Sections between sections, as the index names them; a chunk is one unit. */
static enum slv_status
list_sections(struct cyber_walk *w, struct slv_naming *x, struct slv_err *err)
{
	const struct cyber *c = cyber_of(w->scan);

	for (size_t i = 0; i + 1 < w->n_sections; i++) {
		struct slv_placed one = { w->sections[i], w->sections[i + 1],
			true, { 0 } };
		struct cyber_section k;

		SLV_TRY(cyber_look_section(w->scan, one.off, &k, err));
		one.key[0] = k.type;
		if (k.type == CYBER_CHUNK_HEADER && ++i + 1 < w->n_sections)
			one.end = w->sections[i + 1];
		SLV_TRY(slv_naming_unit(x, &one, err));
	}
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct cyber_entry *e = &c->entries[i];
		const struct slv_name one = { e->position, { e->type, 0 } };

		if (e->type != CYBER_CHUNK_BODY)
			SLV_TRY(slv_naming_name(x, &one, err));
	}
	return SLV_OK;
}

/* Each chunk holds what it says, and the index has one less, or in another place. */
static enum slv_status
propose_listed(
    struct cyber_walk *w, struct slv_strays *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(w->scan);
	uint64_t stated = w->scan->base + c->head.v[CYBER_INDEX_POSITION];
	struct slv_naming x = { .n = 0 };
	enum slv_status st;

	if (!c->index_whole || c->index_ends || c->index_end == c->index
	    || !c->head.whole || stated > c->index)
		return SLV_OK;
	st = list_sections(w, &x, err);
	if (st == SLV_OK && stated < c->index)
		st = slv_naming_surplus(
		    &x, c->index - stated, UINT64_MAX, out, err);
	else if (st == SLV_OK)
		st = slv_naming_turned(&x, out, err);
	slv_naming_free(&x);
	return st;
}

/* Whether a chunk is not as its header says, or not where the index has it. */
static bool
seems_odd(const struct cyber *c)
{
	if (c->index_whole && c->index_end > c->index && !c->index_holds)
		return true;
	for (size_t i = 0; i < c->n_items; i++) {
		if (c->items[i].kind == CYBER_IS_CHUNK && !c->items[i].stays)
			return true;
	}
	return false;
}

enum slv_status
cyber_strays(struct slv_scan *s, struct slv_strays *out, struct slv_err *err)
{
	struct cyber_walk w = { .scan = s };
	enum slv_status st;

	if (!seems_odd(cyber_of(s)))
		return SLV_OK;
	st = cyber_walk(&w, err);
	if (st == SLV_OK && w.tidy
	    && w.n_amid + w.n_runs + w.n_more + w.n_less == 0)
		st = propose_listed(&w, out, err);
	if (st != SLV_OK || !w.tidy || w.n_amid > 1 || w.n_runs > 1
	    || w.n_more > 1 || w.n_less > 1
	    || w.n_amid + w.n_runs + w.n_more != 1)
		goto out;
	if (w.n_amid == 1 && w.n_less == 0)
		st = propose_section(&w, out, err);
	if (w.n_runs == 1)
		st = propose_loose(&w, out, err);
	if (w.n_more == 1)
		st = propose_messages(&w, out, err);
out:
	cyber_walk_free(&w);
	return st;
}
