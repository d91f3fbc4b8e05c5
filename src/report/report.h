/* report.h - everything known about one file: one struct, three renderers.
 *
 * A job fills it in (job/job.c); the renderers are pure functions of it.
 * Nothing else formats results.
 */
#ifndef SLV_REPORT_REPORT_H
#define SLV_REPORT_REPORT_H

#include "base/buf.h"
#include "core/catalog/catalog.h"
#include "core/catalog/gaps.h"
#include "core/catalog/tiles.h"
#include "core/catalog/timeline.h"
#include "core/findings/problem.h"
#include "core/format/facts.h"
#include "core/plan/plan.h"
#include "core/readings/view.h"
#include "core/scan/scan.h"
#include "options/options.h"

enum slv_job {
	SLV_JOB_VERIFY,
	SLV_JOB_INFO,
	SLV_JOB_LIST,
	SLV_JOB_REPAIR,
	SLV_JOB_UNDO,
	SLV_JOB_MERGE,
	SLV_JOB_EXPORT,
	SLV_JOB_EXTRACT
};

#define SLV_MAP_CELLS 64 /* columns of the map of a file */

/* What happened to the output. */
enum slv_outcome {
	SLV_OUT_NONE,    /* no output was requested or possible */
	SLV_OUT_PLANNED, /* dry run: this is what would be written */
	SLV_OUT_WRITTEN,
	SLV_OUT_ALREADY, /* it existed already with the same bytes */
};

/* One line of the plan: what the output is made of. */
struct slv_plan_line {
	enum slv_seg_kind kind;
	uint64_t in;  /* COPY: offset in the input */
	uint64_t out; /* offset in the output */
	uint64_t len;
};

/* The result for the ranges that are left out, if they are saved. */
struct slv_saved {
	enum slv_outcome outcome;
	char *dir;             /* owned; NULL: they are not saved */
	uint64_t files, bytes; /* without the manifest */
};

/* One of the copies that were merged. */
struct slv_copy_line {
	char *file;    /* owned; as the user named it */
	uint64_t size; /* bytes */
	uint64_t used; /* how many of them are in the result */
};

/* What another log of the robot contributed. */
struct slv_taken {
	char *file;              /* owned; NULL: there is none */
	uint64_t taken, refused; /* declarations */
};

/* How much of it was read to learn what it holds. */
enum slv_backup_depth {
	SLV_BACKUP_SIZE,  /* nothing: it is longer than the log */
	SLV_BACKUP_INDEX, /* as much as its index names */
	SLV_BACKUP_ALL,   /* as much as a repair would keep */
};

/* The log as it was before another tool changed it, if that file exists and
 * seems to hold more. */
struct slv_backup {
	char *file;    /* owned; NULL: there is none */
	uint64_t size; /* bytes */
	enum slv_backup_depth depth;
	uint64_t units;       /* that it holds; not for SIZE */
	char *target;         /* owned; output of its repair, and */
	uint64_t target_size; /* its size; NULL: no repair is needed, or it was
			       * not read */
};

/* What was added from a second recording of the lost time. */
struct slv_added {
	char *file;             /* owned; NULL: none was given */
	uint64_t blocks, bytes; /* that were added */
	uint64_t there;         /* blocks of the gaps that exist already */
	uint64_t left_out;      /* blocks of an undeclared channel */
};

/* A log of another recording in the input. */
struct slv_other_line {
	uint64_t off, len;          /* in the input */
	const char *format, *title; /* static */
	uint64_t records;           /* whole ones */
};

/* A log of another recording in the input, written to a file of its own. */
struct slv_split {
	uint64_t off;           /* in the input */
	bool aside;             /* it is in nothing that was read as the log */
	uint64_t from, len;     /* in that; with `aside` in the input */
	struct slv_report *log; /* owned; the report of its repair */
	const char *suffix;     /* static; of its name; NULL: the input's */
};

/* What the report next to a log says: salvor has written the log, and records
 * were lost then. */
struct slv_history {
	char *line;    /* owned; that report, as JSON; NULL: nothing is known */
	char *file;    /* owned; what the log was made from */
	bool noted;    /* line is NULL; annotations in the log itself say it */
	bool changed;  /* it is about other bytes: about this log before it was
		        * damaged, or about another one of that name */
	bool exported; /* noted by an export, not by a repair */
	bool lossy;    /* recorded bytes were lost */
	bool open_end; /* the end of the recording was unknown */
	bool contradicted; /* the writer's digest did not match */
	bool confirmed;    /* it confirmed what was kept; else the digest that
		            * the log has now is only salvor's */
	uint64_t lost_bytes, lost_units;
	uint64_t unsure_units;  /* kept, and may be wrong */
	bool lost_exact;        /* else there may have been more units */
	uint64_t foreign_bytes; /* left out */
};

