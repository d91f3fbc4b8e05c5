/* journal.h - what a batch has done: a line per file, written when it is done.
 *
 * The file is only appended to, one JSON object per line (docs/json.md).  So
 * whatever ends a run ends it between two lines, or in the middle of the last
 * line, which then does not count.  If several lines are about one file the
 * last one counts.
 *
 * Each line is parsed once, when the journal is read.
 */
#ifndef SLV_BATCH_JOURNAL_H
#define SLV_BATCH_JOURNAL_H

#include <signal.h>

#include "base/buf.h"
#include "salvor_many.h"

/* Distinguishes a changed file from an unchanged one. */
struct slv_stamp {
	uint64_t size;
	int64_t mtime; /* nanoseconds since 1970 */
	uint64_t inode;
};

/* The last line with digests of a file, which may be older than the last line
 * about it. */
struct slv_kept {
	bool there;
	struct slv_stamp stamp; /* of the file at that time */
	int64_t when;           /* as in an entry, like the following */
	size_t file;
	uint64_t off, len;
};

/* What a line says about a file. */
struct slv_entry {
	char *path; /* owned */
	bool named; /* on the command line, in a list, or by --include */
	struct slv_stamp input;
	char *output;           /* owned; path, NULL: none was written */
	struct slv_stamp stamp; /* of the output */
	char *sha256;           /* owned; of the output, NULL: not stated */
	int code;               /* SLV_EXIT_*, ORed */
	int64_t when;           /* seconds since 1970 */
	char *rules;   /* owned; slv_policy_id(); NULL: there were no rules */
	char *options; /* owned; of the job, in order, each with a newline;
		        * NULL: not stated */
	bool digested; /* digests were asked for */
	bool compared; /* it was compared with a baseline: */
	int64_t since; /* time of the baseline; 0: the file was not in it */
	struct slv_kept kept;
	bool told; /* its report is valid: */
	enum slv_state state;
	bool promised;            /* its name promises a log */
	struct slv_totals totals; /* its part of the totals */
	size_t file;              /* index of its journal */
	uint64_t off, len;        /* and place in it */
};

/* Why a line is skipped. */
enum slv_unread_why {
	SLV_UNREAD_TORN,    /* its run was killed while writing it */
	SLV_UNREAD_GARBLED, /* it is not a line of a journal */
	SLV_UNREAD_FOREIGN, /* it is of another command */
};

struct slv_unread {
	size_t file;   /* index of its journal */
	uint64_t line; /* its number, from 1 */
	enum slv_unread_why why;
	char *command; /* owned; of another command */
};

struct slv_journal;

/* Open a journal for a command, and lock it.  If it will not be written it need
 * not exist.
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_REFUSED  another process is writing to it */
enum slv_status slv_journal_open(const char *path, const char *command,
    bool write, struct slv_journal **out, struct slv_err *err);

/* Read its lines, once, before a line is added.
 *
 *   cancel  NULL: cannot be cancelled
 *
 * SLV_E_IO, SLV_E_NOMEM
 * SLV_E_CANCELLED  *cancel is not 0
 * SLV_E_EXISTS     the file is not a journal, or one of another command */
enum slv_status slv_journal_read(struct slv_journal *,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Read several journals of one command, which other processes may be writing,
 * as one.  For each file the latest line counts, but that of a failed job only if there
 * is no other.  The paths are borrowed until it is closed.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_EXISTS, SLV_E_CANCELLED */
enum slv_status slv_journal_gather(const char *const *paths, size_t n,
    const volatile sig_atomic_t *cancel, struct slv_journal **out,
    struct slv_err *err);

/* The command of the journals. */
const char *slv_journal_command(const struct slv_journal *);

/* The entries about files, in the order in which a batch reports them; NULL
 * past the end. */
const struct slv_entry *slv_journal_at(const struct slv_journal *, size_t i);

/* With several journals: entries that a later one of another journal replaced;
 * NULL past the end. */
const struct slv_entry *slv_journal_older(const struct slv_journal *, size_t i);

/* Skipped lines, in order; NULL past the end. */
const struct slv_unread *slv_journal_unread(
    const struct slv_journal *, size_t i);

/* The entry about a file; NULL: there is none. */
const struct slv_entry *slv_journal_find(
    const struct slv_journal *, const char *path);

/* Return true if a job was not completed, so that the entry says nothing about
 * the log. */
bool slv_entry_failed(const struct slv_entry *);

/* Return true if input and output are unchanged; or the input. */
bool slv_entry_holds(const struct slv_entry *);
bool slv_entry_is_current(const struct slv_entry *);

/* Return true if the output still has its digest; reads all of it. */
bool slv_entry_proves(const struct slv_entry *);

/* Return true if it was judged by the same rules; NULL: none. */
bool slv_entry_obeys(const struct slv_entry *, const char *rules);

/* Return true if the job had the same options.  Options after a +, which only
 * add to a report, may be in addition. */
bool slv_entry_fits(const struct slv_entry *, const char *options);

/* The line of an entry, or the report in it, owned by the caller; NULL: it
 * cannot be read, or memory ran out. */
char *slv_journal_text(const struct slv_journal *, const struct slv_entry *);
char *slv_journal_report(const struct slv_journal *, const struct slv_entry *);

/* Its part of --sums; like slv_journal_report(). */
char *slv_journal_sums(const struct slv_journal *, const struct slv_entry *);

/* The line with its digests, if ->kept.there; like slv_journal_text(). */
char *slv_journal_kept(const struct slv_journal *, const struct slv_entry *);

/* Append a line, which has no newline.  SLV_E_IO: it is not completely in the
 * journal, and no other line may follow. */
enum slv_status slv_journal_add(
    struct slv_journal *, const char *line, struct slv_err *);

/* In a process that does not write it: close the file, so that other writers
 * need not wait for this process.  The entries stay. */
void slv_journal_leave(struct slv_journal *);

/* The descriptors of its files, -1 if not open; borrowed.  NULL has none. */
size_t slv_journal_fds(const struct slv_journal *, const int **fds);

/* NULL is allowed. */
void slv_journal_close(struct slv_journal *);

/* What its lines must record about a run. */
struct slv_journal_run {
	const char *command;
	const char *rules; /* as in an entry, like the following */
	const char *options;
	bool digests;  /* digests are requested */
	bool baseline; /* files are compared with a baseline */
};

/* A finished file. */
struct slv_journal_done {
	const char *path;
	bool named;              /* as in an entry */
	struct slv_stamp before; /* the file at the start of the job */
	int code;
	enum slv_state state;
	enum slv_policy_verdict policy;
	enum slv_baseline_verdict baseline;
	const char *output;     /* path; NULL: none was written */
	struct slv_stamp stamp; /* of the output */
	const uint8_t *sha256;  /* of the output; NULL: unknown */
	const char *report;     /* from slv_report_json() */
	const char *digests;    /* from slv_report_digests(); NULL: none */
	int64_t since;          /* as in an entry */
};

/* A line for a file, owned by the caller; NULL: out of memory. */
char *slv_journal_line(
    const struct slv_journal_run *, const struct slv_journal_done *);

/* false: it cannot be examined; the stamp is then all 0. */
bool slv_stamp_of(const char *path, struct slv_stamp *);

#endif
