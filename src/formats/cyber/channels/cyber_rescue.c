/* cyber_rescue.c - channels that only the index declares: what declared them is
 * lost, or one of their two names was hit.
 */
#include <stdio.h>

#include "base/list.h"
#include "formats/cyber/cyber_state.h"

/* How a name was chosen of two. */
enum choice { OF_MESSAGES, OF_LETTERS, OF_KIN, OF_NOTHING };

static const char *const reasons[] = {
	[OF_MESSAGES] = "the one that messages have",
	[OF_LETTERS] = "the one of which every letter is one of a name",
	[OF_KIN] = "which another record of the robot declares",
	[OF_NOTHING] = NULL,
};

/* What was known before anything is rescued. */
struct rescue {
	struct slv_scan *scan;
	size_t n_items;    /* in order; of others no section is there */
	size_t n_channels; /* the index has the names of all others */
	size_t *entries;   /* owned; of each of these, how many have its name */
};

static struct slv_span
name_of(const struct cyber *c, const struct cyber_spec *spec)
{
	return (struct slv_span){ c->texts.at + spec->name, spec->name_len };
}

/* The channel of that name; NULL: nothing but the index has it. */
static struct cyber_channel *
channel_of(struct cyber *c, const struct cyber_spec *spec)
{
	struct slv_span name = name_of(c, spec);
	uint32_t i;

	return cyber_channel_known(c, name.at, name.len, &i) ? &c->channels[i]
	                                                     : NULL;
}

static uint64_t
messages_of(struct cyber *c, const struct cyber_spec *spec)
{
	const struct cyber_channel *ch = channel_of(c, spec);

	return ch != NULL ? ch->messages : 0;
}

/* Whether they differ in nothing but the name. */
static bool
is_alike(const struct cyber *c, struct cyber_spec a, const struct cyber_spec *b)
{
	a.name = b->name;
	a.name_len = b->name_len;
	return cyber_spec_same(c, &a, b);
}

/* The channel that is declared where the index says that `e` is; NULL: none. */
static struct cyber_item *
item_at(const struct rescue *x, const struct cyber_entry *e)
{
	struct cyber *c = cyber_edit(x->scan);
	size_t i =
	    SLV_FROM(struct cyber_item, off, c->items, x->n_items, e->position);
	struct cyber_item *item;

	if (x->n_items == 0)
		return NULL;
	item = &c->items[i > 0 ? i - 1 : 0];
	if (item->kind == CYBER_IS_CHANNEL && item->end == e->position
	    && is_alike(c, item->spec, &e->spec))
		return item;
	item = &c->items[i];
	return i < x->n_items && item->kind == CYBER_IS_CHANNEL
	        && item->off == e->position
	    ? item
	    : NULL;
}

/* How many entries have that name; NULL: only the index has it. */
static size_t *
entries_of(const struct rescue *x, const struct cyber_spec *spec)
{
	const struct cyber *c = cyber_of(x->scan);
	struct slv_span name = name_of(c, spec);
	uint32_t i;

	return cyber_channel_known(c, name.at, name.len, &i)
	        && i < x->n_channels
	    ? &x->entries[i]
	    : NULL;
}

/* Whether the index declares the channel of a section elsewhere. */
static bool
is_indexed(const struct rescue *x, const struct cyber_spec *spec)
{
	const size_t *n = entries_of(x, spec);

	return n == NULL || *n > 0;
}

/* Let an entry have the name that its section has. */
static void
rename_entry(const struct rescue *x, struct cyber_entry *e,
    const struct cyber_spec *spec)
{
	size_t *n = entries_of(x, &e->spec);

	if (n != NULL)
		--*n;
	e->spec.name = spec->name;
	e->spec.name_len = spec->name_len;
	n = entries_of(x, spec);
	if (n != NULL)
		++*n;
}

/* What is declared there is what the index says. */
static enum slv_status
rename_item(struct slv_scan *s, struct cyber_item *item,
    const struct cyber_entry *e, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	size_t at = (size_t)(item - c->items);
	struct slv_span name = name_of(c, &e->spec);
	struct cyber_channel *old = channel_of(c, &item->spec);
	struct slv_buf copy = { 0 };
	enum slv_status st;
	uint32_t channel;

	if (old != NULL && old->item == at)
		old->item = SIZE_MAX;
	item->spec = e->spec;
	item->stays = false;
	/* The texts may move while one is added. */
	slv_buf_add(&copy, name.at, name.len);
	st = copy.failed
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : cyber_channel_find(s, copy.at, copy.len, &channel, err);
	slv_buf_free(&copy);
	if (st == SLV_OK)
		c->channels[channel].item = at;
	return st;
}

/* Whether a name is made of what names are made of. */
static bool
is_plain(struct slv_span name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t b = name.at[i];

		if (!(b >= 'a' && b <= 'z') && !(b >= 'A' && b <= 'Z')
		    && !(b >= '0' && b <= '9')
		    && memchr("_/-.:~", b, 6) == NULL)
			return false;
	}
	return true;
}

/* Whether another record of the robot declares that name. */
static enum slv_status
is_kin(struct slv_scan *s, const struct cyber_spec *spec, bool *yes,
    struct slv_err *err)
{
	struct cyber_kin kin = { .name = name_of(cyber_of(s), spec) };

