/* nearest.h - what somebody may have meant. */
#ifndef SLV_CLI_NEAREST_H
#define SLV_CLI_NEAREST_H

#include <stddef.h>

/* How many letters must be put in, taken out, changed or swapped with their
 * neighbour to make a into b, whatever their case.  Words over 63 bytes are far from
 * everything. */
unsigned slv_nearest_distance(const char *a, const char *b);

/* The best of several candidates, offered one after another. */
struct slv_nearest {
	const char *wanted;
	const char *best;  /* borrowed from the caller; NULL: nothing near */
	unsigned distance; /* of `best` */
};

/* Start with { .wanted = ... }. */
void slv_nearest_offer(struct slv_nearest *, const char *candidate);

#endif
