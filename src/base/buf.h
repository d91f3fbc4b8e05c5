/* buf.h - a growable byte string.
 *
 * { 0 } is a valid empty one.  After a failed append the contents are as
 * before and `failed` is set, so that a run of appends needs one check.
 */
#ifndef SLV_BASE_BUF_H
#define SLV_BASE_BUF_H

#include "base/status.h"

struct slv_buf {
	uint8_t *at; /* owned */
	size_t len, cap;
	bool failed; /* an append had no memory */
};

void slv_buf_add(struct slv_buf *, const void *bytes, size_t n);
void slv_buf_text(struct slv_buf *, const char *text);
/* Append a little-endian number. */
void slv_buf_put16(struct slv_buf *, uint16_t);
void slv_buf_put32(struct slv_buf *, uint32_t);
void slv_buf_put64(struct slv_buf *, uint64_t);
void slv_buf_printf(struct slv_buf *, const char *fmt, ...) SLV_PRINTF(2, 3);

/* Check a run of appends.
 *
 * SLV_E_NOMEM: one has failed */
enum slv_status slv_buf_check(const struct slv_buf *, struct slv_err *);

/* A copy of n bytes as a string that the caller owns.
 *
 * SLV_E_NOMEM: *out is NULL */
enum slv_status slv_text_copy(
    const void *bytes, size_t n, char **out, struct slv_err *);

/* The contents as a string that the caller owns; the buffer is then empty.
 * NULL if an append has failed. */
char *slv_buf_take(struct slv_buf *);

void slv_buf_free(struct slv_buf *);

#endif
