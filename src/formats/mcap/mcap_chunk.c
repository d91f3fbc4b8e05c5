/* mcap_chunk.c - the chunk that is open: what it holds, and when it is closed what of
 * it can stay.
 */
#include <string.h>

#include "base/mem.h"
#include "core/compare.h"
#include "formats/mcap/mcap_state.h"
#include "support/memory.h"

enum slv_status
mcap_remember(struct slv_scan *s, uint64_t n, struct slv_err *err)
{
	return slv_memory_take(
	    s, &mcap_edit(s)->memory, n, "messages and channels", err);
}

enum slv_status
mcap_chunk_open(struct slv_scan *s, uint64_t off, uint64_t data,
    const struct mcap_claim *claim, bool headed, enum slv_codec_kind codec,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	SLV_TRY(mcap_chunk_close(s, err));
	SLV_TRY(slv_grow(&m->chunks, &m->cap_chunks, m->n_chunks + 1,
	    sizeof(*m->chunks), err));
	m->chunks[m->n_chunks++] = (struct mcap_chunk){
		.off = off,
		.data = data,
		.data_end = data,
		.end = data,
		.index = data,
		.claim = *claim,
		.codec = codec,
		.headed = headed,
		.from = UINT64_MAX,
		.limit = data,
	};
	m->open = true;
	m->in_index = m->index_odd = m->gaps = m->orphaned = false;
	m->next = data;
	m->crc = 0;
	m->missing = m->doubts = 0;
	m->n_headed += headed;
	m->n_sums += headed && claim->crc != 0;
	return SLV_OK;
}

uint64_t
mcap_sum(const struct mcap_entry *e)
{
	const uint64_t parts[] = { e->time, e->publish,
		(uint64_t)e->id << 32 ^ e->sequence, e->len };
	uint64_t x = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		x = (x ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
		x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	}
	return x ^ x >> 32;
}

enum slv_status
mcap_count_message(struct slv_scan *s, const struct mcap_entry *e,
    uint64_t place, size_t *decl, uint64_t *sum, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_decl *d;
	uint64_t len;

	SLV_TRY(mcap_decl_get(s, MCAP_CHANNEL, e->id, decl, err));
	d = &m->decls[*decl];
	if (d->n++ == 0)
		d->order = m->n_used++;
	if (!d->recorded && d->n == 1) {
		d->need_off = place;
		d->late = true;
	}
	len = e->len - MCAP_MESSAGE_HEAD;
	d->least = d->n == 1 ? len : slv_min64(d->least, len);
	d->most = slv_max64(d->most, len);
	d->bytes += len;
	slv_moment_span(mcap_moment(e->time), &d->from, &d->to);
	m->messages++;
	*sum = mcap_sum(e);
	m->sum += *sum;
	m->from = slv_min64(m->from, e->time);
	m->from_set =
	    m->from_set == 0 ? e->time : slv_min64(m->from_set, e->time);
	m->to = slv_max64(m->to, e->time);
	return SLV_OK;
}

static enum slv_status
add_message(struct slv_scan *s, struct mcap_chunk *c, struct mcap_entry *e,
    uint64_t place, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint32_t at = (uint32_t)m->entries.n;
	struct mcap_decl *d;
	uint64_t sum;
	size_t decl;

	SLV_TRY(mcap_count_message(s, e, place, &decl, &sum, err));
	e->decl = (uint32_t)decl;
	c->messages++;
	c->sum += sum;
	m->in_chunks++;
	c->from = slv_min64(c->from, e->time);
	c->to = slv_max64(c->to, e->time);
	d = &m->decls[decl];
	if (d->n_here++ > 0) {
		m->entries.at[d->last_here].next = at;
		d->last_here = at;
		return SLV_OK;
	}
	d->first_here = d->last_here = at;
	d->named = 0;
	SLV_TRY(slv_grow(
	    &m->here, &m->cap_here, m->n_here + 1, sizeof(*m->here), err));
	m->here[m->n_here++] = (uint32_t)decl;
	return SLV_OK;
}

