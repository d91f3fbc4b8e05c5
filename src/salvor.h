/* salvor.h - repair damaged robot logs: the public API of the library.
 *
 * One call does one job on one file and always leaves a report, which says what
 * was found, what was done and what was lost.  Damage in the log is never an
 * error of the call.  A failure of the machine is, and the report then has the
 * state SLV_STATE_FAILED and names the cause.
 *
 *	struct slv_report *rep;
 *	char *json;
 *
 *	if (slv_repair("patrol.bddf", NULL, &rep) != SLV_OK)
 *		return 8;
 *	json = slv_report_json(rep);
 *	...
 *	slv_free(json);
 *	slv_report_free(rep);
 *
 * Conventions, for every function here:
 * - Strings passed in are borrowed until the call returns.
 * - Strings and reports handed out are owned by the caller: slv_free() the
 *   strings, slv_report_free() the reports.
 * - Options may be NULL: the careful default.
 * - Enumerations may get further values at their ends, and structs that have a
 *   `size_of` further members: a caller sets size_of of a struct that it supplies.
 * - Offsets and lengths are bytes in a file.
 * - Nothing prints, exits, or keeps state between calls, but slv_set_allocator().
 * - Threads: one object (options that are being set, a log with its readers, a
 *   report) is used by one thread at a time; different ones, by different
 *   threads at once, also of one file.  examples/threads.c does so.
 */
#ifndef SALVOR_H
#define SALVOR_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call.  A damaged log is SLV_OK: the call did its work. */
enum slv_status {
	SLV_OK = 0,

	/* The system refused to read or write; errno is in slv_err.os. */
	SLV_E_IO,

	/* Memory ran out.  Nothing was written. */
	SLV_E_NOMEM,

	/* A limit was reached (--max-memory ...); the file may be fine.
	 * Nothing was written. */
	SLV_E_LIMIT,

	/* slv_options_cancel() was heeded.  Temporary files are removed. */
	SLV_E_CANCELLED,

	/* The output exists with other content, and "force" was not set.  It is unchanged. */
	SLV_E_EXISTS,

	/* The request would do harm, or is not possible at present.  Nothing
	 * was changed. */
	SLV_E_REFUSED,

	/* Another process is writing the input, which says nothing about
	 * damage.  Nothing was written. */
	SLV_E_ACTIVE,

	/* A bug in salvor.  Nothing was written. */
	SLV_E_BUG,

	/* slv_merge(): the files are not copies of one recording.  Nothing
	 * was written. */
	SLV_E_UNRELATED,

	/* The request makes no sense, whatever the files hold: an output that
	 * is the input, or one file as two copies.  Nothing was changed. */
	SLV_E_USAGE,
};

#define SLV_ERR_TEXT 512 /* bytes, the final NUL included */

/* The first cause of a failure; { 0 } is "none so far". */
struct slv_err {
	enum slv_status code;
	int os;                  /* errno, or 0 */
	char text[SLV_ERR_TEXT]; /* one line, without a newline */
};

/* The verdict about a file.  The names in JSON are these in lower case, without
 * the prefix. */
enum slv_state {
	SLV_STATE_INTACT,        /* nothing to do */
	SLV_STATE_INDEXED,       /* both ends and the index agree; the blocks
	                          * were not read, so it may be damaged */
	SLV_STATE_REPAIRED,      /* repaired; every record in the file was
				  * kept */
	SLV_STATE_LOSSY,         /* repaired; recorded bytes were lost, or its
				  * digest says that some are wrong */
	SLV_STATE_DAMAGED,       /* damage was found and not repaired */
	SLV_STATE_UNRECOVERABLE, /* a log, but nothing of it can be recovered */
	SLV_STATE_UNRECOGNISED,  /* not a log that salvor knows */
	SLV_STATE_UNSUPPORTED,   /* a log of a version that salvor does not
				  * write */
	SLV_STATE_ACTIVE,        /* another process is writing it: not judged */
	SLV_STATE_CANCELLED,     /* stopped by the caller */
	SLV_STATE_FAILED,        /* the machine failed, or a limit was
				  * reached */
};

#define SLV_STATES 11 /* how many states there are */
#define SLV_BYTES  5  /* fates of a byte: see docs/json.md */

/* How certain a verdict is. */
enum slv_assurance {
	SLV_BY_NOTHING,   /* not a log, or not read to its end */
	SLV_BY_STRUCTURE, /* everything parses and agrees */
	SLV_BY_CHECKSUM,  /* and checksums confirm all data, chunk by chunk */
	SLV_BY_DIGEST,    /* the writer's own digest confirms every byte */
};

