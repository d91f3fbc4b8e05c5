/* streams.h - the compressed chunks of a log: decoded ahead by other threads, and
 * within a budget.
 *
 * 40 bytes of bzip2 can hold 46 MB.  --max-chunk bounds one chunk.  The sum over all
 * chunks has a bound, too (--max-decoded), which grows with the bytes of the file.
 * Each chunk is decoded a few times at most, so the budget bounds time and memory as
 * well.
 *
 * A driver keeps one value of this kind in its cache (core/scan/cache.h).  Dropping it
 * changes no answer: what was decoded ahead is decoded again, and the budget begins
 * at 0.
 */
#ifndef SLV_SUPPORT_STREAMS_H
#define SLV_SUPPORT_STREAMS_H

#include "codec/crew.h"
#include "core/scan/scan.h"

#define SLV_STREAM_MAX ((uint64_t)1 << 30) /* bytes that a chunk may store */

/* Compressed data in the input. */
struct slv_stored {
	uint64_t off, end;
	enum slv_codec_kind codec;
	uint64_t size; /* bytes that it is said to hold; 0: unknown */
};

/* What a driver says of its chunks.  Static. */
struct slv_stream_rules {
	unsigned cached; /* the kind in the driver's cache */

	/* The most bytes that a header of the format can state. */
	uint64_t size_max;

	/* The first compressed chunk at or after *at to which headers lead, over
	 * records of other kinds; *at is where it begins, *after where the next
	 * record does.  *found = false: they lead to none.  Nothing is believed
	 * for it: what turns out to begin or end elsewhere is decoded again. */
	enum slv_status (*next)(const struct slv_scan *, uint64_t *at,
	    struct slv_stored *, uint64_t *after, bool *found,
	    struct slv_err *);

	/* The checksum that chunks have, computed where they are decoded ahead;
	 * NULL: none. */
	uint32_t (*sum)(uint32_t start, const void *bytes, size_t n);
};

#define SLV_STREAMS_AHEAD 80 /* that are decoded ahead, at most */

struct slv_streams {
	struct slv_crew *crew; /* owned; NULL: none yet */
	struct slv_stored submitted[SLV_STREAMS_AHEAD]; /* a ring */
	size_t first, n;
	uint64_t next; /* where to look for another */
	bool alone;    /* nothing more is decoded ahead */
	struct slv_buf
	    spare;        /* owned; memory of the last chunk that was read */
	uint64_t decoded; /* bytes that came out of chunks */
	uint64_t wasted;  /* ... that were decoded ahead and not used */
	uint64_t most;    /* ... that may come out; 0: not computed yet */
};

/* The row of a driver's list of cached kinds. */
#define SLV_STREAMS_CACHED                                                     \
	{                                                                      \
		sizeof(struct slv_streams), 1, slv_streams_release             \
	}
void slv_streams_release(void *);

/* Decode the chunk, or take what was decoded ahead, and let those after it be
 * decoded.  *out is empty, or holds memory to decode into.
 *
 * SLV_E_LIMIT: it holds more than one chunk may, or all hold more than they may */
enum slv_status slv_streams_decode(const struct slv_scan *,
    const struct slv_stream_rules *, const struct slv_stored *,
    struct slv_decode *out, struct slv_err *);

/* Decode another chunk into this memory, which is then the streams'. */
enum slv_status slv_streams_spare(const struct slv_scan *,
    const struct slv_stream_rules *, struct slv_buf *, struct slv_err *);

#endif
