/* original.h - undamaged logs, and the truth about them.
 *
 * The truth is found by following the sizes of a log that is whole, with
 * tests/support only: no code that is tested has a say in it.
 */
#ifndef TESTS_SALVAGE_ORIGINAL_H
#define TESTS_SALVAGE_ORIGINAL_H

#include "support/make_bddf.h"

#define DECLARED_MAX 4096 /* series of one log */

/* Which originals a row of the table is about; bits. */
enum {
	OF_SMALL = 1 << 0,  /* made here, 0.3-2 KB, in all dialects */
	OF_NESTED = 1 << 1, /* the same with logs in payloads */
	OF_BIG = 1 << 2,    /* written by recorders */
};

struct original {
	char name[64];
	struct made_log log;      /* blocks of data know their series */
	bool grammar, type_first; /* its dialect */
	bool sha1;                /* it ends in a digest */
	unsigned sort;            /* one OF_ bit */
	size_t data, data_end;    /* where data begins; where indexes begin */
	size_t major;             /* where the version's first number is */
	uint32_t n_extras[DECLARED_MAX]; /* of each series, by declaration */
	bool declared[DECLARED_MAX];

	/* What the same robot wrote a week earlier into a file of the same
	 * layout: all times and payloads differ, all offsets are the same. */
	struct blob older;
};

/* Learn all about a log that is whole; false where it is not, or in no
 * dialect. */
bool original_learn(
    struct original *, const char *name, const uint8_t *bytes, size_t n);

/* The same of one that recipe describes. */
void original_make(struct original *, const char *name, const struct recipe *);

void original_free(struct original *);

/* A descriptor block's series_index; false where it has none. */
bool series_of(
    const uint8_t *block, size_t n, enum made_kind, uint32_t *series);

#endif
