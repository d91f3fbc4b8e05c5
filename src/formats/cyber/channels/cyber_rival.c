/* cyber_rival.c - declarations of a channel that contradict each other: which
 * is right?
 *
 * Every channel is declared in a section and again in the index, where readers
 * look.  A flipped bit in one of the two gives the channel another type, or another
 * description.
 */
#include <stdio.h>

#include "base/list.h"
#include "base/text/count.h"
#include "formats/cyber/channels/cyber_schema.h"
#include "formats/cyber/cyber_state.h"

#define VERSIONS 8 /* of one channel that are distinguished */

/* Bytes of descriptions that are judged, in all; after that only declarations
 * are counted. */
#define EFFORT  ((uint64_t)64 << 20)

#define CONTEXT 20 /* bytes quoted before a difference */

/* A declaration. */
struct voice {
	uint32_t channel;
	bool indexed;
	struct cyber_spec *spec;
	bool *stays; /* what it is in is as it was */
};

/* The evidence for a version, the strongest first. */
enum weight {
	BY_FIT,   /* how much of type and description fit each other */
	BY_TEXT,  /* whether a type is a name */
	BY_PLACE, /* whether zeros are there, or an index that is damaged */
	BY_VOTES, /* how many declarations have this version */
	BY_KIN,   /* whether another record of the robot has it */
	WEIGHTS,
};

/* The part of a declaration that is judged. */
enum part { TYPE, DESC };

static const char *const reasons[][WEIGHTS] = {
	[TYPE] = {
		[BY_FIT] = "the type that the channel's description has",
		[BY_TEXT] = "the one that is a name",
		[BY_PLACE] = "where less is damaged",
		[BY_VOTES] = "as most declarations say",
		[BY_KIN] = "as another record of the robot says",
	},
	[DESC] = {
		[BY_FIT] = "the one that has the channel's type and can be "
		           "read from end to end",
		[BY_PLACE] = "where less is damaged",
		[BY_VOTES] = "as most declarations say",
		[BY_KIN] = "as another record of the robot says",
	},
};

/* Declarations with the same type, or with the same description. */
struct version {
	const struct voice *first; /* one of them, if possible of the index */
	unsigned weights[WEIGHTS];
};

/* The declarations of one channel. */
struct rivals {
	struct slv_scan *scan;
	struct voice *voices;
	size_t n;
	enum part part; /* that is being settled */
	struct version versions[VERSIONS];
	size_t n_versions;
	uint64_t *effort; /* that is left */
};

static struct slv_span
type_of(const struct cyber *c, const struct cyber_spec *spec)
{
	return (struct slv_span){ c->texts.at + spec->type, spec->type_len };
}

/* Whether declarations a of record c and b of record d have the same part. */
static bool
says_same(enum part part, const struct cyber *c, const struct cyber_spec *a,
    const struct cyber *d, const struct cyber_spec *b)
{
	return part == TYPE ? slv_span_same(type_of(c, a), type_of(d, b))
	                    : a->desc_len == b->desc_len && a->hash == b->hash;
}

/* The version of declaration b of record d; NULL: none of those that are
 * distinguished. */
static struct version *
version_of(struct rivals *x, const struct cyber *d, const struct cyber_spec *b)
{
	const struct cyber *c = cyber_of(x->scan);

	for (size_t k = 0; k < x->n_versions; k++) {
		if (says_same(x->part, c, x->versions[k].first->spec, d, b))
			return &x->versions[k];
	}
	return NULL;
}

/* Find the versions of the part. */
static void
find_versions(struct rivals *x)
{
	const struct cyber *c = cyber_of(x->scan);

	x->n_versions = 0;
	for (size_t i = 0; i < x->n; i++) {
		const struct voice *voice = &x->voices[i];
		struct version *v = version_of(x, c, voice->spec);

		if (v == NULL && x->n_versions == VERSIONS)
			continue;
		if (v == NULL) {
			v = &x->versions[x->n_versions++];
			*v = (struct version){ .first = voice };
		}
		v->weights[BY_VOTES]++;
		if (voice->indexed && !v->first->indexed)
			v->first = voice;
	}
}

