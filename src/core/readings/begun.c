/* begun.c - where a log begins again.
 *
 * A download that was interrupted and started again leaves the beginning of the
 * log, then the log.  The walk takes what follows the break for another
 * recording.
 */
#include "core/readings/begun.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "base/mem.h"
#include "core/compare.h"
#include "core/scan/resync.h"

#define HEAD     16 /* bytes that are searched, if a magic is shorter */
#define HEAD_MAX 32
#define BACK     ((uint64_t)1 << 20) /* bytes of most blocks */
#define PIECE    ((size_t)64 << 10)
#define TRIES    8    /* times the size of the file may be compared, in all */
#define MARKS    4096 /* of units, before the beginning of a log */

struct search {
	struct slv_scan *s;
	uint8_t head[HEAD_MAX]; /* identifies a beginning */
	size_t len;             /* bytes of it */
	uint8_t *buf; /* owned; PIECE, and what a head needs after it */
	struct slv_begun *found; /* a beginning is where a head is found */
	uint64_t budget;         /* bytes that may still be compared */
};

/* off, or the next possible place of a head that does not begin in a hole. */
static uint64_t
past_hole(const struct search *x, uint64_t off)
{
	const struct slv_range *hole = slv_ranges_from(&x->s->holes, off);

	return hole != NULL && hole->off <= off
	    ? slv_max64(off, hole->end - (x->len - 1))
	    : off;
}

