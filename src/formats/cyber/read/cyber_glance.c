/* cyber_glance.c - what the header and the index say, without reading the
 * chunks.
 *
 * The index repeats every channel with the number of its messages, and what the
 * header of every chunk says.  A bounded number of sections is looked at
 * besides, to see that the index is of this record; and the first and the last
 * chunk, for when each channel was used, which the index does not say.
 * Whatever is odd is left to a scan, which finds out why.
 */
#include "formats/cyber/cyber_state.h"

#define SAMPLES 32                    /* sections that are looked at */
#define WALK    ((uint64_t)256 << 10) /* messages of a chunk, at most */

/* The header, whole and of this file. */
static enum slv_status
glance_head(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const uint64_t *v = c->head.v;
	const uint8_t *p;

	*yes = s->source->size >= CYBER_DATA_START;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, 0, CYBER_DATA_START, &p, err));
	cyber_head_get(p, CYBER_DATA_START, &c->head);
	c->head_len = CYBER_DATA_START;
	*yes = c->head.whole && c->head.padded && c->head.plain
	    && v[CYBER_SIZE] == s->source->size
	    && v[CYBER_INDEX_POSITION] >= CYBER_DATA_START
	    && v[CYBER_INDEX_POSITION] < s->source->size;
	return SLV_OK;
}

/* The index, and nothing but it up to the end of the file. */
static enum slv_status
glance_index(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_section k;

	c->index = c->head.v[CYBER_INDEX_POSITION];
	c->index_end = s->source->size;
	s->window->stride = SLV_WINDOW_STRIDE;
	SLV_TRY(cyber_look_section(s, c->index, &k, err));
	*yes = k.agrees && k.type == CYBER_INDEX
	    && k.size == c->index_end - c->index - CYBER_SECTION;
	if (*yes)
		SLV_TRY(cyber_index_read(
		    s, c->index + CYBER_SECTION, c->index_end, err));
	*yes = *yes && c->index_whole;
	return SLV_OK;
}

/* Take down what an entry says. */
static enum slv_status
add_entry(struct slv_scan *s, const struct cyber_entry *e, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	if (e->type == CYBER_CHANNEL) {
		SLV_TRY(cyber_declare(
		    s, e->position, e->position, &e->spec, true, err));
		c->channels[c->recent].messages = e->claim.messages;
		c->n_declared++;
	}
	if (e->type != CYBER_CHUNK_HEADER)
		return SLV_OK;
	c->messages += e->claim.messages;
	if (c->n_chunks++ == 0)
		c->span.begin = e->claim.begin;
	c->span.end = e->claim.end;
	c->times.from = c->n_chunks == 1
	    ? e->claim.begin
	    : slv_min64(c->times.from, e->claim.begin);
	c->times.to = slv_max64(c->times.to, e->claim.end);
	return SLV_OK;
}

/* Whether all entries agree: their sections follow each other, each body
 * follows its header, and all counts have the same sum. */
static enum slv_status
add_entries(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	uint64_t of[CYBER_TYPES] = { 0 }, at = CYBER_DATA_START;
	enum cyber_type last = CYBER_CHANNEL;

	for (size_t i = 0; *yes && i < c->n_entries; i++) {
		const struct cyber_entry *e = &c->entries[i];

		*yes = (i == 0 ? e->position == at : e->position > at)
		    && e->position < c->index
		    && (e->type == CYBER_CHUNK_BODY)
		        == (last == CYBER_CHUNK_HEADER);
		at = e->position;
		last = e->type;
		of[e->type] += e->claim.messages;
		SLV_TRY(add_entry(s, e, err));
	}
	*yes = *yes && last != CYBER_CHUNK_HEADER
	    && of[CYBER_CHUNK_BODY] == c->messages
	    && of[CYBER_CHANNEL] == c->messages && cyber_head_holds(s);
	/* Without an entry there is no section. */
	if (c->n_entries == 0)
		*yes = *yes && c->index == CYBER_DATA_START;
	return SLV_OK;
}

/* Whether the section of entry i is at its place, and ends where the next one
 * begins. */