/* Payloads that an export has as bytes which it does not explain. */
struct slv_opaque_count {
	uint64_t records;
	uint32_t channels; /* that have some of them */
	uint32_t unnamed;  /* of these: no set of descriptors was given */
	uint32_t unfit;    /* of these: no payload matches its description */
	char kind[80];     /* the encoding of all of them; "": they differ */
};

/* The records that an export or an extract has. */
struct slv_exported {
	const char *format; /* of the output, static; NULL: nothing */
	uint64_t records;
	uint32_t channels; /* that have some of them */
	uint32_t files;    /* of an extract that is split; ->output is the
			    * last one */
	struct slv_opaque_count opaque;
};

/* The unit of a rule of a policy. */
enum slv_measure {
	SLV_IN_SECONDS,
	SLV_IN_HERTZ,
	SLV_IN_MESSAGES,
	SLV_IN_BYTES,
	SLV_IN_PERCENT,
};

/* A rule of the caller that the log breaks. */
struct slv_violation {
	const struct slv_problem_info *info;
	char *rule;    /* owned; as the caller gave it */
	char *channel; /* owned; NULL: it is about the log, or the name is
		        * unknown */
	enum slv_measure measure;
	double asked, found;
	bool blind; /* without times it cannot be decided */
	bool empty; /* there is no message at all */
	uint64_t n; /* how often */
	bool has_off;
	uint64_t off;               /* start of the worst case, and */
	struct slv_moment from, to; /* its times; not for all rules */
};

/* Is the file what the caller knows it was? */
struct slv_against {
	enum slv_baseline_verdict verdict;
	struct slv_moment since;  /* time of the baseline */
	struct slv_ranges ranges; /* owned; DIFFERS: what has changed */
};

/* The undo record of the file, as the job left it. */
enum slv_undo_course { SLV_UNDO_NONE, SLV_UNDO_OPEN, SLV_UNDO_CLOSED };

/* A repair in place, or its undo. */
struct slv_in_place {
	char *record; /* owned; path of the undo record; NULL: not in place */
	uint64_t record_size;            /* bytes */
	enum slv_undo_course state;      /* of the record */
	uint64_t patched, appended, cut; /* bytes of the file */
	bool rolled_back; /* an earlier, interrupted one was rolled back */
	bool exact;       /* undone: the file is proven to be the old one */
	bool partly;      /* undone by force: the old file is not complete */
	struct slv_ranges missing; /* owned; and these bytes are lost */
	bool discarded;            /* made final on request */
	char *unsaid;    /* owned; undone: the report of the repair, which was
		          * removed; NULL: none was */
	char *forgotten; /* owned; the record of an earlier repair, which was
			  * removed; NULL: none */
};

struct slv_report {
	enum slv_job job;
	const struct slv_maker *maker; /* of the run; NULL: it is not known */
	int64_t made_at;               /* seconds since 1970 */
	char *file;                    /* owned; as the user named it */
	struct slv_copy_line *copies;  /* owned; of a merge: all, the first
	                               * included */
	size_t n_copies;
	struct slv_report **segments; /* owned; of logs that were joined: the
	                               * report of each; then `problems`, `gaps`
	                               * and so on are in these */
	size_t n_segments;
	struct slv_added added;
	struct slv_taken donor;
	struct slv_taken *siblings; /* owned; segments of the same recording
				     * that were used */
	size_t n_siblings;
	bool wants_donor;                /* a donor might supply what is lost */
	const struct slv_wanted *wanted; /* required information that is
					  * missing; NULL: nothing is */
	struct slv_backup backup;
	enum slv_state state;
	struct slv_err err; /* code SLV_OK: none */

	char *spool; /* owned; where standard input, or what was decompressed,
	                * was spooled, or NULL */
	uint64_t packed_size; /* bytes of a file that was compressed as a whole;
	                       * 0: it was not */
	bool served;          /* the caller supplied the bytes: see
	                * slv_report_is_of_file() */
	uint64_t size;        /* of the input */
	const char *format;   /* "bddf"; NULL: unrecognised */
	const char *title;    /* "BDDF" */
	struct slv_terms terms;              /* of the format; or NULLs */
	const struct slv_stranger *stranger; /* another file type, or NULL */
	enum slv_assurance assurance;
	enum slv_end end;
	bool repairable;      /* `repair` can repair the damage */
	bool whole_log;       /* one is in what is foreign */
	bool glanced;         /* only both ends and the index were read */
	uint64_t skimmed;     /* chunks that a quick repair has not read */
	char *target;         /* owned; output of a repair without -o, and */
	uint64_t target_size; /* its size; NULL: it is not repairable */
	char *wanted_target;  /* owned; the same with the missing option; NULL:
			       * none is missing */
	char *decoded; /* owned; output of a repair of the content, if the file
		        * is compressed; NULL: it is not */
	bool unfinished; /* a repair in place was interrupted, or may have been:
			  * not judged */
	char *undo_trouble; /* owned; why its undo record is unusable, and what
			     * to do; NULL: it is usable */
	struct slv_in_place in_place;
	bool proven;       /* the restored bytes match the log's own digest */
	bool contradicted; /* that digest does not match */
	bool has_notes;    /* logs of the format have a place for annotations */

