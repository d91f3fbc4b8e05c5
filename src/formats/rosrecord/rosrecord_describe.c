/* rosrecord_describe.c - what the bag says about itself, for people. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "formats/rosrecord/rosrecord_state.h"

static char *
copy_text(struct slv_span text)
{
	struct slv_buf buf = { 0 };

	slv_buf_add(&buf, text.at, text.len);
	return slv_buf_take(&buf);
}

static enum slv_status
describe_topic(struct slv_scan *s, uint32_t number, struct slv_facts *facts,
    struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	const struct rosrec_topic *t = &b->topics[number];
	struct slv_channel *ch;
	struct rosrec_record r;
	enum rosrec_read read;

	SLV_TRY(slv_facts_channel(facts, number, &ch, err));
	ch->messages = t->n;
	ch->bytes = t->bytes;
	ch->first = t->first;
	ch->last = t->last;
	ch->name = copy_text(rosrec_name(b, t));
	if (ch->name == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (t->def_len == 0)
		return SLV_OK;
	SLV_TRY(rosrec_look(s, t->def, &r, &read, err));
	ch->type = copy_text(r.type);
	ch->type_sum = copy_text(r.md5);
	return ch->type != NULL && ch->type_sum != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
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
	struct rosrec_topic *t;

	if (channel >= b->n_topics)
		return NULL;
	t = &b->topics[channel];
	if (t->shown == NULL)
		t->shown = copy_text(rosrec_name(b, t));
	return t->shown;
}
