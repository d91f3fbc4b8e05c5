/* salvor.h - repair damaged robot logs: the public API of the library.
 *
 * One call does one job on one file and always leaves a report, which says what
 * was found, what was done and what was lost.  Damage in the log is never an
 * error of the call.  A failure of the machine is, and the report then has the
 * state SLV_STATE_FAILED and names the cause.
 *
 *	struct slv_options opt = { 0 };
 *	struct slv_report *rep;
 *	char *json;
 *
 *	if (slv_repair("patrol.bddf", &opt, &rep) != SLV_OK)
 *		return 8;
 *	json = slv_report_json(rep);
 *	...
 *	free(json);
 *	slv_report_free(rep);
 *
 * Conventions, for every function here:
 * - Strings passed in are borrowed until the call returns.
 * - Strings and reports handed out are owned by the caller: free() the
 *   strings, slv_report_free() the reports.
 * - Offsets and lengths are bytes in a file.
 * - Nothing prints, exits, or keeps state between calls; two threads may
 *   work on two files at once.
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

	/* A limit was reached (struct slv_limits); the file may be fine.
	 * Nothing was written. */
	SLV_E_LIMIT,

	/* slv_options.cancel was set.  Temporary files are removed. */
	SLV_E_CANCELLED,

	/* The output exists with other content, and slv_options.force was not
	 * set.  It is unchanged. */
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

/* Bits of slv_options.keep. */
enum {
	SLV_KEEP_SUSPECT = 1 << 0, /* blocks that look whole but may be
				    * partially written */
	SLV_KEEP_SAMPLES = 1 << 1, /* the whole samples of cut blocks of plain
				    * data */
	SLV_KEEP_UNVERIFIED = 1 << 2, /* what can be decoded of compressed
				       * chunks with a wrong checksum */
};

/* Limits.  0 means the default, which is given last. */
struct slv_limits {
	uint64_t max_memory;   /* bytes; a quarter of the machine's */
	uint32_t max_problems; /* problems listed one by one; 1,000 */
	uint64_t max_chunk;   /* decoded bytes of a compressed chunk; 512 MiB */
	uint64_t max_decoded; /* decoded bytes of all compressed chunks of a
			       * log; 64 MiB, and 256 for each byte that the
			       * file has on disk */
};

/* A digest of each MiB of a file. */
#define SLV_PIECE      ((uint64_t)1 << 20) /* bytes; the last may be shorter */
#define SLV_PIECE_SUM  16                  /* bytes per digest: */
#define SLV_PIECE_KIND "sha256-128"        /* the first ones of SHA-256 */

/* What a file was on an earlier day, from slv_report_digests(). */
struct slv_baseline {
	uint64_t size;       /* bytes */
	int64_t mtime_ns;    /* nanoseconds since 1970 */
	int64_t since;       /* seconds since 1970; the time of that report */
	const uint8_t *sums; /* the digests, one after another; NULL: unknown */
	size_t n_sums;       /* bytes of digests */
};

/* Is the file what slv_options.baseline says? */
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

/* Texts that are given one after the other, each of them borrowed. */
#define SLV_TEXTS 64
struct slv_texts {
	const char *at[SLV_TEXTS];
	size_t n;
};

/* Which records of a log are wanted, in the words of slv_reader_set(); { 0 }: all
 * of them, as they are in the file. */
struct slv_selection {
	struct slv_texts include, exclude;
	const char *start, *end, *order, *latched; /* NULL: not given */
};

/* What a report says about the run that made it. */
struct slv_maker {
	char *host;    /* its name, UTF-8 */
	char *command; /* the command line, UTF-8 */
	int64_t time;  /* seconds since 1970, below SLV_MAKER_LAST, to state as
		        * the time of the reports; -1: the real time */
};

#define SLV_MAKER_LAST 253402300800 /* the year 10000 */

/* Options of a job.  { 0 } is the careful default; slv_options_set() sets a member
 * by the name of its option. */
struct slv_options {
	/* Output path; NULL = next to the input; "-" = standard output.  A
	 * symbolic link is followed; a file that is not regular is written
	 * directly. */
	const char *output;

	/* Directory of the output, which has the input's name, if `output` is
	 * NULL; NULL = next to the input. */
	const char *output_dir;

	/* Create output_dir and its parents when something is written there;
	 * otherwise it must exist. */
	bool make_dirs;

	/* Where to write the damage map, in the format of GNU ddrescue: + kept
	 * and rebuilt, - lost, ? padding and other recordings.  It replaces an
	 * earlier map of salvor and nothing else.  NULL = none. */
	const char *mapfile;

	/* The map that ddrescue left of the input: ranges that it does not call
	 * rescued count as unreadable.  NULL = none. */
	const char *domain_mapfile;

	/* slv_repair(): an existing directory in which each range that is left
	 * out is saved as a file named by its offset, with a manifest; NULL =
	 * not saved. */
	const char *save_dropped;

	/* With in_place, and slv_undo(): path of the undo record; NULL =
	 * FILE.salvor-undo next to the file, or where a link there points. */
	const char *undo_file;

	/* slv_merge(): another recording by the same robot at the same time.
	 * Blocks that are missing in all copies are taken from it; they are
	 * reported as added and never as proven.  NULL = none. */
	const char *fill;

	/* slv_repair(): another log of the same robot.  Lost declarations of
	 * channels are taken from it if only one can be right; data never are.
	 * It must have the same format, else SLV_E_UNRELATED.  NULL = none. */
	const char *donor;

	/* Where to spool standard input if the output is not a file next to
	 * which it could be; NULL = "/tmp".  slv_repair() spools a pipe of any
	 * size, the others one of over 64 MiB. */
	const char *temp_dir;

