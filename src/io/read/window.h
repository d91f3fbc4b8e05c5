/* window.h - view part of a source without copying it twice.
 *
 * One window serves one source and one thread.  It holds at most SLV_WINDOW_MAX
 * bytes, whatever the file claims.  Walking forward reads large pieces.  A jump
 * reads a small piece first, and then larger ones, so that payloads which are
 * skipped are not read.  A step over less than a small piece is not a jump: it
 * doubles the size of the next read, up to a large piece; nor is a larger one that
 * interrupts a walk.  After a long walk through a file the pieces that follow are read
 * ahead.
 */
#ifndef SLV_IO_WINDOW_H
#define SLV_IO_WINDOW_H

#include "io/read/ahead.h"
#include "io/read/source.h"

#define SLV_WINDOW_MAX (4u << 20) /* bytes */

struct slv_window {
	struct slv_source *source;           /* borrowed */
	const volatile sig_atomic_t *cancel; /* NULL: never */
	size_t stride; /* bytes per read when walking; SLV_WINDOW_STRIDE */
	size_t behind; /* bytes kept for looking back; SLV_WINDOW_BEHIND */
	uint8_t *buf;  /* owned; aligned to a page */
	size_t cap;    /* bytes of buf */
	uint8_t *
	    at; /* in buf, at the page offset of base; or what was read ahead */
	uint64_t base; /* offset in the source of at[0] */
	size_t n;      /* bytes from there on, in the window */
	size_t pace;   /* bytes per read last time */
	size_t walked; /* bytes read in large pieces since the last jump */
	size_t most;   /* ... and the most that was needed at once since then */
	bool alone;    /* nothing is read ahead */
	struct slv_ahead *ahead; /* owned; NULL: nothing is read ahead */
	uint64_t viewed; /* bytes requested so far: the measure of work */
#ifdef SLV_STRICT_VIEWS
	uint8_t *view; /* owned; the last one */
#endif
};

/* Bytes per read when walking: the size of a processor's own cache. */
#define SLV_WINDOW_STRIDE ((size_t)256 << 10)

#define SLV_WINDOW_BEHIND ((size_t)4 << 10)
#define SLV_WINDOW_GLANCE ((size_t)4 << 10)  /* bytes per read after a jump */
#define SLV_WINDOW_STEP   ((size_t)64 << 10) /* bytes that a walk may skip */
#define SLV_WINDOW_WALK   ((size_t)4 << 20) /* bytes before any are read ahead */

void slv_window_init(struct slv_window *, struct slv_source *,
    const volatile sig_atomic_t *cancel);

/* As slv_window_view, if the bytes are not there yet. */
enum slv_status slv_window_fill(struct slv_window *, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *);

/* Make bytes [off, off + len) of the source readable at *out.
 *
 *   off   bytes from the start of the source
 *   len   0 .. SLV_WINDOW_MAX bytes; the range must lie inside the source
 *   out   a borrowed view, valid until the next call on w or its freeing
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED: *out is unchanged, w stays usable.
 *
 * With SLV_STRICT_VIEWS, which configure sets for AddressSanitizer, each view is memory
 * of its own: what is read after the next call, or past its end, is found. */
#ifdef SLV_STRICT_VIEWS
enum slv_status slv_window_view(struct slv_window *, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *);

/* Read what is viewed from the source each time: for a test of logs that change. */
void slv_views_reread(bool);
#else
static inline void
slv_views_reread(bool yes)
{
	(void)yes;
}

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
#endif

/* How many bytes can be read at a view of n bytes at off: the window may have more
 * after it. */
static inline size_t
slv_window_reach(const struct slv_window *w, uint64_t off, size_t n)
{
#ifdef SLV_STRICT_VIEWS
	(void)w;
	(void)off;
	return n;
#else
	(void)n;
	return w->n - (size_t)(off - w->base);
#endif
}

/* Bytes [off, off + len), if they are in the window, else NULL; valid as long
 * as a view. */
static inline const uint8_t *
slv_window_peek(const struct slv_window *w, uint64_t off, size_t len)
{
	return off >= w->base && off - w->base <= w->n
	        && len <= w->n - (size_t)(off - w->base)
	    ? w->at + (off - w->base)
	    : NULL;
}

/* Hint that the bytes at off will be viewed soon, if the window has them: another
 * processor may have read them. */
static inline void
slv_window_soon(const struct slv_window *w, uint64_t off)
{
	if (off >= w->base && off - w->base < w->n)
		__builtin_prefetch(w->at + (off - w->base));
}

void slv_window_free(struct slv_window *);

#endif
