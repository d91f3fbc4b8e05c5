/* heads.h - where logs begin in what a scan left out, and what they are worth. */
#ifndef SLV_JOB_HEADS_H
#define SLV_JOB_HEADS_H

#include "job/audit/audit.h"

#define SLV_HEAD 64 /* bytes by which a beginning is known */

/* A place where a log begins, and what a scan from there says of it. */
struct slv_head {
	uint64_t off, end;   /* end: where it ends, once that is known */
	uint64_t kept_upto;  /* where the last of it ends that is kept */
	uint64_t made_upto;  /* ... or rebuilt */
	uint64_t whole_upto; /* where something is lost for the first time */
	const struct slv_format *format;
	uint64_t records, kept; /* units that are kept; bytes, or rebuilt */
	bool complete;          /* nothing of it is missing */
	bool ends;              /* it says where it ends, too */
	bool again;             /* it is in the scanned log, byte for byte */
	bool same;              /* much of the scanned log is in it: a copy that
	                         * was started again */
};

struct slv_heads {
	struct slv_audit *a;
	const struct slv_scan_options *how;
	struct slv_scan probe; /* what drivers search with */
	struct slv_head *at; /* owned; at first all, then those that are logs */
	size_t n, cap;
	uint64_t budget; /* bytes that may still be scanned */
	bool
	    doubtful; /* some beginning is none of a log, or was not looked at */
};

/* Note each place where a log of some format begins, in order: in all that the
 * audit's scan left out, and shortly before that. */
enum slv_status slv_heads_find(struct slv_heads *, struct slv_err *);

/* Of the beginnings in [from, to) keep those of logs with at least one record, or
 * that are whole without: they are h->at[*n] and the next ones, and *n grows. */
enum slv_status slv_heads_confirm(struct slv_heads *h, uint64_t from,
    uint64_t to, size_t *n, struct slv_err *);

/* By their places, for qsort. */
int slv_heads_compare(const void *a, const void *b);

#endif