enum slv_status
mcap_chunk_add(struct slv_scan *s, const struct mcap_entry *entry,
    uint64_t place, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_chunk *c = &m->chunks[m->n_chunks - 1];
	struct mcap_entries *e = &m->entries;

	SLV_TRY(slv_grow(&e->at, &e->cap, e->n + 1, sizeof(*e->at), err));
	e->at[e->n] = *entry;
	if (c->codec == SLV_CODEC_NONE) {
		m->gaps |= entry->at != m->next;
		m->next = entry->at + entry->len;
		c->data_end = c->end = c->index = m->next;
	}
	c->declares |= entry->op == MCAP_SCHEMA || entry->op == MCAP_CHANNEL;
	if (entry->op == MCAP_MESSAGE)
		SLV_TRY(add_message(s, c, &e->at[e->n], place, err));
	e->n++;
	return SLV_OK;
}

/* What the chunk holds of each channel, in the order of their first messages. */
static enum slv_status
add_counts(struct mcap *m, struct mcap_chunk *c, struct slv_err *err)
{
	c->first_count = m->n_counts;
	c->n_counts = m->n_here;
	SLV_TRY(slv_grow(&m->counts, &m->cap_counts, m->n_counts + m->n_here,
	    sizeof(*m->counts), err));
	for (size_t i = 0; i < m->n_here; i++) {
		const struct mcap_decl *d = &m->decls[m->here[i]];

		m->counts[m->n_counts++] =
		    (struct mcap_count){ m->here[i], d->n_here, 0 };
	}
	return SLV_OK;
}

/* Keep the list of what is in the chunk. */
static enum slv_status
list(struct slv_scan *s, struct mcap_chunk *c, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_entries *to = &m->kept, *from = &m->entries;

	c->first_entry = to->n;
	if (from->n == 0)
		return SLV_OK;
	SLV_TRY(mcap_remember(s, from->n * sizeof(*from->at), err));
	SLV_TRY(
	    slv_grow(&to->at, &to->cap, to->n + from->n, sizeof(*to->at), err));
	memcpy(to->at + to->n, from->at, from->n * sizeof(*from->at));
	/* Not before: what is known is reported even if memory runs out. */
	to->n += c->n_entries = from->n;
	return SLV_OK;
}

/* Whether the head says what follows it. */
static void
judge_head(const struct mcap *m, struct mcap_chunk *c)
{
	uint64_t len = c->data_end - c->data;
	bool times = c->messages == 0
	    || (c->claim.start == c->from && c->claim.stop == c->to);

	if (c->codec == SLV_CODEC_NONE && !c->strange) {
		c->size = len;
		c->stored = !m->gaps
		    && (!c->headed || c->claim.stored == len
		        || c->claim.stored == MCAP_OPEN);
		c->summed = c->stored && c->headed && c->claim.crc != 0
		    && c->claim.crc == m->crc;
		c->refuted = c->stored && c->headed && c->claim.crc != 0
		    && c->claim.crc != m->crc && !c->damaged;
	}
	if (c->refuted && m->n_headed > 1 && m->n_sums == 1) {
		/* No other chunk has a checksum: neither had this one. */
		c->refuted = false;
		c->damaged = true;
		c->claim.crc = 0;
	}
	c->stays = c->headed && c->stored && !c->damaged && !c->refuted
	    && c->claim.stored == len
	    && (c->strange || (c->claim.size == c->size && times));
}

/* Whether the file begins again at off: its header and what follows that are there. */
static enum slv_status
begins_again(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t n = MCAP_MAGIC_SIZE + m->header_len + MCAP_CHUNK_HEAD, same;

	*yes = m->magic && m->header_len > 0
	    && slv_range_in(off, n, s->source->size);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_compare(s, s->base, off, n, &same, err));
	*yes = same == n;
	return SLV_OK;
}

/* The record is none after all. */
static enum slv_status
take_back(
    struct slv_scan *s, struct mcap_chunk *c, size_t i, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_entry e = m->entries.at[i];
	uint32_t id = e.id;

	memmove(&m->entries.at[i], &m->entries.at[i + 1],
	    (--m->entries.n - i) * sizeof(e));
	m->decls[e.decl].n--;
	m->decls[e.decl].n_here--;
	c->messages--;
	c->sum -= mcap_sum(&e);
	m->messages--;
	m->in_chunks--;
	m->sum -= mcap_sum(&e);
	m->gaps = s->absent = true;
	s->units_kept--;
	slv_scan_lose(s, 1, &id);
	SLV_TRY(mcap_problem(s, MCAP_P_SUSPECT, e.at, e.len, 0, 0, err));
	return slv_catalog_queue(&s->catalog, e.at, e.len, SLV_LOST, err);
}

