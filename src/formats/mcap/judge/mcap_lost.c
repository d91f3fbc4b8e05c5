/* mcap_lost.c - messages that are in the file and of no use to a reader.
 *
 * Nothing declares their channel, or a checksum contradicts their chunk.
 */
#include "formats/mcap/judge/mcap_judge.h"

/* Count n messages of a channel as lost. */
static void
lose(struct slv_scan *s, const struct mcap_decl *d, uint64_t n)
{
	uint32_t id = d->id;

	s->units_kept -= n;
	slv_scan_lose(s, n, &id);
}

/* A record at this place, if it is a message of a channel that nothing declares. */
static enum slv_status
lose_entry(struct slv_scan *s, const struct mcap_entry *e, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	size_t i = e->op == MCAP_MESSAGE
	    ? mcap_decl_find(m, MCAP_CHANNEL, e->id)
	    : MCAP_NONE;

	if (i == MCAP_NONE || mcap_decl_is_usable(m, &m->decls[i]))
		return SLV_OK;
	lose(s, &m->decls[i], 1);
	return slv_catalog_queue(&s->catalog, e->at, e->len, SLV_LOST, err);
}

/* The same for all records from `at` to `end`, which have no gaps. */
static enum slv_status
lose_records(struct slv_scan *s, uint64_t at, uint64_t end, struct slv_err *err)
{
	while (at < end) {
		struct mcap_record r;
		struct mcap_entry e;

		SLV_TRY(mcap_look_again(s, at, end, &r, err));
		e = mcap_entry_get(&r, at);
		SLV_TRY(lose_entry(s, &e, err));
		at += mcap_span(&r);
	}
	return SLV_OK;
}

/* Count the messages of a chunk as lost, all or those of undeclared channels.  All of its
 * data is marked as lost: a part of compressed data cannot be copied. */
static enum slv_status
lose_stored(struct slv_scan *s, const struct mcap_chunk *c, bool all,
    struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);

	for (size_t i = 0; i < c->n_counts; i++) {
		const struct mcap_count *n = &m->counts[c->first_count + i];
		const struct mcap_decl *d = &m->decls[n->decl];

		if (all || !mcap_decl_is_usable(m, d))
			lose(s, d, n->n);
	}
	/* The chunk has only declarations, which are written elsewhere. */
	if (c->messages == 0 && !c->refuted)
		return mcap_rebuild_kept(s, c->data, c->data_end, err);
	return slv_catalog_queue(
	    &s->catalog, c->data, c->data_end - c->data, SLV_LOST, err);
}

static enum slv_status
lose_chunk(struct slv_scan *s, const struct mcap_chunk *c, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);

	if (!mcap_chunk_is_written(s, c))
		return lose_stored(s, c, true, err);
	if (mcap_chunk_is_declared(m, c))
		return SLV_OK;
	if (c->codec != SLV_CODEC_NONE)
		return lose_stored(s, c, false, err);
	if (c->stored)
		return lose_records(s, c->data, c->data_end, err);
	for (size_t i = 0; i < c->n_entries; i++)
		SLV_TRY(lose_entry(s, &m->kept.at[c->first_entry + i], err));
	return SLV_OK;
}

/* Whether there is a channel that has messages and that nothing declares. */
static bool
is_any_undeclared(const struct mcap *m)
{
	for (size_t i = 0; i < m->n_decls; i++) {
		if (m->decls[i].op == MCAP_CHANNEL && m->decls[i].n > 0
		    && !mcap_decl_is_usable(m, &m->decls[i]))
			return true;
	}
	return false;
}

enum slv_status
mcap_mark_lost(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	bool any = is_any_undeclared(m);

	for (size_t i = 0; i < m->n_chunks; i++)
		SLV_TRY(lose_chunk(s, &m->chunks[i], err));
	for (size_t i = 0; any && i < m->n_items; i++) {
		const struct mcap_item *item = &m->items[i];

		if (item->chunk == MCAP_NONE)
			SLV_TRY(lose_records(
			    s, item->off, item->off + item->len, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}
