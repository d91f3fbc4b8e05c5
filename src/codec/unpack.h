/* unpack.h - a file that was compressed as a whole with zstd.
 *
 * Unlike a stream (codec.h) it need not fit into memory: it is decompressed
 * from front to back, block by block.  Damage is never a failure: what can be
 * decompressed is handed on, and the result says what is missing.
 */
#ifndef SLV_CODEC_UNPACK_H
#define SLV_CODEC_UNPACK_H

#include "base/status.h"

struct slv_unpack {
	uint64_t size; /* bytes of the file */
	void *ctx;     /* of the functions */

	/* Bytes [off, off + n) of the file, borrowed until the next call; n is
	 * at most SLV_UNPACK_VIEW. */
	enum slv_status (*view)(void *ctx, uint64_t off, size_t n,
	    const uint8_t **out, struct slv_err *);

	/* The next n bytes of the content, and n bytes of it that are missing. */
	enum slv_status (*put)(
	    void *ctx, const uint8_t *, size_t n, struct slv_err *);
	enum slv_status (*skip)(void *ctx, uint64_t n, struct slv_err *);

	/* The result, { 0 } before.
	 *
	 *   damaged  something in the file is wrong: the first time at `at`
	 *   hole     bytes were skipped
	 *   loose    there may be more or fewer of them
	 *   cut      the end of the content is missing
	 *   wrong    a checksum or a size does not match: bytes that were put
	 *            may be wrong, and nothing shows which */
	bool damaged, hole, loose, cut, wrong;
	uint64_t at;      /* in the file */
	uint64_t content; /* bytes that were put */
};

#define SLV_UNPACK_VIEW (((size_t)128 << 10) + 3) /* bytes */

/* Decompress the file.  Nothing is put if it does not begin as a zstd file
 * does, and no chain of blocks shows that it did.
 *
 * SLV_E_NOMEM: also if its window is larger than the memory that is there
 * others: what the functions return */
enum slv_status slv_unpack_zstd(struct slv_unpack *, struct slv_err *);

#endif