/* A download that broke off in a message, and began again, may have completed it with
 * the beginning of the file.  Then the chunk is not as long as its head says. */
static enum slv_status
take_back_cut(struct slv_scan *s, struct mcap_chunk *c, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t at = c->data;
	bool yes;

	if (c->codec != SLV_CODEC_NONE || c->strange || !c->headed || m->gaps
	    || c->claim.stored == c->data_end - c->data)
		return SLV_OK;
	for (size_t i = 0; i < m->entries.n; i++) {
		const struct mcap_entry *e = &m->entries.at[i];

		if (e->op != MCAP_MESSAGE)
			continue;
		SLV_TRY(mcap_find_magic(
		    s, slv_max64(at, e->at), e->at + e->len, &at, err));
		if (at == e->at + e->len)
			continue;
		SLV_TRY(begins_again(s, at, &yes, err));
		if (yes)
			return take_back(s, c, i, err);
	}
	return SLV_OK;
}

/* What is wrong with its head and is not explained by a loss. */
static enum slv_status
tell_head(struct slv_scan *s, const struct mcap_chunk *c, struct slv_err *err)
{
	uint64_t len = c->data - c->off;

	if (c->refuted && c->codec == SLV_CODEC_NONE)
		return mcap_problem(s, MCAP_P_CHUNK_REFUTED, c->off,
		    c->data_end - c->off, c->claim.crc, c->messages, err);
	if (!c->stored || c->stays || !c->headed || c->refuted)
		return SLV_OK;
	return mcap_problem(s,
	    c->claim.stored == MCAP_OPEN ? MCAP_P_CHUNK_OPEN
	                                 : MCAP_P_CHUNK_HEAD,
	    c->off, len, 0, 0, err);
}

/* Whether its index names all of it, and nothing else. */
static void
judge_index(const struct mcap *m, struct mcap_chunk *c)
{
	c->indexed = !m->index_odd;
	for (size_t i = 0; i < m->n_here; i++) {
		const struct mcap_decl *d = &m->decls[m->here[i]];

		c->indexed &= d->named == d->n_here;
	}
}

static enum slv_status
tell_index(struct slv_scan *s, const struct mcap_chunk *c, struct slv_err *err)
{
	if (c->indexed || !c->stored || c->strange || c->refuted
	    || (c->messages == 0 && !c->has_index))
		return SLV_OK;
	if (c->has_index)
		return mcap_problem(
		    s, MCAP_P_INDEX, c->index, c->end - c->index, 0, 0, err);
	return mcap_of(s)->indexes && !c->bare
	    ? mcap_problem(s, MCAP_P_INDEX_MISSING, c->end, 0, 0, 0, err)
	    : SLV_OK;
}

enum slv_status
mcap_chunk_close(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_chunk *c;

	if (!m->open)
		return SLV_OK;
	m->open = false;
	c = &m->chunks[m->n_chunks - 1];
	SLV_TRY(take_back_cut(s, c, err));
	judge_head(m, c);
	if (c->summed && c->declares)
		mcap_decl_prove(m);
	/* Its checksum was over more than is left. */
	if (c->codec == SLV_CODEC_NONE && c->headed && m->gaps
	    && c->claim.crc != 0 && c->claim.stored != MCAP_OPEN)
		s->units_unsure += c->messages;
	judge_index(m, c);
	/* Without a checksum either may be wrong. */
	if (!c->summed && c->stored)
		s->units_unsure += m->doubts;
	if (!c->summed && m->missing > 0)
		s->absent = s->lost_loose = true;
	SLV_TRY(add_counts(m, c, err));
	c->n_used = m->n_used;
	if (!c->stored)
		SLV_TRY(list(s, c, err));
	for (size_t i = 0; i < m->n_here; i++)
		m->decls[m->here[i]].n_here = 0;
	m->entries.n = m->n_here = 0;
	SLV_TRY(tell_head(s, c, err));
	return tell_index(s, c, err);
}
