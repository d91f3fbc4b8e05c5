/* told.h - what is to be said about a file when it is done.
 *
 * It is put together where the file was worked on, which may be another
 * process, and said here; batch/workers/sent.h is what goes from there to here.
 */
#ifndef SLV_CLI_TOLD_H
#define SLV_CLI_TOLD_H

#include "batch/find/find.h"
#include "cli/files/files.h"
#include "salvor_many.h"

struct slv_told {
	const char *file; /* borrowed; what it is about: who says it sets it */
	double seconds;   /* that the job took; < 0: nobody knows */
	int code;         /* SLV_EXIT_*, ORed */
	enum slv_state state;
	bool aside;               /* the text goes to standard error */
	bool failed;              /* something could not be put together */
	bool promised;            /* by its name it must hold a log */
	char *text;               /* owned, for people; NULL: nothing to say */
	char *json;               /* owned; NULL: nobody asked */
	char *sums;               /* owned; NULL: nobody asked */
	struct slv_totals totals; /* of this file */
};

/* Put together what the arguments ask for; the report may be NULL for want of
 * memory, and `file` is what it is of. */
void slv_told_make(struct slv_told *, const struct slv_args *,
    const struct slv_treatment *, const char *file, const struct slv_report *);

/* The same of a file of which there is no report, but why not. */
void slv_told_fail(struct slv_told *, const struct slv_args *, const char *file,
    const struct slv_err *);

/* Whether the file is no log, and neither its name nor the command line says
 * that it must be one. */
bool slv_told_is_no_log(const struct slv_told *, const struct slv_found *);

/* Say it; false: not all could be said.  Frees what it owns. */
bool slv_told_say(struct slv_told *, const struct slv_args *);

void slv_told_free(struct slv_told *);

#endif
