/* policy.h - the rules that a log must keep, as the caller gave them.
 *
 * They belong to a pipeline, not to a format: a sound log that breaks them is
 * still sound.  Of several rules of a kind that name a channel the last one
 * counts.  A rule that names no channel counts only if no other does.  Each
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
	bool none;     /* no such rule applies to the channel */
	uint64_t most; /* MAX_GAP: ns; MAX_LOST: bytes, unless `parts` */
	double least;  /* MIN_RATE: per second */
	bool parts;    /* MAX_LOST: of 100, in `percent` */
	double percent;
};

struct slv_policy {
	struct slv_rule *at; /* owned */
	size_t n, cap;
};

/* Return true if the rule names this channel. */
bool slv_rule_names(const struct slv_rule *, const char *channel);

/* Return true if it names exactly one channel. */
bool slv_rule_is_exact(const struct slv_rule *);

/* The rule of a kind that applies to a channel, or, with NULL, any rule; NULL:
 * there is none. */
const struct slv_rule *slv_policy_rule(
    const struct slv_policy *, enum slv_rule_kind, const char *channel);

/* Return true if both ends and the index of a log show whether it keeps
 * them. */
bool slv_policy_needs_index_only(const struct slv_policy *);

#endif
