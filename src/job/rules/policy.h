/* policy.h - the rules that a log shall keep, as the caller gave them.
 *
 * They are of somebody's pipeline, not of a format: a sound log can break them,
 * and then is sound still.  Of several rules of a kind that name a channel the
 * last one counts, and one that names none only where no other does; each
 * `require` counts.
 */
#ifndef SLV_JOB_POLICY_H
#define SLV_JOB_POLICY_H

#include "salvor.h"

enum slv_rule_kind {
	SLV_RULE_MAX_GAP,
	SLV_RULE_MAX_LOST,
	SLV_RULE_MIN_RATE,
	SLV_RULE_REQUIRE,
};

struct slv_rule {
	enum slv_rule_kind kind;
	char *text;    /* owned; "max-gap=/imu=2s" */
	char *channel; /* owned; a name or a glob; NULL: every channel */
	bool none;     /* the channel is free of such rules */
	uint64_t most; /* MAX_GAP: ns; MAX_LOST: bytes, unless `parts` */
	double least;  /* MIN_RATE: a second */
	bool parts;    /* MAX_LOST: of 100, in `percent` */
	double percent;
};

struct slv_policy {
	struct slv_rule *at; /* owned */
	size_t n, cap;
};

/* Whether a channel's name is one that the rule names. */
bool slv_rule_names(const struct slv_rule *, const char *channel);

/* Whether it names just one channel. */
bool slv_rule_is_exact(const struct slv_rule *);

/* The rule of a kind that counts for a channel, or, with NULL, any; NULL: there
 * is none. */
const struct slv_rule *slv_policy_rule(
    const struct slv_policy *, enum slv_rule_kind, const char *channel);

/* Whether both ends and the index of a log can tell whether it keeps them. */
bool slv_policy_needs_index_only(const struct slv_policy *);

#endif
