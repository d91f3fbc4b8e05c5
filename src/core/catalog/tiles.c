/* tiles.c - a catalog in as few pieces as can be drawn. */
#include "core/catalog/tiles.h"

#include <stdlib.h>

#include "base/mem.h"

/* A shared tile is full when it has this part of the file. */
#define PARTS (SLV_TILES_MAX / 3)

/* Take the extents from *i on with one fate as one; *i moves past them. */
static struct slv_extent
next_run(const struct slv_catalog *c, size_t *i)
{
	struct slv_extent run = c->at[(*i)++];

	while (*i < c->n && c->at[*i].fate == run.fate)
		run.len += c->at[(*i)++].len;
	return run;
}

static size_t
count_runs(const struct slv_catalog *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; n++)
		next_run(c, &i);
	return n;
}

enum slv_status
slv_tiles_make(
    struct slv_tiles *t, const struct slv_catalog *c, struct slv_err *err)
{
	/* A long run has a tile of its own, PARTS of them at most; a shared
	 * tile ends before each, and when it is full. */
	uint64_t full =
	    count_runs(c) > SLV_TILES_EXACT ? c->end / PARTS + 1 : 0;

	for (size_t i = 0; i < c->n;) {
		struct slv_extent run = next_run(c, &i);
		struct slv_tile *last = t->n > 0 ? &t->at[t->n - 1] : NULL;

		if (last == NULL || last->len >= full || run.len >= full) {
			SLV_TRY(slv_grow(
			    &t->at, &t->cap, t->n + 1, sizeof(*t->at), err));
			last = &t->at[t->n++];
			*last = (struct slv_tile){ .off = run.off };
		}
		last->len += run.len;
		last->bytes[run.fate] += run.len;
	}
	return SLV_OK;
}

enum slv_fate
slv_tile_fate(const struct slv_tile *t)
{
	int fate = 0;

	while (fate < SLV_FATES && t->bytes[fate] != t->len)
		fate++;
	return (enum slv_fate)fate;
}

void
slv_tiles_free(struct slv_tiles *t)
{
	slv_free(t->at);
	*t = (struct slv_tiles){ 0 };
}
