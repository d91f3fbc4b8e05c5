/* salvor_report.h - what a report says, for a program.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_REPORT_H
#define SALVOR_REPORT_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum slv_state slv_report_state(const struct slv_report *);
enum slv_assurance slv_report_assurance(const struct slv_report *);
enum slv_status slv_report_status(const struct slv_report *);

/* Return true if a repair in place of the file was interrupted, or may have
 * been because its undo record cannot be read: nothing else is known about the
 * file. */
bool slv_report_unfinished(const struct slv_report *);

/* Does the log keep the rules of slv_options.policy? */
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

/* What a log says of one channel.  The strings are owned by the report; NULL:
 * the log does not state it. */
struct slv_report_channel {
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
struct slv_next slv_report_next(const struct slv_report *);

void slv_report_free(struct slv_report *);

#ifdef __cplusplus
}
#endif

#endif
