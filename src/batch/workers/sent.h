/* sent.h - what a worker sends about a finished file.
 *
 * A log may have taken over the worker that read it.  So a result is made of
 * numbers in a known order, each with a range, and of texts that are checked
 * before they go to a terminal, a report or a journal.  What is known without
 * the worker is not sent.
 */
#ifndef SLV_BATCH_SENT_H
#define SLV_BATCH_SENT_H

#include "base/buf.h"
#include "batch/journal/journal.h"
#include "digest/digest.h"
#include "salvor_many.h"

struct slv_sent_sum {
	bool there;
	uint8_t at[SLV_SHA256_SIZE];
};

struct slv_sent {
	bool before;   /* it was done earlier, and is unchanged; then there is
		        * nothing else */
	bool aside;    /* the text goes to standard error */
	bool failed;   /* some part could not be made */
	bool promised; /* its name promises a log */
	int code;      /* SLV_EXIT_*, ORed */
	enum slv_state state;
	enum slv_policy_verdict policy;
	enum slv_baseline_verdict baseline;
	double seconds;           /* duration of the job */
	struct slv_totals totals; /* of this file */
	struct slv_stamp input;   /* before the job began */
	struct slv_sent_sum sum;
	char *output;           /* owned; path, NULL: there is none */
	struct slv_stamp stamp; /* of the output, as it was written */
	struct slv_sent_sum output_sum;
	char *text;    /* owned; for people, NULL: there is none */
	char *report;  /* owned; JSON, NULL: not requested */
	char *digests; /* owned; JSON, NULL: not requested */
};

/* In a worker: take the output and the digests from ->report, which is its own.
 * false: it is not a report, or memory ran out. */
bool slv_sent_fill(struct slv_sent *);

void slv_sent_pack(const struct slv_sent *, struct slv_buf *);

/* The request to a worker. */
struct slv_sent_asked {
	const char *path;   /* the file */
	const char *output; /* the only output allowed; NULL: none */
	bool before;        /* a check that nothing changed */
	bool report;        /* it is required; it is allowed anyway */
	bool digests;       /* they are allowed */
	int code;           /* all allowed bits of exit codes */
	double seconds;     /* longest possible duration */
};

/* Return true if the bytes are a valid answer to the request. */
bool slv_sent_check(const uint8_t *, size_t n, const struct slv_sent_asked *);

/* Decode checked bytes.  false: memory ran out. */
bool slv_sent_unpack(struct slv_sent *, const uint8_t *, size_t n);

/* Lines as from slv_report_sums(), owned by the caller; NULL: memory ran
 * out. */
char *slv_sent_sums(const struct slv_sent *, const char *path);

void slv_sent_free(struct slv_sent *);

#endif
