/* mcap_donor.c - take lost channels and schemas from another file of the same robot.
 *
 * The channel with the same number is taken, if its messages are as long and as frequent
 * as those of the lost one, and if no other topic of the donor is like that.  Nothing is
 * taken if anything shows that the files number channels differently, or if nothing shows
 * that they number them alike.  A schema is taken with its channel, or for a channel that
 * both files declare alike.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "support/offer.h"

#define LOST_MAX  256 /* channels */
#define ALIKE_MIN 2   /* channels that show that both number alike */

/* Whether a schema has another meaning in the donor. */
enum meaning { UNCOMPARED, SAME, OTHER };

struct exchange {
	struct slv_scan *scan;
	const struct mcap *here, *there;
	size_t *decls;            /* owned; of the donor, one for each offer */
	struct slv_offer *offers; /* owned */
	size_t n;
	enum meaning *schemas; /* owned; by number: many channels share one */
	size_t alike;          /* channels that have the same number in both */
};

/* A channel that is lost. */
struct lost {
	const struct exchange *x;
	size_t decl;
	struct slv_want want;
};

/* The whole record of a declaration, with the number in it. */
static struct slv_span
record_of(const struct mcap *m, const struct mcap_decl *d)
{
	return (struct slv_span){ m->texts.at + d->text, d->len };
}

/* The schema with a number, if it is declared. */
static const struct mcap_decl *
schema_of(const struct mcap *m, uint16_t id)
{
	size_t i = id == 0 ? MCAP_NONE : mcap_decl_find(m, MCAP_SCHEMA, id);

	return i != MCAP_NONE && m->decls[i].declared ? &m->decls[i] : NULL;
}

static enum meaning
compare_schemas(const struct exchange *x, uint16_t id)
{
	const struct mcap_decl *a = schema_of(x->here, id);
	const struct mcap_decl *b = schema_of(x->there, id);

	return a == NULL || b == NULL
	        || slv_span_same(record_of(x->here, a), record_of(x->there, b))
	    ? SAME
	    : OTHER;
}

/* Whether a schema has another meaning in the donor.  Asked first before anything is
 * taken. */
static bool
is_other_schema(const struct exchange *x, uint16_t id)
{
	if (x->schemas[id] == UNCOMPARED)
		x->schemas[id] = compare_schemas(x, id);
	return x->schemas[id] == OTHER;
}

/* Whether the messages of both may be of one channel, by their lengths. */
static bool
is_as_long(const struct mcap_decl *d, const struct mcap_decl *o)
{
	if (o->least == o->most || d->least == d->most)
		return d->least == o->least && d->most == o->most;
	return d->least >= o->least / 2 && d->most / 2 <= o->most;
}

static bool
fits(const void *lost, size_t offer)
{
	const struct lost *l = lost;
	const struct mcap_decl *d = &l->x->here->decls[l->decl];
	const struct mcap_decl *o = &l->x->there->decls[l->x->decls[offer]];
	const struct slv_use ours = { d->n, d->from, d->to };
	const struct slv_use theirs = { o->n, o->from, o->to };

	return o->n > 0 && is_as_long(d, o) && slv_use_alike(&ours, &theirs)
	    && !is_other_schema(l->x, o->schema);
}

/* List what the donor declares; true: the files number channels differently. */
static bool
read_offers(struct exchange *x)
{
	const struct mcap *m = x->here;
	bool odd = false;

	for (size_t i = 0; i < x->there->n_decls; i++) {
		const struct mcap_decl *d = &x->there->decls[i];
		size_t same = mcap_decl_find(m, d->op, d->id);
		bool here = same != MCAP_NONE && m->decls[same].declared;
		struct slv_offer *o = &x->offers[x->n];

		if (!d->declared || d->contested || d->op != MCAP_CHANNEL
		    || !mcap_decl_is_usable(x->there, d))
			continue;
		*o = (struct slv_offer){ .number = d->id,
			.name = mcap_decl_text(x->there, d, MCAP_NAME),
			.readable = d->n > 0,
			.here = here };
		x->decls[x->n++] = i;
		if (!here)
			continue;
		if (slv_span_same(
		        mcap_decl_text(m, &m->decls[same], MCAP_NAME), o->name)
		    && m->decls[same].schema == d->schema
		    && !is_other_schema(x, d->schema))
			x->alike++;
		else
			odd = true;
	}
	return odd;
}

