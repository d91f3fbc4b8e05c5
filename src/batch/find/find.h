/* find.h - the files of a batch.
 *
 * Files that were named, files named in a list, and all files below
 * directories, in an order that depends only on their names.
 */
#ifndef SLV_BATCH_FIND_H
#define SLV_BATCH_FIND_H

#include <signal.h>

#include "base/status.h"
#include "batch/find/shard.h"
#include "batch/find/subset.h"

/* Why a file below a directory is not in the batch.  Whether it is a log is
 * known only after it was read. */
enum slv_skip {
	SLV_SKIP_UNWANTED, /* --include, --exclude, ->beside */
	SLV_SKIP_OURS,     /* salvor made it: an output, a record, a report */
	SLV_SKIP_YOUNG,    /* --min-age: it may still be written */
	SLV_SKIP_OTHER,    /* not a regular file, or a symbolic link */
	SLV_SKIP_SHARD,    /* --shard: another shard's */
	SLV_SKIP_SUBSET,   /* --subset: for another run */
	SLV_SKIPS
};

struct slv_find_rules {
	bool recursive;
	bool flat;                  /* but not the folders in it */
	const char *const *include; /* shell patterns for names; borrowed */
	size_t n_include;           /* 0: all names */
	const char *const *exclude; /* directories with such a name are not
				     * entered */
	size_t n_exclude;
	const char *beside;       /* take files that have a neighbour with the
				   * same name and this ending, and no others; a
				   * neighbour alone is an error; NULL: take
				   * all */
	uint64_t min_age;         /* seconds since the last change */
	const char *const *leave; /* files and directories to ignore; NULL
				   * entries: none */
	size_t n_leave;
	struct slv_shard shard;
	struct slv_subset subset;
};

struct slv_found {
	char *path;      /* as it is opened; owned */
	const char *sub; /* the part of it from the named directory on */
	bool named;      /* it was not found below a directory */
	bool wanted;     /* or it was, and matches --include */
	uint64_t size;   /* bytes; 0 if the system does not report it */
};

struct slv_find {
	const struct slv_find_rules *rules; /* borrowed */
	struct slv_found *at;               /* owned */
	size_t n, cap;
	uint64_t skipped[SLV_SKIPS];
	uint64_t bytes; /* of all files */

	/* Called with what cannot be read; the search continues. */
	void (*on_error)(void *ctx, const struct slv_err *);
	void *ctx;
};

/* Add a file, or with ->recursive all files below a directory.
 *
 * SLV_E_USAGE: a directory, and not ->recursive
 * SLV_E_NOMEM: files found so far are kept */
enum slv_status slv_find_add(
    struct slv_find *, const char *path, struct slv_err *);

/* Add the names in a file, each ended by a NUL; "-" is standard input.
 *
 *   cancel  not 0: stop waiting for a pipe; NULL: wait for ever
 *
 * SLV_E_IO, SLV_E_USAGE (an empty name, not a file at all), SLV_E_NOMEM,
 * SLV_E_CANCELLED */
enum slv_status slv_find_list(struct slv_find *, const char *path,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Add a file that is known to exist. */
enum slv_status slv_find_put(struct slv_find *, const char *path, bool named,
    uint64_t size, struct slv_err *);

/* Keep some of the files, and leave the others to another run. */
void slv_find_keep(struct slv_find *, const bool *keep);

/* How many files there are, including those of other shards and runs and those
 * that are too young: 0 is an empty directory, or one that is not mounted. */
uint64_t slv_find_seen(const struct slv_find *);

void slv_find_free(struct slv_find *);

#endif
