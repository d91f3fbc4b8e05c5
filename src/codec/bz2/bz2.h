/* bz2.h - bzip2 streams, decoded by libbz2, and their recovery. */
#ifndef SLV_CODEC_BZ2_H
#define SLV_CODEC_BZ2_H

#include "base/bytes.h"
#include "codec/decode.h"

/* The result of the library for some bytes. */
struct slv_bz2_verdict {
	int code;    /* BZ_STREAM_END, BZ_OK: it wants more, or an error */
	size_t used; /* bytes of input */
	size_t made; /* bytes of output, kept or not */
	bool over;   /* not all was kept */
};

/* Append the decoded bytes of a stream, as far as they go, until the output is
 * longer than max.  to_end: bytes beyond that are decoded too, but not kept. */
enum slv_status slv_bz2_run(struct slv_span in, size_t max, bool to_end,
    struct slv_decode *, struct slv_bz2_verdict *, struct slv_err *);

/* Find and decode the blocks of a stream that could not be decoded completely;
 * `trouble` is where that was noticed, in bytes. */
enum slv_status slv_bz2_salvage(const struct slv_encoded *, size_t trouble,
    struct slv_decode *, struct slv_err *);

#endif
