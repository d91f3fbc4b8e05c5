/* entries.h - what the lines of a journal say, by file; of journal*.c alone. */
#ifndef SLV_BATCH_ENTRIES_H
#define SLV_BATCH_ENTRIES_H

#include <signal.h>
#include <stdio.h>

#include "batch/journal/journal.h"

/* { 0 } is none. */
struct slv_entries {
	struct slv_entry *at; /* owned; in the order of a batch */
	size_t n, cap;
};

/* { 0 } is none. */
struct slv_unreads {
	struct slv_unread *at; /* owned */
	size_t n, cap;
};

/* A journal while it is read. */
struct slv_lines_of {
	const char *path;                    /* for messages */
	size_t file;                         /* which one it is */
	const volatile sig_atomic_t *cancel; /* NULL: nobody stops it */
	char **command; /* whose it must be; *command NULL: any, and which it
	                   * was is put there, to be owned by the caller */
	struct slv_unreads *unread; /* what was passed over */
	bool torn;                  /* it ends inside a line */
	uint64_t n_ours, n_others;  /* lines of the command, and of no such
	                             * journal; 0 to begin with */
};

/* Add an entry for each file that the lines are about: what the last one says.
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_CANCELLED  *cancel is not 0
 * SLV_E_EXISTS     it is no journal, or one of another command */
enum slv_status slv_entries_read(
    struct slv_entries *, FILE *, struct slv_lines_of *, struct slv_err *);

/* Of entries of several journals about one file keep the one that was written
 * last, in the order of a batch; the others go to `older`. */
enum slv_status slv_entries_join(
    struct slv_entries *, struct slv_entries *older, struct slv_err *);

const struct slv_entry *slv_entries_find(
    const struct slv_entries *, const char *path);

void slv_entries_free(struct slv_entries *);
void slv_unreads_free(struct slv_unreads *);

#endif
