/* window.h - look at a stretch of a source without copying it twice.
 *
 * One window serves one source and one thread.  It holds at most
 * SLV_WINDOW_MAX bytes, whatever the file claims.  Walking forward reads
 * large pieces; after a jump it reads a small one, and then ever larger ones,
 * so that payloads that nobody looks at are not read.  A step over less than a
 * small piece is no jump: it doubles what is read at once, up to a large one.
 */
#ifndef SLV_IO_WINDOW_H
#define SLV_IO_WINDOW_H

#include "io/read/source.h"

#define SLV_WINDOW_MAX (4u << 20) /* bytes */

struct slv_window {
	struct slv_source *source;           /* borrowed */
	const volatile sig_atomic_t *cancel; /* NULL: never */
	size_t stride;   /* bytes a read when walking on; SLV_WINDOW_STRIDE */
	size_t behind;   /* bytes kept for a look back; SLV_WINDOW_BEHIND */
	uint8_t *buf;    /* owned; begins a page */
	size_t cap;      /* bytes of buf */
	uint8_t *at;     /* in buf, at base's place in its page */
	uint64_t base;   /* offset in the source of at[0] */
	size_t n;        /* bytes from there on */
	size_t pace;     /* bytes that were wanted at once last time */
	uint64_t viewed; /* bytes asked for so far: the measure of work */
};

/* Bytes a read, walking on: what a processor's own cache has room for. */
#define SLV_WINDOW_STRIDE ((size_t)256 << 10)

#define SLV_WINDOW_BEHIND ((size_t)4 << 10)
#define SLV_WINDOW_GLANCE ((size_t)4 << 10) /* bytes a read after a jump */

void slv_window_init(struct slv_window *, struct slv_source *,
    const volatile sig_atomic_t *cancel);

/* As slv_window_view, when the bytes are not there yet. */
enum slv_status slv_window_fill(struct slv_window *, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *);

/* Make bytes [off, off + len) of the source readable at *out.
 *
 *   off   bytes from the start of the source
 *   len   0 .. SLV_WINDOW_MAX bytes; the range must lie inside the source
 *   out   a borrowed view, valid until the next call on w or its freeing
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED: *out is untouched and w stays usable. */
static inline enum slv_status
slv_window_view(struct slv_window *w, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *err)
{
	w->viewed += len;
	if (w->n == 0 || off < w->base || off - w->base > w->n
	    || len > w->n - (size_t)(off - w->base))
		return slv_window_fill(w, off, len, out, err);
	*out = w->at + (off - w->base);
	return SLV_OK;
}

/* Bytes [off, off + len), if they are there anyway, else NULL; valid as long as
 * a view. */
static inline const uint8_t *
slv_window_peek(const struct slv_window *w, uint64_t off, size_t len)
{
	return off >= w->base && off - w->base <= w->n
	        && len <= w->n - (size_t)(off - w->base)
	    ? w->at + (off - w->base)
	    : NULL;
}

void slv_window_free(struct slv_window *);

#endif