/* How much a description fits a type. */
static enum slv_status
judge(struct rivals *x, const struct cyber_spec *desc,
    const struct cyber_spec *type, unsigned *out, struct slv_err *err)
{
	struct cyber_schema schema = { .root = SIZE_MAX };
	enum cyber_fit fit = CYBER_FIT_NONE;
	enum slv_status st;

	*out = 0;
	if (desc->desc_len > CYBER_DESC_MAX || desc->desc_len > *x->effort)
		return SLV_OK;
	*x->effort -= desc->desc_len;
	st = cyber_desc_load(x->scan, desc, &schema.desc, err);
	if (st == SLV_OK)
		st = cyber_schema_read(
		    &schema, type_of(cyber_of(x->scan), type), &fit, err);
	cyber_schema_free(&schema);
	*out = (unsigned)fit;
	return st;
}

/* Overwritten bytes damage more than a bit: one of two versions has zeros, or other
 * entries of the index are damaged. */
static enum slv_status
weigh_places(struct rivals *x, struct slv_err *err)
{
	const struct cyber *c = cyber_of(x->scan);
	struct version *v = x->versions;
	struct cyber_difference d = { 0 };

	if (x->part == DESC && x->n_versions == 2
	    && v[0].first->spec->desc_len <= *x->effort) {
		*x->effort -= v[0].first->spec->desc_len;
		SLV_TRY(cyber_desc_compare(
		    x->scan, v[0].first->spec, v[1].first->spec, &d, err));
	}
	for (size_t i = 0; i < x->n_versions; i++)
		v[i].weights[BY_PLACE] = 2 - (i < 2 && d.zeros[i])
		    - (v[i].first->indexed && !c->index_whole);
	return SLV_OK;
}

/* How well a version fits the other part of any declaration, at best. */
static enum slv_status
weigh_version(struct rivals *x, struct version *v, struct slv_err *err)
{
	const struct cyber *c = cyber_of(x->scan);
	enum part other = x->part == TYPE ? DESC : TYPE;
	const struct cyber_spec *own = v->first->spec, *last = NULL;

	v->weights[BY_TEXT] =
	    x->part == DESC || cyber_schema_name(type_of(c, own));
	for (size_t i = 0; i < x->n; i++) {
		const struct cyber_spec *spec = x->voices[i].spec;
		unsigned fit;

		if (last != NULL && says_same(other, c, last, c, spec))
			continue;
		last = spec;
		SLV_TRY(judge(x, x->part == TYPE ? spec : own,
		    x->part == TYPE ? own : spec, &fit, err));
		if (fit > v->weights[BY_FIT])
			v->weights[BY_FIT] = fit;
	}
	return SLV_OK;
}

/* The evidence that decides between a and b; WEIGHTS: none.  *better: a wins. */
static enum weight
compare(const struct version *a, const struct version *b, bool *better)
{
	unsigned w = 0;

	while (w < WEIGHTS && a->weights[w] == b->weights[w])
		w++;
	*better = w < WEIGHTS ? a->weights[w] > b->weights[w]
	                      : a->first->indexed > b->first->indexed;
	return (enum weight)w;
}

static struct version *
find_best(struct rivals *x)
{
	struct version *best = &x->versions[0];
	bool better;

	for (size_t i = 1; i < x->n_versions; i++) {
		(void)compare(&x->versions[i], best, &better);
		if (better)
			best = &x->versions[i];
	}
	return best;
}

/* Whether another version is as good. */
static bool
is_undecided(const struct rivals *x, const struct version *best)
{
	bool better;

	for (size_t i = 0; i < x->n_versions; i++) {
		if (&x->versions[i] != best
		    && compare(best, &x->versions[i], &better) == WEIGHTS)
			return true;
	}
	return false;
}

