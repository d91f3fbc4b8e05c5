/* input.h - open the input of a job, and check that it does not change. */
#ifndef SLV_JOB_INPUT_H
#define SLV_JOB_INPUT_H

#include <sys/stat.h>

#include "io/read/source.h"
#include "job/input/active.h"
#include "report/report.h"

/* Open the report's file as a source, or what the options supply for it.  "-" is
 * standard input; a pipe is copied, and what was compressed as a whole is decompressed
 * (packed.h).  For a repair it is spooled in the directory of the output, if that is a
 * file, else in ->temp_dir, and the report says so.  For a job that writes nothing, up
 * to 64 MiB are held in memory, and more is spooled.
 *
 *   target  the output of a repair; NULL: nothing is written
 *   st      receives the status of the input */
enum slv_status slv_input_open(struct slv_report *, const struct slv_options *,
    const char *target, struct slv_source **out, struct stat *st);

/* Open one of several files that are read: a copy, or a donor.  What was compressed as a
 * whole is decompressed, up to 64 MiB of it into memory.
 *
 *   target  the output, if more is spooled next to it; NULL: ->temp_dir */
enum slv_status slv_input_other(const struct slv_options *, const char *target,
    const char *file, struct slv_source **out, struct stat *st,
    struct slv_err *);

/* Open a duplicate of the descriptor; ->name is borrowed. */
enum slv_status slv_input_fd(int fd, const char *name, struct slv_source **out,
    struct stat *, struct slv_err *);

/* The same of memory, which is borrowed, too. */
enum slv_status slv_input_memory(const void *bytes, size_t n, const char *name,
    struct slv_source **out, struct slv_err *);

/* A directory is not a log.
 *
 *   instead  what to do instead
 *
 * SLV_E_REFUSED: it is a directory */
enum slv_status slv_input_no_folder(
    const char *path, const char *instead, struct slv_err *);

#define SLV_INPUT_BELOW "name the log itself, or all below it with -r"

/* The directory in which a pipe on standard input is spooled.  Owned by the
 * caller; NULL: out of memory. */
char *slv_input_spool(const struct slv_options *, const char *target);

/* SLV_E_ACTIVE: another process has it open for writing, if the system reports
 * that. */
enum slv_status slv_input_idle(struct slv_report *, struct slv_source *);

/* A log that grows or changes during a job was not judged as it is.
 *
 *   named  it is the file with the report's name; else what is open
 *   st     its status when it was opened
 *   judge  slv_active_change or slv_active_touch
 *
 * SLV_E_ACTIVE: it has changed
 * SLV_E_IO:     its status cannot be read any more */
enum slv_status slv_input_unchanged(const struct slv_report *,
    const struct slv_source *, bool named, const struct stat *st,
    slv_active_fn judge, struct slv_err *);

#endif
