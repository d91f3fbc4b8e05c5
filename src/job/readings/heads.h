/* heads.h - where logs begin in what a scan left out, and what they contain. */
#ifndef SLV_JOB_HEADS_H
#define SLV_JOB_HEADS_H

#include "job/audit/audit.h"

#define SLV_HEAD 64 /* bytes that identify a beginning */

/* A place where a log begins, and the result of a scan from there. */
struct slv_head {
	uint64_t off, end;   /* end: end of the log, once it is known */
	uint64_t kept_upto;  /* end of its last kept unit */
	uint64_t made_upto;  /* ... or rebuilt bytes */
	uint64_t whole_upto; /* offset of its first loss */
	const struct slv_format *format;
	uint64_t records, kept; /* units that are kept; bytes kept or rebuilt */
	bool complete;          /* nothing of it is missing */
	bool ends;              /* it also states where it ends */
	bool again;             /* the scanned log contains it, byte for byte */
	bool same;              /* it contains much of the scanned log: a
				 * download that was started again */
};

struct slv_heads {
	struct slv_audit *a;
	const struct slv_scan_options *how;
	struct slv_scan probe; /* for the searches of drivers */
	struct slv_head *at;   /* owned; at first all, later those that are
			      * logs */
	size_t n, cap;
	uint64_t budget; /* bytes that may still be scanned */
	bool doubtful;   /* some beginning is not that of a log, or was not
		       * examined */
};

/* Note each place where a log of some format begins, in order: in everything
 * that the audit's scan left out, and shortly before that. */
enum slv_status slv_heads_find(struct slv_heads *, struct slv_err *);

/* Of the beginnings in [from, to) keep those of logs with at least one record,
 * or that are whole without one: h->at[*n] and the following ones.  *n
 * grows. */
enum slv_status slv_heads_confirm(struct slv_heads *h, uint64_t from,
    uint64_t to, size_t *n, struct slv_err *);

/* Compare by offset, for qsort. */
int slv_heads_compare(const void *a, const void *b);

#endif
