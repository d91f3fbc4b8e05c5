/* bddf_chunk.h - the entries of a series, in pieces that never move.
 *
 * There may be a hundred million of them.  Most pieces keep only the first
 * offset and seconds in full, and differences for the other entries.
 */
#ifndef SLV_FORMATS_BDDF_CHUNK_H
#define SLV_FORMATS_BDDF_CHUNK_H

#include "formats/bddf/read/bddf_wire.h"

struct bddf;
struct slv_scan;

/* An entry as it is stored. */
struct bddf_kept {
	uint32_t off, sec; /* differences to the chunk's */
	uint32_t nanos;
};

struct bddf_chunk {
	struct bddf_chunk *next;
	const struct bddf *owner;
	uint64_t bytes; /* of all of them in an index, once it is planned */
	uint64_t off;   /* of the first entry */
	int64_t sec;    /* of the first entry */
	struct bddf_entry *whole; /* cap entries, in place of `at`; NULL: all
				   * are stored there, have no additional
				   * indexes and are not far from the first
				   * one */
	uint32_t n, cap;
	_Alignas(struct bddf_entry) struct bddf_kept at[];
};

/* Return true if it has space for the entry, once it has a first one. */
static inline bool
bddf_chunk_fits(const struct bddf_chunk *c, const struct bddf_entry *e)
{
	if (c->n == c->cap || c->whole != NULL)
		return c->n < c->cap;
	return e->extra == 0 && e->off - c->off <= UINT32_MAX
	    && (e->nanos == BDDF_NO_TIME
	        || (uint64_t)e->sec - (uint64_t)c->sec <= UINT32_MAX);
}

/* Append an entry that fits.  If it has no time, its seconds are not used. */
static inline void
bddf_chunk_put(struct bddf_chunk *c, const struct bddf_entry *e)
{
	if (c->n == 0) {
		c->off = e->off;
		c->sec = e->sec;
	}
	if (c->whole != NULL)
		c->whole[c->n] = *e;
	else
		c->at[c->n] = (struct bddf_kept){
			.off = (uint32_t)(e->off - c->off),
			.sec = (uint32_t)((uint64_t)e->sec - (uint64_t)c->sec),
			.nanos = e->nanos,
		};
	c->n++;
}

/* Entry i, which exists. */
static inline struct bddf_entry
bddf_chunk_get(const struct bddf_chunk *c, uint32_t i)
{
	const struct bddf_kept *k = &c->at[i];
	struct bddf_entry e = { .off = c->off + k->off, .nanos = k->nanos };

	if (c->whole != NULL)
		return c->whole[i];
	if (k->nanos != BDDF_NO_TIME)
		e.sec = (int64_t)((uint64_t)c->sec + k->sec);
	return e;
}

/* A piece among those of all series, in the order of their first entries. */
struct bddf_place {
	const struct bddf_chunk *chunk;
	uint64_t last; /* offset of the last entry in this piece and those
	                * before it */
};

/* bddf_places.c - all is read: sort the pieces of all series. */
enum slv_status bddf_places_sort(struct slv_scan *, struct slv_err *);
/* The last data block that begins before off; BDDF_NOWHERE: there is none.
 * Adds to *looked how many pieces that took. */
struct bddf_entry bddf_entry_before(
    const struct bddf *, uint64_t off, uint64_t *looked);

/* A place in a series' entries. */
struct bddf_cursor {
	const struct bddf_chunk *chunk;
	uint32_t i;
	struct bddf_entry entry; /* the entry that was read there */
};

/* The entry there, valid until the next call; NULL after the last one. */
static inline const struct bddf_entry *
bddf_cursor_at(struct bddf_cursor *c)
{
	while (c->chunk != NULL && c->i == c->chunk->n)
		*c = (struct bddf_cursor){ .chunk = c->chunk->next };
	if (c->chunk == NULL)
		return NULL;
	c->entry = bddf_chunk_get(c->chunk, c->i);
	return &c->entry;
}

#endif
