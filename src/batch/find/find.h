/* find.h - which files a batch is about.
 *
 * Files that were named, files named in a list, and all files below folders,
 * in an order that depends on nothing but their names.
 */
#ifndef SLV_BATCH_FIND_H
#define SLV_BATCH_FIND_H

#include <signal.h>

#include "base/status.h"
#include "batch/find/shard.h"
#include "batch/find/subset.h"

/* Why a file below a folder is not in the batch.  What is no log is known only
 * when it has been read. */
enum slv_skip {
	SLV_SKIP_UNWANTED, /* --include, --exclude, ->beside */
	SLV_SKIP_OURS,     /* salvor left it: an output, a record, a report */
	SLV_SKIP_YOUNG,    /* --min-age: somebody may be writing it */
	SLV_SKIP_OTHER,    /* no regular file, or a symbolic link */
	SLV_SKIP_SHARD,    /* --shard: another shard's */
	SLV_SKIP_SUBSET,   /* --subset: another turn's */
	SLV_SKIPS
};

struct slv_find_rules {
	bool recursive;
	const char *const *include; /* shell patterns for names; borrowed */
	size_t n_include;           /* 0: all names */
	const char *const *exclude; /* folders of such a name are not entered */
	size_t n_exclude;
	const char *beside;       /* files that have one called the same and
	                           * this, and no others; where only that one
	                           * is there it is an error; NULL: all */
	uint64_t min_age;         /* seconds since the last change */
	const char *const *leave; /* files and folders that are not taken and
	                           * not entered; NULL among them: none */
	size_t n_leave;
	struct slv_shard shard;
	struct slv_subset subset;
};

struct slv_found {
	char *path;      /* as it is opened; owned */
	const char *sub; /* in it: from the folder that was named on */
	bool named;      /* it was not found below a folder */
	bool wanted;     /* or it was, and --include names it */
	uint64_t size;   /* bytes; 0 where the system did not say */
};

struct slv_find {
	const struct slv_find_rules *rules; /* borrowed */
	struct slv_found *at;               /* owned */
	size_t n, cap;
	uint64_t skipped[SLV_SKIPS];
	uint64_t bytes; /* of all that were found */

	/* Called with what cannot be read; the search goes on. */
	void (*on_error)(void *ctx, const struct slv_err *);
	void *ctx;
};

/* Add a file, or with ->recursive all files below a folder.
 *
 * SLV_E_USAGE: a folder, and not ->recursive
 * SLV_E_NOMEM: what was found before is there */
enum slv_status slv_find_add(
    struct slv_find *, const char *path, struct slv_err *);

/* Add the names in a file, each ended by a NUL; "-" is standard input.
 *
 *   cancel  a pipe is waited for until this is not 0; NULL: for ever
 *
 * SLV_E_IO, SLV_E_USAGE (an empty name, no file at all), SLV_E_NOMEM,
 * SLV_E_CANCELLED */
enum slv_status slv_find_list(struct slv_find *, const char *path,
    const volatile sig_atomic_t *cancel, struct slv_err *);

/* Add a file that is known to be there. */
enum slv_status slv_find_put(struct slv_find *, const char *path, bool named,
    uint64_t size, struct slv_err *);

/* Keep some of the files; the others are left to another turn. */
void slv_find_keep(struct slv_find *, const bool *keep);

/* How many files there are, those of other shards and turns and those that
 * are too young included: 0 is an empty folder, or one that was not mounted. */
uint64_t slv_find_seen(const struct slv_find *);

void slv_find_free(struct slv_find *);

#endif
