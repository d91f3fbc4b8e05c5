/* next.h - the one command to type next, over all files that were looked
 * at. */
#ifndef SLV_CLI_NEXT_H
#define SLV_CLI_NEXT_H

#include "base/buf.h"

#define SLV_NEXT_NAMES 8 /* files named in the command */

/* Starts as { 0 }. */
struct slv_next_line {
	struct slv_buf files;  /* owned; " FILE" for each to be repaired */
	struct slv_buf output; /* owned; what the first would write */
	uint64_t n;            /* how many */
	uint64_t bytes;        /* what all would write */
	bool donor;            /* another log might help one of them */
	struct slv_buf undo;   /* owned; " FILE" for each whose repair in place
	                      * was interrupted */
	uint64_t n_undo;       /* how many */
	const char *option;    /* that others need; static, as its note is */
	const char *note;
	struct slv_buf wanting; /* owned; " FILE" for each of them */
	uint64_t n_wanting;     /* how many */
	struct slv_buf id;      /* owned; a finding to be explained */
};

/* The commands need this option, NAME being a file. */
void slv_next_option(
    struct slv_next_line *, const char *option, const char *name);

/* Take in what is to be done about one more file. */
void slv_next_add(struct slv_next_line *, const struct slv_report *);

/* The line with its newline, owned by the caller; "" where nothing is to be
 * done, NULL: out of memory.  Frees what was taken in. */
char *slv_next_take(struct slv_next_line *);

#endif
