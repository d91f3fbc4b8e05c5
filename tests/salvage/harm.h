/* harm.h - one way to ruin a log, and what it leaves of it.
 *
 * A damaged file is put together from stretches of the original and from
 * bytes that are none of it.  Where each stretch went says, from the original
 * alone, which blocks were not touched.
 */
#ifndef TESTS_SALVAGE_HARM_H
#define TESTS_SALVAGE_HARM_H

#include "salvage/original.h"

/* What follows the data. */
enum footing {
	FOOTER,  /* indexes and end block, as far as the damage spares them */
	INDEXES, /* indexes only */
	NEITHER,
	FOOTINGS
};

enum harm_kind {
	HARM_FLIP,         /* bit off % 8 of byte off / 8 */
	HARM_ZEROS,        /* [off, off + len) overwritten */
	HARM_ONES,         /* with 0xff */
	HARM_HOLES,        /* zeros, and as many somewhere after */
	HARM_RANDOM,       /* with chance */
	HARM_STALE,        /* with what an older log has there, or somewhere */
	HARM_CUT,          /* taken out */
	HARM_INSERT,       /* len bytes put in, random or zero */
	HARM_INSERT_STALE, /* or of an older log */
	HARM_DOUBLE,       /* there twice */
	HARM_SWAP,     /* exchanged with as many bytes after it or further on */
	HARM_JOIN,     /* another log after this one */
	HARM_DECLARE,  /* a series descriptor zeroed: its body, or all of it */
	HARM_EDGE,     /* overwritten up to 1-6 bytes into a header */
	HARM_SWALLOW,  /* a size that reaches within 7 bytes of the end */
	HARM_DESCRIBE, /* 1-4 bytes of a DataDescriptor zeroed */
	HARM_KINDS
};

/* Where it may strike. */
enum region {
	ANYWHERE,
	AMID,  /* the data, and wholly inside it */
	HEADS, /* headers, descriptor-sizes, DataDescriptors */
	PAYLOADS,
	HEAD,    /* the magic and the first block */
	SERIES,  /* SeriesDescriptors */
	DERIVED, /* indexes and end block */
	REGIONS
};

struct harm {
	enum harm_kind kind;
	enum footing footing;
	size_t off, len; /* in the original */
	uint64_t seed;   /* of all else */
};

struct piece {
	size_t at;   /* in the damaged file */
	size_t from; /* in the original; FOREIGN: not of it */
	size_t len;
};

#define FOREIGN SIZE_MAX
#define PIECES  5

struct harmed {
	struct blob bytes;
	struct piece pieces[PIECES];
	size_t n;     /* pieces */
	size_t limit; /* where the original ends, by its footing */
	bool still;   /* nothing was moved: as long as the original */
};

const char *footing_name(enum footing);
const char *harm_name(enum harm_kind);

/* Bytes of the original that a footing leaves. */
size_t footing_limit(const struct original *, enum footing);

/* How many places a region has, and the offset of one of them. */
size_t region_size(const struct original *, enum region, enum footing);
size_t region_at(const struct original *, enum region, size_t place);

/* Do it.  other: the log that HARM_JOIN puts after.  False where there is
 * nothing to harm, or nothing would change. */
bool harm_do(struct harmed *, const struct original *, const struct harm *,
    const struct original *other);

/* Where bytes [off, end) of the original stand in the damaged file, whole and
 * unchanged; SIZE_MAX: nowhere. */
size_t harm_place(
    const struct harmed *, const struct original *, size_t off, size_t end);

/* What byte `at` of the damaged file was in the original; SIZE_MAX: nothing.
 * The end of the damaged file was that of the original, where it still is. */
size_t harm_source(const struct harmed *, size_t at);

void harmed_free(struct harmed *);

#endif
