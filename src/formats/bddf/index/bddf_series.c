/* bddf_series.c - series and the entries of their blocks, in memory. */
#include <stddef.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "formats/bddf/bddf_state.h"
#include "support/memory.h"

/* Entries of a chunk: a quarter of those there are, so that no series of many
 * takes much more than it needs. */
#define CHUNK_MIN 4
#define CHUNK_MAX 2048
#define CHUNK_FEW 64 /* of so few, a chunk should not come to an end */

_Static_assert(
    offsetof(struct bddf_chunk, at) % _Alignof(struct bddf_entry) == 0,
    "whole entries stand where kept ones do");

static enum slv_status
charge(struct slv_scan *s, uint64_t bytes, struct slv_err *err)
{
	return slv_memory_take(s, &bddf_edit(s)->memory, bytes, "blocks", err);
}

/* Make positions up to `upto` exist, undeclared so far. */
enum slv_status
bddf_series_add(
    struct slv_scan *s, size_t upto, uint64_t need_off, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

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

/* Whether the next chunk has whole entries: where chunks of kept ones would
 * come to an end soon. */
static bool
next_whole(const struct bddf_chunk *last, const struct bddf_entry *e)
{
	return e->extra != 0
	    || (last != NULL
	        && (last->whole != NULL
	            || (last->n < last->cap && last->n < CHUNK_FEW)));
}

/* How many entries it has room for: no more than twice as many as the last one
 * got, however soon that came to an end. */
static uint32_t
next_cap(const struct bddf_series *series)
{
	uint64_t most = series->last != NULL ? 2 * series->last->n : 0;
	uint64_t cap = slv_min64(series->n / 4, CHUNK_MAX);

	return (uint32_t)slv_max64(slv_min64(cap, most), CHUNK_MIN);
}

static enum slv_status
grow(struct slv_scan *s, struct bddf_series *series, const struct bddf_entry *e,
    struct slv_err *err)
{
	bool whole = next_whole(series->last, e);
	uint32_t cap = next_cap(series);
	struct bddf_chunk *grown;
	size_t size =
	    sizeof(*grown) + cap * (whole ? sizeof(*e) : sizeof(grown->at[0]));

	SLV_TRY(charge(s, size, err));
	grown = slv_realloc(NULL, size);
	if (grown == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_mem_back(grown, size);
	*grown = (struct bddf_chunk){
		.owner = bddf_of(s),
		.whole = whole ? (void *)grown->at : NULL,
		.cap = cap,
	};
	if (series->last == NULL)
		series->first = grown;
	else
		series->last->next = grown;
	series->last = grown;
	return SLV_OK;
}

enum slv_status
bddf_entry_add(struct slv_scan *s, struct bddf_series *series,
    const struct bddf_entry *entry, struct slv_err *err)
{
	if (series->last == NULL || !bddf_chunk_fits(series->last, entry))
		SLV_TRY(grow(s, series, entry, err));
	bddf_chunk_put(series->last, entry);
	return SLV_OK;
}

struct bddf_entry
bddf_entry_outside(
    const struct bddf_series *series, uint64_t off, uint64_t end, bool last)
{
	struct bddf_entry e = { .off = BDDF_NOWHERE };
	struct bddf_cursor at = { .chunk = series->first };
	const struct bddf_entry *one;

	if (series->first == NULL)
		return e;
	if (last)
		e = bddf_chunk_get(series->last, series->last->n - 1);
	else
		e = bddf_chunk_get(series->first, 0);
	if (e.off < off || e.off >= end)
		return e;
	for (e.off = BDDF_NOWHERE; (one = bddf_cursor_at(&at)) != NULL;
	     at.i++) {
		if (one->off >= end && !last)
			return *one;
		if (one->off >= off && last)
			return e;
		if (one->off < off)
			e = *one;
	}
	return e;
}

void
bddf_state_free(void *state)
{
	struct bddf *b = state;

	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_chunk *c = b->series[i].first, *next;

		slv_free(b->series[i].name);
		for (; c != NULL; c = next) {
			next = c->next;
			slv_free(c);
		}
	}
	slv_free(b->series);
	slv_free(b->places);
	slv_buf_free(&b->first_made);
	slv_free(b->pieces);
	slv_free(b->found);
	slv_free(b->eras);
	slv_free(b->turns);
	slv_free(b->weak);
	slv_free(b->unnamed);
	slv_free(b->odd);
	bddf_pool_free(&b->extras);
}
