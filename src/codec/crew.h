/* crew.h - decode streams ahead, in other threads than the reader.
 *
 * The reader submits streams when it finds them, as long as there is room, and
 * fetches the results in the same order.  A stream that no thread has begun by
 * then is decoded by the reader.  With one processor, or if no thread can be
 * started, that happens to all of them, with the same results.
 *
 * One thread uses a crew.
 */
#ifndef SLV_CODEC_CREW_H
#define SLV_CODEC_CREW_H

#include "codec/codec.h"

/* A stream to decode: arguments of slv_decode(). */
struct slv_job {
	enum slv_codec_kind kind;
	uint8_t *in; /* from slv_realloc(), or NULL if n is 0 or there is
		      * `read`; freed by the crew */

	/* Read the n bytes at `off` of it, in any thread; false: they cannot be
	 * read this way, and the job ends as `unread`.  NULL: they are in
	 * `in`. */
	bool (*read)(int fd, uint64_t off, uint8_t *buf, size_t n);
	int fd;
	uint64_t off;

	/* Compute the checksum of what is decoded; NULL: none. */
	uint32_t (*sum)(uint32_t start, const void *bytes, size_t n);

	size_t n, expect, max;
	const volatile sig_atomic_t *cancel; /* or NULL */
	struct slv_buf room; /* memory to decode into, or empty; owned by the
			      * crew */
};

struct slv_crew;

/* Start one.  SLV_E_NOMEM; if no thread can be started, that is not a
 * failure. */
enum slv_status slv_crew_start(struct slv_crew **, struct slv_err *);

/* Return true if one must be fetched before another can be submitted: enough
 * are in work, or the limit of memory is reached. */
bool slv_crew_full(const struct slv_crew *);

/* Submit a stream to a crew that is not full. */
void slv_crew_submit(struct slv_crew *, struct slv_job);

/* How many are submitted and not fetched. */
size_t slv_crew_waiting(const struct slv_crew *);

/* The result of the first of them, which exists; waits for it.  *unread: it could not be
 * read, and *out is empty.
 *
 * SLV_E_NOMEM, SLV_E_CANCELLED: *out is empty.  Otherwise the caller frees
 * it. */
enum slv_status slv_crew_fetch(
    struct slv_crew *, struct slv_decode *out, bool *unread, struct slv_err *);

/* Forget all of them; waits for those in work. */
void slv_crew_clear(struct slv_crew *);

/* The same, and end the crew; NULL is allowed. */
void slv_crew_free(struct slv_crew *);

#endif
