/* judge.h - does the log keep the caller's rules? */
#ifndef SLV_JOB_JUDGE_H
#define SLV_JOB_JUDGE_H

#include "job/work.h"

/* The listener for every block, owned by the work; *out = NULL: no rule needs
 * it. */
enum slv_status slv_judge_listen(struct slv_work *, struct slv_silences **out);

/* Compare the report, and what the listener heard, with the rules. */
enum slv_status slv_judge_policy(struct slv_work *);

#endif
