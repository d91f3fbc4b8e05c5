/* mapfile.h - maps of a file in the format of GNU ddrescue. */
#ifndef SLV_JOB_MAPFILE_H
#define SLV_JOB_MAPFILE_H

#include "core/catalog/catalog.h"
#include "io/read/source.h"
#include "salvor_many.h"

/* Append the map of a catalog: + kept and rebuilt, - lost, ? padding and other
 * recordings. */
enum slv_status slv_mapfile_add(
    struct slv_lines *, const struct slv_catalog *, struct slv_err *);

/* Read the map that ddrescue left of a source: ranges that it does not call
 * rescued count as unreadable from now on.
 *
 * SLV_E_REFUSED: it is not such a map, or not of all of this source; the
 *                message names the line
 * SLV_E_USAGE:   it is not a file, or longer than any map */
enum slv_status slv_mapfile_apply(const char *path, struct slv_source *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

#endif
