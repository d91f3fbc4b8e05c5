/* reading.c - which bytes of the input, in which order, are the log?
 *
 * Each try is a view on top of the best reading so far, so that a log that
 * begins twice may also have a seam.
 */
#include "job/readings/reading.h"

#include "core/plan/tee.h"
#include "job/readings/reading_ways.h"

/* The ways, in order; what one reading contains is also in the next. */
static const struct slv_reading_way ways[] = {
	{ "turned", slv_way_turned, SLV_FOR_LOSS, slv_way_turned_holds,
	    slv_way_turned_hear },
	{ "front", slv_way_front, SLV_FOR_LOSS, slv_way_front_holds, NULL },
	{ "last-beginning", slv_way_last_beginning, SLV_FOR_LOSS, NULL, NULL },
	{ "alone", slv_way_no_strangers, SLV_FOR_ALL, NULL, NULL },
	{ "whole-copy", slv_way_whole_copy, SLV_FOR_LOSS,
	    slv_way_whole_copy_holds, NULL },
	{ "seams", slv_way_seams, SLV_FOR_TEAR, slv_way_seams_hold,
	    slv_way_seams_hear },
	{ "seams", slv_way_hidden_seam, SLV_FOR_LOSS, slv_way_seams_hold,
	    slv_way_seams_hear },
	{ "copies", slv_way_copies, SLV_FOR_LOSS, slv_way_copies_hold, NULL },
	{ "seams", slv_way_torn_seams, SLV_FOR_TEAR, slv_way_seams_hold,
	    slv_way_seams_hear },
	{ "exchange", slv_way_exchange, SLV_FOR_LOSS, slv_way_exchange_holds,
	    NULL },
	{ "alone", slv_way_alone, SLV_FOR_ALL, NULL, NULL },
	{ "strays", slv_way_strays, SLV_FOR_ALL, slv_way_strays_hold, NULL },
};

#define WAYS (sizeof(ways) / sizeof(*ways))

/* Scan the present view, reading all of it; the hashes of the payloads go to
 * the audit. */
static enum slv_status
read_all(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	slv_scan_free(s);
	slv_hasher_free(&a->hasher);
	slv_pages_free(&a->pages);
	a->read = a->view.source != NULL ? a->view.source : a->input;
	SLV_TRY(slv_scan_run(s, a->read, a->formats, how, err));
	a->hasher = s->hasher;
	a->seal = s->seal;
	a->hasher.pages = NULL;
	a->pages = s->pages;
	s->hasher.buf = NULL; /* owned by the audit now, like the pages */
	s->pages = (struct slv_pages){ .zero = false };
	return SLV_OK;
}

/* Return true if a way may lead to a better reading. */
static bool
is_worth(const struct slv_reading_way *way, const struct slv_gain *o)
{
	bool loss = o->out > 0 || o->wanting;

	switch (way->use) {
	case SLV_FOR_LOSS: return o->recognised && loss;
	case SLV_FOR_TEAR: return o->recognised && (loss || o->torn);
	default: return o->recognised && !o->sound;
	}
}

/* The state of the tries. */
struct trial {
	struct slv_audit *a;
	struct slv_scan_options *how;
	struct slv_way_input in;
	struct slv_gain best;
	bool present; /* the audit's scan is of the best one */
};

/* Only the first scan writes the output early. */
static void
drop_tee(struct trial *t)
{
	if (t->how->tee != NULL)
		slv_tee_free(t->how->tee);
	t->how->tee = NULL;
}

/* Scan the best reading again, if another one was scanned after it. */
static enum slv_status
go_back(struct trial *t, struct slv_err *err)
{
	if (t->present)
		return SLV_OK;
	t->present = true;
	drop_tee(t);
	return read_all(t->a, t->how, err);
}

/* Scan the proposal of a way, and keep it if it is better. */
static enum slv_status
try_view(struct trial *t, const struct slv_reading_way *way,
    struct slv_view *view, bool *taken, struct slv_err *err)
{
	struct slv_audit *a = t->a;
	struct slv_view before = a->view;
	struct slv_scan_options how;
	struct slv_gain now;

	drop_tee(t);
	t->how->glance = false;
	a->view = *view;
	*view = before;
	t->present = false;
	how = *t->how;
	how.on_block = way->hear;
	how.on_block_ctx = &t->in;
	how.nameless = true;
	SLV_TRY(read_all(a, &how, err));
	a->scan.opt.on_block = NULL;
	a->scan.opt.nameless = t->how->nameless;
	now = slv_gain_of(&a->scan);
	*taken = now.recognised && (way->holds == NULL || way->holds(&t->in))
	    && (t->in.other_log
	        || slv_gain_is_better(&now, &t->best, t->in.mixed));
	slv_gain_note(a, way->name, &now, *taken);
	t->present = *taken;
	if (*taken) {
		t->in.sought = false;
		t->best = now;
		t->in.taken++;
		return SLV_OK;
	}
	slv_scan_free(&a->scan);
	before = a->view;
	a->view = *view;
	*view = before;
	a->read = a->view.source != NULL ? a->view.source : a->input;
	return SLV_OK;
}

/* Try the proposals of a way, until one is better. */
static enum slv_status
try_way(struct trial *t, const struct slv_reading_way *way, struct slv_err *err)
{
	bool any = true, taken = false;

	for (unsigned i = 0; !taken; i++) {
		struct slv_view view;
		enum slv_status st = slv_view_init(&view, err);

		if (i == 0)
			t->in.mixed = t->in.other_log = false;
		if (st == SLV_OK && i == 0)
			st = go_back(t, err);
		/* A disk may have failed in between. */
		any = st == SLV_OK && (i > 0 || t->a->scan.format != NULL);
		if (any)
			st = way->make(&t->in, i, &view, &any, err);
		t->present = t->present && !t->in.spoilt;
		t->in.spoilt = false;
		if (st == SLV_OK && any)
			st =
			    slv_view_open(&view, t->a->input, &t->a->view, err);
		if (st == SLV_OK && any)
			st = try_view(t, way, &view, &taken, err);
		slv_view_free(&view);
		SLV_TRY(st);
		if (!any)
			break;
	}
	return SLV_OK;
}

enum slv_status
slv_reading_choose(
    struct slv_audit *a, struct slv_audit_options *opt, struct slv_err *err)
{
	struct trial t = {
		.a = a,
		.how = &opt->scan,
		.in = { .audit = a, .opt = opt },
		.present = true,
	};
	enum slv_status st = read_all(a, t.how, err);

	if (st == SLV_OK)
		t.best = slv_gain_of(&a->scan);
	for (size_t i = 0; i < WAYS && st == SLV_OK; i++) {
		if (is_worth(&ways[i], &t.best))
			st = try_way(&t, &ways[i], err);
	}
	if (st == SLV_OK)
		st = go_back(&t, err);
	return st;
}

const struct slv_catalog *
slv_reading_catalog(const struct slv_audit *a)
{
	return a->view.source != NULL ? &a->of_input : &a->scan.catalog;
}

enum slv_status
slv_reading_tell(struct slv_audit *a, struct slv_err *err)
{
	const struct slv_view *v = &a->view;
	struct slv_problems *all = &a->scan.problems;

	if (v->source == NULL)
		return SLV_OK;
	for (size_t i = 0; i < all->n; i++)
		slv_view_range(v, &all->at[i].off, &all->at[i].len);
	for (size_t i = 0; i < v->n_why; i++)
		SLV_TRY(slv_problems_add(all, &v->why[i], err));
	return slv_view_catalog(
	    v, &a->scan.catalog, a->input->size, &a->of_input, err);
}
