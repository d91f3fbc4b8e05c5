/* salvor.h - bring damaged robot logs back: the library's public face.
 *
 * One call does one job on one file and always leaves a report, which says
 * what was found, what was done and what was lost.  Damage in the log is
 * never an error of the call; a failure of the machine is, and the report
 * then has the state SLV_STATE_FAILED and names the cause.
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

/* How a call went.  A damaged log is SLV_OK: the call did its work. */
enum slv_status {
	SLV_OK = 0,

	/* The system refused to read or write; errno is in slv_err.os. */
	SLV_E_IO,

	/* Memory ran out.  Nothing was written. */
	SLV_E_NOMEM,

	/* A ceiling of ours was reached (struct slv_limits); the file may
	 * be fine.  Nothing was written. */
	SLV_E_LIMIT,

	/* slv_options.cancel was set.  Temporary files are gone. */
	SLV_E_CANCELLED,

	/* The output exists and holds something else, and slv_options.force
	 * was not given.  It was not touched. */
	SLV_E_EXISTS,

	/* The request would harm, or cannot be met as things stand.  Nothing
	 * was touched. */
	SLV_E_REFUSED,

	/* Somebody is writing the input, which says nothing about damage.
	 * Nothing was written. */
	SLV_E_ACTIVE,

	/* salvor broke a promise of its own.  Nothing was written. */
	SLV_E_BUG,

	/* slv_merge(): the files are not copies of one recording.  Nothing
	 * was written. */
	SLV_E_UNRELATED,

	/* The request makes no sense, whatever the files hold: an output that
	 * is the input, or one file as two copies.  Nothing was touched. */
	SLV_E_USAGE,
};

#define SLV_ERR_TEXT 512 /* bytes, the final NUL included */

/* The first cause of a failure; { 0 } is "none so far". */
struct slv_err {
	enum slv_status code;
	int os;                  /* errno, or 0 */
	char text[SLV_ERR_TEXT]; /* one line, no newline at its end */
};

/* What a file turned out to be.  The names in JSON are these in lower case,
 * without the prefix. */
enum slv_state {
	SLV_STATE_INTACT,        /* nothing to do */
	SLV_STATE_INDEXED,       /* both ends and the index agree; the blocks
	                          * were not read, so it may be damaged */
	SLV_STATE_REPAIRED,      /* mended; every record in the file kept */
	SLV_STATE_LOSSY,         /* mended; recorded bytes were lost, or its
	                          * digest says that some are wrong */
	SLV_STATE_DAMAGED,       /* damage was found and left */
	SLV_STATE_UNRECOVERABLE, /* a log, but nothing can be made of it */
	SLV_STATE_UNRECOGNISED,  /* no log that salvor knows */
	SLV_STATE_UNSUPPORTED,   /* a log of a version salvor does not write */
	SLV_STATE_ACTIVE,        /* somebody is writing it: not judged */
	SLV_STATE_CANCELLED,     /* stopped by the caller */
	SLV_STATE_FAILED,        /* the machine or a limit failed us */
};

#define SLV_STATES 11 /* how many there are */
#define SLV_BYTES  5  /* what can become of a byte: see docs/json.md */

/* How sure a verdict is. */
enum slv_assurance {
	SLV_BY_NOTHING,   /* no log, or not read to its end */
	SLV_BY_STRUCTURE, /* everything parses and fits together */
	SLV_BY_CHECKSUM,  /* and checksums confirm all data, chunk by chunk */
	SLV_BY_DIGEST,    /* the writer's own digest confirms every byte */
};

/* Bits of slv_options.keep. */
enum {
	SLV_KEEP_SUSPECT = 1 << 0, /* blocks that look whole but may be torn */
	SLV_KEEP_SAMPLES = 1 << 1, /* of blocks of plain data that are cut, the
	                            * samples that are whole */
	SLV_KEEP_UNVERIFIED = 1 << 2, /* of compressed chunks whose checksum
	                               * does not match, what can be decoded */
};

/* Ceilings.  0 means the default. */
struct slv_limits {
	uint64_t max_memory;   /* bytes; a quarter of the machine's */
	uint32_t max_problems; /* problems listed one by one; 1,000 */
	uint64_t max_chunk; /* bytes of a compressed chunk, decoded; 512 MiB */
	uint64_t max_decoded; /* bytes of all compressed chunks of a log,
	                       * decoded; 64 MiB, and 256 for each byte that the
	                       * file has on disk */
};

/* A digest of each MiB of a file. */
#define SLV_PIECE      ((uint64_t)1 << 20) /* bytes; the last may be shorter */
#define SLV_PIECE_SUM  16                  /* bytes of a digest: */
#define SLV_PIECE_KIND "sha256-128"        /* the first of its SHA-256 */

