/* journal.h - what a batch has done, a line for each file, as it is done.
 *
 * The file is only ever appended to, one JSON object a line (docs/json.md), so
 * that whatever ends a run ends it between two lines, or in the middle of the
 * last one, which then counts for nothing.  Of several lines of one file the
 * last counts.
 *
 * Each line is parsed once, when the journal is read.
 */
#ifndef SLV_BATCH_JOURNAL_H
#define SLV_BATCH_JOURNAL_H

#include <signal.h>

#include "base/buf.h"

/* What tells a file that was changed from one that was not. */
struct slv_stamp {
	uint64_t size;
	int64_t mtime; /* nanoseconds since 1970 */
	uint64_t inode;
};

/* A line that has digests of a file: the last one, which may be an earlier one
 * than the last about it. */
struct slv_kept {
	bool there;
	struct slv_stamp stamp; /* of the file then */
	int64_t when;           /* as of an entry, as is what follows */
	size_t file;
	uint64_t off, len;
};

/* What is known of a file from a line. */
struct slv_entry {
	char *path; /* owned */
	bool named; /* on the command line, in a list, or by --include */
	struct slv_stamp input;
	char *output;           /* owned; path, NULL: none was written */
	struct slv_stamp stamp; /* of the output */
	char *sha256;           /* owned; of the output, NULL: not told */
	int code;               /* SLV_EXIT_*, ORed */
	int64_t when;           /* seconds since 1970 */
	char *rules;   /* owned; slv_policy_id(); NULL: there were none */
	char *options; /* owned; of the job, each with a newline behind it, in
	                * order; NULL: not told */
	bool digested; /* digests were asked for */
	bool compared; /* it was held against a baseline: */
	int64_t since; /* of then; 0: which did not know it */
	struct slv_kept kept;
	bool told; /* its report makes sense: */
	enum slv_state state;
	bool promised;            /* by its name it must hold a log */
	struct slv_totals totals; /* what it adds to them */
	size_t file;              /* which journal its line is in */
	uint64_t off, len;        /* and where */
};

/* Why a line is passed over. */
enum slv_unread_why {
	SLV_UNREAD_TORN,    /* a run that was killed left its beginning */
	SLV_UNREAD_GARBLED, /* it is no line of a journal */
	SLV_UNREAD_FOREIGN, /* it is one of another command */
};

struct slv_unread {
	size_t file;   /* which journal it is in */
	uint64_t line; /* its number, from 1 */
	enum slv_unread_why why;
	char *command; /* owned; of a foreign one */
};

struct slv_journal;

/* Open a journal for a command, and lock it; where it is not to be written there
 * need be none.
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_REFUSED  another process is writing to it */
enum slv_status slv_journal_open(const char *path, const char *command,
    bool write, struct slv_journal **out, struct slv_err *err);

/* Read what is there, once, before a line is added.
 *
 *   cancel  NULL: nobody stops it
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_CANCELLED  *cancel is not 0
 * SLV_E_EXISTS     the file is no journal, or one of another command */
enum slv_status slv_journal_read(struct slv_journal *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Read several journals of one command, which others may be writing to, as
 * one: of lines about one file that which was written last counts, before any
 * that failed.  The paths are borrowed until it is closed.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_EXISTS, SLV_E_CANCELLED */
enum slv_status slv_journal_gather(const char *const *paths, size_t n,
    const volatile sig_atomic_t *cancel, struct slv_journal **out,
    struct slv_err *err);

/* The command that the journals are of. */
const char *slv_journal_command(const struct slv_journal *);

/* What is known of each file, in the order in which a batch tells of them;
 * NULL past the end. */
const struct slv_entry *slv_journal_at(const struct slv_journal *, size_t i);

/* Of several journals, entries about a file that the one of a later one took
 * the place of; NULL past the end. */
const struct slv_entry *slv_journal_older(const struct slv_journal *, size_t i);

/* Lines that were passed over, as they stand; NULL past the end. */
const struct slv_unread *slv_journal_unread(
    const struct slv_journal *, size_t i);

/* What is known of a file; NULL: nothing. */
const struct slv_entry *slv_journal_find(
    const struct slv_journal *, const char *path);

/* Whether a job came to no end, so that the entry says nothing of the log. */
bool slv_entry_failed(const struct slv_entry *);

/* Whether input and output are still what they were; or the input. */
bool slv_entry_holds(const struct slv_entry *);
bool slv_entry_is_current(const struct slv_entry *);

/* Whether the output has the digest that it had; reads all of it. */
bool slv_entry_proves(const struct slv_entry *);

/* Whether it was held against the same rules; NULL: none. */
bool slv_entry_obeys(const struct slv_entry *, const char *rules);

/* Whether the job was asked for as much, by the same options; what only adds to
 * a report, behind a +, may also have been asked for. */
bool slv_entry_fits(const struct slv_entry *, const char *options);

/* The line of an entry, or the report in it, owned by the caller; NULL: it
 * cannot be read, or memory ran out. */
char *slv_journal_text(const struct slv_journal *, const struct slv_entry *);
char *slv_journal_report(const struct slv_journal *, const struct slv_entry *);

/* Its part of --sums; as slv_journal_report(). */
char *slv_journal_sums(const struct slv_journal *, const struct slv_entry *);

/* The line with its digests, ->kept.there being true; as slv_journal_text(). */
char *slv_journal_kept(const struct slv_journal *, const struct slv_entry *);

/* Append a line, which has no newline.  SLV_E_IO: it is not, or not all of it,
 * in the journal, and no other may follow. */
enum slv_status slv_journal_add(
    struct slv_journal *, const char *line, struct slv_err *);

/* In a process that does not write to it: let go of the file, so that nobody
 * waits for this process to end before he writes.  Entries stay. */
void slv_journal_leave(struct slv_journal *);

/* The descriptors that its lines are read by, -1 those that are not open; borrowed.
 * NULL has none. */
size_t slv_journal_fds(const struct slv_journal *, const int **fds);

/* NULL is allowed. */
void slv_journal_close(struct slv_journal *);

/* What a run does that its lines must tell. */
struct slv_journal_run {
	const char *command;
	const char *rules; /* as of an entry, as is what follows */
	const char *options;
	bool digests;  /* are asked for */
	bool baseline; /* files are held against one */
};

/* A file that is done. */
struct slv_journal_done {
	const char *path;
	bool named;              /* as of an entry */
	struct slv_stamp before; /* the file when the job began */
	int code;
	enum slv_state state;
	enum slv_policy_verdict policy;
	enum slv_baseline_verdict baseline;
	const char *output;     /* path; NULL: none was written */
	struct slv_stamp stamp; /* of the output */
	const uint8_t *sha256;  /* of the output; NULL: unknown */
	const char *report;     /* what slv_report_json() made */
	const char *digests;    /* slv_report_digests(); NULL: there are none */
	int64_t since;          /* as of an entry */
};

/* A line for a file, owned by the caller; NULL: out of memory. */
char *slv_journal_line(
    const struct slv_journal_run *, const struct slv_journal_done *);

/* false: nothing can be told of it; the stamp is then all 0. */
bool slv_stamp_of(const char *path, struct slv_stamp *);

#endif