/* Add the donor's declaration to this file. */
static enum slv_status
take(struct exchange *x, const struct mcap_decl *d, struct slv_err *err)
{
	struct slv_span text = record_of(x->there, d);
	const struct mcap_bytes b = { NULL, text.at, text.len };
	struct mcap *m = mcap_edit(x->scan);
	struct mcap_record r;
	enum mcap_read read;
	size_t i;

	SLV_TRY(mcap_record_get(&b, 0, &r, &read, err));
	SLV_TRY(mcap_decl_get(x->scan, d->op, d->id, &i, err));
	SLV_TRY(mcap_declare(x->scan, &b, 0, &r, 0, false, false, err));
	/* No record of this file declares it. */
	m->decls[i].recorded = false;
	m->decls[i].late = true;
	return SLV_OK;
}

static enum slv_status
take_schema(struct exchange *x, uint16_t id, struct slv_err *err)
{
	const struct mcap_decl *there = schema_of(x->there, id);

	return there == NULL || schema_of(x->here, id) != NULL
	    ? SLV_OK
	    : take(x, there, err);
}

/* Take lost schemas of channels that both files declare alike. */
static enum slv_status
take_schemas(struct exchange *x, struct slv_err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct mcap_decl *o = &x->there->decls[x->decls[i]];
		size_t same = mcap_decl_find(x->here, MCAP_CHANNEL, o->id);
		bool lost = x->offers[i].here
		    && !mcap_decl_is_usable(x->here, &x->here->decls[same]);

		if (!lost)
			continue;
		SLV_TRY(take_schema(x, o->schema, err));
		x->scan->taken++;
	}
	return SLV_OK;
}

static enum slv_status
settle(struct exchange *x, const struct lost *lost, size_t n, bool odd,
    struct slv_err *err)
{
	for (size_t i = 0; i < n; i++) {
		odd |= slv_want_is_odd(&lost[i].want, x->offers);
		x->alike += lost[i].want.fits;
	}
	if (odd || x->alike < ALIKE_MIN)
		return mcap_problem(
		    x->scan, MCAP_P_DONOR_ODD, 0, 0, n, x->alike, err);
	SLV_TRY(take_schemas(x, err));
	for (size_t i = 0; i < n; i++) {
		const struct mcap_decl *d = &x->here->decls[lost[i].decl];
		const struct mcap_decl *o;

		if (!slv_want_is_met(&lost[i].want)) {
			x->scan->refused++;
			SLV_TRY(mcap_problem(x->scan, MCAP_P_DONOR_UNSURE,
			    d->need_off, 0, d->id, lost[i].want.n, err));
			continue;
		}
		o = &x->there->decls[x->decls[lost[i].want.own]];
		SLV_TRY(take_schema(x, o->schema, err));
		SLV_TRY(take(x, o, err));
		x->scan->taken++;
	}
	return SLV_OK;
}

static enum slv_status
exchange(struct exchange *x, struct slv_err *err)
{
	bool odd = read_offers(x), wanting = false;
	struct lost lost[LOST_MAX];
	size_t n = 0;

	for (size_t i = 0; i < x->here->n_decls && n < LOST_MAX; i++) {
		const struct mcap_decl *d = &x->here->decls[i];

		wanting |=
		    d->op == MCAP_CHANNEL && !mcap_decl_is_usable(x->here, d);
		if (d->op != MCAP_CHANNEL || d->declared || d->n == 0)
			continue;
		lost[n] = (struct lost){
			.x = x, .decl = i, .want = { .number = d->id }
		};
		slv_want_weigh(&lost[n].want, x->offers, x->n, fits, &lost[n]);
		n++;
	}
	return wanting ? settle(x, lost, n, odd, err) : SLV_OK;
}

enum slv_status
mcap_take(struct slv_scan *s, struct slv_err *err)
{
	struct exchange x = { .scan = s, .here = mcap_of(s) };
	enum slv_status st;

	s->taken = s->refused = 0;
	if (s->opt.donor == NULL || s->opt.donor->format != s->format
	    || s->reference != NULL)
		return SLV_OK;
	x.there = mcap_of(s->opt.donor);
	SLV_TRY(slv_new(&x.offers, x.there->n_decls, sizeof(*x.offers), err));
	st = slv_new(&x.decls, x.there->n_decls, sizeof(*x.decls), err);
	if (st == SLV_OK)
		st = slv_new(
		    &x.schemas, UINT16_MAX + 1, sizeof(*x.schemas), err);
	if (st == SLV_OK)
		st = exchange(&x, err);
	slv_free(x.offers);
	slv_free(x.decls);
	slv_free(x.schemas);
	return st;
}