/* A digest of each MiB of a file. */
#define SLV_PIECE      ((uint64_t)1 << 20) /* bytes; the last may be shorter */
#define SLV_PIECE_SUM  16                  /* bytes per digest: */
#define SLV_PIECE_KIND "sha256-128"        /* the first ones of SHA-256 */

/* What a file was on an earlier day, from slv_report_digests(). */
struct slv_baseline {
	size_t size_of;      /* sizeof(struct slv_baseline) */
	uint64_t size;       /* bytes */
	int64_t mtime_ns;    /* nanoseconds since 1970 */
	int64_t since;       /* seconds since 1970; the time of that report */
	const uint8_t *sums; /* the digests, one after another; NULL: unknown */
	size_t n_sums;       /* bytes of digests */
};

/* Is the file what slv_options_baseline() says? */
enum slv_baseline_verdict {
	SLV_BASELINE_NONE,    /* not requested */
	SLV_BASELINE_UNKNOWN, /* it is not in the baseline, or could not be
			       * read */
	SLV_BASELINE_SAME,    /* byte for byte */
	SLV_BASELINE_DIFFERS, /* different, although size and time are the
			       * same */
	SLV_BASELINE_CHANGED, /* it was written since */
};
#define SLV_BASELINES 5 /* how many verdicts there are */

struct slv_block;
struct slv_options;
struct slv_policy;
struct slv_report;

/* What a job is doing.  The phases of one job follow in this order.  A phase
 * may be repeated, and most jobs skip some. */
enum slv_phase {
	SLV_PHASE_READ,    /* the input is read and judged */
	SLV_PHASE_SEARCH,  /* flipped bits are tried against the digest */
	SLV_PHASE_SEAL,    /* the digest of the output is computed */
	SLV_PHASE_PROVE,   /* the plan is scanned like a file */
	SLV_PHASE_WRITE,   /* the output is written */
	SLV_PHASE_COMPARE, /* it is compared with the existing one */
};

/* How far a phase has come. */
struct slv_progress {
	enum slv_phase phase;
	uint64_t done, total; /* bytes */
};

/* Called when a phase begins and about every MiB of it, by the thread that
 * called the job; the progress is borrowed until the function returns. */
typedef void (*slv_progress_fn)(void *ctx, const struct slv_progress *);

/* Called for each block while slv_list() runs, in the order of the log, which
 * is that of the file unless pieces changed places.  The block is borrowed
 * until the function returns.  Return false to stop. */
typedef bool (*slv_block_fn)(void *ctx, const struct slv_block *);

/* One block, as slv_list() reports it. */
struct slv_block {
	uint64_t off;        /* in the file */
	uint64_t len;        /* header included */
	bool packed;         /* it is in the compressed block at off, and len is
			      * its length there */
	uint64_t inner;      /* packed: its offset in the content of that
			      * block */
	const char *kind;    /* the format's word for it: "data", "index" ... */
	const char *verdict; /* kept rebuilt lost filler foreign */
	bool has_channel;
	uint32_t channel;
	const char *channel_name; /* NULL: the log does not state it */
	bool has_time;
	int64_t sec;    /* since 1970-01-01 UTC, rounded down */
	uint32_t nanos; /* 0 .. 999,999,999 */
};

/* The jobs about one file.  Each reads FILE and leaves a report in *out, which is NULL
 * only after SLV_E_NOMEM.  FILE is a regular file, a block device, or "-",
 * which is standard input; a pipe is held in memory, or spooled to a temporary
 * without a name.  Only slv_undo(), and slv_repair() with "in-place", change
 * FILE, which must then be a regular file.
 *
 *   slv_verify  audit everything
 *   slv_info    describe, damaged or not; from both ends and the index alone,
 *               if they agree
 *   slv_list    as slv_info, calling on_block for every block
 *   slv_repair  audit, plan, prove the plan, publish the output
 *   slv_undo    undo a repair in place: FILE is, byte for byte, what it was
 *               before, which its SHA-1 proves.  "force" does it even if FILE
 *               has been changed since: SLV_STATE_LOSSY if it then is not what
 *               it was
 *
 * A file with an interrupted repair in place is not judged: the report then has
 * the finding core.unfinished-repair and no other.  slv_undo() rolls such a
 * repair back; slv_repair() with "in-place" does so before it begins.
 *
 *   slv_export  write the records of a log, damaged or not, in another format, as
 *               slv_reader_export() does, to "output", or in "output-dir" under
 *               the name of FILE with another ending.  An output with the same
 *               bytes counts as written
 *
 *   slv_extract a sound log of the same format with only the records that
 *               "include", "start" and so on take: with an index and so on, as slv_repair() makes it
 *
 * The status that the report holds is returned.
 */