/* Note each head from off to end. */
static enum slv_status
search(struct search *x, uint64_t off, uint64_t end, struct slv_err *err)
{
	uint64_t size = x->s->source->size;

	for (off = past_hole(x, off);
	     off < end && size - off >= x->len && x->found->n < SLV_BEGINNINGS;
	     off = past_hole(x, off)) {
		size_t n = (size_t)slv_min64(
		    slv_min64(PIECE, end - off) + x->len - 1, size - off);
		const uint8_t *hit;

		if (slv_is_cancelled(x->s->opt.cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(slv_source_read(x->s->source, off, x->buf, n, err));
		hit = slv_find_bytes(x->buf, n, x->head, x->len);
		if (hit == NULL) {
			off += n - (x->len - 1);
			continue;
		}
		off += (uint64_t)(hit - x->buf);
		x->found->at[x->found->n++] = off++;
	}
	return SLV_OK;
}

/* In everything that is not kept, and in kept bytes shortly before it: the last
 * block of an interrupted download may have got its missing bytes from the next
 * one. */
static enum slv_status
search_all(struct search *x, struct slv_err *err)
{
	const struct slv_catalog *c = &x->s->catalog;
	uint64_t done = x->found->at[0] + 1;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *e = &c->at[i];
		uint64_t off =
		    slv_max64(e->off - slv_min64(e->off, BACK), done);

		if (e->fate == SLV_KEPT || off >= e->off + e->len)
			continue;
		done = e->off + e->len;
		SLV_TRY(search(x, off, done, err));
	}
	return SLV_OK;
}

/* End of the zeros that begin at off, at most upto: space that a download
 * reserved and did not fill. */
static enum slv_status
pass_zeros(struct search *x, uint64_t off, uint64_t upto, uint64_t *end,
    struct slv_err *err)
{
	*end = off;
	while (*end < upto && x->budget > 0) {
		size_t n = (size_t)slv_min64(PIECE, upto - *end), i = 0;
		const struct slv_range *hole =
		    slv_ranges_from(&x->s->holes, *end);

		if (hole != NULL && hole->off <= *end) {
			*end = slv_min64(hole->end, upto);
			continue;
		}
		SLV_TRY(slv_source_read(x->s->source, *end, x->buf, n, err));
		while (i < n && x->buf[i] == 0)
			i++;
		*end += i;
		x->budget -= slv_min64(n, x->budget);
		if (i < n)
			return SLV_OK;
	}
	return SLV_OK;
}

/* The last beginning after number `from` such that all bytes between the two
 * repeat those after the beginning at `start`, followed by zeros; from itself
 * if there is none.  A beginning inside a payload is skipped. */
static enum slv_status
step(struct search *x, size_t from, uint64_t start, size_t *to,
    struct slv_err *err)
{
	const uint64_t *at = x->found->at;
	uint64_t n = slv_min64(start - at[from], x->budget), same, end;

	*to = from;
	SLV_TRY(slv_compare(x->s, at[from], start, n, &same, err));
	x->budget -= slv_min64(same + x->len, x->budget);
	SLV_TRY(pass_zeros(x, at[from] + same, start, &end, err));
	while (*to + 1 < x->found->n && at[*to + 1] <= end)
		++*to;
	return SLV_OK;
}

/* Return true if everything before this beginning is repeated after it, so that
 * the earlier beginnings add nothing. */
static enum slv_status
is_last(struct search *x, size_t last, bool *yes, struct slv_err *err)
{
	size_t at = 0, next;

	do {
		SLV_TRY(step(x, at, x->found->at[last], &next, err));
		*yes = next == last;
		if (next == at || next >= last)
			break;
		at = next;
	} while (true);
	return SLV_OK;
}

static enum slv_status
find(struct search *x, struct slv_err *err)
{
	bool yes = false;

	SLV_TRY(search_all(x, err));
	for (size_t i = x->found->n; !yes && i-- > 1;) {
		SLV_TRY(is_last(x, i, &yes, err));
		if (yes)
			x->found->last = i;
	}
	return SLV_OK;
}

enum slv_status
slv_begun_next(struct slv_scan *s, const struct slv_format *f, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *err)
{
	uint64_t size = s->source->size;

	if (f->next_log != NULL)
		return f->next_log(s, from, to, out, err);
	for (; from < to; from += PIECE) {
		size_t n = (size_t)slv_min64(
		    slv_min64(to - from, PIECE) + f->magic_size - 1,
		    size - from);
		const uint8_t *p, *hit;

		if (slv_is_cancelled(s->opt.cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		hit = slv_find_bytes(p, n, f->magic, f->magic_size);
		if (hit == NULL)
			continue;
		*out = from + (uint64_t)(hit - p);
		return SLV_OK;
	}
	*out = to;
	return SLV_OK;
}

/* Take the head of the log at off.  *yes: it begins like logs of its format,
 * and not in a hole. */
static enum slv_status
take_head(struct search *x, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct slv_format *f = x->s->format;

	*yes = false;
	if (x->s->source->size - off < 2 * x->len)
		return SLV_OK;
	SLV_TRY(slv_source_read(x->s->source, off, x->head, x->len, err));
	*yes = memcmp(x->head, f->magic, f->magic_size) == 0
	    && memcmp(x->head, x->head + 1, x->len - 1) != 0;
	return SLV_OK;
}

/* Return true if a unit is before `upto`: then the bytes before the beginning
 * there are not junk. */
static enum slv_status
has_units(struct slv_scan *s, uint64_t upto, bool *yes, struct slv_err *err)
{
	uint64_t at = s->base;

	*yes = false;
	for (unsigned n = 0; !*yes && n < MARKS; n++, at++) {
		struct slv_unit u = { 0 };

		SLV_TRY(slv_next_mark(s, at, upto, &at, err));
		if (at >= upto)
			break;
		SLV_TRY(s->format->unit(s, at, SLV_ASK_SEARCH, &u, err));
		*yes = u.verdict == SLV_UNIT_GOOD && u.len <= upto - at;
	}
	return SLV_OK;
}

/* If no log begins at the base: the first beginning before everything that is
 * kept, if no unit precedes it. */
static enum slv_status
pass_front(struct search *x, bool *any, struct slv_err *err)
{
	const struct slv_catalog *c = &x->s->catalog;
	uint64_t upto = 0, at, end;
	bool units = false;

	for (size_t i = 0; i < c->n && c->at[i].fate != SLV_KEPT; i++)
		upto = c->at[i].off + c->at[i].len;
	*any = false;
	for (at = past_hole(x, x->s->base + 1); !*any && at < upto;
	     at = past_hole(x, end)) {
		end = slv_min64(at + PIECE, upto);
		SLV_TRY(slv_begun_next(
		    x->s, x->s->format, at, end, &x->found->at[0], err));
		if (x->found->at[0] < end)
			SLV_TRY(take_head(x, x->found->at[0], any, err));
	}
	if (*any)
		SLV_TRY(has_units(x->s, x->found->at[0], &units, err));
	*any = *any && !units;
	if (!*any)
		x->found->at[0] = x->s->base;
	return SLV_OK;
}

enum slv_status
slv_begun_find(struct slv_scan *s, struct slv_begun *found, struct slv_err *err)
{
	struct search x = { .s = s, .found = found };
	enum slv_status st;
	bool yes;

	*found = (struct slv_begun){ .at = { s->base }, .n = 1 };
	x.len = s->format->magic_size < HEAD / 2
	    ? HEAD
	    : slv_min64(s->format->magic_size, HEAD_MAX);
	if (s->source->unreadable.n > 0)
		return SLV_OK;
	x.budget = TRIES * (s->source->size - slv_ranges_sum(&s->holes));
	x.buf = slv_realloc(NULL, PIECE + HEAD_MAX);
	if (x.buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = take_head(&x, s->base, &yes, err);
	if (st == SLV_OK && !yes)
		st = pass_front(&x, &yes, err);
	if (st == SLV_OK && yes)
		st = find(&x, err);
	slv_free(x.buf);
	return st;
}