/* Ask other records of the robot, until one has one of the versions. */
static enum slv_status
ask_kin(struct rivals *x, struct slv_err *err)
{
	struct cyber *c = cyber_edit(x->scan);
	struct cyber_channel *ch = &c->channels[x->voices[0].channel];
	struct cyber_kin kin = { .name = {
		                     c->texts.at + ch->name, ch->name_len } };
	struct version *v;

	ch->contested = true;
	for (;;) {
		SLV_TRY(cyber_kin_next(x->scan, &kin, err));
		if (kin.scan == NULL)
			return SLV_OK;
		v = version_of(x, cyber_of(kin.scan), kin.spec);
		if (v == NULL)
			continue;
		v->weights[BY_KIN] = 1;
		ch->contested = false;
		cyber_kin_used(x->scan, &kin);
		return SLV_OK;
	}
}

/* Quote a type; of a long one, the part that begins near the difference. */
static void
quote_type(struct slv_span type, size_t differs, char *out)
{
	static const char lead[] = "the type ";
	const size_t room = SLV_SAYS_MAX - sizeof(lead);
	char text[CYBER_NAME_MAX + sizeof(lead)];
	size_t from =
	    type.len > room && differs > CONTEXT ? differs - CONTEXT : 0;
	int n = snprintf(text, sizeof(text), "%s%s%.*s", lead,
	    from > 0 ? "..." : "", (int)(type.len - from),
	    (const char *)type.at + from);

	slv_problem_quote(out, text, n > 0 ? (size_t)n : 0);
}

/* Quote both declarations. */
static enum slv_status
quote(const struct rivals *x, const struct cyber_spec *here,
    const struct cyber_spec *there, struct slv_problem *p, struct slv_err *err)
{
	const struct cyber *c = cyber_of(x->scan);
	struct slv_span a = type_of(c, here), b = type_of(c, there);
	struct cyber_difference d = { 0 };
	uint64_t at = 0;

	slv_problem_quote(p->name, c->texts.at + here->name, here->name_len);
	p->len = x->part == TYPE ? a.len : here->desc_len;
	if (x->part == TYPE) {
		while (at < a.len && at < b.len && a.at[at] == b.at[at])
			at++;
		quote_type(a, (size_t)at, p->here);
		quote_type(b, (size_t)at, p->there);
		return SLV_OK;
	}
	SLV_TRY(cyber_desc_compare(x->scan, here, there, &d, err));
	snprintf(p->here, sizeof(p->here),
	    "a description of %s bytes that differs from byte %s on",
	    slv_count(here->desc_len).text, slv_count(d.from + 1).text);
	snprintf(p->there, sizeof(p->there), "one of %s bytes",
	    slv_count(there->desc_len).text);
	return SLV_OK;
}

/* Let a declaration say what the best one does; a description that is written
 * where another stood is no copy of what is elsewhere. */
static enum slv_status
take_over(struct rivals *x, struct voice *v, const struct cyber_spec *best,
    struct slv_err *err)
{
	struct cyber_spec *spec = v->spec;

	*v->stays = false;
	if (x->part == TYPE) {
		spec->type = best->type;
		spec->type_len = best->type_len;
		return SLV_OK;
	}
	spec->desc = best->desc;
	spec->desc_len = best->desc_len;
	spec->hash = best->hash;
	spec->held = best->held;
	if (spec->desc_len > *x->effort)
		return SLV_OK;
	*x->effort -= spec->desc_len;
	return cyber_desc_hold(cyber_edit(x->scan), x->scan, spec, err);
}

/* Raise a declaration that says something else than the best one. */
static enum slv_status
report(struct rivals *x, const struct voice *voice, const struct version *best,
    bool undecided, struct slv_err *err)
{
	const struct version *v = version_of(x, cyber_of(x->scan), voice->spec);
	struct slv_problem p = {
		.info = &cyber_problems[undecided ? CYBER_P_UNDECIDED
		                                  : CYBER_P_CHANNEL_WRONG],
		.off = voice->spec->at,
		.want = best->first->spec->at,
	};
	bool better;

	if (!undecided && v != NULL)
		p.why = reasons[x->part][compare(best, v, &better)];
	SLV_TRY(quote(x, voice->spec, best->first->spec, &p, err));
	return slv_problems_add(&x->scan->problems, &p, err);
}

