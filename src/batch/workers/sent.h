/* sent.h - what a worker sends of a file that it has done.
 *
 * A worker may be in the hands of the log that it has read.  So a result is made
 * of numbers in a known order, each of which has a range, and of texts that are
 * looked through before they go to a terminal, a report or a journal; what can be
 * known without the worker is not sent.
 */
#ifndef SLV_BATCH_SENT_H
#define SLV_BATCH_SENT_H

#include "base/buf.h"
#include "batch/journal/journal.h"
#include "digest/digest.h"

struct slv_sent_sum {
	bool there;
	uint8_t at[SLV_SHA256_SIZE];
};

struct slv_sent {
	bool before;   /* it was done before, and still is as it was; then there
	                * is nothing else */
	bool aside;    /* the text goes to standard error */
	bool failed;   /* something could not be put together */
	bool promised; /* by its name it must hold a log */
	int code;      /* SLV_EXIT_*, ORed */
	enum slv_state state;
	enum slv_policy_verdict policy;
	enum slv_baseline_verdict baseline;
	double seconds;           /* that the job took */
	struct slv_totals totals; /* of this file */
	struct slv_stamp input;   /* before the job began */
	struct slv_sent_sum sum;
	char *output;           /* owned; path, NULL: there is none */
	struct slv_stamp stamp; /* of it, as it was written */
	struct slv_sent_sum output_sum;
	char *text;    /* owned; for people, NULL: there is none */
	char *report;  /* owned; JSON, NULL: it was not asked for */
	char *digests; /* owned; JSON, NULL: they were not asked for */
};

/* In a worker: take the output and the digests from ->report, which is its own.
 * false: it is no report, or memory ran out. */
bool slv_sent_fill(struct slv_sent *);

void slv_sent_pack(const struct slv_sent *, struct slv_buf *);

/* What the run asked of a worker. */
struct slv_sent_asked {
	const char *path;   /* the file */
	const char *output; /* that may be written; NULL: none */
	bool before;        /* whether it is as before */
	bool report;        /* it must be there; it may be there anyway */
	bool digests;       /* they may be there */
	int code;           /* all bits of exit codes */
	double seconds;     /* the most that can have gone by */
};

/* Whether the bytes are a result that answers what was asked. */
bool slv_sent_check(const uint8_t *, size_t n, const struct slv_sent_asked *);

/* From bytes that were checked.  false: memory ran out. */
bool slv_sent_unpack(struct slv_sent *, const uint8_t *, size_t n);

/* Lines as slv_report_sums() gives them, owned by the caller; NULL: memory ran
 * out. */
char *slv_sent_sums(const struct slv_sent *, const char *path);

void slv_sent_free(struct slv_sent *);

#endif