	struct slv_attempt attempts[SLV_ATTEMPTS]; /* other readings */
	size_t n_attempts;

	uint64_t bytes[SLV_FATES];       /* sums to size */
	uint64_t units_kept, units_lost; /* blocks of the data part */
	uint64_t units_unsure;           /* of the kept ones: may be wrong */
	struct slv_kind_count kinds[SLV_KINDS_MAX];
	size_t n_kinds;
	bool lost_one;              /* everything lost belongs to one
				     * channel: */
	uint32_t lost_channel;      /* this one */
	bool lost_loose;            /* there may be more of units_lost */
	struct slv_gap_list gaps;   /* what was lost, and when */
	uint8_t map[SLV_MAP_CELLS]; /* slv_catalog_map(), the first n_map */
	size_t n_map;
	struct slv_tiles tiles;        /* the same in bytes */
	struct slv_timeline *timeline; /* owned; NULL: not requested */
	struct slv_facts facts;
	struct slv_moment first, last; /* of all channels */

	bool has_sha256; /* of the input */
	uint8_t sha256[SLV_SHA256_SIZE];
	struct slv_history history;
	char *history_path; /* owned; path of that report; NULL: none */

	struct slv_problem *problems; /* owned; those listed */
	size_t n_problems;
	uint64_t n_problems_total; /* listed or not */

	enum slv_policy_verdict policy;
	bool policed;                     /* there were rules to keep */
	struct slv_violation *violations; /* owned */
	size_t n_violations, cap_violations;

	struct slv_against against;
	struct slv_buf
	    sums; /* owned; core/digest/pieces.h; empty: not requested, or
		   * useless */

	/* The plan and the output; all 0 if there is none. */
	enum slv_outcome outcome;
	char *output; /* owned; its name, "-" for standard output */
	uint64_t output_size;
	uint8_t
	    output_digest[SLV_DIGEST_MAX]; /* SHA-1 of the whole output, ... */
	uint64_t
	    output_from; /* ... or from here on, if it was not read whole */
	bool has_output_sha256;
	uint8_t output_sha256[SLV_SHA256_SIZE];
	char *sidecar;       /* owned; the report next to a lossy output */
	bool space_known;    /* the file system reports the free space */
	uint64_t space_free; /* bytes, before anything was written */
	struct slv_saved dropped;
	struct slv_exported exported;
	bool annotate;                 /* annotations were requested */
	bool annotated;                /* and are in the output */
	struct slv_other_line *others; /* owned; in order */
	size_t n_others;
	struct slv_split *splits; /* owned; in order */
	size_t n_splits;
	bool verified;              /* the plan was scanned and found sound */
	struct slv_plan_line *plan; /* owned; adjacent lines of one kind are
				     * merged */
	size_t n_plan;
};

/* Return true if the log is a file of the name ->file, so that other files may be
 * next to it: not standard input, nor bytes that a caller supplied. */
bool slv_report_is_of_file(const struct slv_report *);

/* "planned", as in JSON. */
const char *slv_outcome_name(enum slv_outcome);

/* Return true if the job writes an output. */
bool slv_report_writes(const struct slv_report *);

/* Return true if the output is the repaired log. */
bool slv_report_repairs(const struct slv_report *);

/* Return true if the output has records of the log, which is not the log itself. */
bool slv_report_exports(const struct slv_report *);

/* Return true if the log does not state where the recording ended. */
bool slv_report_open_end(const struct slv_report *);

/* How much of the log is in the file, in percent of the size that its header or
 * index states, rounded down to tenths.  Requires facts.expected. */
double slv_report_percent(const struct slv_report *);

/* The finding that prevents a repair; NULL: none. */
const struct slv_problem_info *slv_report_obstacle(const struct slv_report *);

/* Return true if a repair is possible only with --reseal. */
bool slv_report_needs_reseal(const struct slv_report *);

/* Record who makes the report, and the time; the maker is borrowed, NULL:
 * unknown. */
void slv_report_sign(struct slv_report *, const struct slv_maker *);

/* Return true if a new digest covers bytes that the writer's contradicts. */
bool slv_report_is_resealed(const struct slv_report *);

/* Return true if an earlier repair of the log is known. */
bool slv_report_has_history(const struct slv_report *);

/* Bytes of space that the output needs, or would need. */
uint64_t slv_report_needs(const struct slv_report *);

/* What to do if a repair is not the answer, in sentences; NULL if there is
 * nothing to say. */
const char *slv_report_advice(const struct slv_report *);

#endif
