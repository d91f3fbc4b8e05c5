/* hasher.c - the running digest of a source. */
#include "core/digest/hasher.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

enum slv_status
slv_hasher_init(struct slv_hasher *h, struct slv_source *source,
    enum slv_digest_kind kind, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	*h = (struct slv_hasher){ .source = source, .cancel = cancel };
	slv_digest_init(&h->now.digest, kind);
	h->marks[h->n_marks++] = h->now;
	h->buf = slv_alloc_pages(SLV_HASHER_STRIDE);
	if (h->buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

static void
hash(void *hasher, const uint8_t *bytes, size_t n)
{
	struct slv_hasher *h = hasher;

	slv_digest_add(&h->now.digest, bytes, n);
}

static void
write_early(void *hasher, const uint8_t *bytes, size_t n)
{
	struct slv_hasher *h = hasher;

	slv_tee_write(h->tee, bytes, n);
}

/* The uses of the bytes; other threads may do them.  Returns their number. */
static size_t
works(struct slv_hasher *h, struct slv_ring_work *out)
{
	size_t n = 0;

	if (!h->blind)
		out[n++] = (struct slv_ring_work){ hash, h };
	if (h->tee != NULL)
		out[n++] = (struct slv_ring_work){ write_early, h };
	return n;
}

/* The same on this thread. */
static void
work_off(struct slv_hasher *h, const uint8_t *bytes, size_t n)
{
	struct slv_ring_work work[SLV_RING_WORKS];
	size_t n_works = works(h, work);

	for (size_t i = 0; i < n_works; i++)
		work[i].fn(work[i].ctx, bytes, n);
}

void
slv_hasher_spread(struct slv_hasher *h)
{
	struct slv_ring_work work[SLV_RING_WORKS];
	size_t n = works(h, work);

	if (h->source->size - h->now.off < SLV_HASHER_ALONE)
		return;
	slv_source_onward(h->source);
	if (n > 0)
		h->ring = slv_ring_start(work, n);
}

/* Hand over the bytes in the piece. */
static void
give(struct slv_hasher *h)
{
	slv_ring_give(h->ring, h->held);
	h->held = 0;
}

void
slv_hasher_settle(struct slv_hasher *h)
{
	if (h->ring == NULL)
		return;
	give(h);
	slv_ring_drain(h->ring);
}

void
slv_hasher_rest(struct slv_hasher *h)
{
	slv_hasher_settle(h);
	slv_ring_free(h->ring);
	h->ring = NULL;
}

void
slv_hasher_resume(struct slv_hasher *h, const struct slv_hash_mark *mark)
{
	h->now = *mark;
	h->marks[h->n_marks++] = *mark;
}

/* The next n bytes: from the window if it has them and they need not be in the
 * ring, otherwise read into the piece. */
static enum slv_status
next_bytes(struct slv_hasher *h, uint8_t *room, size_t n, const uint8_t **out,
    struct slv_err *err)
{
	const uint8_t *seen = h->window != NULL
	    ? slv_window_peek(h->window, h->now.off, n)
	    : NULL;

	*out = room;
	if (seen == NULL)
		return slv_source_read(h->source, h->now.off, room, n, err);
	if (h->ring != NULL)
		memcpy(room, seen, n);
	else
		*out = seen;
	return SLV_OK;
}

/* Make sure that the next n bytes are hashed; there is space for them. */
static enum slv_status
pass(struct slv_hasher *h, size_t n, struct slv_err *err)
{
	uint8_t *room =
	    h->ring != NULL ? slv_ring_room(h->ring) + h->held : h->buf;
	const uint8_t *bytes;

	SLV_TRY(next_bytes(h, room, n, &bytes, err));
	if (h->pages != NULL)
		SLV_TRY(slv_pages_add(h->pages, h->now.off, bytes, n, err));
	if (h->sink != NULL)
		SLV_TRY(h->sink->ops->write(h->sink, bytes, n, err));
	h->now.off += n;
	if (h->ring == NULL)
		work_off(h, bytes, n);
	else if ((h->held += n) == SLV_HASHER_STRIDE)
		give(h);
	return SLV_OK;
}

/* The whole pages of the next hole before off; an empty range if there are
 * none, or if something needs their bytes. */
static struct slv_range
next_hole(const struct slv_hasher *h, uint64_t off)
{
	const struct slv_range *hole;
	uint64_t from, end;

	if (!h->blind || h->holes == NULL || h->tee != NULL || h->sink != NULL)
		return (struct slv_range){ off, off };
	hole = slv_ranges_from(h->holes, h->now.off);
	if (hole == NULL || hole->off >= off)
		return (struct slv_range){ off, off };
	from = slv_max64(h->now.off, hole->off);
	from += (SLV_PAGE - from % SLV_PAGE) % SLV_PAGE;
	end = slv_min64(off, hole->end);
	end -= end % SLV_PAGE;
	return (struct slv_range){ slv_min64(from, off), end };
}

enum slv_status
slv_hasher_to(struct slv_hasher *h, uint64_t off, struct slv_err *err)
{
	while (h->now.off < off) {
		struct slv_range hole = next_hole(h, off);

		if (slv_is_cancelled(h->cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		if (h->now.off == hole.off && hole.off < hole.end) {
			if (h->pages != NULL)
				SLV_TRY(slv_pages_hole(
				    h->pages, hole.off, hole.end, err));
			h->now.off = hole.end;
			continue;
		}
		SLV_TRY(pass(h,
		    (size_t)slv_min64(
		        (hole.off < hole.end ? hole.off : off) - h->now.off,
		        SLV_HASHER_STRIDE - h->held),
		    err));
		slv_meter_at(h->meter, h->now.off);
	}
	return SLV_OK;
}

enum slv_status
slv_hasher_step(struct slv_hasher *h, uint64_t off, struct slv_err *err)
{
	/* The digest needs large pieces.  Without it small ones are fine,
	 * before the window has moved on. */
	if (h->blind && off > h->now.off && h->window != NULL
	    && slv_window_peek(
	        h->window, h->now.off, (size_t)(off - h->now.off)))
		return slv_hasher_to(h, off, err);
	if (off < h->now.off + SLV_HASHER_STEP)
		return SLV_OK;
	return slv_hasher_to(h, off - off % SLV_HASHER_STEP, err);
}

enum slv_status
slv_hasher_pass_by(
    struct slv_hasher *h, uint64_t off, uint64_t end, struct slv_err *err)
{
	if (!h->blind || h->tee != NULL || h->sink != NULL || h->ring != NULL
	    || h->now.off >= end)
		return slv_hasher_step(h, end, err);
	SLV_TRY(slv_hasher_to(h, off, err));
	h->now.off = end;
	/* The page in which they end is not all zeros as far as anyone knows. */
	if (h->pages != NULL)
		h->pages->zero = false;
	slv_meter_at(h->meter, end);
	return SLV_OK;
}

void
slv_hasher_leave(struct slv_hasher *h, uint64_t off)
{
	bool alone = h->ring == NULL && h->tee == NULL && h->sink == NULL;

	h->along = alone && !h->blind && h->window != NULL ? off : 0;
}

enum slv_status
slv_hasher_pace(
    struct slv_hasher *h, uint64_t off, uint64_t end, struct slv_err *err)
{
	slv_hasher_leave(h, end - off < SLV_HASHER_BEHIND / 2 ? end : 0);
	return h->along == 0 ? slv_hasher_step(h, end, err)
	                     : slv_hasher_to(h, off - off % SLV_SHA_BLOCK, err);
}

enum slv_status
slv_hasher_mark(struct slv_hasher *h, uint64_t off, struct slv_err *err)
{
	if (off < h->now.off)
		return SLV_OK;
	SLV_TRY(slv_hasher_to(h, off, err));
	if (h->n_marks == SLV_HASHER_MARKS || h->blind)
		return SLV_OK;
	slv_hasher_settle(h);
	h->marks[h->n_marks++] = h->now;
	return SLV_OK;
}

const struct slv_hash_mark *
slv_hasher_before(const struct slv_hasher *h, uint64_t off)
{
	const struct slv_hash_mark *best = &h->marks[0];

	for (size_t i = 1; i < h->n_marks; i++) {
		if (h->marks[i].off <= off && h->marks[i].off > best->off)
			best = &h->marks[i];
	}
	if (!h->blind && h->now.off <= off && h->now.off > best->off)
		best = &h->now;
	return best;
}

void
slv_hasher_free(struct slv_hasher *h)
{
	slv_hasher_rest(h);
	slv_free_pages(h->buf);
	h->buf = NULL;
}
