/* window.c - look at a stretch of a source without copying it twice. */
#include "io/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define BEHIND ((size_t)4 << 10) /* bytes kept for a look back */

void
slv_window_init(struct slv_window *w, struct slv_source *source,
    const volatile sig_atomic_t *cancel)
{
	*w = (struct slv_window){
		.source = source,
		.cancel = cancel,
		.stride = SLV_WINDOW_STRIDE,
	};
}

static enum slv_status
make_room(struct slv_window *w, size_t want, struct slv_err *err)
{
	uint8_t *grown;

	if (want <= w->cap)
		return SLV_OK;
	grown = slv_realloc(w->buf, want);
	if (grown == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	w->buf = grown;
	w->cap = want;
	return SLV_OK;
}

enum slv_status
slv_window_fill(struct slv_window *w, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *err)
{
	uint64_t end = w->base + w->n, from = off;
	bool onward = off >= w->base && off <= end;
	size_t have = 0, back, want = onward ? w->stride : SLV_WINDOW_GLANCE;

	if (len > SLV_WINDOW_MAX || !slv_range_in(off, len, w->source->size))
		return slv_fail(err, SLV_E_BUG,
		    "view of %zu bytes at %llu, past the end", len,
		    (unsigned long long)off);
	if (w->cancel != NULL && *w->cancel)
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	if (onward) {
		from = off - slv_min64(off - w->base, BEHIND);
		have = (size_t)(end - from);
	}
	back = (size_t)(off - from);
	want = want < len ? len : want;
	want = back + (size_t)slv_min64(want, w->source->size - off);
	SLV_TRY(make_room(w, want + (want == 0), err));
	if (have > 0)
		memmove(w->buf, w->buf + (from - w->base), have);
	w->base = from;
	w->n = have;
	if (want > have) {
		SLV_TRY(slv_source_read(
		    w->source, from + have, w->buf + have, want - have, err));
		w->n = want;
	}
	*out = w->buf + back;
	return SLV_OK;
}

void
slv_window_free(struct slv_window *w)
{
	free(w->buf);
	*w = (struct slv_window){ 0 };
}
