/* subset.h - part of an archive tonight, another tomorrow. */
#ifndef SLV_BATCH_SUBSET_H
#define SLV_BATCH_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

/* Of `of` heaps that files are put into by their names, the n from `from` on,
 * around the end; { 0 } is all. */
struct slv_subset {
	uint64_t from, n, of;
	bool share; /* it is a share, whose turn goes by the day */
};

/* "2/7": part 2 of 7.  "5%" or "0.25%": that share, another one each day; those
 * of as many days as it takes are the whole, and no file is in two of them
 * before.
 *
 *   day  since 1970
 *
 * false: it says nothing that makes sense. */
bool slv_subset_parse(const char *text, uint64_t day, struct slv_subset *);

/* Whether a file that is called so belongs to it: the same on every machine and
 * in every version, and whatever shard the file is in. */
bool slv_subset_has(const struct slv_subset *, const char *name);

#endif
