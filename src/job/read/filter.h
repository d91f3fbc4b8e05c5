/* filter.h - which records a reader wants, by the names of its choices. */
#ifndef SLV_JOB_FILTER_H
#define SLV_JOB_FILTER_H

#include <regex.h>

#include "job/read/channels.h"

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
	bool excludes;
};

struct slv_filter {
	struct slv_bound start, end;
	bool by_time;                 /* the order */
	struct slv_pattern *patterns; /* owned */
	size_t n, cap;
	size_t n_includes;

	/* When it is settled. */
	bool settled;
	bool timed; /* only records in [from, to), in ns since 1970 */
	int64_t from, to;
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

static inline bool
slv_filter_takes(const struct slv_filter *f, uint32_t channel, int64_t log_ns)
{
	return f->wanted[channel]
	    && (!f->timed
	        || (log_ns != SLV_NO_TIME && log_ns >= f->from
	            && log_ns < f->to));
}

void slv_filter_free(struct slv_filter *);

#endif
