/* inplace_job.h - what a job does in addition when it changes a file in
 * place. */
#ifndef SLV_JOB_INPLACE_JOB_H
#define SLV_JOB_INPLACE_JOB_H

#include "job/audit/audit.h"
#include "job/inplace/inplace.h"
#include "report/report.h"

/* Before the file is opened for a repair in place: roll back an interrupted
 * repair, and discard the record of a finished one if requested. */
enum slv_status slv_inplace_recover(
    struct slv_report *, const struct slv_options *);

/* If a repair in place of the file was interrupted, or may have been because
 * its record cannot be read, report that as the only finding of the audit. */
enum slv_status slv_inplace_unfinished(
    struct slv_report *, struct slv_audit *, const struct stat *);

/* A plan that cannot be run in place does not count: raise the finding, and
 * leave the log unchanged. */
enum slv_status slv_inplace_possible(struct slv_audit *, struct slv_err *);

/* A repair of a file in place; { 0 } is a valid empty one. */
struct slv_inplace_job {
	struct slv_undo_names names;
	struct slv_inplace in;
};

/* Find out what the plan would change in its own file, and report it.
 * Free the job, also after a failure; it borrows everything else. */
enum slv_status slv_inplace_begin(struct slv_inplace_job *, struct slv_report *,
    const struct slv_options *, struct slv_audit *, struct slv_source *file,
    const struct stat *);

/* Change the file, except in a dry run.
 *
 *   sidecar  NULL: none */
enum slv_status slv_inplace_end(struct slv_inplace_job *, struct slv_report *,
    const struct slv_options *, struct slv_sidecar *sidecar);

void slv_inplace_job_free(struct slv_inplace_job *);

/* The names of the job's file and its record: slv_undo_names(), or the same of a file
 * that was found. */
enum slv_status slv_inplace_names(struct slv_undo_names *, struct slv_report *,
    const struct slv_options *, const char *given);

/* Report where a record is, its size, and what it says about the file. */
enum slv_status slv_inplace_report(struct slv_report *,
    const struct slv_undo_names *, const struct slv_undo_facts *,
    uint64_t size);

/* Report whether the record exists and is open. */
void slv_inplace_look(struct slv_report *, const struct slv_undo_names *);

#endif
