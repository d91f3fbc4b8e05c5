/* rosrecord_describe.c - what the bag says about itself, for people. */
#include <stdio.h>

#include "formats/rosrecord/rosrecord_state.h"

static enum slv_status
describe_topic(struct slv_scan *s, uint32_t number, struct slv_facts *facts,
    struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	const struct rosrec_topic *t = &b->topics[number];
	struct slv_span name = rosrec_name(b, t);
	struct slv_channel *ch;
	struct rosrec_record r;

	SLV_TRY(slv_facts_channel(facts, number, &ch, err));
	ch->messages = t->n;
	ch->bytes = t->bytes;
	ch->first = t->first;
	ch->last = t->last;
	SLV_TRY(slv_text_copy(name.at, name.len, &ch->name, err));
	if (t->def_len == 0)
		return SLV_OK;
	SLV_TRY(rosrec_look(s, t->def, &r, err));
	SLV_TRY(slv_text_copy(r.type.at, r.type.len, &ch->type, err));
	return slv_text_copy(r.md5.at, r.md5.len, &ch->type_sum, err);
}

enum slv_status
rosrec_describe(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);

	snprintf(facts->version, sizeof(facts->version), "1.2");
	snprintf(facts->digest, sizeof(facts->digest), "none");
	snprintf(facts->dialect, sizeof(facts->dialect), "%s",
	    b->with_index ? "indexed" : "without an index");
	facts->sums_types = true;
	facts->recorded = b->n_lists > 0 ? b->lists[0].off : s->source->size;
	for (uint32_t i = 0; i < b->n_topics; i++)
		SLV_TRY(describe_topic(s, i, facts, err));
	return SLV_OK;
}

const char *
rosrec_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct rosrec *b = rosrec_edit(s);
	struct slv_err err = { 0 };
	struct rosrec_topic *t;

	if (channel >= b->n_topics)
		return NULL;
	t = &b->topics[channel];
	if (t->shown == NULL)
		(void)slv_text_copy(
		    b->names.at + t->name, t->name_len, &t->shown, &err);
	return t->shown;
}
