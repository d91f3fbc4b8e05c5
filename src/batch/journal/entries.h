/* entries.h - what the lines of a journal say about each file; for journal*.c
 * alone. */
#ifndef SLV_BATCH_ENTRIES_H
#define SLV_BATCH_ENTRIES_H

#include <signal.h>
#include <stdio.h>

#include "batch/journal/journal.h"
#include "salvor_many.h"

/* { 0 } is empty. */
struct slv_entries {
	struct slv_entry *at; /* owned; in the order of a batch */
	size_t n, cap;
};

/* { 0 } is empty. */
struct slv_unreads {
	struct slv_unread *at; /* owned */
	size_t n, cap;
};

/* A journal being read. */
struct slv_lines_of {
	const char *path;                    /* for messages */
	size_t file;                         /* index of the journal */
	const volatile sig_atomic_t *cancel; /* NULL: cannot be cancelled */
	char **command; /* required command; *command NULL: any, and it is
			 * stored there, owned by the caller */
	struct slv_unreads *unread; /* skipped lines */
	bool torn;                  /* it ends inside a line */
	uint64_t n_ours, n_others;  /* lines of the command, and lines of
				     * others; initially 0 */
};

/* Add an entry for each file in the lines: what its last line says.
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_CANCELLED  *cancel is not 0
 * SLV_E_EXISTS     it is not a journal, or one of another command */
enum slv_status slv_entries_read(
    struct slv_entries *, FILE *, struct slv_lines_of *, struct slv_err *);

/* From entries of several journals about one file keep the latest, in the order
 * of a batch; move the others to `older`. */
enum slv_status slv_entries_join(
    struct slv_entries *, struct slv_entries *older, struct slv_err *);

const struct slv_entry *slv_entries_find(
    const struct slv_entries *, const char *path);

void slv_entries_free(struct slv_entries *);
void slv_unreads_free(struct slv_unreads *);

#endif
