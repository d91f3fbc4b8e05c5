/* gain.h - what a reading of the log comes to, and which of two is better. */
#ifndef SLV_JOB_GAIN_H
#define SLV_JOB_GAIN_H

#include "job/audit/audit.h"

struct slv_gain {
	bool recognised;
	bool proven;   /* by the digest of the log */
	bool sound;    /* nothing is to be repaired */
	bool wanting;  /* units are missing, in the file or not */
	uint64_t out;  /* bytes that may have been recorded and are left out */
	uint64_t kept; /* units */
};

/* What a scan comes to; proven: the digest confirms its bytes as they are. */
struct slv_gain slv_gain_of(const struct slv_scan *);

/* Whether a is better than b: proof first, then what is left out, then what is kept.
 * Of two that are alike neither is better: the earlier one assumes less.
 *
 *   mixed  b mixes the log with its beginning, so that it keeps some units twice,
 *          or puts others together: what it keeps counts nothing */
bool slv_gain_is_better(
    const struct slv_gain *a, const struct slv_gain *b, bool mixed);

/* Note for the report that this reading was tried. */
void slv_gain_note(struct slv_audit *, const char *reading,
    const struct slv_gain *, bool taken);

#endif
