/* bddf_series.c - series and the entries of their blocks, in memory. */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/bddf/bddf_state.h"

/* Entries of a chunk: a quarter of those there are, so that no series of many
 * takes much more than it needs. */
#define CHUNK_MIN 4
#define CHUNK_MAX 2048

static enum slv_status
charge(struct slv_scan *s, uint64_t bytes, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);

	b->memory += bytes;
	if (b->memory > s->opt.limits.max_memory)
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: its index needs more than %llu bytes of memory",
		    s->source->name,
		    (unsigned long long)s->opt.limits.max_memory);
	return SLV_OK;
}

/* Make positions up to `upto` exist, undeclared so far. */
enum slv_status
bddf_series_add(
    struct slv_scan *s, size_t upto, uint64_t need_off, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);

	SLV_TRY(slv_grow(
	    &b->series, &b->cap_series, upto + 1, sizeof(*b->series), err));
	while (b->n_series <= upto) {
		SLV_TRY(charge(s, sizeof(*b->series), err));
		b->series[b->n_series++] = (struct bddf_series){
			.need_off = need_off,
		};
	}
	return SLV_OK;
}

enum slv_status
bddf_entry_add(struct slv_scan *s, struct bddf_series *series,
    const struct bddf_entry *entry, struct slv_err *err)
{
	struct bddf_chunk *last = series->last;

	if (last == NULL || last->n == last->cap) {
		uint32_t cap = series->n < 4 * CHUNK_MIN ? CHUNK_MIN
		    : series->n > 4 * CHUNK_MAX          ? CHUNK_MAX
		                                : (uint32_t)series->n / 4;
		size_t size = sizeof(*last) + cap * sizeof(*entry);
		struct bddf_chunk *grown;

		SLV_TRY(charge(s, size, err));
		grown = slv_realloc(NULL, size);
		if (grown == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		slv_mem_back(grown, size);
		grown->next = NULL;
		grown->owner = bddf_of(s);
		grown->n = 0;
		grown->cap = cap;
		if (last == NULL)
			series->first = grown;
		else
			last->next = grown;
		series->last = last = grown;
	}
	last->at[last->n++] = *entry;
	return SLV_OK;
}

const struct bddf_entry *
bddf_entry_before(const struct bddf *b, uint64_t off, uint64_t *looked)
{
	const struct bddf_entry *best = NULL;

	*looked += b->n_series;
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_chunk *c = b->series[i].first;

		for (; c != NULL && c->at[0].off < off; c = c->next) {
			uint32_t n = c->n;

			++*looked;
			while (c->at[n - 1].off >= off)
				n--;
			if (best == NULL || c->at[n - 1].off > best->off)
				best = &c->at[n - 1];
		}
	}
	return best;
}

void
bddf_state_free(void *state)
{
	struct bddf *b = state;

	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_chunk *c = b->series[i].first, *next;

		free(b->series[i].name);
		for (; c != NULL; c = next) {
			next = c->next;
			free(c);
		}
	}
	free(b->series);
	slv_buf_free(&b->first_made);
	free(b->pieces);
	free(b->found);
	free(b->eras);
	free(b->turns);
	bddf_pool_free(&b->extras);
}
