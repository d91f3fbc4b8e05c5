/* make_bddf.h - a little writer of BDDF logs, independent of src/formats.
 *
 * It writes what the vendor's writer would, byte for byte: fields in order,
 * defaults left out, lists packed, a Timestamp always there.  And it keeps
 * the truth: where every block is and what it is.
 *
 * It can leave blocks out of a log and write all that depends on the others
 * as if they had never been, which is what a repair should come to.
 */
#ifndef TESTS_SUPPORT_MAKE_BDDF_H
#define TESTS_SUPPORT_MAKE_BDDF_H

#include "support/blob.h"

#define MADE_EXTRAS_MAX 4

enum made_kind {
	MADE_FILE,   /* the FileFormatDescriptor */
	MADE_SERIES, /* a SeriesDescriptor */
	MADE_DATA,
	MADE_INDEX, /* a SeriesBlockIndex */
	MADE_FILE_INDEX,
	MADE_END,
};

struct made_block {
	size_t off, end; /* header included */
	enum made_kind kind;
	uint32_t series; /* of SERIES, DATA and INDEX */
	size_t payload;  /* DATA: where the payload begins */
};

struct made_log {
	struct blob bytes;
	struct made_block *blocks; /* owned */
	size_t n, cap;
};

/* What to write.  { 0 } is a log of the robots' dialect with no series. */
struct recipe {
	bool grammar;       /* block types numbered as published */
	bool type_first;    /* the type is the header's first byte */
	bool no_sha1;       /* checksum type NONE */
	uint32_t series;    /* how many are declared */
	uint32_t late;      /* how many of them inside the data */
	bool idle;          /* the last declared one has no blocks */
	size_t blocks;      /* of data */
	size_t least, most; /* bytes of a payload */
	bool zeros;         /* payloads may hold zeros */
	uint32_t keys;      /* of every spec */
	bool turned;        /* the FileIndex has the keys the other way round */
	uint32_t extras; /* series s has s % (extras + 1) additional indexes */
	bool annotated;
	bool bare_index; /* no series: an empty block, as the vendor has it */
	bool nested;     /* the payload of every third block is a log */
	bool steady;     /* no time is before another's; else some are */
	uint32_t alike;  /* so many blocks in a row are equal byte for byte;
	                    * only where no series is late; 0: none */
	bool again;      /* the same messages as if recorded anew: series
	                  * numbered the other way round, another first block */
	bool early;      /* all is before 1970, except for one time of 0 */
	uint32_t minor;  /* of the version */
	uint64_t seed;
};

/* "grammar+first/sha1" and so on, for messages.  Static. */
const char *made_name(const struct recipe *);

/* Write the log.  keep tells for each block of the whole log up to the last
 * of data whether it is there; NULL: all are.  A series that has data must
 * be there. */
void make_bddf(struct made_log *, const struct recipe *, const bool *keep);

/* Find the blocks of a log that is said to be whole, only by following the
 * sizes.  False where that does not lead to an end block that ends the
 * bytes. */
bool made_walk(struct made_log *, bool grammar, bool type_first,
    const uint8_t *bytes, size_t n);

/* Whether the stored SHA-1 of a whole log is right. */
bool made_digest_ok(const uint8_t *bytes, size_t n, bool no_sha1);

/* The end of the last data block, or of what is before the indexes
 * where there is none. */
size_t made_data_end(const struct made_log *);

/* Append to the truth. */
void made_note(struct made_log *, struct made_block);

void made_free(struct made_log *);

#endif
