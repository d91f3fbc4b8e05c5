/* told.h - what is printed and recorded about a file after its job.
 *
 * The process that did the job, maybe a worker, puts it together; the main process
 * prints it.  A worker sends it as batch/workers/sent.h describes.
 */
#ifndef SLV_CLI_TOLD_H
#define SLV_CLI_TOLD_H

#include "batch/find/find.h"
#include "cli/files/files.h"
#include "salvor_many.h"

struct slv_told {
	const char *file; /* borrowed; set by the process that prints */
	double seconds;   /* that the job took; < 0: unknown */
	int code;         /* SLV_EXIT_*, ORed */
	enum slv_state state;
	bool aside;               /* the text goes to standard error */
	bool failed;              /* something could not be put together */
	bool promised;            /* by its name it must hold a log */
	char *text;               /* owned, for people; NULL: nothing to say */
	char *json;               /* owned; NULL: not requested */
	char *sums;               /* owned; NULL: not requested */
	struct slv_totals totals; /* of this file */
};

/* Put together what the arguments ask for.  The report, which is about `file`, is NULL if
 * memory ran out. */
void slv_told_make(struct slv_told *, const struct slv_args *,
    const struct slv_treatment *, const char *file, const struct slv_report *);

/* The same for a file without a report; the error says why there is none. */
void slv_told_fail(struct slv_told *, const struct slv_args *, const char *file,
    const struct slv_err *);

/* Whether the file is no log, and neither its name nor the command line says
 * that it must be one. */
bool slv_told_is_no_log(const struct slv_told *, const struct slv_found *);

/* Print it; false: not all of it could be printed.  Frees what it owns. */
bool slv_told_say(struct slv_told *, const struct slv_args *);

void slv_told_free(struct slv_told *);

#endif
