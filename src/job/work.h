/* work.h - a job while it is done: shared by the files that do it. */
#ifndef SLV_JOB_WORK_H
#define SLV_JOB_WORK_H

#include "core/catalog/silence.h"
#include "job/audit/audit.h"
#include "job/input/donor.h"
#include "job/input/siblings.h"
#include "job/merge/fill.h"
#include "job/merge/merge.h"
#include "report/report.h"

struct slv_lines;

#define SLV_SETTINGS_MAX 4 /* of all formats together */

struct slv_work {
	enum slv_job job;
	const struct slv_options *opt;
	const char *const *files; /* those named */
	size_t n_files;
	struct slv_source *source;
	struct slv_merge merge; /* of a merge: the source is this one's */
	const struct slv_source *original; /* whose mode, times and so on the
	                                    * outputs get; NULL: none */
	bool part;                         /* of the input of another job */
	struct stat st;        /* what the input was when it was opened */
	char *target;          /* owned; where a repair writes, if it does */
	struct slv_site at;    /* owned; its folder, if it is there */
	struct slv_lines *map; /* the --mapfile; NULL: none, or published */
	struct slv_tee tee; /* of a repair: the output, while it is planned */
	struct slv_audit audit;
	struct slv_filled filled;
	struct slv_donor donor;           /* of a repair */
	struct slv_neighbours neighbours; /* of a repair */
	struct slv_silences silences;     /* of what rules ask about */
	struct slv_meter meter;
	struct slv_setting settings[SLV_SETTINGS_MAX + 1];
	struct slv_report *report;
	struct slv_err *err; /* the report's */
	bool active;         /* somebody writes what is only described */
};

/* What the caller tells the driver of the format, borrowed from the work. */
const struct slv_setting *slv_work_settings(struct slv_work *);

/* What is to be written. */
const struct slv_plan *slv_work_plan(const struct slv_work *);

/* Whether an output is wanted and possible. */
bool slv_work_writes(const struct slv_work *);

/* publish.c - write the output, with the report that stays beside it. */
enum slv_status slv_work_publish(struct slv_work *);

/* Begin with the output, a struct slv_work's, before the plan is known. */
enum slv_status slv_work_begin(
    void *work, struct slv_sink **out, struct slv_err *);

/* parts.c - with --split: repair each whole log of another recording into a
 * file of its own.  Nothing is written before everything was looked at. */
enum slv_status slv_work_split(struct slv_work *);

/* job.c - audit the source of the job. */
enum slv_status slv_work_audit(struct slv_work *);

/* All that follows the audit; the report then says everything, and the work
 * holds nothing any more. */
void slv_work_finish(struct slv_work *);

#endif
