/* mcap_index.c - does a MessageIndex say what the open chunk holds? */
#include "base/search.h"
#include "formats/mcap/mcap_state.h"

/* The entry of the open chunk at an offset in its records; NULL: there is none.
 *
 *   *next   in: the position that is looked at first; out: that of the channel's
 *           next message, which an index mostly names next */
static struct mcap_entry *
entry_at(struct mcap *m, uint64_t offset, size_t *next)
{
	const struct mcap_chunk *c = &m->chunks[m->n_chunks - 1];
	struct mcap_entries *e = &m->entries;
	uint64_t at = offset + (c->codec == SLV_CODEC_NONE ? c->data : 0);
	struct slv_search f = { .low = *next, .high = e->n };

	if (at < offset)
		return NULL;
	if (f.low >= e->n || e->at[f.low].at != at) {
		f.low = 0;
		while (slv_search(&f))
			slv_search_on(&f, e->at[f.mid].at < at);
	}
	if (f.low >= e->n || e->at[f.low].at != at)
		return NULL;
	*next = e->at[f.low].next;
	return &e->at[f.low];
}

enum slv_status
mcap_index_check(struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    bool *same, bool *ours, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t n = r->v[MCAP_DATA] / MCAP_ENTRY, alike = 0, missing = 0,
	         again = 0;
	uint16_t id = (uint16_t)r->v[MCAP_ID];
	size_t decl = mcap_decl_find(m, MCAP_CHANNEL, id);
	size_t next = decl == MCAP_NONE ? 0 : m->decls[decl].first_here;
	const uint8_t *p;

	off += r->at[MCAP_DATA];
	for (uint64_t i = 0; i < n; i++, off += MCAP_ENTRY) {
		struct mcap_entry *e;
		bool like;

		SLV_TRY(slv_window_view(s->window, off, MCAP_ENTRY, &p, err));
		e = entry_at(m, slv_get_le64(p + 8), &next);
		missing += e == NULL || e->op != MCAP_MESSAGE;
		like = e != NULL && e->op == MCAP_MESSAGE && e->id == id
		    && e->time == slv_get_le64(p);
		/* Zeros name the first message again and again. */
		again += like && e->named;
		alike += like && !e->named;
		if (like)
			e->named = true;
	}
	*ours = alike > 0 || n == 0;
	*same = alike == n;
	if (*ours) {
		m->missing += missing;
		m->doubts += n - alike - missing - again;
	}
	if (decl == MCAP_NONE)
		return SLV_OK;
	/* Entries that are there twice make the count wrong. */
	*same &= n == 0 || m->decls[decl].named == 0;
	m->decls[decl].named += alike;
	return SLV_OK;
}
