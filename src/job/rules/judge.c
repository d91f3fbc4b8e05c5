/* judge.c - does the log keep the caller's rules?
 *
 * Channels with one name, like the connections of a topic, count as one.  Rules
 * about a channel apply to the whole time of the log: a channel that began late
 * or died does not pass for one without gaps.
 */
#include "job/rules/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "job/rules/policy.h"

/* All channels with one name. */
struct group {
	const char *name; /* of the facts; "" if unknown */
	uint64_t messages;
	bool timed; /* the time of some message is known */
};

/* Raise a row about a channel; *out, never NULL, can be completed. */
static enum slv_status
raise_row(struct slv_work *w, enum slv_policy_problem row,
    const struct slv_rule *rule, const char *channel,
    struct slv_violation **out)
{
	struct slv_report *r = w->report;
	struct slv_violation *v;

	SLV_TRY(slv_grow(&r->violations, &r->cap_violations,
	    r->n_violations + 1, sizeof(*r->violations), w->err));
	v = *out = &r->violations[r->n_violations++];
	*v = (struct slv_violation){
		.info = &slv_policy_problems[row],
		.rule = slv_strdup(rule->text),
		.n = 1,
	};
	if (channel != NULL && *channel != '\0')
		v->channel = slv_strdup(channel);
	return v->rule == NULL
	        || (channel != NULL && *channel != '\0' && v->channel == NULL)
	    ? slv_fail(w->err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

static int
by_name(const void *x, const void *y)
{
	const struct group *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* The channels of the report by name, in *out, owned by the caller. */
static enum slv_status
group(const struct slv_report *r, struct group **out, size_t *n,
    struct slv_err *err)
{
	const struct slv_facts *f = &r->facts;
	struct group *all = slv_calloc(f->n_channels + 1, sizeof(*all));

	*n = 0;
	if (all == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < f->n_channels; i++) {
		const struct slv_channel *c = &f->channels[i];

		all[i] = (struct group){
			.name = c->name != NULL ? c->name : "",
			.messages = c->messages,
			.timed = c->first.known,
		};
	}
	slv_sort(all, f->n_channels, sizeof(*all), by_name);
	for (size_t i = 0; i < f->n_channels; i++) {
		if (*n > 0 && strcmp(all[*n - 1].name, all[i].name) == 0) {
			all[*n - 1].messages += all[i].messages;
			all[*n - 1].timed |= all[i].timed;
		} else {
			all[(*n)++] = all[i];
		}
	}
	*out = all;
	return SLV_OK;
}

static int
by_channel(const void *x, const void *y)
{
	const struct slv_silence_member *a = x, *b = y;

	return a->channel < b->channel ? -1 : a->channel > b->channel;
}

static size_t
place_of(const struct group *all, size_t n, const char *name)
{
	const struct group key = { .name = name != NULL ? name : "" };
	const struct group *at =
	    slv_find_sorted(&key, all, n, sizeof(*all), by_name);

	return (size_t)(at - all);
}

enum slv_status
slv_judge_listen(struct slv_work *w, struct slv_silences **out)
{
	const struct slv_policy *p = w->opt->policy;
	const struct slv_facts *f = &w->report->facts;
	struct slv_silences *s = &w->silences;
	struct group *all = NULL;
	enum slv_status st;
	size_t n;

	*out = NULL;
	if (p == NULL || w->job != SLV_JOB_VERIFY
	    || slv_policy_rule(p, SLV_RULE_MAX_GAP, NULL) == NULL)
		return SLV_OK;
	SLV_TRY(group(w->report, &all, &n, w->err));
	st = slv_silences_init(s, n, f->n_channels, w->err);
	for (size_t i = 0; st == SLV_OK && i < n; i++) {
		const struct slv_rule *rule =
		    slv_policy_rule(p, SLV_RULE_MAX_GAP, all[i].name);

		if (rule != NULL && !rule->none)
			s->at[i].most = rule->most;
	}
	for (size_t i = 0; st == SLV_OK && i < f->n_channels; i++)
		s->members[i] = (struct slv_silence_member){
			.channel = f->channels[i].index,
			.watch = place_of(all, n, f->channels[i].name),
		};
	if (st == SLV_OK) {
		slv_sort(
		    s->members, s->n_members, sizeof(*s->members), by_channel);
		*out = s;
	}
	slv_free(all);
	return st;
}

/* The span of the log in seconds; 0: unknown, or there is none. */
static double
lasting(const struct slv_report *r)
{
	return r->first.known && r->last.known
	    ? slv_moment_seconds(r->first, r->last)
	    : 0;
}

/* A channel without messages was silent all the time. */
static enum slv_status
raise_gap(struct slv_work *w, const struct slv_rule *rule, const char *name,
    const struct slv_silence_watch *watch, bool blind)
{
	const struct slv_report *r = w->report;
	struct slv_violation *v;

	SLV_TRY(raise_row(w, SLV_P_MAX_GAP, rule, name, &v));
	v->measure = SLV_IN_SECONDS;
	v->asked = (double)rule->most / 1e9;
	v->blind = blind;
	if (watch == NULL) {
		v->empty = !blind;
		v->found = lasting(r);
		v->from = r->first;
		v->to = r->last;
		return SLV_OK;
	}
	v->found = (double)watch->longest.ns / 1e9;
	v->n = watch->over;
	v->has_off = true;
	v->off = watch->longest.off;
	v->from = watch->longest.from;
	v->to = watch->longest.to;
	return SLV_OK;
}

/* A single message, for example of a topic that announces something once, makes
 * no gap, unless a rule names the channel. */
static enum slv_status
judge_gap(struct slv_work *w, const struct group *g, size_t i)
{
	const struct slv_rule *rule =
	    slv_policy_rule(w->opt->policy, SLV_RULE_MAX_GAP, g->name);
	const struct slv_silence_watch *watch =
	    w->silences.n > 0 ? &w->silences.at[i] : NULL;

	if (rule == NULL || rule->none || watch == NULL)
		return SLV_OK;
	if (g->messages < 2 && rule->channel == NULL)
		return SLV_OK;
	if (g->messages == 0)
		return slv_rule_is_exact(rule)
		    ? raise_gap(w, rule, g->name, NULL, false)
		    : SLV_OK;
	if (watch->n == 0)
		return rule->channel != NULL
		    ? raise_gap(w, rule, g->name, NULL, true)
		    : SLV_OK;
	return watch->over > 0 ? raise_gap(w, rule, g->name, watch, false)
	                       : SLV_OK;
}

/* Any span of a log holds so many whole steps of a channel that keeps its rate,
 * wherever it begins. */
static enum slv_status
judge_rate(struct slv_work *w, const char *name, uint64_t messages)
{
	const struct slv_rule *rule =
	    slv_policy_rule(w->opt->policy, SLV_RULE_MIN_RATE, name);
	double span = lasting(w->report);
	struct slv_violation *v;
	bool blind = messages > 0 && !w->report->first.known;

	if (rule == NULL || rule->none)
		return SLV_OK;
	/* A rounding error of a double is not a message. */
	if (messages > 0 && !blind
	    && (double)messages
	        >= (double)(uint64_t)(rule->least * span * (1 - 1e-12)))
		return SLV_OK;
	SLV_TRY(raise_row(w, SLV_P_MIN_RATE, rule, name, &v));
	v->measure = SLV_IN_HERTZ;
	v->asked = rule->least;
	v->found = span > 0 ? (double)messages / span : 0;
	v->blind = blind;
	v->empty = messages == 0;
	return SLV_OK;
}

/* Channels that rules name and the log does not have. */
static enum slv_status
judge_absent(struct slv_work *w, const struct group *all, size_t n)
{
	const struct slv_policy *p = w->opt->policy;

	for (size_t i = 0; i < p->n; i++) {
		const struct slv_rule *rule = &p->at[i];
		const struct group key = { .name = rule->channel };

		if (!slv_rule_is_exact(rule) || rule->kind == SLV_RULE_REQUIRE
		    || slv_policy_rule(p, rule->kind, rule->channel) != rule
		    || slv_find_sorted(&key, all, n, sizeof(*all), by_name)
		        != NULL
		    || rule->none)
			continue;
		if (rule->kind == SLV_RULE_MIN_RATE)
			SLV_TRY(judge_rate(w, rule->channel, 0));
		else
			SLV_TRY(raise_gap(w, rule, rule->channel, NULL, false));
	}
	return SLV_OK;
}

static enum slv_status
judge_require(struct slv_work *w, const struct group *all, size_t n)
{
	const struct slv_policy *p = w->opt->policy;

	for (size_t i = 0; i < p->n; i++) {
		struct slv_violation *v;
		bool there = p->at[i].kind != SLV_RULE_REQUIRE;

		for (size_t k = 0; k < n && !there; k++)
			there = all[k].messages > 0
			    && slv_rule_names(&p->at[i], all[k].name);
		if (there)
			continue;
		SLV_TRY(raise_row(
		    w, SLV_P_REQUIRE, &p->at[i], p->at[i].channel, &v));
		v->measure = SLV_IN_MESSAGES;
		v->asked = 1;
		v->empty = true;
	}
	return SLV_OK;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* What an earlier repair lost counts as lost.  Bytes alone do not show what was
 * cut out, and blocks do not show how much there was. */
static enum slv_status
judge_lost(struct slv_work *w)
{
	const struct slv_rule *rule =
	    slv_policy_rule(w->opt->policy, SLV_RULE_MAX_LOST, NULL);
	const struct slv_report *r = w->report;
	bool before = slv_report_has_history(r) && !r->history.changed;
	uint64_t bytes =
	    r->bytes[SLV_LOST] + (before ? r->history.lost_bytes : 0);
	uint64_t units = r->units_lost + (before ? r->history.lost_units : 0);
	double part =
	    percent(bytes, r->size + (before ? r->history.lost_bytes : 0));
	double of_units = percent(units, r->units_kept + units);
	struct slv_violation v = { .measure = SLV_IN_BYTES }, *out;

	if (rule == NULL)
		return SLV_OK;
	if (rule->parts) {
		v.measure = SLV_IN_PERCENT;
		v.asked = rule->percent;
		v.found = part > of_units ? part : of_units;
	} else {
		v.asked = (double)rule->most;
		v.found = (double)bytes;
	}
	if (v.found <= v.asked && v.asked == 0 && units > 0) {
		v.measure = SLV_IN_MESSAGES;
		v.found = (double)units;
	}
	if (v.found <= v.asked)
		return SLV_OK;
	SLV_TRY(raise_row(w, SLV_P_MAX_LOST, rule, NULL, &out));
	out->measure = v.measure;
	out->asked = v.asked;
	out->found = v.found;
	out->has_off = r->gaps.n > 0;
	out->off = out->has_off ? r->gaps.at[0].off : 0;
	return SLV_OK;
}

static enum slv_status
judge(struct slv_work *w, const struct group *all, size_t n)
{
	if (w->silences.n > 0)
		SLV_TRY(slv_silences_end(&w->silences, w->err));
	SLV_TRY(judge_lost(w));
	SLV_TRY(judge_require(w, all, n));
	for (size_t i = 0; i < n; i++) {
		SLV_TRY(judge_gap(w, &all[i], i));
		SLV_TRY(judge_rate(w, all[i].name, all[i].messages));
	}
	return judge_absent(w, all, n);
}

static bool
is_judged(enum slv_state state)
{
	switch (state) {
	case SLV_STATE_INTACT:
	case SLV_STATE_INDEXED:
	case SLV_STATE_DAMAGED:
	case SLV_STATE_UNRECOVERABLE: return true;
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_ACTIVE:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: return false;
	}
	return false;
}

enum slv_status
slv_judge_policy(struct slv_work *w)
{
	struct slv_report *r = w->report;
	struct group *all = NULL;
	enum slv_status st;
	size_t n;

	if (w->job != SLV_JOB_VERIFY)
		return SLV_OK;
	r->policed = true;
	if (r->err.code != SLV_OK || r->unfinished || !is_judged(r->state))
		return SLV_OK;
	SLV_TRY(group(r, &all, &n, w->err));
	st = judge(w, all, n);
	slv_free(all);
	if (st == SLV_OK)
		r->policy =
		    r->n_violations > 0 ? SLV_POLICY_FAIL : SLV_POLICY_PASS;
	return st;
}
