/* mcap_run.c - messages in a row, in a chunk that is not compressed.
 *
 * Most records of most files are such messages.  A message is taken here if its
 * channel is known, its time is near to the others, and another such message of
 * the same chunk follows it.  unit() and vouch() judge all else.
 */
#include "digest/crc32.h"
#include "formats/mcap/read/mcap_unit.h"

/* Where the data of the chunk end that the walk is in, and that is whole so far; 0:
 * it is in none. */
static uint64_t
limit_of(const struct slv_scan *s, uint64_t off)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk *c;

	if (!m->open || m->in_summary || m->in_index || m->gaps
	    || m->upto != off || m->next != off)
		return 0;
	c = &m->chunks[m->n_chunks - 1];
	if (c->codec != SLV_CODEC_NONE || c->strange || !c->headed
	    || c->claim.stored == MCAP_OPEN)
		return 0;
	return c->data + slv_min64(c->claim.stored, s->logical_end - c->data);
}

/* Whether the head of a message is at p, n bytes before the end of its chunk, and
 * nothing about it needs more tests. */
static bool
is_usual(const struct mcap *m, const uint8_t *p, size_t there, uint64_t n,
    uint64_t at, struct mcap_entry *e)
{
	return mcap_message_get(p, there, at, e) && e->len <= n
	    && mcap_decl_find(m, MCAP_CHANNEL, e->id) != MCAP_NONE
	    && mcap_is_ours(m, e->id, e->time);
}

static enum slv_status
take(struct slv_scan *s, const struct mcap_entry *e, struct slv_err *err)
{
	SLV_TRY(mcap_chunk_add(s, e, e->at, err));
	return slv_gaps_block(
	    &s->gaps, e->id, mcap_moment(e->time), e->len, err);
}

/* Take messages of which all is in `there` bytes at p, with the head of the next
 * one; those begin at run->end. */
static enum slv_status
take_seen(struct slv_scan *s, const uint8_t *p, uint64_t there, uint64_t limit,
    uint64_t upto, struct slv_run *run, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t off = run->end, at = off;
	struct mcap_entry e, next;
	bool usual = is_usual(m, p, there, limit - at, at, &e);

	for (; usual && at < upto; at += e.len, run->n++, e = next) {
		uint64_t end = at + e.len;

		if (end - off > there
		    || !is_usual(m, p + (end - off), there - (end - off),
		        limit - end, end, &next))
			break;
		SLV_TRY(take(s, &e, err));
	}
	if (m->chunks[m->n_chunks - 1].claim.crc != 0)
		m->crc = slv_crc32(m->crc, p, (size_t)(at - off));
	run->end = m->upto = at;
	return SLV_OK;
}

/* The next n bytes.  NULL: the window would have to move on, before others have looked at
 * what is in it. */
static enum slv_status
see(const struct slv_scan *s, const struct slv_run *run, uint64_t n,
    const uint8_t **out, struct slv_err *err)
{
	*out = slv_window_peek(s->window, run->end, n);
	return *out != NULL || run->n > 0
	    ? SLV_OK
	    : slv_window_view(s->window, run->end, n, out, err);
}

enum slv_status
mcap_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *run,
    struct slv_err *err)
{
	uint64_t limit = limit_of(s, off), before;

	*run = (struct slv_run){ .tag = MCAP_MESSAGE, .end = off };
	if (limit == 0)
		return mcap_skim(s, off, run, err);
	upto = slv_min64(upto, slv_mends_ahead(s->opt.mends, off));
	do {
		struct mcap_entry e;
		const uint8_t *p;
		uint64_t need = MCAP_MESSAGE_HEAD;

		before = run->end;
		if (before >= upto || limit < before + need)
			return SLV_OK;
		SLV_TRY(see(s, run, need, &p, err));
		if (p == NULL || !mcap_message_get(p, need, before, &e)
		    || e.len > SLV_WINDOW_STRIDE
		    || limit - before < e.len + need)
			return SLV_OK;
		need += e.len;
		SLV_TRY(see(s, run, need, &p, err));
		if (p == NULL)
			return SLV_OK;
		need = slv_min64(
		    limit - before, slv_window_reach(s->window, before, need));
		SLV_TRY(take_seen(s, p, need, limit, upto, run, err));
	} while (run->end > before);
	return SLV_OK;
}
