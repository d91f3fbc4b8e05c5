/* input.h - open what a job reads, and see whether it stays as it is. */
#ifndef SLV_JOB_INPUT_H
#define SLV_JOB_INPUT_H

#include <sys/stat.h>

#include "io/read/source.h"
#include "report/report.h"

/* The report's file as a source; "-" is standard input, which is copied
 * when it is a pipe.  For a repair it is spooled where the output goes, if that
 * is a file, else in ->temp_dir; the report tells of it.  For what writes
 * nothing up to 64 MiB are held in memory, and more is spooled.
 *
 *   target  where a repair's output goes; NULL: nothing is written
 *   st      receives what the input is */
enum slv_status slv_input_open(struct slv_report *, const struct slv_options *,
    const char *target, struct slv_source **out, struct stat *st);

/* A directory is no log.
 *
 *   instead  what to do about it
 *
 * SLV_E_REFUSED: it is one */
enum slv_status slv_input_no_folder(
    const char *path, const char *instead, struct slv_err *);

#define SLV_INPUT_BELOW "name the log itself, or all below it with -r"

/* The directory where standard input is spooled if it is a pipe.  Owned by the
 * caller; NULL: out of memory. */
char *slv_input_spool(const struct slv_options *, const char *target);

/* SLV_E_ACTIVE: somebody else has it open for writing, as far as the system
 * tells. */
enum slv_status slv_input_idle(struct slv_report *, struct slv_source *);

/* A log that grows or changes under our hands was not judged as it is.
 *
 *   st  what it was when it was opened
 *
 * SLV_E_ACTIVE: so it did
 * SLV_E_IO:     it cannot be looked at any more */
enum slv_status slv_input_unchanged(
    struct slv_report *, const struct slv_source *, const struct stat *st);

#endif