/* What a file was on an earlier day: as slv_report_digests() told it. */
struct slv_baseline {
	uint64_t size;       /* bytes */
	int64_t mtime_ns;    /* nanoseconds since 1970 */
	int64_t since;       /* seconds since 1970; when it was that */
	const uint8_t *sums; /* the digests, one behind the other; NULL:
	                      * nothing is known of it */
	size_t n_sums;       /* bytes of them */
};

struct slv_block;
struct slv_policy;
struct slv_report;

/* What a job is doing.  The phases of one job follow in this order; a phase
 * may come twice and most jobs lack some. */
enum slv_phase {
	SLV_PHASE_READ,    /* the input is read and judged */
	SLV_PHASE_SEARCH,  /* flipped bits are tried against its digest */
	SLV_PHASE_SEAL,    /* the digest of the output is computed */
	SLV_PHASE_PROVE,   /* the plan is scanned like a file */
	SLV_PHASE_WRITE,   /* the output is written */
	SLV_PHASE_COMPARE, /* it is compared with what is there */
};

/* How far a phase has come. */
struct slv_progress {
	enum slv_phase phase;
	uint64_t done, total; /* bytes */
};

/* Called when a phase begins and about every MiB of it, by the thread that
 * called the job; the progress is borrowed until the function returns. */
typedef void (*slv_progress_fn)(void *ctx, const struct slv_progress *);

/* Called for each block, in the order of the log, which is that of the file but where
 * pieces changed places, while slv_list() runs; the block is
 * borrowed until the function returns.  Return false to stop. */
typedef bool (*slv_block_fn)(void *ctx, const struct slv_block *);

/* What a report says of the run that made it. */
struct slv_maker {
	char *host;    /* its name, UTF-8 */
	char *command; /* the command line, UTF-8 */
	int64_t time;  /* seconds since 1970 that reports state as the time when
	                * they were made, below SLV_MAKER_LAST; -1: when it is */
};

#define SLV_MAKER_LAST 253402300800 /* the year 10000 */

/* What a job may be told.  { 0 } is the careful default. */
struct slv_options {
	/* Output path; NULL = beside the input; "-" = standard output.  A
	 * symbolic link is followed; what is no regular file is written
	 * through. */
	const char *output;

	/* Directory to write to, under the input's own name, where `output` is
	 * NULL; NULL = beside the input. */
	const char *output_dir;

	/* Make output_dir, and those it is in, when something is to be written
	 * there; without, it must exist. */
	bool make_dirs;

	/* Where the map of the damage is written, in the format of GNU
	 * ddrescue: + kept and rebuilt, - lost, ? filler and foreign.  An
	 * earlier map of salvor's is replaced, nothing else.  NULL = none. */
	const char *mapfile;

	/* The map that ddrescue left of the input: what it does not call
	 * rescued is bad.  NULL = none. */
	const char *domain_mapfile;

	/* slv_repair(): the directory, which must exist, where each range that
	 * is left out is saved as a file named by its offset, with a manifest;
	 * NULL = nowhere. */
	const char *save_dropped;

	/* With in_place, and slv_undo(): where the undo record is; NULL = beside
	 * the file, as FILE.salvor-undo, or where a link there points. */
	const char *undo_file;

	/* slv_merge(): a log of the same robot and time, recorded anew, from
	 * which blocks are taken that are missing in all copies; they are
	 * reported as added and never as proven.  NULL = none. */
	const char *fill;

	/* slv_repair(): another log of the same robot, of which what explains
	 * the data is taken where it is lost and only one thing there can be
	 * it: declarations of channels, never data.  It must be of the same
	 * format, else SLV_E_UNRELATED.  NULL = none. */
	const char *donor;

	/* Where standard input is spooled when nothing is written to a file
	 * beside which it could be; NULL = "/tmp".  slv_repair() spools a
	 * pipe of any size, the others one of over 64 MiB. */
	const char *temp_dir;

