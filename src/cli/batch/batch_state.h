/* batch_state.h - a batch while it runs; of batch*.c alone. */
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

/* A file of which something is lost. */
struct slv_batch_loss {
	const char *path; /* borrowed from the find */
	uint64_t bytes;
};

struct slv_batch {
	struct slv_args *args; /* borrowed, as is what follows */
	const struct slv_treatment *how;
	struct slv_find find;
	struct slv_journal *journal;  /* owned; NULL: none */
	struct slv_journal_run run;   /* for it */
	struct slv_journal *baseline; /* owned; NULL: none */
	bool own_baseline;            /* it is the journal */
	char *rules, *options;        /* owned; as there */
	bool share; /* the limit of memory is for all workers */
	struct slv_records records;
	int code;

	/* Of each file what the journal has, where it is done already; NULL:
	 * it is not.  Borrowed from the journal. */
	const struct slv_entry **known; /* owned */
	/* The files that are to be done. */
	size_t *tasks; /* owned; indexes in the find */
	size_t n_tasks;
	size_t next, next_task; /* the file that is told of next, the task */

	uint64_t done, done_bytes; /* files that ended in this run */
	uint64_t earlier;          /* files that were done before it */
	uint64_t otherwise;        /* and with other options: done again */
	uint64_t left;             /* files that there was no time for */
	struct slv_err full;       /* why the journal cannot grow */
	uint64_t kept, lost; /* files of this run that are in it, or not */
	uint64_t no_logs;    /* found, and no logs */
	uint64_t damaged;    /* so far */
	struct slv_batch_loss worst[SLV_BATCH_WORST]; /* the worst first */
	size_t n_worst;

	struct slv_carries carries; /* that outputs take over from the files */
	int null;                   /* owned; /dev/null, -1: there is none */
	struct slv_pace pace;
	struct slv_throttle throttle; /* in a worker, where there is one */
};

/* batch_confine.c - the sandbox of the process that starts workers, once the files
 * are known and before anything is parsed; and that of a worker.
 *
 *   line  what a worker sends its results by */
enum slv_status slv_batch_confine(struct slv_batch *, struct slv_err *);
enum slv_status slv_batch_confine_worker(
    struct slv_batch *, int line, struct slv_err *);

/* batch_plan.c - which files are to be done; whether the journal says whose turn
 * it is. */
bool slv_batch_has_turn(const struct slv_batch_args *);
enum slv_status slv_batch_plan(struct slv_batch *, struct slv_err *);

/* batch_options.c - what a run asks of each job, owned by the caller; NULL: out
 * of memory. */
char *slv_batch_options(const struct slv_args *);

/* batch_baseline.c - the journal that files are held against. */
enum slv_status slv_batch_open_baseline(struct slv_batch *, struct slv_err *);

/* When its digests of a file were taken, seconds since 1970; 0: it has none. */
int64_t slv_batch_since(const struct slv_batch *, const char *path);

/* Whether an entry tells what a run would tell again. */
bool slv_batch_was_compared(const struct slv_batch *, const struct slv_entry *);

/* batch_work.c - a file in a worker, and its result here.
 *
 * As of struct slv_pool: do a task; whether a result is one. */
void slv_batch_work(void *batch, size_t nth, struct slv_buf *);
bool slv_batch_check(void *batch, const struct slv_task *);

/* What a task left, or why it left nothing; the caller owns it. */
void slv_batch_sent_of(
    struct slv_batch *, const struct slv_task *, struct slv_sent *);

/* Its line in the journal, owned by the caller; NULL where it gets none.  false:
 * memory ran out. */
bool slv_batch_line(
    struct slv_batch *, size_t nth, const struct slv_sent *, char **line);

/* What there is to say about its file; takes over what the result owns. */
void slv_batch_told_of(
    const struct slv_batch *, size_t nth, struct slv_sent *, struct slv_told *);

/* batch_tell.c - what became of the files, in order.  Of each false: it could
 * not be said.
 *
 * Of one that cannot be looked at; as slv_find.on_error. */
void slv_batch_say_unreadable(void *batch, const struct slv_err *);

/* Of a file; frees what was told. */
bool slv_batch_say(
    struct slv_batch *, const struct slv_found *, struct slv_told *);

/* Of one that was done before. */
bool slv_batch_say_earlier(struct slv_batch *, size_t file);

/* Of those before file `upto` that were done before. */
bool slv_batch_catch_up(struct slv_batch *, size_t upto);

/* batch_dirs.c - the folders below -d, one for each that a log was found in;
 * they are made when there is something to write.
 *
 * Whether two outputs would be one file, or one an input; as
 * slv_repair_check(). */
enum slv_status slv_batch_check_outputs(
    const struct slv_batch *, struct slv_err *);

/* The folder for the output of a file, owned by the caller; NULL: out of
 * memory. */
char *slv_batch_dir(const struct slv_batch *, const struct slv_found *);

/* batch_page.c - what people see of it. */
void slv_batch_draw(struct slv_batch *, const struct slv_doing *, size_t n);

/* false: it could not be printed. */
bool slv_batch_summary(struct slv_batch *);

#endif
