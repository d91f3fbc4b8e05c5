/* properties.h - what must hold for every damaged log of every format.
 *
 * A format's test makes good logs, knows the truth about them, and calls
 * properties_main().  Every log is then cut, flipped, overwritten, joined and
 * so on, repaired in memory, and the result is held against the truth.
 *
 * SALVOR_LONG=1 in the environment tries everything instead of a sample.
 */
#ifndef TESTS_PROPERTIES_PROPERTIES_H
#define TESTS_PROPERTIES_PROPERTIES_H

#include <CUnit/CUnit.h>

#include "support/blob.h"
#include "support/repair.h"

/* The truth about one unit of a good log. */
struct unit {
	size_t off, end; /* header included */
	enum unit_kind {
		UNIT_FIRST,    /* without it there is no log */
		UNIT_EXPLAINS, /* recorded; says what records mean */
		UNIT_RECORD,   /* what the log is there for */
		UNIT_DERIVED,  /* can be made anew from the rest */
	} kind;
	size_t payload; /* RECORD: where the payload begins */
};

struct units {
	struct unit *at; /* owned */
	size_t n, cap;
};

void units_add(struct units *, struct unit);
void units_free(struct units *);

struct subject {
	char name[64];
	struct blob bytes;  /* a good log */
	struct units units; /* all of it, in order */
	bool digest;        /* it holds a digest over itself */
	bool small;         /* everything can be tried */
	bool other_list;    /* its list of channels, made anew, is not the
			     * recorder's but says the same */
	bool alike;         /* records are equal to each other: of two copies
			     * which one lacks them cannot be seen */
	bool nested;        /* records hold logs: once a search has begun in
			     * one, its units cannot be told from ours */

	/* Find the units of a log that is said to be good; false where it is
	 * not.  Shares no code with what is tested. */
	bool (*list)(const struct subject *, const uint8_t *bytes, size_t n,
	    struct units *out);

	/* What the recorder would have written of only these units; derived
	 * ones are made anew unless kept.  NULL: not known. */
	void (*without)(
	    const struct subject *, const bool *keep, struct blob *out);
	const void *ctx; /* of these two */
};

/* Run the suite; what main() returns. */
int properties_main(struct subject *subjects, size_t n);

/* For the parts of the suite. */

extern struct subject *subjects;
extern size_t n_subjects;

/* Whether everything is to be tried. */
bool is_long(void);

/* What became of the records in one output. */
struct tally {
	size_t exact;   /* records of the original, byte for byte */
	size_t altered; /* damage hit the payload only */
	size_t misread; /* damage hit what is before the payload */
	size_t swollen; /* damage made it end where another unit does */
};

/* Records that are not as they were recorded. */
size_t tally_wrong(const struct tally *);

/* Check what must hold for every repair of a damaged `in`, whose bytes
 * [off, end) are not as they were in the subject, and count.  off may be end:
 * bytes are missing there. */
struct tally check_repair(const struct subject *, const struct blob *in,
    const struct repaired *, size_t off, size_t end);

/* How many records lie wholly before off; wholly outside [off, end). */
size_t records_before(const struct subject *, size_t off);
size_t records_outside(const struct subject *, size_t off, size_t end);

/* Where the last unit ends that is not derived. */
size_t recorded_end(const struct subject *);

extern CU_TestInfo cut_tests[];
extern CU_TestInfo tail_tests[];
extern CU_TestInfo flip_tests[];
extern CU_TestInfo window_tests[];
extern CU_TestInfo splice_tests[];
extern CU_TestInfo merge_tests[];

#endif