	bool copy_intact;     /* with output_dir: write intact logs too */
	bool dry_run;         /* plan and prove, write nothing */
	bool force;           /* replace a different output */
	bool reseal;          /* write a fresh digest over unproven payload */
	bool verify_written;  /* reread the temporary from the disk */
	bool quick;           /* slv_verify(): both ends and the index, where
	                      * they agree */
	bool scan;            /* slv_info(): every byte, also then */
	bool require_end;     /* slv_verify(): a log that does not say where
	                      * the recording ended is not sound */
	bool timeline;        /* report how many blocks of each channel there
	                       * are when, which takes another walk */
	bool sha256;          /* report the SHA-256 of input and output */
	bool annotate;        /* say in a repaired log that it is one; not in
	                      * an original that comes back bit for bit */
	bool no_annotate;     /* slv_repair(): do not say in the log that the
	                      * digest of its writer contradicts it, or that
	                      * a block may not be what was recorded */
	bool split;           /* slv_repair(): write whole logs of another
	                      * recording, amid the input or behind it, to
	                      * NAME.foreign-OFFSET.EXT beside the output */
	bool no_sidecar;      /* no OUT.salvor.json beside a lossy output */
	bool in_place;        /* slv_repair(): change the file itself; without
	                      * output and output_dir */
	bool discard_undo;    /* with in_place, and slv_undo(): forget how to
	                      * take a finished repair back */
	unsigned keep;        /* SLV_KEEP_* */
	uint64_t time_window; /* seconds; blocks further in time from those
	                       * around them are doubted; 0: 24 hours */
	const char *map_name; /* slv_repair(): what a log that must name its
	                       * map, and does not any more, shall name;
	                       * NULL: then nothing is written */
	bool renumber;        /* slv_repair(): count anew what is counted in
	                       * the log, where numbers are missing */
	bool deep;            /* slv_verify(): look into payloads that the log
	                       * itself describes */
	bool rechunk;         /* slv_repair(): split what is longer than some
	                       * readers take, also in an intact log */
	bool no_effort;       /* try no flipped bits against the digest */
	unsigned effort;      /* times the budget of doing so; 0: once */
	struct slv_limits limits;

	/* Set by a signal handler to stop; NULL = never. */
	const volatile sig_atomic_t *cancel;

	/* slv_verify(): rules that the log shall keep, which change nothing of
	 * its state; NULL = none. */
	const struct slv_policy *policy;

	/* slv_verify(): keep a digest of each MiB for slv_report_digests(), of
	 * a log that no digest of its own proves. */
	bool digests;

	/* slv_verify(): what the file was, which changes nothing of its state;
	 * NULL = nobody asks. */
	const struct slv_baseline *baseline;

	slv_block_fn on_block; /* slv_list() only */
	void *on_block_ctx;

	/* The run that the reports name as their maker; NULL = they name the
	 * version of salvor and the time. */
	const struct slv_maker *maker;

	/* Who wants to see how far the job has come; NULL = nobody. */
	slv_progress_fn on_progress;
	void *on_progress_ctx;
};

/* One block, as slv_list() hands it out. */
struct slv_block {
	uint64_t off;        /* in the file */
	uint64_t len;        /* header included */
	bool packed;         /* it stands in the compressed block at off, and
	                      * len is what it takes there */
	uint64_t inner;      /* packed: where, in what that block holds */
	const char *kind;    /* the format's word for it: "data", "index" ... */
	const char *verdict; /* kept rebuilt lost filler foreign */
	bool has_channel;
	uint32_t channel;
	const char *channel_name; /* NULL where the log does not tell */
	bool has_time;
	int64_t sec;    /* since 1970-01-01 UTC, rounded down */
	uint32_t nanos; /* 0 .. 999,999,999 */
};

/* The five jobs.  Each reads FILE and leaves a report in *out, which is NULL
 * only after SLV_E_NOMEM.  FILE is a regular file, a block device, or "-",
 * which is standard input; a pipe is held in memory, or spooled to a temporary
 * without a name.  Only slv_undo(), and slv_repair() with ->in_place, change FILE, which then
 * is a regular file.
 *
 *   slv_verify  audit everything
 *   slv_info    describe, damaged or not; from both ends and the index alone,
 *               where they agree
 *   slv_list    as slv_info, calling on_block for every block
 *   slv_repair  audit, plan, prove the plan, publish the output
 *   slv_undo    take a repair in place back: FILE is, byte for byte, what it
 *               was before, and that is proven by its SHA-1.  ->force does it
 *               also where FILE has been changed since: SLV_STATE_LOSSY where
 *               it then is not what it was
 *
 * A file whose repair in place was interrupted is not judged: the report then
 * has the finding core.unfinished-repair and no other.  slv_undo() takes such
 * a repair back; slv_repair() with ->in_place does so before it begins.
 *
 * Returned is the status that the report holds.
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

/* Repair what several damaged copies of one recording hold together: n >= 1
 * files, none of them standard input.  Where they differ and no digest
 * decides, the one named first is believed.  Without ->output and ->output_dir
 * the output stands beside the first one, which is the report's `file`.
 *
 * SLV_E_UNRELATED: they are not of one recording
 * SLV_E_USAGE:     two of them are one file, or one is the output */
enum slv_status slv_merge(const char *const *files, size_t n,
    const struct slv_options *, struct slv_report **out);

/* Before slv_repair() is called for each of many files: whether two of them
 * would be written to one output, or one would be replaced by another's.
 * Reads and writes nothing.  ->code of the error must be SLV_OK.
 *
 * SLV_E_USAGE: so it is; or output_dir is no directory */
