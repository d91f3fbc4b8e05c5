/* batch_state.h - a batch while it runs; for batch*.c alone. */
#ifndef SLV_CLI_BATCH_STATE_H
#define SLV_CLI_BATCH_STATE_H

#include "batch/find/find.h"
#include "batch/journal/baseline.h"
#include "batch/journal/journal.h"
#include "batch/workers/pool.h"
#include "batch/workers/sent.h"
#include "cli/batch/batch.h"
#include "cli/files/told.h"
#include "cli/output/records.h"
#include "cli/terminal/pace.h"
#include "cli/terminal/throttle.h"
#include "guard/guard.h"

#define SLV_BATCH_WORST 10 /* files that the summary names */

/* A file with losses. */
struct slv_batch_loss {
	const char *path; /* borrowed from the find */
	uint64_t bytes;
};

struct slv_batch {
	struct slv_args *args; /* borrowed, like the following */
	const struct slv_treatment *how;
	struct slv_find find;
	struct slv_journal *journal;  /* owned; NULL: none */
	struct slv_journal_run run;   /* for it */
	struct slv_journal *baseline; /* owned; NULL: none */
	bool own_baseline;            /* it is the journal */
	char *rules, *options;        /* owned; as in `run` */
	bool share; /* the memory limit is for all workers together */
	struct slv_run_files records;
	int code;

	/* For each file its journal entry, if it is done already; NULL: it is
	 * not.  Borrowed from the journal. */
	const struct slv_entry **known; /* owned */
	/* The files to process. */
	size_t *tasks; /* owned; indexes in the find */
	size_t n_tasks;
	size_t next, next_task; /* the next file to report, and its task */

	uint64_t done, done_bytes; /* files that ended in this run */
	uint64_t earlier;          /* files that were done before it */
	uint64_t otherwise;        /* with other options: processed again */
	uint64_t left;             /* files without time */
	struct slv_err full;       /* why the journal cannot be written */
	uint64_t kept, lost; /* files of this run with and without a line in
			      * it */
	uint64_t no_logs;    /* found, but not logs */
	uint64_t damaged;    /* so far */
	struct slv_batch_loss worst[SLV_BATCH_WORST]; /* the worst first */
	size_t n_worst;

	struct slv_carries carries; /* what outputs take over from the files */
	int null;                   /* owned; /dev/null, -1: there is none */
	struct slv_pace pace;
	struct slv_throttle throttle; /* in a worker, if requested */
};

/* batch_confine.c - the sandbox of the main process, once the files are known
 * and before anything is parsed; and that of a worker.
 *
 *   line  the socket for a worker's results */
enum slv_status slv_batch_confine(struct slv_batch *, struct slv_err *);
enum slv_status slv_batch_confine_worker(
    struct slv_batch *, int line, struct slv_err *);

/* batch_plan.c - which files are to be done; does the journal decide whose turn
 * it is? */
bool slv_batch_has_turn(const struct slv_batch_args *);
enum slv_status slv_batch_plan(struct slv_batch *, struct slv_err *);

/* batch_options.c - the options of each job, owned by the caller; NULL: out of
 * memory. */
char *slv_batch_options(const struct slv_args *);

/* batch_baseline.c - the journal that files are compared with. */
enum slv_status slv_batch_open_baseline(struct slv_batch *, struct slv_err *);

/* Time of its digests of a file, seconds since 1970; 0: it has none. */
int64_t slv_batch_since(const struct slv_batch *, const char *path);

/* Return true if an entry says what a run would report again. */
bool slv_batch_was_compared(const struct slv_batch *, const struct slv_entry *);

/* batch_work.c - a file in a worker, and its result in the main process.
 *
 * For struct slv_pool: do a task; is a result valid? */
void slv_batch_work(void *batch, size_t nth, struct slv_buf *);
bool slv_batch_check(void *batch, const struct slv_task *);

/* The result of a task, or why there is none; owned by the caller. */
void slv_batch_sent_of(
    struct slv_batch *, const struct slv_task *, struct slv_sent *);

/* Its line in the journal, owned by the caller; NULL if it gets none.  false:
 * memory ran out. */
bool slv_batch_line(
    struct slv_batch *, size_t nth, const struct slv_sent *, char **line);

/* What to report about its file; takes over what the result owns. */
void slv_batch_told_of(
    const struct slv_batch *, size_t nth, struct slv_sent *, struct slv_told *);

/* batch_tell.c - report the files in order.  All return false if that failed.
 *
 * A file that cannot be read; for slv_find.on_error. */
void slv_batch_say_unreadable(void *batch, const struct slv_err *);

/* A file; frees the report. */
bool slv_batch_say(
    struct slv_batch *, const struct slv_found *, struct slv_told *);

/* A file that was done earlier. */
bool slv_batch_say_earlier(struct slv_batch *, size_t file);

/* All files before `upto` that were done earlier. */
bool slv_batch_catch_up(struct slv_batch *, size_t upto);

/* batch_dirs.c - the directories below -d, one for each in which a log was
 * found; they are made when there is something to write.
 *
 * Check that outputs do not collide with each other or with inputs; like
 * slv_repair_check(). */
enum slv_status slv_batch_check_outputs(
    const struct slv_batch *, struct slv_err *);

/* The directory for the output of a file, owned by the caller; NULL: out of
 * memory. */
char *slv_batch_dir(const struct slv_batch *, const struct slv_found *);

/* batch_page.c - progress and summary. */
void slv_batch_draw(struct slv_batch *, const struct slv_doing *, size_t n);

/* false: it could not be printed. */
bool slv_batch_summary(struct slv_batch *);

#endif