	SLV_TRY(cyber_kin_next(s, &kin, err));
	*yes = kin.scan != NULL;
	if (*yes)
		cyber_kin_used(s, &kin);
	return SLV_OK;
}

/* Two names of one channel, in the index and in its section: is that of the
 * index right, and what shows it? */
static enum slv_status
choose(struct slv_scan *s, const struct cyber_item *item,
    const struct cyber_entry *e, bool *indexed, enum choice *why,
    struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	bool plain = is_plain(name_of(c, &e->spec)), other;

	*indexed = messages_of(c, &e->spec) > 0;
	*why = OF_MESSAGES;
	if (*indexed || messages_of(c, &item->spec) > 0)
		return SLV_OK;
	*indexed = plain;
	*why = OF_LETTERS;
	if (plain != is_plain(name_of(c, &item->spec)))
		return SLV_OK;
	*why = OF_KIN;
	SLV_TRY(is_kin(s, &e->spec, indexed, err));
	SLV_TRY(is_kin(s, &item->spec, &other, err));
	if (*indexed != other)
		return SLV_OK;
	*indexed = true;
	*why = OF_NOTHING;
	return SLV_OK;
}

static void
quote_name(struct slv_span name, char *out)
{
	char text[CYBER_NAME_MAX + 16];
	int n = snprintf(text, sizeof(text), "the name %.*s", (int)name.len,
	    (const char *)name.at);

	slv_problem_quote(out, text, n > 0 ? (size_t)n : 0);
}

/* Let both places have one name. */
static enum slv_status
settle(const struct rescue *x, struct cyber_item *item, struct cyber_entry *e,
    struct slv_err *err)
{
	struct slv_scan *s = x->scan;
	struct cyber *c = cyber_edit(s);
	const struct cyber_spec *here = &item->spec, *there = &e->spec;
	struct slv_problem p = { .info = NULL };
	struct slv_span name;
	enum choice why;
	bool indexed;

	SLV_TRY(choose(s, item, e, &indexed, &why, err));
	if (!indexed) {
		here = &e->spec;
		there = &item->spec;
	}
	p.info = &cyber_problems[why == OF_NOTHING ? CYBER_P_UNDECIDED
	                                           : CYBER_P_CHANNEL_WRONG];
	p.why = reasons[why];
	p.off = here->at;
	p.len = here->name_len;
	p.want = there->at;
	name = name_of(c, there);
	slv_problem_quote(p.name, name.at, name.len);
	quote_name(name_of(c, here), p.here);
	quote_name(name, p.there);
	SLV_TRY(slv_problems_add(&s->problems, &p, err));
	if (indexed)
		return rename_item(s, item, e, err);
	rename_entry(x, e, &item->spec);
	c->index_stays = false;
	return SLV_OK;
}

/* The channel that an entry declares, of which no section is there. */
static enum slv_status
rescue(const struct rescue *x, size_t i, struct slv_err *err)
{
	struct slv_scan *s = x->scan;
	struct cyber *c = cyber_edit(s);
	struct cyber_entry *e = &c->entries[i];
	struct cyber_item *item = item_at(x, e);
	bool free_item = item != NULL && !is_indexed(x, &item->spec);

	/* Where messages have both names there are two. */
	if (free_item && is_alike(c, item->spec, &e->spec)
	    && (messages_of(c, &item->spec) == 0
	        || messages_of(c, &e->spec) == 0))
		return settle(x, item, e, err);
	if (item != NULL && messages_of(c, &item->spec) == 0
	    && channel_of(c, &e->spec) != NULL)
		SLV_TRY(rename_item(s, item, e, err));
	else
		SLV_TRY(cyber_declare_at(s, e->position, &e->spec, err));
	return cyber_problem(s, CYBER_P_CHANNEL_TAKEN, c->index,
	    c->index_end - c->index, i, e->claim.messages, err);
}

static void
count_entries(const struct rescue *x)
{
	const struct cyber *c = cyber_of(x->scan);

	for (size_t i = 0; i < c->n_entries; i++) {
		const struct cyber_entry *e = &c->entries[i];
		size_t *n =
		    e->type == CYBER_CHANNEL ? entries_of(x, &e->spec) : NULL;

		if (n != NULL)
			++*n;
	}
}

static enum slv_status
rescue_all(const struct rescue *x, struct slv_err *err)
{
	struct cyber *c = cyber_edit(x->scan);

	count_entries(x);
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct cyber_entry *e = &c->entries[i];
		const struct cyber_channel *ch;

		if (e->type != CYBER_CHANNEL)
			continue;
		ch = channel_of(c, &e->spec);
		if (ch == NULL || ch->item == SIZE_MAX)
			SLV_TRY(rescue(x, i, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_rescue(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct rescue x = {
		.scan = s,
		.n_items = c->n_items,
		.n_channels = c->n_channels,
		.entries = slv_calloc(c->n_channels + 1, sizeof(*x.entries)),
	};
	enum slv_status st = x.entries != NULL
	    ? rescue_all(&x, err)
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");

	slv_free(x.entries);
	return st;
}