/* Raise every declaration that says something else, and put it right. */
static enum slv_status
conclude(struct rivals *x, struct slv_err *err)
{
	const struct cyber *c = cyber_of(x->scan);
	const struct version *best = find_best(x);
	const struct cyber_spec *right = best->first->spec;
	bool undecided = is_undecided(x, best);

	/* Either declaration may be theirs. */
	if (undecided)
		x->scan->units_unsure = slv_min64(x->scan->units_kept,
		    x->scan->units_unsure
		        + c->channels[x->voices[0].channel].messages);
	for (size_t i = 0; i < x->n; i++) {
		if (!says_same(x->part, c, x->voices[i].spec, c, right))
			SLV_TRY(report(x, &x->voices[i], best, undecided, err));
	}
	for (size_t i = 0; i < x->n; i++) {
		if (!says_same(x->part, c, x->voices[i].spec, c, right))
			SLV_TRY(take_over(x, &x->voices[i], right, err));
	}
	return SLV_OK;
}

/* Settle the type, or the description, of a channel. */
static enum slv_status
settle_part(struct rivals *x, enum part part, struct slv_err *err)
{
	x->part = part;
	find_versions(x);
	if (x->n_versions < 2)
		return SLV_OK;
	for (size_t i = 0; i < x->n_versions; i++)
		SLV_TRY(weigh_version(x, &x->versions[i], err));
	SLV_TRY(weigh_places(x, err));
	if (is_undecided(x, find_best(x)))
		SLV_TRY(ask_kin(x, err));
	return conclude(x, err);
}

/* Where declarations are gathered. */
struct voices {
	const struct cyber *cyber;
	struct voice *at;
	size_t n;
};

/* Add one, if its channel is known. */
static void
add_voice(struct voices *to, struct voice v)
{
	const uint8_t *name = to->cyber->texts.at + v.spec->name;

	if (cyber_channel_known(to->cyber, name, v.spec->name_len, &v.channel))
		to->at[to->n++] = v;
}

static void
gather(struct cyber *c, struct voices *to)
{
	for (size_t i = 0; i < c->n_items; i++) {
		struct cyber_item *item = &c->items[i];

		if (item->kind == CYBER_IS_CHANNEL)
			add_voice(to,
			    (struct voice){
			        .spec = &item->spec,
			        .stays = &item->stays,
			    });
	}
	for (size_t i = 0; i < c->n_entries; i++) {
		struct cyber_entry *e = &c->entries[i];

		if (e->type == CYBER_CHANNEL)
			add_voice(to,
			    (struct voice){
			        .spec = &e->spec,
			        .stays = &c->index_stays,
			        .indexed = true,
			    });
	}
}

/* By channel, then in the order of the file. */
SLV_ORDER2(compare_voices, struct voice, channel, spec->at)

/* Mark the channels of another type here and there, before any is settled. */
static void
mark_doubts(struct cyber *c, const struct voices *all)
{
	for (size_t i = 1; i < all->n; i++) {
		const struct voice *a = &all->at[i - 1], *b = &all->at[i];

		if (a->channel == b->channel
		    && !says_same(TYPE, c, a->spec, c, b->spec))
			c->channels[a->channel].doubted = true;
	}
}

/* Settle what all declarations say, which are in order. */
static enum slv_status
settle_all(struct slv_scan *s, struct voices *all, struct slv_err *err)
{
	uint64_t effort = EFFORT;
	struct rivals x = { .scan = s, .effort = &effort };

	for (size_t i = 0; i < all->n; i += x.n) {
		x.voices = all->at + i;
		for (x.n = 1; i + x.n < all->n
		     && x.voices[x.n].channel == x.voices[0].channel;)
			x.n++;
		SLV_TRY(settle_part(&x, DESC, err));
		SLV_TRY(settle_part(&x, TYPE, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_settle(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	size_t n = c->n_items + c->n_entries;
	struct voices all = { .cyber = c };
	enum slv_status st;

	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_new(&all.at, n, sizeof(*all.at), err));
	gather(c, &all);
	slv_sort(all.at, all.n, sizeof(*all.at), compare_voices);
	mark_doubts(c, &all);
	st = settle_all(s, &all, err);
	slv_free(all.at);
	return st;
}
