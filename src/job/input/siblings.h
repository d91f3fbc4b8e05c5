/* siblings.h - the other segments of a recording that a recorder has split into
 * numbered files.
 *
 * They are next to the log under its name with other numbers.  A repair may
 * take lost declarations from them, as from a donor.  The driver decides
 * whether one is of the same recording.
 */
#ifndef SLV_JOB_SIBLINGS_H
#define SLV_JOB_SIBLINGS_H

#include <sys/stat.h>

#include "core/scan/scan.h"

struct slv_neighbour {
	char *name; /* owned; NULL: there is none */
	struct slv_source *source;
	struct slv_scan scan;
	bool looked, good; /* tried to open it; it is readable */
};

struct slv_neighbours {
	const char *log;       /* borrowed */
	const struct stat *st; /* borrowed; status of the log */
	struct slv_scan_options how;
	struct slv_siblings siblings; /* for the scan */
	struct slv_neighbour at[SLV_SIBLINGS_MAX];
};

/* The name of the i-th segment around the log, nearest first; *out: owned,
 * NULL: there is none.
 *
 *   format  the log's; NULL: not known yet, any format with segments */
enum slv_status slv_sibling_name(const struct slv_format *, const char *log,
    unsigned i, char **out, struct slv_err *);

/* Prepare; no file is opened before a scan asks.  It must not be moved. */
void slv_neighbours_init(struct slv_neighbours *, const char *log,
    const struct stat *, const struct slv_scan_options *);

void slv_neighbours_free(struct slv_neighbours *);

#endif
