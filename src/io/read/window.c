/* window.c - view part of a source without copying it twice. */
#include "io/read/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

void
slv_window_init(struct slv_window *w, struct slv_source *source,
    const volatile sig_atomic_t *cancel)
{
	*w = (struct slv_window){
		.source = source,
		.cancel = cancel,
		.stride = SLV_WINDOW_STRIDE,
		.behind = SLV_WINDOW_BEHIND,
	};
}

/* Make the window begin at `from` with space for n bytes; the last `have` bytes
 * in it, which are those from there on, move with it. */
static enum slv_status
move(struct slv_window *w, uint64_t from, size_t have, size_t n,
    struct slv_err *err)
{
	const uint8_t *held = w->n > 0 ? w->at + (w->n - have) : NULL;
	size_t skew = (size_t)(from % SLV_MEM_PAGE), need = skew + n + (n == 0);
	uint8_t *buf = w->buf;

	if (need > w->cap && (buf = slv_alloc_pages(need)) == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (have > 0)
		memmove(buf + skew, held, have);
	if (buf != w->buf) {
		slv_free_pages(w->buf);
		w->buf = buf;
		w->cap = need;
	}
	w->at = buf + skew;
	w->base = from;
	w->n = have;
	return SLV_OK;
}

/* Up to where the source is a plain file: known damage is served by it alone. */
static uint64_t
plain_until(const struct slv_source *s, uint64_t off)
{
	const struct slv_range *bad = slv_ranges_from(&s->unreadable, off);

	return bad == NULL ? s->size : slv_max64(bad->off, off);
}

/* Make what reads ahead begin at the end of the window. */
static bool
seek_ahead(struct slv_window *w, uint64_t end)
{
	int fd = slv_source_fd(w->source);

	if (w->ahead == NULL && fd >= 0)
		w->ahead = slv_ahead_start(fd);
	if (w->ahead == NULL)
		return false;
	if (slv_ahead_at(w->ahead) != end)
		slv_ahead_seek(
		    w->ahead, end, plain_until(w->source, end), w->most);
	return true;
}

/* Continue the window, of which the last `have` bytes are still needed, by the next piece
 * that was read ahead; false: it is as it was. */
static bool
join_piece(struct slv_window *w, size_t have)
{
	const uint8_t *held = w->at + (w->n - have);
	uint64_t end = w->base + w->n;
	size_t n;
	uint8_t *piece = slv_ahead_take(w->ahead, end - have, &n);

	if (piece == NULL)
		return false;
	if (piece != held + have) {
		if (have > SLV_AHEAD_ROOM)
			return false;
		memcpy(piece - have, held, have);
	}
	w->at = piece - have;
	w->base = end - have;
	w->n = have + n;
	return true;
}

/* Continue it by as many pieces as make `need` bytes; false: it may be longer, but is not
 * long enough. */
static bool
go_on_ahead(struct slv_window *w, size_t have, size_t need)
{
	uint64_t end = w->base + w->n;

	if (w->alone || w->walked < SLV_WINDOW_WALK || !seek_ahead(w, end))
		return false;
	while (w->base + w->n - end < need) {
		if (!join_piece(w, have + (size_t)(w->base + w->n - end))) {
			w->walked = 0;
			return false;
		}
	}
	return true;
}

enum slv_status
slv_window_fill(struct slv_window *w, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *err)
{
	uint64_t end = w->base + w->n, from = off;
	bool onward = off >= w->base && off <= end;
	bool step = off > end && w->n > 0
	    && off - end
	        < (w->pace == w->stride ? SLV_WINDOW_STEP : SLV_WINDOW_GLANCE);
	size_t have = 0, back, want = SLV_WINDOW_GLANCE;

	if (len > SLV_WINDOW_MAX || !slv_range_in(off, len, w->source->size))
		return slv_fail(err, SLV_E_BUG,
		    "view of %zu bytes at %llu, past the end", len,
		    (unsigned long long)off);
	if (slv_is_cancelled(w->cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	if (onward || step) {
		/* A reader that jumps to and fro must not read a stride each
		 * time. */
		want = onward && w->pace == 0
		    ? w->stride
		    : (size_t)slv_min64((onward ? 4 : 2) * w->pace, w->stride);
		from =
		    slv_min64(end, off - slv_min64(off - w->base, w->behind));
		have = (size_t)(end - from);
	}
	w->pace = want;
	back = (size_t)(off - from);
	if ((onward || step) && want >= SLV_WINDOW_STRIDE) {
		w->walked += want;
		w->most = slv_max64(w->most, back + len);
	} else {
		w->walked = w->most = 0;
	}
	if (go_on_ahead(w, have, back + len - have)) {
		*out = w->at + back;
		return SLV_OK;
	}
	/* Some of it may be there now. */
	if (onward || step)
		have = (size_t)(w->base + w->n - from);
	want = want < len ? len : want;
	want = back + (size_t)slv_min64(want, w->source->size - off);
	SLV_TRY(move(w, from, have, want, err));
	if (want > have) {
		SLV_TRY(slv_source_read(
		    w->source, from + have, w->at + have, want - have, err));
		w->n = want;
	}
	*out = w->at + back;
	return SLV_OK;
}

#ifdef SLV_STRICT_VIEWS
static bool rereads;

void
slv_views_reread(bool yes)
{
	rereads = yes;
}

enum slv_status
slv_window_view(struct slv_window *w, uint64_t off, size_t len,
    const uint8_t **out, struct slv_err *err)
{
	const uint8_t *held = slv_window_peek(w, off, len);
	uint8_t *view;

	w->viewed += len;
	if (w->n == 0 || held == NULL)
		SLV_TRY(slv_window_fill(w, off, len, &held, err));
	view = slv_realloc(NULL, len + (len == 0));
	if (view == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(view, held, len);
	slv_free(w->view);
	*out = w->view = view;
	return rereads ? slv_source_read(w->source, off, view, len, err)
	               : SLV_OK;
}
#endif

void
slv_window_free(struct slv_window *w)
{
	slv_ahead_free(w->ahead);
	slv_free_pages(w->buf);
#ifdef SLV_STRICT_VIEWS
	slv_free(w->view);
#endif
	*w = (struct slv_window){ 0 };
}
