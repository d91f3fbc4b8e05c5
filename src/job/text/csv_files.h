/* csv_files.h - which channels share a file, and what the files are called.
 *
 * Publishers of one topic are channels of their own in some formats.  Channels with the
 * same name, type and description share a file.
 */
#ifndef SLV_JOB_CSV_FILES_H
#define SLV_JOB_CSV_FILES_H

#include "job/read/channels.h"

/* A file: no other one has its name, whatever the case of its letters is, and none
 * begins with "_". */
struct slv_csv_name {
	char *name;       /* owned; "imu_data.csv" */
	uint32_t channel; /* the first one of those in it */
};

struct slv_csv_files {
	struct slv_csv_name *at; /* owned; in the order of their channels */
	uint32_t *of;            /* owned; by channel: its file */
	uint32_t n;
};

enum slv_status slv_csv_files_list(
    struct slv_csv_files *, const struct slv_channels *, struct slv_err *);

void slv_csv_files_free(struct slv_csv_files *);

#endif
