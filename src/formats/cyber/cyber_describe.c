/* cyber_describe.c - what the record says about itself, for people. */
#include <stdio.h>

#include "formats/cyber/cyber_state.h"

/* A time of a channel, which a glance may not have found. */
static struct slv_moment
moment_of(const struct slv_scan *s, uint64_t ns)
{
	struct slv_moment at = cyber_moment(ns);

	at.known = ns > 0 || !s->glanced;
	return at;
}

static enum slv_status
describe_channel(
    struct slv_scan *s, size_t i, struct slv_facts *facts, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const struct cyber_channel *ch = &c->channels[i];
	const struct cyber_spec *spec;
	struct slv_channel *out;

	SLV_TRY(slv_facts_channel(facts, (uint32_t)i, &out, err));
	out->messages = ch->messages;
	out->bytes = ch->bytes;
	out->unweighed = s->glanced;
	if (ch->messages > 0) {
		out->first = moment_of(s, ch->first);
		out->last = moment_of(s, ch->last);
	}
	SLV_TRY(slv_text_copy(
	    c->texts.at + ch->name, ch->name_len, &out->name, err));
	if (ch->item == SIZE_MAX)
		return SLV_OK;
	spec = &c->items[ch->item].spec;
	return slv_text_copy(
	    c->texts.at + spec->type, spec->type_len, &out->type, err);
}

enum slv_status
cyber_describe(struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	snprintf(facts->version, sizeof(facts->version), "%llu.%llu",
	    (unsigned long long)c->head.v[CYBER_MAJOR],
	    (unsigned long long)c->head.v[CYBER_MINOR]);
	snprintf(facts->digest, sizeof(facts->digest), "none");
	/* Without the end the number is all that says how long it was. */
	if (cyber_stated_end(s) > s->source->size && s->units_lost > 0
	    && s->end == SLV_END_UNKNOWN)
		facts->expected = c->head.v[CYBER_SIZE];
	for (size_t i = 0; i < c->n_channels; i++) {
		if (c->channels[i].item != SIZE_MAX
		    || c->channels[i].messages > 0)
			SLV_TRY(describe_channel(s, i, facts, err));
	}
	if (s->glanced && c->messages > 0) {
		facts->first = cyber_moment(c->times.from);
		facts->last = cyber_moment(c->times.to);
	}
	return SLV_OK;
}

const char *
cyber_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct cyber *c = cyber_edit(s);
	struct slv_err err = { 0 };
	struct cyber_channel *ch;

	if (channel >= c->n_channels)
		return NULL;
	ch = &c->channels[channel];
	if (ch->shown == NULL)
		(void)slv_text_copy(
		    c->texts.at + ch->name, ch->name_len, &ch->shown, &err);
	return ch->shown;
}
