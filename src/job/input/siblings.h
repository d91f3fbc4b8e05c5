/* siblings.h - the other pieces of a recording that a recorder has cut into
 * files which it numbers.
 *
 * They stand beside the log under its name with other numbers.  A repair may
 * take from them what explains the data and is lost, as from a donor; whether
 * one is of the same recording the driver decides.
 */
#ifndef SLV_JOB_SIBLINGS_H
#define SLV_JOB_SIBLINGS_H

#include <sys/stat.h>

#include "core/scan/scan.h"

struct slv_neighbour {
	char *name; /* owned; NULL: there is none */
	struct slv_source *source;
	struct slv_scan scan;
	bool looked, good; /* it was opened; it can be read */
};

struct slv_neighbours {
	const char *log;       /* borrowed */
	const struct stat *st; /* borrowed; what the log is */
	struct slv_scan_options how;
	struct slv_siblings siblings; /* for the scan */
	struct slv_neighbour at[SLV_SIBLINGS_MAX];
};

/* The name of the i-th piece around the log, nearest first; *out: owned, NULL:
 * there is none.
 *
 *   format  the log's; NULL: not known yet, any that has pieces */
enum slv_status slv_sibling_name(const struct slv_format *, const char *log,
    unsigned i, char **out, struct slv_err *);

/* Nothing is opened before a scan asks.  It may not be moved. */
void slv_neighbours_init(struct slv_neighbours *, const char *log,
    const struct stat *, const struct slv_scan_options *);

void slv_neighbours_free(struct slv_neighbours *);

#endif
