/* rosbag_describe.c - what the bag says about itself, for people. */
#include <stdio.h>

#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/rosbag_state.h"

static enum slv_status
describe_conn(struct slv_scan *s, const struct rosbag_conn *c,
    struct slv_facts *facts, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_about about;
	struct slv_channel *ch;

	SLV_TRY(slv_facts_channel(facts, c->out, &ch, err));
	ch->messages = c->n;
	ch->bytes = c->bytes;
	ch->unweighed = s->glanced && c->n > 0;
	ch->first = c->from;
	ch->last = c->to;
	if (!c->declared)
		return SLV_OK;
	SLV_TRY(slv_text_copy(
	    b->texts.at + c->text + c->topic, c->topic_len, &ch->name, err));
	if (!rosbag_about_get(
	        b->texts.at + c->text + c->head, c->len - c->head, &about))
		return SLV_OK;
	SLV_TRY(slv_text_copy(
	    about.md5sum.at, about.md5sum.len, &ch->type_sum, err));
	return slv_text_copy(about.type.at, about.type.len, &ch->type, err);
}

/* How the chunks are compressed; after a glance, those that were looked at. */
static void
describe_chunks(const struct slv_scan *s, struct slv_facts *facts)
{
	const struct rosbag *b = rosbag_of(s);

	facts->packs_pieces = facts->sums_types = true;
	facts->pieces = s->glanced ? b->n_infos : b->n_chunks;
	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		slv_facts_pack(facts, rosbag_codecs[c->codec],
		    c->data_end - c->data, c->size);
	}
}

/* The index may know the times of all chunks and not those of a connection. */
static void
describe_times(const struct slv_scan *s, struct slv_facts *facts)
{
	const struct rosbag *b = rosbag_of(s);

	for (size_t i = 0; s->glanced && i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		if (info->n_counts == 0)
			continue;
		slv_moment_span(
		    rosbag_moment(info->from), &facts->first, &facts->last);
		slv_moment_span(
		    rosbag_moment(info->to), &facts->first, &facts->last);
	}
}

enum slv_status
rosbag_describe(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	snprintf(facts->version, sizeof(facts->version), "%u.%u", b->version[0],
	    b->version[1]);
	snprintf(facts->digest, sizeof(facts->digest), "none");
	facts->recorded = b->tail != 0 ? b->tail : s->source->size;
	if (s->absent && b->tail == 0 && b->header.len > 0
	    && b->head.n_chunks > 0 && b->head.index_pos > s->source->size)
		facts->expected = b->head.index_pos;
	describe_chunks(s, facts);
	describe_times(s, facts);
	for (size_t i = 0; i < b->n_conns; i++)
		SLV_TRY(describe_conn(s, &b->conns[b->by_id[i]], facts, err));
	return SLV_OK;
}

const char *
rosbag_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct rosbag *b = rosbag_edit(s);
	struct slv_err err = { 0 };
	struct rosbag_conn *c = rosbag_conn_nth(b, channel, 0);

	if (channel >= ROSBAG_CONNS_MAX && channel <= b->given)
		c = rosbag_conn_given(b, channel);
	if (c == NULL)
		return NULL;
	if (c->name == NULL && c->declared)
		(void)slv_text_copy(b->texts.at + c->text + c->topic,
		    c->topic_len, &c->name, &err);
	return c->name;
}
