/* table.h - the rows that are tracked, and what was counted for each. */
#ifndef TESTS_SALVAGE_TABLE_H
#define TESTS_SALVAGE_TABLE_H

#include <stdio.h>

#include "salvage/verdict.h"

/* What a row must come to, by its last column; none: it is only tracked. */
enum aim {
	AIM_NONE,
	AIM_MOST,    /* 99.5 % of keepable blocks kept, nothing wrong */
	AIM_ALL,     /* all of them, nothing wrong */
	AIM_BACK,    /* the original again, byte for byte */
	AIM_PROVEN,  /* and proven */
	AIM_NOTICED, /* nothing is handed out, unless proven */
};

struct row {
	const char *name;
	enum harm_kind kind;
	enum region region;
	unsigned of;       /* OF_ bits */
	unsigned footings; /* 1 << each that is tried */
	enum aim aim;
};

/* Whether flipped bits are tried against the digest, which takes long. */
bool tries_flips(const struct row *);

extern const struct row rows[];
extern const size_t n_rows;

/* A case that went wrong, as small as one was seen. */
struct example {
	const struct original *o, *other; /* NULL: none was seen */
	struct harm harm;
	size_t size; /* of the damaged file */
};

struct tally {
	size_t cases, keepable, kept, aside;
	size_t invented, torn, unseen;
	size_t restored;      /* the original again, and said to be */
	size_t wrong[WRONGS]; /* cases */
	double slowest;       /* seconds */
	struct example examples[WRONGS];
};

void tally_add(struct tally *, const struct row *, const struct verdict *,
    const struct example *);

/* The heads of the columns, and what the rows below it are to come to. */
void table_head(FILE *, enum aim);
void table_row(FILE *, const struct row *, enum footing, const struct tally *);

/* Whether the row is where it is to come to. */
bool is_aimed(const struct row *, const struct tally *);

/* The floor file: a line a row, of numbers that may not get worse. */
void floor_head(FILE *);
void floor_row(FILE *, const struct row *, enum footing, const struct tally *);

/* Hold a row against its line in the floor file; what is worse is printed.
 * False: something is, or there is no such line. */
bool floor_holds(
    FILE *floor, const struct row *, enum footing, const struct tally *);

#endif
