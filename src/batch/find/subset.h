/* subset.h - a part of an archive per run, for several nights. */
#ifndef SLV_BATCH_SUBSET_H
#define SLV_BATCH_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

/* Files are divided by their names into `of` parts.  This is n of them from
 * `from` on, wrapping around; { 0 } is everything. */
struct slv_subset {
	uint64_t from, n, of;
	bool share; /* a share that rotates by the day */
};

/* "2/7": part 2 of 7.  "5%" or "0.25%": that share, another one each day.  The
 * shares of as many days as are needed are the whole, without a file in two of
 * them.
 *
 *   day  since 1970
 *
 * false: no valid part. */
bool slv_subset_parse(const char *text, uint64_t day, struct slv_subset *);

/* Return true if a file with this name belongs to it: the same on every machine
 * and in every version, and whatever shard the file is in. */
bool slv_subset_has(const struct slv_subset *, const char *name);

#endif
