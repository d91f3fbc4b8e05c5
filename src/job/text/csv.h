/* csv.h - records as a folder of files of comma-separated values. */
#ifndef SLV_JOB_CSV_H
#define SLV_JOB_CSV_H

#include "job/export/export.h"

/* Write the records that readers of the log take, reading them twice, to the folder
 * of the target.  A failure is recorded in the log, and returned. */
enum slv_status slv_csv_export(
    struct slv_log *, const struct slv_export_target *, struct slv_export *out);

#endif
