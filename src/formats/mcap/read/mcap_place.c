/* mcap_place.c - in which chunk an offset is: while the walk is in it, and later. */
#include "base/search.h"
#include "formats/mcap/mcap_state.h"

const struct mcap_chunk *
mcap_chunk_of(const struct mcap *m, uint64_t off)
{
	struct slv_search f = { .high = m->n_chunks };

	while (slv_search(&f))
		slv_search_on(&f, m->chunks[f.mid].off <= off);
	return f.low > 0 ? &m->chunks[f.low - 1] : NULL;
}

bool
mcap_is_open(const struct mcap *m, const struct mcap_chunk *c)
{
	return m->open && !m->in_index && c == &m->chunks[m->n_chunks - 1];
}

bool
mcap_is_inside(const struct mcap *m, uint64_t off)
{
	const struct mcap_chunk *c = mcap_chunk_of(m, off);

	if (c == NULL || c->codec != SLV_CODEC_NONE || c->strange || !c->headed)
		return false;
	if (!mcap_is_open(m, c))
		return off >= c->data && off < c->data_end;
	return c->claim.stored == MCAP_OPEN || off < c->data + c->claim.stored;
}
