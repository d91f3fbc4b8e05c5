/* judge.h - does the log keep the caller's rules? */
#ifndef SLV_JOB_JUDGE_H
#define SLV_JOB_JUDGE_H

#include "job/work.h"

/* Who is to hear of every block; *out = NULL: no rule asks.  It is the
 * work's. */
enum slv_status slv_judge_listen(struct slv_work *, struct slv_silences **out);

/* Hold what the report tells, and what was heard, against the rules. */
enum slv_status slv_judge_policy(struct slv_work *);

#endif