enum slv_status slv_repair_check(const char *const *files, size_t n,
    const struct slv_options *, struct slv_err *);

/* The path that slv_repair() writes to, if it writes, owned by the caller; "-" is
 * standard output.  NULL: nothing can be written, or memory ran out. */
char *slv_repair_target(const char *file, const struct slv_options *);

enum slv_state slv_report_state(const struct slv_report *);
enum slv_assurance slv_report_assurance(const struct slv_report *);
enum slv_status slv_report_status(const struct slv_report *);

/* Whether a repair in place of the file was interrupted, or is not known to be
 * finished because its undo record cannot be read: nothing else is known of
 * it. */
bool slv_report_unfinished(const struct slv_report *);

/* Whether the log keeps the rules of slv_options.policy. */
enum slv_policy_verdict {
	SLV_POLICY_NONE, /* there are none, or the file was not judged */
	SLV_POLICY_PASS,
	SLV_POLICY_FAIL,
};
enum slv_policy_verdict slv_report_policy(const struct slv_report *);

/* Whether the file is what slv_options.baseline says it was. */
enum slv_baseline_verdict {
	SLV_BASELINE_NONE,    /* nobody asks */
	SLV_BASELINE_UNKNOWN, /* nobody knows what it was, or it could not be
	                       * looked at */
	SLV_BASELINE_SAME,    /* byte for byte */
	SLV_BASELINE_DIFFERS, /* not, and yet size and time are the same */
	SLV_BASELINE_CHANGED, /* somebody wrote it since */
};
#define SLV_BASELINES 5 /* how many there are */
enum slv_baseline_verdict slv_report_baseline(const struct slv_report *);

/* "differs" */
const char *slv_baseline_name(enum slv_baseline_verdict);

/* The digest of each MiB as an object of JSON, or "null" where there are none:
 * nobody asked, the log's own digest proves it, sectors could not be read, or
 * the file is not what it was.  NULL: out of memory. */
char *slv_report_digests(const struct slv_report *);

/* What a file is that is no log, as in JSON; NULL: unknown, or it is a log. */
const char *slv_report_looks_like(const struct slv_report *);

/* What to do about a file: "salvor COMMAND ARGUMENT".  The strings are the
 * report's. */
struct slv_next {
	const char *command;  /* NULL: nothing */
	const char *argument; /* a path, or the id of a finding: "explain" */
	const char *output;   /* "repair": what it would write; else NULL */
	uint64_t output_size; /* bytes */
	bool donor; /* "repair": another log of the robot might save more */
	const char *option; /* "repair": it needs this one, "--name TEXT" ... */
	const char *note;   /* ... and what TEXT is; both static, or NULL */
	bool split; /* "repair": whole logs of other recordings are in it */
	const char *decoder; /* "repair": of what this command makes of the
	                      * file on standard output; static, or NULL */
};
struct slv_next slv_report_next(const struct slv_report *);

/* What slv_report_text() puts on the page. */
enum slv_page {
	SLV_PAGE_BRIEF, /* one line a file, findings under a damaged one */
	SLV_PAGE_PLAN,  /* what a repair did or, with dry_run, would do */
	SLV_PAGE_INFO,  /* what the log holds, for people */
};

/* Bits that change how slv_report_text() puts it. */
enum {
	SLV_TEXT_COLOUR = 1 << 0,  /* for a terminal that knows colours */
	SLV_TEXT_VERBOSE = 1 << 1, /* explain findings, list them all, and tell
	                            * of other readings that were tried */
};

/* The report as text for people, or as one line of JSON without a newline.
 * NULL: out of memory.
 *
 *   how  SLV_TEXT_* */
char *slv_report_text(const struct slv_report *, enum slv_page, unsigned how);
char *slv_report_json(const struct slv_report *);

/* A block as a line of a listing, or as one line of JSON; both without a
 * newline.  slv_block_text(NULL) gives the heads of the columns. */
char *slv_block_text(const struct slv_block *);
char *slv_block_json(const struct slv_block *);

/* Whether text is for this reader: escapes control characters, so that a
 * name from a log cannot drive a terminal.  NULL: out of memory. */
char *slv_escape(const char *text);

/* Digests for `sha256sum -c`: a line for the input and one for the output,
 * each with a newline, as far as they were computed (slv_options.sha256) and
 * have a name.  NULL: out of memory. */
char *slv_report_sums(const struct slv_report *);

void slv_report_free(struct slv_report *);

const char *slv_version(void);

/* What computes SHA-1 on this machine, for people: "BearSSL", or whose
 * instructions. */
const char *slv_sha1_name(void);

const char *slv_state_name(enum slv_state);

#ifdef __cplusplus
}
#endif

#include "salvor_many.h"
#include "salvor_policy.h"
#include "salvor_problems.h"

#endif