enum slv_status slv_verify(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_info(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_list(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_repair(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_undo(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_export(
    const char *file, const struct slv_options *, struct slv_report **out);
enum slv_status slv_extract(
    const char *file, const struct slv_options *, struct slv_report **out);

/* The same of n >= 1 segments of a recording: one sound log with the records of all
 * of them, damaged or not, each segment in its own order.  The segments follow one
 * another by the times of their first records.  Channels that are equal in several
 * segments are one; where one has another number in the output, that number in its
 * records is changed, and nothing else.  "output" is set.  The report has the sums, and
 * is about the first one as `file`; slv_report_segment() has the others.
 *
 * SLV_E_REFUSED: a segment is no log, or they are of several formats, or one name is
 *                of channels that contradict each other, or two segments hold the
 *                same records; nothing was written
 * SLV_E_USAGE:   two of them are one file, or one is the output */
enum slv_status slv_join(const char *const *files, size_t n,
    const struct slv_options *, struct slv_report **out);

/* Repair what several damaged copies of one recording hold together: n >= 1
 * files, none of them standard input.  Where they differ and no digest decides,
 * the first one named is trusted.  Without "output" and "output-dir" the output
 * is next to the first one, which is the report's `file`.
 *
 * SLV_E_UNRELATED: they are not of one recording
 * SLV_E_USAGE:     two of them are one file, or one is the output */
enum slv_status slv_merge(const char *const *files, size_t n,
    const struct slv_options *, struct slv_report **out);

/* What slv_apply() wrote. */
struct slv_applied {
	size_t size_of;     /* sizeof(struct slv_applied) */
	uint64_t size;      /* bytes */
	uint8_t sha256[32]; /* the digest of the output */
	bool already;       /* the output held these bytes before */
	bool report;        /* the output lacks records: the report next to it,
	                     * OUTPUT.salvor.json, says which */
};

/* Write the repaired log that a plan of "plan-out" describes to "output".  FILE
 * is the log that the plan was made of, or a copy of it.  ->code of the error
 * must be SLV_OK.
 *
 * SLV_E_REFUSED: FILE has another size or SHA-256, or the plan is damaged;
 *                nothing was written
 * SLV_E_EXISTS:  the output holds something else, and "force" was not set */
enum slv_status slv_apply(const char *plan, const char *file,
    const struct slv_options *, struct slv_applied *done, struct slv_err *);

/* Before slv_repair() is called for each of many files: check that no two of
 * them have the same output, and that no output is another one of the files.
 * Reads and writes nothing.  ->code of the error must be SLV_OK.
 *
 * SLV_E_USAGE: they collide; or output_dir is not a directory */
enum slv_status slv_repair_check(const char *const *files, size_t n,
    const struct slv_options *, struct slv_err *);

/* The path that slv_repair() writes to, if it writes, owned by the caller; "-"
 * is standard output.  NULL: nothing can be written, or memory ran out. */
char *slv_repair_target(const char *file, const struct slv_options *);

/* Free a string that the library handed out.  NULL is allowed. */
void slv_free(void *);

/* Where memory comes from.  The functions are called by several threads at once. */
struct slv_allocator {
	size_t size_of; /* sizeof(struct slv_allocator) */

	/* As realloc(3): p is NULL or came from here, n is not 0, and the result
	 * fits every object.  NULL: there is none left, and p is still valid. */
	void *(*resize)(void *ctx, void *p, size_t n);
	void (*release)(void *ctx, void *p); /* p is not NULL */
	void *ctx;
};

/* Take all memory from these functions, as long as the process runs; before any other
 * function of the library is called.  The struct is copied.  Libraries under salvor
 * that cannot be given an allocator of one caller's use malloc(3): liblz4 and libzstd
 * for the state of a decoder, jansson, and the C library for regular expressions,
 * directories and threads.
 *
 * SLV_E_REFUSED: memory was taken before
 * SLV_E_USAGE:   a function is missing */
enum slv_status slv_set_allocator(const struct slv_allocator *);

/* The version that a program was compiled with: 1,000,000 for each major one, 1,000
 * for each minor one, 1 for each correction. */
#define SALVOR_VERSION        "0.1.0"
#define SALVOR_VERSION_NUMBER 1000

/* The version that it runs with. */
const char *slv_version(void);
uint32_t slv_version_number(void);

/* The implementation of SHA-1 on this machine, for people: "BearSSL", or the
 * CPU instructions. */
const char *slv_sha1_name(void);

const char *slv_state_name(enum slv_state);

#ifdef __cplusplus
}
#endif

#include "salvor_options.h"
#include "salvor_policy.h"
#include "salvor_problems.h"
#include "salvor_read.h"
#include "salvor_report.h"
#include "salvor_text.h"

#endif
