/* inplace_job.h - what job/job.c does where files are changed in place. */
#ifndef SLV_JOB_INPLACE_JOB_H
#define SLV_JOB_INPLACE_JOB_H

#include "job/audit/audit.h"
#include "job/inplace/inplace.h"
#include "report/report.h"

/* Before the file is opened for a repair in place: end one that was
 * interrupted, and forget a finished one where that is asked for. */
enum slv_status slv_inplace_recover(
    struct slv_report *, const struct slv_options *);

/* Whether a repair in place of the file was interrupted, or is not known to be
 * finished, as its record cannot be read: then the report says so, with the one finding that the audit gets. */
enum slv_status slv_inplace_unfinished(
    struct slv_report *, struct slv_audit *, const struct stat *);

/* A plan that cannot be run in place is none: raise the finding, and leave
 * the log as it is. */
enum slv_status slv_inplace_possible(struct slv_audit *, struct slv_err *);

/* A repair of a file in its place; { 0 } is a valid empty one. */
struct slv_inplace_job {
	struct slv_undo_names names;
	struct slv_inplace in;
};

/* Find out what the plan would change in its own file, and take it down.  The
 * job must be freed, also after a failure; it borrows all else. */
enum slv_status slv_inplace_begin(struct slv_inplace_job *, struct slv_report *,
    const struct slv_options *, struct slv_audit *, struct slv_source *file,
    const struct stat *);

/* Do it, but in a dry run.
 *
 *   sidecar  NULL: none */
enum slv_status slv_inplace_end(struct slv_inplace_job *, struct slv_report *,
    const struct slv_options *, struct slv_sidecar *sidecar);

void slv_inplace_job_free(struct slv_inplace_job *);

/* Take down where a record is, its size, and what it says of the file. */
enum slv_status slv_inplace_report(struct slv_report *,
    const struct slv_undo_names *, const struct slv_undo_facts *,
    uint64_t size);

/* Take down whether the record is there, and open. */
void slv_inplace_look(struct slv_report *, const struct slv_undo_names *);

#endif