	bool copy_intact;     /* with output_dir: write intact logs too */
	bool dry_run;         /* plan and prove, write nothing */
	bool force;           /* replace a different output */
	bool reseal;          /* write a new digest over unproven payload */
	bool verify_written;  /* reread the temporary from the disk */
	bool quick;           /* slv_verify(): only both ends and the index, if
			       * they agree */
	bool scan;            /* slv_info(): every byte, even if they agree */
	bool require_end;     /* slv_verify(): a log that does not state where
			       * the recording ended is not sound */
	bool timeline;        /* report how many blocks of each channel there
			       * are at which time, which takes another walk */
	bool sha256;          /* report the SHA-256 of input and output */
	bool annotate;        /* note in a repaired log that it is one; not in
			       * an original that is restored bit for bit */
	bool no_annotate;     /* slv_repair(): do not note in the log that its
			       * writer's digest contradicts it, or that a block
			       * may not be what was recorded */
	bool split;           /* slv_repair(): write whole logs of another
			       * recording, inside the input or after it, to
			       * NAME.foreign-OFFSET.EXT next to the output */
	bool no_sidecar;      /* no OUT.salvor.json next to a lossy output */
	bool in_place;        /* slv_repair(): change the file itself; without
	                      * output and output_dir */
	bool discard_undo;    /* with in_place, and slv_undo(): discard the
			       * record of a finished repair */
	unsigned keep;        /* SLV_KEEP_* */
	uint64_t time_window; /* seconds; blocks with times further from those
			       * around them are doubted; 0: 24 hours */
	const char *map_name; /* slv_repair(): map name for a log that must name
			       * its map and no longer does; NULL: then nothing
			       * is written */
	bool renumber;        /* slv_repair(): renumber what is counted in the
			       * log, if numbers are missing */
	bool deep;            /* slv_verify(): check payloads that the log
			       * itself describes */
	bool rechunk;         /* slv_repair(): split what is too long for some
			       * readers, also in an intact log */
	bool no_effort;       /* do not try flipped bits against the digest */
	unsigned effort;      /* multiplies the budget for that; 0: once */
	struct slv_limits limits;

	/* Set by a signal handler to stop; NULL = never. */
	const volatile sig_atomic_t *cancel;

	/* slv_verify(): rules that the log must keep, which do not change its
	 * state; NULL = none. */
	const struct slv_policy *policy;

	/* slv_verify(): keep a digest of each MiB for slv_report_digests(),
	 * unless a digest of its own proves the log. */
	bool digests;

	/* slv_verify(): what the file was, which does not change its state;
	 * NULL = not compared. */
	const struct slv_baseline *baseline;

	slv_block_fn on_block; /* slv_list() only */
	void *on_block_ctx;

	/* The run that reports name as their maker; NULL = they state the
	 * version of salvor and the time. */
	const struct slv_maker *maker;

	/* slv_export(): the format; NULL = by the ending of `output`. */
	const char *to;

	/* slv_export(), slv_extract() and readers: the records that are
	 * wanted. */
	struct slv_selection choice;

	/* slv_export() and slv_reader_export(), to formats that have chunks:
	 * "none", "lz4" or "zstd", which is the default, and how many bytes of
	 * records are in one; 0 = 1 MiB. */
	const char *compression;
	uint64_t chunk_size;

	/* The same: a FileDescriptorSet of protobuf that describes messages which
	 * the log only names (BDDF); NULL = none. */
	const char *descriptors;

	/* Called to show progress; NULL = not called. */
	slv_progress_fn on_progress;
	void *on_progress_ctx;
};

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
 * without a name.  Only slv_undo(), and slv_repair() with ->in_place, change
 * FILE, which must then be a regular file.
 *
 *   slv_verify  audit everything
 *   slv_info    describe, damaged or not; from both ends and the index alone,
 *               if they agree
 *   slv_list    as slv_info, calling on_block for every block
 *   slv_repair  audit, plan, prove the plan, publish the output
 *   slv_undo    undo a repair in place: FILE is, byte for byte, what it was
 *               before, which its SHA-1 proves.  ->force does it even if FILE
 *               has been changed since: SLV_STATE_LOSSY if it then is not what
 *               it was
 *
 * A file with an interrupted repair in place is not judged: the report then has
 * the finding core.unfinished-repair and no other.  slv_undo() rolls such a
 * repair back; slv_repair() with ->in_place does so before it begins.
 *
 *   slv_export  write the records of a log, damaged or not, in another format, as
 *               slv_reader_export() does, to ->output, or in ->output_dir under
 *               the name of FILE with another ending.  An output with the same
 *               bytes counts as written
 *
 *   slv_extract a sound log of the same format with only the records that ->choice
 *               takes: with an index and so on, as slv_repair() makes it
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

/* Repair what several damaged copies of one recording hold together: n >= 1
 * files, none of them standard input.  Where they differ and no digest decides,
 * the first one named is trusted.  Without ->output and ->output_dir the output
 * is next to the first one, which is the report's `file`.
 *
 * SLV_E_UNRELATED: they are not of one recording
 * SLV_E_USAGE:     two of them are one file, or one is the output */
enum slv_status slv_merge(const char *const *files, size_t n,
    const struct slv_options *, struct slv_report **out);

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

const char *slv_version(void);

/* The implementation of SHA-1 on this machine, for people: "BearSSL", or the
 * CPU instructions. */
const char *slv_sha1_name(void);

const char *slv_state_name(enum slv_state);

#ifdef __cplusplus
}
#endif

#include "salvor_many.h"
#include "salvor_options.h"
#include "salvor_policy.h"
#include "salvor_problems.h"
#include "salvor_read.h"
#include "salvor_report.h"
#include "salvor_text.h"

#endif
