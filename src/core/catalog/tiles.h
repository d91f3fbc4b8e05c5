/* tiles.h - a catalog in as few pieces as can be drawn.
 *
 * A log may have millions of extents.  Adjacent extents of one fate are one
 * tile.  If there are still too many, short ones share a tile, which counts its
 * bytes by fate.  Tiles cover the catalog with no gap and no overlap, as its
 * extents do.
 */
#ifndef SLV_CORE_TILES_H
#define SLV_CORE_TILES_H

#include "core/catalog/catalog.h"

#define SLV_TILES_EXACT 1000 /* runs of one fate that each have a tile */
#define SLV_TILES_MAX   1536 /* upper bound of the number of tiles */

struct slv_tile {
	uint64_t off, len;         /* in the input; len > 0 */
	uint64_t bytes[SLV_FATES]; /* add up to len */
};

struct slv_tiles {
	struct slv_tile *at; /* owned; in order */
	size_t n, cap;
};

/* Fill in empty tiles; free them, also after a failure. */
enum slv_status slv_tiles_make(
    struct slv_tiles *, const struct slv_catalog *, struct slv_err *);

/* The fate of all its bytes; SLV_FATES: there are several fates. */
enum slv_fate slv_tile_fate(const struct slv_tile *);

void slv_tiles_free(struct slv_tiles *);

#endif
