/* clock.h - how long something takes. */
#ifndef SLV_CLI_CLOCK_H
#define SLV_CLI_CLOCK_H

#include <time.h>

static inline struct timespec
slv_clock(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static inline double
slv_clock_seconds(struct timespec from, struct timespec to)
{
	return (double)(to.tv_sec - from.tv_sec)
	    + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

#endif
