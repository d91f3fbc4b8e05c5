/* bddf_places.c - which block begins before an offset, of whatever series.
 *
 * The pieces in which entries are kept are sorted by their first entry.  Those of
 * series that were recorded side by side overlap.  So the search goes back from the
 * last piece that begins before the offset, until no earlier one reaches beyond what
 * was found.
 */
#include "base/list.h"
#include "formats/bddf/bddf_state.h"

SLV_ORDER(compare, struct bddf_place, chunk->off)

enum slv_status
bddf_places_sort(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	uint64_t last = 0;

	b->n_places = 0;
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_chunk *c = b->series[i].first;

		for (; c != NULL; c = c->next) {
			SLV_TRY(SLV_ROOM(b, places, 1, err));
			b->places[b->n_places++].chunk = c;
		}
	}
	slv_sort(b->places, b->n_places, sizeof(*b->places), compare);
	for (size_t i = 0; i < b->n_places; i++) {
		const struct bddf_chunk *c = b->places[i].chunk;

		last = slv_max64(last, bddf_chunk_get(c, c->n - 1).off);
		b->places[i].last = last;
	}
	return SLV_OK;
}

/* The last entry of the piece before off; it has one. */
static struct bddf_entry
last_before(const struct bddf_chunk *c, uint64_t off)
{
	struct slv_search f = { .high = c->n };

	while (slv_search(&f))
		slv_search_on(&f, bddf_chunk_get(c, (uint32_t)f.mid).off < off);
	return bddf_chunk_get(c, (uint32_t)slv_search_last(&f));
}

struct bddf_entry
bddf_entry_before(const struct bddf *b, uint64_t off, uint64_t *looked)
{
	struct bddf_entry best = { .off = BDDF_NOWHERE }, one;
	struct slv_search f = { .high = b->n_places };

	while (slv_search(&f))
		slv_search_on(&f, b->places[f.mid].chunk->off < off);
	for (size_t i = f.low; i-- > 0
	     && (best.off == BDDF_NOWHERE || b->places[i].last > best.off);) {
		++*looked;
		one = last_before(b->places[i].chunk, off);
		if (best.off == BDDF_NOWHERE || one.off > best.off)
			best = one;
	}
	return best;
}
