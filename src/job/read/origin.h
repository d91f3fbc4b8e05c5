/* origin.h - where what is read is in the input, what was lost before it, and what
 * confirms it.
 */
#ifndef SLV_JOB_ORIGIN_H
#define SLV_JOB_ORIGIN_H

#include "report/report.h"

/* A loss, in what is read: some of [from, upto) was recorded after it, and all from
 * `upto` on. */
struct slv_loss {
	uint64_t from, upto;
};

struct slv_origins {
	/* Borrowed; has the plan and the findings. */
	const struct slv_report *report;
	struct slv_range *gaps; /* owned; by offset in the input */
	size_t n_gaps;
	struct slv_loss *losses; /* owned; in order */
	size_t n, cap;
};

/* What a range of what is read is in the input. */
struct slv_origin {
	uint64_t off; /* where its first byte that is copied is; if there is
			 * none, where the bytes before it end */
	bool copied;  /* all of it is copied, byte for byte */
	bool made;    /* nothing is */
	bool suspect; /* a finding is about it */
};

/* Find the losses.
 *
 *   size  bytes of what is read */
enum slv_status slv_origins_find(struct slv_origins *,
    const struct slv_report *, uint64_t size, struct slv_err *);

/* Where [off, off + len) of what is read is.
 *
 *   *line  a line of the plan: that of an earlier question, or 0 */
struct slv_origin slv_origin_of(
    const struct slv_origins *, uint64_t off, uint64_t len, size_t *line);

void slv_origins_free(struct slv_origins *);

#endif
