/* journal.h - what a batch has done, a line for each file, as it is done.
 *
 * The file is only ever appended to, one JSON object a line (docs/json.md), so
 * that whatever ends a run ends it between two lines, or in the middle of the
 * last one, which then counts for nothing.  Of several lines of one file the
 * last counts.
 */
#ifndef SLV_BATCH_JOURNAL_H
#define SLV_BATCH_JOURNAL_H

#include "base/buf.h"

/* What tells a file that was changed from one that was not. */
struct slv_stamp {
	uint64_t size;
	int64_t mtime; /* nanoseconds since 1970 */
	uint64_t inode;
};

/* What is known of a file from a line. */
struct slv_entry {
	char *name; /* owned */
	struct slv_stamp input;
	char *output;           /* owned; path, NULL: none was written */
	struct slv_stamp stamp; /* of the output */
	int code;               /* SLV_EXIT_*, ORed */
	int64_t when;           /* seconds since 1970 */
	uint64_t off, len;      /* of its line in the journal */
};

struct slv_journal;

/* Open a journal for a command, and read what is there.
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_EXISTS   the file is no journal, or one of another command
 * SLV_E_REFUSED  another process is writing to it */
enum slv_status slv_journal_open(const char *path, const char *command,
    struct slv_journal **out, struct slv_err *err);

/* The last line of a file; NULL: there is none. */
const struct slv_entry *slv_journal_find(
    const struct slv_journal *, const char *path);

/* Whether input and output are still what they were. */
bool slv_entry_holds(const struct slv_entry *, const char *path);

/* The report in the line of an entry, owned by the caller; NULL: it cannot be
 * read, or memory ran out. */
char *slv_journal_report(const struct slv_journal *, const struct slv_entry *);

/* Append a line, which has no newline.  SLV_E_IO: it is not, or not all of it,
 * in the journal, and no other may follow. */
enum slv_status slv_journal_add(
    struct slv_journal *, const char *line, struct slv_err *);

/* NULL is allowed. */
void slv_journal_close(struct slv_journal *);

/* A line for a file, owned by the caller; NULL: out of memory.
 *
 *   before  the file when the job began
 *   report  what slv_report_json() made */
char *slv_journal_line(const char *command, const char *path,
    const struct slv_stamp *before, int code, const char *report);

/* false: nothing can be told of it; the stamp is then all 0. */
bool slv_stamp_of(const char *path, struct slv_stamp *);

#endif
