/* next.h - the one command to type next, over all files that were looked
 * at.
 *
 * It works when it is typed: where the output cannot be beside the input, the
 * command writes it elsewhere.
 */
#ifndef SLV_CLI_NEXT_H
#define SLV_CLI_NEXT_H

#include "base/buf.h"

#define SLV_NEXT_NAMES 8 /* files named in the command */

/* Files that one command repairs. */
struct slv_next_files {
	struct slv_buf names;  /* owned; " FILE" for each, the first ones */
	struct slv_buf output; /* owned; what the first would write, quoted */
	uint64_t n;            /* how many */
	uint64_t bytes;        /* what all would write */
	bool donor;            /* another log might help one of them */
	bool split;            /* one holds a whole log of another recording */
};

/* Starts as { 0 }. */
struct slv_next_line {
	struct slv_buf options;      /* owned; that every command needs */
	struct slv_next_files plain; /* with the output beside the input */
	struct slv_next_files moved; /* with -d, all to one directory */
	const char *dir;             /* that one; static or environment */
	struct slv_buf why;          /* owned; why the first is moved */
	struct slv_buf bases;        /* owned; "/NAME/" of each that is moved */
	struct slv_buf alone;        /* owned; a line about a file that needs a
	                              * command of its own */
	struct slv_buf undo; /* owned; " FILE" for each whose repair in place
	                        * was interrupted */
	uint64_t n_undo;     /* how many */
	const char *option;  /* that others need; static, as its note is */
	const char *note;
	struct slv_buf wanting; /* owned; " FILE" for each of them */
	uint64_t n_wanting;     /* how many */
	struct slv_buf place; /* owned; " -o FILE" for the first of them, if its
	                         * output cannot be beside it */
	struct slv_buf id;    /* owned; a finding to be explained */
};

/* The commands need this option, NAME being a file. */
void slv_next_option(
    struct slv_next_line *, const char *option, const char *name);

/* Take in what is to be done about one more file. */
void slv_next_add(struct slv_next_line *, const struct slv_report *);

/* The line with its newline, owned by the caller; "" where nothing is to be
 * done, NULL: out of memory.  Frees what was taken in.
 *
 *   width  columns, at which the line is broken after the command */
char *slv_next_take(struct slv_next_line *, unsigned width);

#endif
