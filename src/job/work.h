/* work.h - a job while it runs, shared by the modules that do it. */
#ifndef SLV_JOB_WORK_H
#define SLV_JOB_WORK_H

#include "core/catalog/silence.h"
#include "job/audit/audit.h"
#include "job/input/active.h"
#include "job/input/donor.h"
#include "job/input/siblings.h"
#include "job/merge/fill.h"
#include "job/merge/merge.h"
#include "report/report.h"
#include "options/options.h"

struct slv_lines;
struct slv_sidecar;

#define SLV_SETTINGS_MAX 4 /* all formats together */

struct slv_work {
	enum slv_job job;
	const struct slv_options *opt;
	const char *const *files; /* as named by the caller */
	size_t n_files;
	struct slv_source *source;
	struct slv_merge merge; /* in a merge, the source is owned by this */
	const struct slv_source *original; /* gives the outputs mode, times and
					    * so on; NULL: none */
	bool part;                         /* the input is part of the input of
					    * another job */
	struct stat st;                    /* the input when it was opened */
	char *target;          /* owned; output of a repair, if it writes */
	struct slv_site at;    /* owned; directory of the target, if it
			        * exists */
	struct slv_lines *map; /* the --mapfile; NULL: none, or published */
	struct slv_lines *plan_out; /* the same for --plan-out */
	struct slv_tee tee; /* in a repair: the output, before it is planned */
	struct slv_audit audit;
	struct slv_filled filled;
	struct slv_donor donor;           /* in a repair */
	struct slv_neighbours neighbours; /* in a repair */
	struct slv_silences silences;     /* what rules ask about */
	struct slv_meter meter;
	struct slv_setting settings[SLV_SETTINGS_MAX + 1];
	struct slv_report *report;
	struct slv_err *err; /* that of the report */
	bool active;         /* another process writes the file, which is
			      * only described */
	bool reads;          /* in a repair: nothing will be written, and the
			      * records are read from the plan (job/read) */
};

/* job.c - make the report; files, job and options are set.
 *
 * SLV_E_NOMEM: there is none */
enum slv_status slv_work_start(struct slv_work *);

/* Open what the job reads, unless there is a source, and what it writes in
 * addition to the output. */
enum slv_status slv_work_open(struct slv_work *);

/* asks.c - what the audit is to do. */
struct slv_audit_options slv_work_asks(struct slv_work *);

/* The caller's options for the driver of the format, borrowed from the work. */
const struct slv_setting *slv_work_settings(struct slv_work *);

/* The plan to write. */
const struct slv_plan *slv_work_plan(const struct slv_work *);

/* Return true if an output is wanted and possible. */
bool slv_work_writes(const struct slv_work *);

/* publish.c - write the output, with its report next to it. */
enum slv_status slv_work_publish(struct slv_work *);

/* Make the report that is written next to the output, if one is needed.  Only the outcome
 * of the job is not known yet.
 *
 *   *line  the text to which the sidecar points; owned by the caller */
enum slv_status slv_work_sidecar(
    struct slv_work *, const char *path, struct slv_sidecar *, char **line);

/* Open the output before the plan is known; `work` is a struct slv_work. */
enum slv_status slv_work_begin(
    void *work, struct slv_sink **out, struct slv_err *);

/* parts.c - with --split: repair each whole log of another recording into a
 * file of its own.  Nothing is written before all of them are checked. */
enum slv_status slv_work_split(struct slv_work *);

/* job.c - audit the source of the job. */
enum slv_status slv_work_audit(struct slv_work *);

/* Put what the audit found, or why it failed, into the report. */
void slv_work_tell(struct slv_work *);

/* Check that no other process writes, or has written, what was read; see
 * slv_input_unchanged(). */
enum slv_status slv_work_unchanged(
    const struct slv_work *, slv_active_fn judge, struct slv_err *);

/* If two reads of the same bytes do not agree, the log may have changed in between:
 * then SLV_E_BUG becomes SLV_E_ACTIVE. */
void slv_work_blame(struct slv_work *, struct slv_err *);

/* Set the result for the file, after its audit or a later failure. */
void slv_work_settle(struct slv_work *);

/* Free everything but the report. */
void slv_work_free(struct slv_work *);

/* Do everything after the audit.  The report is then complete, and the work
 * holds nothing any more. */
void slv_work_finish(struct slv_work *);

#endif
