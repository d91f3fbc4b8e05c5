/* channels.c - the channels of a log, as readers see them. */
#include "job/read/channels.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

static int
compare_places(const void *p, const void *q)
{
	const struct slv_channel_place *a = p, *b = q;

	return (a->index > b->index) - (a->index < b->index);
}

uint32_t
slv_channels_find(const struct slv_channels *c, uint32_t index)
{
	struct slv_search f = { .high = c->n };

	while (slv_search(&f))
		slv_search_on(&f, c->by_index[f.mid].index < index);
	return f.low < c->n && c->by_index[f.low].index == index
	    ? c->by_index[f.low].place
	    : UINT32_MAX;
}

static const char *
text_of(const char *text)
{
	return text != NULL ? text : "";
}

/* What the driver lists. */
static void
take_about(struct slv_channels *c, size_t i, struct slv_pair *pairs)
{
	const struct slv_channel_about *about = &c->list.at[i];

	c->by_index[i] =
	    (struct slv_channel_place){ about->index, (uint32_t)i };
	c->at[i] = (struct slv_channel_info){
		.size_of = sizeof(*c->at),
		.name = "",
		.type = "",
		.encoding = about->encoding,
		.schema_encoding = about->schema_encoding,
		.schema = about->schema,
		.schema_len = about->schema_len,
		.meta = pairs,
		.n_meta = about->n_meta,
	};
	for (size_t k = 0; k < about->n_meta; k++)
		pairs[k] = (struct slv_pair){ about->meta[k].key,
			about->meta[k].value };
}

/* What the log says about itself. */
static void
take_facts(struct slv_channels *c)
{
	for (size_t i = 0; i < c->facts.n_channels; i++) {
		const struct slv_channel *f = &c->facts.channels[i];
		uint32_t place = slv_channels_find(c, f->index);

		slv_moment_span(f->first, &c->first, &c->last);
		slv_moment_span(f->last, &c->first, &c->last);
		if (place == UINT32_MAX)
			continue;
		c->at[place].name = text_of(f->name);
		c->at[place].type = text_of(f->type);
		c->at[place].records = f->messages;
		c->said[place] = f;
	}
}

enum slv_status
slv_channels_list(
    struct slv_channels *c, struct slv_scan *s, struct slv_err *err)
{
	size_t n_pairs = 0;

	SLV_TRY(s->format->records->channels(s, &c->list, err));
	SLV_TRY(s->format->describe(s, &c->facts, err));
	for (size_t i = 0; i < c->list.n; i++)
		n_pairs += c->list.at[i].n_meta;
	c->n = c->list.n;
	c->at = slv_calloc(c->n + 1, sizeof(*c->at));
	c->by_index = slv_calloc(c->n + 1, sizeof(*c->by_index));
	c->pairs = slv_calloc(n_pairs + 1, sizeof(*c->pairs));
	c->said = slv_calloc(c->n + 1, sizeof(*c->said));
	if (c->at == NULL || c->by_index == NULL || c->pairs == NULL
	    || c->said == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	n_pairs = 0;
	for (size_t i = 0; i < c->n; i++) {
		take_about(c, i, c->pairs + n_pairs);
		n_pairs += c->list.at[i].n_meta;
	}
	slv_sort(c->by_index, c->n, sizeof(*c->by_index), compare_places);
	take_facts(c);
	return slv_schema_sums(c->at, c->n, &c->sums, err);
}

void
slv_channels_free(struct slv_channels *c)
{
	slv_free(c->at);
	slv_free(c->by_index);
	slv_free(c->pairs);
	slv_free(c->said);
	slv_free(c->sums);
	slv_channel_list_free(&c->list);
	slv_facts_free(&c->facts);
}
