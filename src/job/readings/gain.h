/* gain.h - what a reading of the log recovers, and which of two is better. */
#ifndef SLV_JOB_GAIN_H
#define SLV_JOB_GAIN_H

#include "job/audit/audit.h"

struct slv_gain {
	bool recognised;
	bool proven;   /* by the digest of the log */
	bool sound;    /* nothing needs a repair */
	bool wanting;  /* units are missing, in the file or not */
	bool torn;     /* what is rebuilt shows that some may be */
	uint64_t out;  /* bytes that may have been recorded and are left out */
	uint64_t kept; /* units */
};

/* The gain of a scan; proven: the digest confirms its bytes as they are. */
struct slv_gain slv_gain_of(const struct slv_scan *);

/* Return true if a is better than b: proof counts first, then what is left out,
 * then what is kept.  Of two equal ones neither is better: the earlier one
 * assumes less.
 *
 *   mixed  b mixes the log with its beginning, so that it keeps some units in
 *          duplicate, or joins others: what it keeps does not count */
bool slv_gain_is_better(
    const struct slv_gain *a, const struct slv_gain *b, bool mixed);

/* Note for the report that this reading was tried. */
void slv_gain_note(struct slv_audit *, const char *reading,
    const struct slv_gain *, bool taken);

#endif
