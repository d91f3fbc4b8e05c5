/* filter.h - which records a reader wants, by the names of its choices. */
#ifndef SLV_JOB_FILTER_H
#define SLV_JOB_FILTER_H

#include <regex.h>

#include "job/read/channels.h"
#include "options/options.h"

/* What a time counts from. */
enum slv_time_base {
	SLV_TIME_NONE, /* no time is set */
	SLV_TIME_1970,
	SLV_TIME_FIRST, /* the first record of the log */
	SLV_TIME_LAST,  /* ... or the last one */
};

struct slv_bound {
	enum slv_time_base base;
	int64_t ns;
};

struct slv_pattern {
	regex_t regex;
	enum { SLV_INCLUDES, SLV_EXCLUDES, SLV_OF_TYPE, SLV_LATCHES } does;
};

/* Where a record is; as struct slv_spot. */
struct slv_record_place {
	uint64_t off, inner;
};

/* A record that is wanted although it is not in the span of time. */
struct slv_also {
	struct slv_record_place at;
	uint32_t channel;
	bool replaced; /* a later one of its channel takes its place */
	int64_t ns;
};

struct slv_filter {
	struct slv_bound start, end;
	int64_t span;                 /* ns, of the two; 0: not set */
	bool by_time;                 /* the order */
	bool latched;                 /* what holds until it is replaced, too */
	struct slv_pattern *patterns; /* owned */
	size_t n, cap;
	size_t n_includes, n_types;

	/* When it is settled. */
	bool settled;
	bool timed; /* only records in [from, to), in ns since 1970 */
	int64_t from, to;
	struct slv_also *also; /* owned; in order: records that are wanted
				* although they are not in there */
	size_t n_also, cap_also;
	bool *wanted; /* owned; by channel */
};

/* SLV_E_USAGE: as slv_reader_set(). */
enum slv_status slv_filter_set(
    struct slv_filter *, const char *name, const char *value, struct slv_err *);

/* Set all that is chosen. */
enum slv_status slv_filter_choose(
    struct slv_filter *, const struct slv_selection *, struct slv_err *);

/* Apply it to the channels of a log. */
enum slv_status slv_filter_settle(
    struct slv_filter *, const struct slv_channels *, struct slv_err *);

/* Is the time one of those that are wanted? */
static inline bool
slv_filter_in_time(const struct slv_filter *f, int64_t log_ns)
{
	return !f->timed
	    || (log_ns != SLV_NO_TIME && log_ns >= f->from && log_ns < f->to);
}

/* Does a pattern say that the channel is latched? */
bool slv_filter_latches(const struct slv_filter *, const char *name);

/* One more record that is wanted, after all others. */
enum slv_status slv_filter_also(
    struct slv_filter *, const struct slv_also *, struct slv_err *);

/* Is the record at that place wanted? */
bool slv_filter_takes(const struct slv_filter *, uint32_t channel,
    int64_t log_ns, struct slv_record_place);

void slv_filter_free(struct slv_filter *);

/* "2023-11-14T22:13:20.25Z" in ns since 1970; false: it is no such time. */
bool slv_filter_date(const char *text, int64_t *ns);

#endif
