/* salvor_report.h - what a report says, for a program.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_REPORT_H
#define SALVOR_REPORT_H

#include "salvor.h"
#include "salvor_problems.h"
#include "salvor_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The failure, if slv_report_status() is one; { 0 } else.  Owned by the report. */
const struct slv_err *slv_report_error(const struct slv_report *);

enum slv_state slv_report_state(const struct slv_report *);
enum slv_assurance slv_report_assurance(const struct slv_report *);
enum slv_status slv_report_status(const struct slv_report *);

/* Return true if a repair in place of the file was interrupted, or may have
 * been because its undo record cannot be read: nothing else is known about the
 * file. */
bool slv_report_unfinished(const struct slv_report *);

/* Does the log keep the rules of slv_options_policy()? */
enum slv_policy_verdict {
	SLV_POLICY_NONE, /* there are no rules, or the file was not judged */
	SLV_POLICY_PASS,
	SLV_POLICY_FAIL,
};
enum slv_policy_verdict slv_report_policy(const struct slv_report *);

enum slv_baseline_verdict slv_report_baseline(const struct slv_report *);

/* "differs" */
const char *slv_baseline_name(enum slv_baseline_verdict);

/* The digest of each MiB as a JSON object, or "null" if there are none: not
 * requested, the log's own digest proves it, sectors could not be read, or the
 * file is not what it was.  NULL: out of memory. */
char *slv_report_digests(const struct slv_report *);

/* The type of a file that is not a log, as in JSON; NULL: unknown, or it is a
 * log. */
const char *slv_report_looks_like(const struct slv_report *);

/* The format: "bddf"; NULL: the file is no log. */
const char *slv_report_format(const struct slv_report *);

/* The output that there is now, "-" for standard output; NULL: none.  Owned by the
 * report. */
const char *slv_report_output(const struct slv_report *);

/* How much there is of what. */
struct slv_counts {
	size_t size_of;   /* sizeof(struct slv_counts) */
	uint64_t size;    /* bytes of the input: the sum of the next five */
	uint64_t kept;    /* in the output, unchanged */
	uint64_t rebuilt; /* rebuilt from the rest */
	uint64_t lost;    /* left out, and may have held records */
	uint64_t filler;  /* left out: never written */
	uint64_t foreign; /* left out: another recording */
	uint64_t records_kept, records_lost;
	uint64_t records_unsure; /* of the kept ones: they may be wrong */
	bool lost_exactly;       /* else more records may be lost */
	uint64_t findings, gaps; /* also those that are not listed */
};
void slv_report_counts(const struct slv_report *, struct slv_counts *out);

struct slv_finding {
	size_t size_of;                         /* sizeof(struct slv_finding) */
	const struct slv_problem_info *problem; /* static */
	uint64_t off, len;                      /* where in the input */
};

/* Finding i in *out, as listed.  false: there are no more. */
bool slv_report_finding(
    const struct slv_report *, size_t i, struct slv_finding *out);

/* Its sentence, owned by the caller.  NULL: there is none, or out of memory. */
char *slv_report_finding_text(const struct slv_report *, size_t i);

/* What was lost, and when. */
struct slv_report_gap {
	size_t size_of;              /* sizeof(struct slv_report_gap) */
	uint64_t off, len;           /* in the input */
	uint64_t lost;               /* bytes of it that are lost; 0: nothing
				      * of them is left */
	int64_t before_ns, after_ns; /* the last time before it and the first
				      * one after it; or SLV_NO_STAMP */
};

/* Gap i in *out, as listed.  false: there are no more. */
bool slv_report_gap(
    const struct slv_report *, size_t i, struct slv_report_gap *out);

/* What earlier repairs of the log lost, which is not in the log any more, as the report
 * next to it or annotations in it state: see `history` in docs/json.md.  The strings are
 * owned by the report. */
struct slv_report_history {
	size_t size_of;      /* sizeof(struct slv_report_history) */
	const char *file;    /* what the log was made from; NULL: not stated */
	const char *sidecar; /* the report next to it; NULL: there is none, and
			      * annotations in the log say this */
	const char *json;    /* what the report says, an object as of
			      * slv_report_json(); or NULL */
	bool changed;      /* it is about other bytes: about this log before it
			      * was damaged, or about another one of that name */
	bool lossy;        /* recorded bytes were lost */
	bool open_end;     /* the end of the recording was unknown */
	bool contradicted; /* the writer's digest did not match */
	uint64_t lost, foreign; /* bytes left out */
	uint64_t records_lost;
	uint64_t records_unsure; /* kept, and may be wrong */
	bool lost_exactly;       /* else more records may have been lost */
};

/* false: no earlier repair is known. */
bool slv_report_earlier(
    const struct slv_report *, struct slv_report_history *out);

/* The report of log i of those that slv_join() joined, in the order of the output;
 * owned by the report.  NULL: there are no more. */
const struct slv_report *slv_report_segment(
    const struct slv_report *, size_t i);

/* What a log says of one channel.  The strings are owned by the report; NULL:
 * the log does not state it. */
struct slv_report_channel {
	size_t size_of; /* sizeof(struct slv_report_channel) */
	const char *name, *type;
	const char *encoding; /* of its messages, if the format has several */
	uint64_t messages;
	bool has_times;
	int64_t first_sec, last_sec; /* since 1970, rounded down */
	uint32_t first_nanos, last_nanos;
};

/* Channel i in *out.  false: there are no more. */
bool slv_report_channel(
    const struct slv_report *, size_t i, struct slv_report_channel *out);

#define SLV_WHOLE_LOG SIZE_MAX

/* What the log notes for other programs about channel i, or about itself, under
 * this key; NULL: nothing.  Owned by the report. */
const char *slv_report_note(
    const struct slv_report *, size_t i, const char *key);

/* The next step for a file: "salvor COMMAND ARGUMENT".  The strings are owned
 * by the report. */
struct slv_next {
	size_t size_of;       /* sizeof(struct slv_next) */
	const char *command;  /* NULL: nothing */
	const char *argument; /* a path, or the id of a finding: "explain" */
	const char *output;   /* "repair": its output; else NULL */
	uint64_t output_size; /* bytes */
	bool donor; /* "repair": another log of the robot might recover more */
	const char *option;  /* "repair": it needs this option, "--name TEXT"
			     * ... */
	const char *note;    /* ... and what TEXT is; both static, or NULL */
	bool split;          /* "repair": the file holds whole logs of other
		     * recordings */
	const char *decoder; /* "repair": read the output of this command for
			      * the file; static, or NULL */
};
void slv_report_next(const struct slv_report *, struct slv_next *out);

void slv_report_free(struct slv_report *);

#ifdef __cplusplus
}
#endif

#endif