static enum slv_status
check_entry(struct slv_scan *s, size_t i, bool *yes, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_entry *e = &c->entries[i];
	uint64_t end =
	    i + 1 < c->n_entries ? c->entries[i + 1].position : c->index;
	struct cyber_section k;
	struct cyber_spec spec;

	SLV_TRY(cyber_look_section(s, e->position, &k, err));
	*yes = k.agrees && k.type == e->type
	    && k.size == end - e->position - CYBER_SECTION;
	if (*yes && e->type == CYBER_CHUNK_HEADER)
		*yes = k.claim.messages == e->claim.messages
		    && k.claim.begin == e->claim.begin
		    && k.claim.end == e->claim.end;
	if (!*yes || e->type != CYBER_CHANNEL)
		return SLV_OK;
	SLV_TRY(cyber_spec_read(
	    s, e->position + CYBER_SECTION, &k.decl, &spec, err));
	*yes = cyber_spec_same(c, &spec, &e->spec);
	return SLV_OK;
}

/* Some of them, the first and the last among them. */
static enum slv_status
check_some(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	size_t n = c->n_entries < SAMPLES ? c->n_entries : SAMPLES;

	for (size_t k = 0; *yes && k < n; k++)
		SLV_TRY(check_entry(
		    s, k * (c->n_entries - 1) / (n > 1 ? n - 1 : 1), yes, err));
	return SLV_OK;
}

/* When the channels of the chunk were used whose header is entry i. */
static enum slv_status
walk_chunk(struct slv_scan *s, size_t i, bool *yes, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	uint64_t at = c->entries[i + 1].position + CYBER_SECTION;
	uint64_t end =
	    i + 2 < c->n_entries ? c->entries[i + 2].position : c->index;

	while (*yes && at < end) {
		struct cyber_channel *ch;
		struct cyber_message m;
		const uint8_t *p;
		uint32_t k;

		SLV_TRY(cyber_look_message(s, at, &m, err));
		*yes = m.read == CYBER_WHOLE
		    && slv_range_in(at, cyber_message_span(&m), end);
		if (!*yes)
			return SLV_OK;
		SLV_TRY(slv_window_view(s->window, at, m.head, &p, err));
		*yes = cyber_channel_known(c, p + m.name, m.name_len, &k);
		ch = &c->channels[*yes ? k : 0];
		if (ch->last == 0)
			ch->first = m.time;
		ch->first = slv_min64(ch->first, m.time);
		ch->last = slv_max64(ch->last, m.time);
		at += cyber_message_span(&m);
	}
	return SLV_OK;
}

/* Forget the times that a chunk between the first and the last may widen; or
 * all. */
static void
forget_times(struct cyber *c, size_t first, size_t last, bool all)
{
	struct cyber_times amid = { UINT64_MAX, 0 };

	for (size_t i = first + 1; i < last; i++) {
		const struct cyber_entry *e = &c->entries[i];

		if (e->type != CYBER_CHUNK_HEADER)
			continue;
		amid.from = slv_min64(amid.from, e->claim.begin);
		amid.to = slv_max64(amid.to, e->claim.end);
	}
	for (size_t k = 0; k < c->n_channels; k++) {
		struct cyber_channel *ch = &c->channels[k];

		if (all || ch->first > amid.from)
			ch->first = 0;
		if (all || ch->last < amid.to)
			ch->last = 0;
	}
}

/* When each channel was used, where the first and the last chunk tell. */
static enum slv_status
find_times(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	size_t first = c->n_entries, last = 0;
	bool many;

	for (size_t i = 0; i < c->n_entries; i++) {
		if (c->entries[i].type != CYBER_CHUNK_HEADER)
			continue;
		first = first < i ? first : i;
		last = i;
	}
	if (first == c->n_entries)
		return SLV_OK;
	many = c->entries[first].claim.messages > WALK
	    || c->entries[last].claim.messages > WALK;
	if (!many)
		SLV_TRY(walk_chunk(s, first, yes, err));
	if (!many && *yes && last > first)
		SLV_TRY(walk_chunk(s, last, yes, err));
	forget_times(c, first, last, many);
	return SLV_OK;
}

enum slv_status
cyber_glance(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	SLV_TRY(glance_head(s, yes, err));
	if (*yes)
		SLV_TRY(glance_index(s, yes, err));
	if (*yes)
		SLV_TRY(add_entries(s, yes, err));
	if (*yes)
		SLV_TRY(check_some(s, yes, err));
	if (*yes)
		SLV_TRY(find_times(s, yes, err));
	s->units_kept = c->messages;
	s->supported = *yes;
	s->end = SLV_END_KNOWN;
	return SLV_OK;
}
