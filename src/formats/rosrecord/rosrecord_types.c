/* rosrecord_types.c - the definition of each topic, and what contradicts it.
 *
 * Every message names its topic and type, like the definition.  So one that
 * contradicts all others is damaged, and the others correct it.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/rosrecord/rosrecord_state.h"

/* The topics that have a definition of their own, by its type and then by their
 * number. */
struct defined {
	const struct rosrec_topic **at; /* owned */
	size_t n;
};

static int
compare_types(const void *x, const void *y)
{
	const struct rosrec_topic *const *p = x, *const *q = y;

	if ((*p)->type != (*q)->type)
		return (*p)->type < (*q)->type ? -1 : 1;
	return (*p > *q) - (*p < *q);
}

static enum slv_status
list_defined(const struct rosrec *b, struct defined *d, struct slv_err *err)
{
	SLV_TRY(slv_new(&d->at, b->n_topics, sizeof(*d->at), err));
	for (size_t i = 0; i < b->n_topics; i++) {
		if (b->topics[i].def_own)
			d->at[d->n++] = &b->topics[i];
	}
	slv_sort(d->at, d->n, sizeof(*d->at), compare_types);
	return SLV_OK;
}

/* The first topic that has a definition of this type. */
static const struct rosrec_topic *
same_type(const struct defined *d, uint64_t type)
{
	struct slv_search f = { .high = d->n };

	while (slv_search(&f))
		slv_search_on(&f, d->at[f.mid]->type < type);
	return f.low < d->n && d->at[f.low]->type == type ? d->at[f.low] : NULL;
}

/* Return true if each topic has a definition of its own, which two topics of
 * one type show. */
static bool
defines_each(const struct rosrec *b, const struct defined *d)
{
	for (size_t i = 1; i < d->n; i++) {
		if (d->at[i - 1]->type == d->at[i]->type)
			return true;
	}
	return b->with_index;
}

static enum slv_status
topic_problem(struct slv_scan *s, unsigned row, const struct rosrec_topic *t,
    struct slv_err *err)
{
	struct slv_problem p = {
		.info = &rosrec_problems[row],
		.off = t->like,
		.got = t->n,
	};

	slv_problem_quote(
	    p.name, rosrec_of(s)->names.at + t->name, t->name_len);
	return slv_problems_add(&s->problems, &p, err);
}

/* Find the definition of a topic without one. */
static enum slv_status
find_definition(struct slv_scan *s, const struct defined *d,
    struct rosrec_topic *t, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	const struct rosrec_topic *other = same_type(d, t->type);

	if (other != NULL && t->n == 1 && b->each) {
		b->index_stays = false;
		return topic_problem(s, ROSREC_P_TOPIC, t, err);
	}
	if (other != NULL) {
		t->def = other->def;
		t->def_len = other->def_len;
		t->def_of = other->def_of;
		t->usable = true;
		/* The first writer declared a type once for all topics. */
		if (!b->each)
			return SLV_OK;
	}
	b->index_stays = false;
	return topic_problem(
	    s, other != NULL ? ROSREC_P_DEF_MADE : ROSREC_P_NO_DEF, t, err);
}

/* How many messages of each topic have the definition's type, and one other
 * type. */
struct votes {
	uint64_t with, against, other;
	bool mixed; /* they name several others */
};

static void
count_votes(struct rosrec *b, struct votes *all)
{
	for (size_t i = 0; i < b->n_items; i++) {
		const struct rosrec_item *item = &b->items[i];
		struct rosrec_topic *t = &b->topics[item->topic];
		struct votes *v = &all[item->topic];

		if (item->is_def || item->drop)
			continue;
		if (t->like == 0)
			t->like = item->off;
		if (!t->def_own && t->type == 0)
			t->type = item->type;
		if (item->type == t->type) {
			v->with++;
			continue;
		}
		v->mixed |= v->against > 0 && v->other != item->type;
		v->other = item->type;
		v->against++;
	}
}

/* Decide about a message or a definition that differs from its topic. */
static enum slv_status
settle_item(struct slv_scan *s, struct rosrec_item *item, const struct votes *v,
    struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	struct rosrec_topic *t = &b->topics[item->topic];
	bool outvoted = v->with == 0 && v->against > 1 && !v->mixed;

	if (item->drop || !t->usable)
		return SLV_OK;
	if (item->is_def) {
		if (!outvoted || item->off != t->def)
			return SLV_OK;
		t->def_wrong = true;
		item->fixes |= ROSREC_FIX_TYPE;
		b->index_stays = false;
		return rosrec_problem(
		    s, ROSREC_P_DEF_WRONG, item->off, item->len, 0, 0, err);
	}
	if (item->type == t->type || outvoted)
		return SLV_OK;
	item->fixes |= ROSREC_FIX_TYPE;
	b->index_stays = false;
	s->absent |= v->with == 0;
	return rosrec_problem(s,
	    v->with == 0 ? ROSREC_P_TYPE : ROSREC_P_MESSAGE, item->off,
	    item->len, 0, 0, err);
}

/* Find the definitions of topics that have none of their own. */
static enum slv_status
settle_topics(struct slv_scan *s, const struct votes *all,
    const struct defined *d, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	b->each = defines_each(b, d);
	for (size_t i = 0; i < b->n_topics; i++) {
		struct rosrec_topic *t = &b->topics[i];

		t->usable = t->def_own;
		if (t->usable || t->n == 0)
			continue;
		/* The type of its first message may be the damaged one. */
		if (all[i].against > 0 && same_type(d, t->type) == NULL)
			t->type = all[i].other;
		SLV_TRY(find_definition(s, d, t, err));
	}
	return SLV_OK;
}

static enum slv_status
settle(struct slv_scan *s, struct votes *all, struct defined *d,
    struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	count_votes(b, all);
	SLV_TRY(list_defined(b, d, err));
	SLV_TRY(settle_topics(s, all, d, err));
	for (size_t i = 0; i < b->n_items; i++)
		SLV_TRY(
		    settle_item(s, &b->items[i], &all[b->items[i].topic], err));
	return SLV_OK;
}

enum slv_status
rosrec_settle_types(struct slv_scan *s, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	struct defined d = { .n = 0 };
	struct votes *all;
	enum slv_status st;

	if (b->n_topics == 0)
		return SLV_OK;
	SLV_TRY(slv_new(&all, b->n_topics, sizeof(*all), err));
	st = settle(s, all, &d, err);
	slv_free(d.at);
	slv_free(all);
	return st;
}
