/* seam.c - where a log continues at an earlier offset than it broke off.
 *
 * A duplicate range of n bytes is a run of bytes, each equal to the byte n
 * before it.  A window of a few bytes that occurred earlier proposes n; the run
 * must then be at least n long.
 */
#include "core/readings/seam.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/readings/repeats.h"

#define NEAR    ((uint64_t)64 << 10) /* of a seam to what is left out */
#define ROOM    ((uint64_t)10 << 20) /* bytes that are examined at one place */
#define LOSS    ((uint64_t)4 << 20)  /* bytes that a seam may cost */
#define PLACES  64
#define WINDOW  16 /* bytes */
#define BITS    20 /* log2 of how many are remembered, at most */
#define FEWEST  10 /* and at least */
#define SPARE   4  /* times that many of a small log, so that few collide */
#define EXTENDS 8  /* times that room for the length of all runs */

struct search {
	struct slv_scan *s;
	struct slv_seams *out;
	uint8_t *buf;   /* owned; ROOM */
	uint32_t *seen; /* owned; 1 + place of a window, by its hash; 0: none */
	unsigned bits;  /* log2 of their number */
	uint64_t lo;    /* offset of buf */
	size_t n;       /* bytes in it */
	size_t budget;  /* bytes that may still be compared */
};

/* How many bits of a hash suffice for `n` bytes.  A table of full size takes
 * longer to clear than everything else that is done to a small log. */
static unsigned
bits_for(uint64_t n)
{
	unsigned bits = FEWEST;

	while (bits < BITS && n * SPARE >> bits > 0)
		bits++;
	return bits;
}

static size_t
hash(const uint8_t *p, unsigned bits)
{
	uint64_t x = slv_get_le64(p) * 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 29) ^ slv_get_le64(p + 8)) * 0xbf58476d1ce4e5b9u;
	return (size_t)(x >> (64 - bits));
}

/* The run of bytes around i that equal those `shift` before them. */
static struct slv_range
run_around(struct search *x, size_t i, size_t shift)
{
	size_t from = i, end = i + WINDOW;

	while (from > shift && x->buf[from - 1] == x->buf[from - 1 - shift])
		from--;
	while (end < x->n && x->buf[end] == x->buf[end - shift])
		end++;
	x->budget -= slv_min64(end - from, x->budget);
	return (struct slv_range){ from, end };
}

/* Return true if the run was written again.  Adjacent bytes may be equal by
 * chance; many equal ones mean that the content repeats itself. */
static bool
is_seam(struct slv_range run, size_t shift)
{
	uint64_t len = run.end - run.off;

	return shift >= SLV_SEAM_MIN && shift <= SLV_SEAM_MAX && len >= shift
	    && len < 2 * shift + WINDOW;
}

/* Return true if something is wrong with the bytes from off to end, or with those
 * after an index there, because an index is read whatever follows it.  Content that
 * repeats itself is in whole units. */
static bool
is_torn(const struct slv_catalog *c, uint64_t off, uint64_t end)
{
	size_t i = slv_catalog_find(c, off);

	while (i < c->n
	    && (c->at[i].off < end || c->at[i - 1].fate == SLV_REBUILT)) {
		if (slv_extent_is_torn(&c->at[i]))
			return true;
		i++;
	}
	return false;
}

/* Distance to the last occurrence of the window at i; 0: none. */
static size_t
remember(struct search *x, size_t i)
{
	const uint8_t *p = x->buf + i;
	uint32_t *seen = &x->seen[hash(p, x->bits)];
	size_t shift = *seen > 0 ? i + 1 - *seen : 0;

	*seen = (uint32_t)i + 1;
	return shift > 0 && memcmp(p, p - shift, WINDOW) == 0 ? shift : 0;
}

/* List a seam.  Recorded text repeats itself here and there; if there is no room
 * left, the shortest one at this damage makes room for a longer one. */
static void
list(struct slv_seams *out, const struct slv_seam *seam)
{
	size_t least = out->n;

	for (size_t i = 0; out->n == SLV_SEAMS && i < out->n; i++) {
		if (out->at[i].about.off == seam->about.off
		    && (least == out->n || out->at[i].len < out->at[least].len))
			least = i;
	}
	if (out->n == SLV_SEAMS) {
		if (least == out->n || out->at[least].len >= seam->len)
			return;
		out->n--;
		memmove(&out->at[least], &out->at[least + 1],
		    (out->n - least) * sizeof(*out->at));
	}
	out->at[out->n++] = *seam;
}

/* The seams in the buffer that begin from `first` on, at most up to `end`. */
static void
search(struct search *x, const struct slv_range *about, uint64_t first,
    uint64_t end)
{
	struct slv_range run = { 0, 0 };
	size_t of = 0; /* the distance that the run is of */

	memset(x->seen, 0, sizeof(*x->seen) << x->bits);
	for (size_t i = 0; i + WINDOW <= x->n && x->budget > 0; i++) {
		const uint8_t *p = x->buf + i;
		size_t shift;

		/* Zeros, and other content with a short period. */
		if (slv_get_le64(p) == slv_get_le64(p + 8))
			continue;
		shift = remember(x, i);
		if (shift == 0 || x->lo + i < first || x->lo + i >= end
		    || (shift == of && i < run.end))
			continue;
		of = shift;
		run = run_around(x, i, shift);
		if (is_seam(run, shift)
		    && is_torn(&x->s->catalog, x->lo + run.off - shift,
		        x->lo + run.end))
			list(x->out,
			    &(struct slv_seam){
			        .off = x->lo + run.off,
			        .len = shift,
			        .about = *about,
			    });
	}
}

/* Search around one place. */
static enum slv_status
look(struct search *x, struct slv_range about, struct slv_err *err)
{
	uint64_t size = x->s->source->size;
	uint64_t first = slv_max64(x->s->base, about.off);
	uint64_t end = slv_min64(about.end + NEAR, size);

	first -= slv_min64(first - x->s->base, NEAR);
	x->lo = first - slv_min64(first, SLV_SEAM_MAX);
	x->n = (size_t)slv_min64(
	    slv_min64(end + SLV_SEAM_MAX, size) - x->lo, ROOM);
	x->budget = EXTENDS * x->n;
	if (x->s->opt.cancel != NULL && *x->s->opt.cancel)
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	SLV_TRY(slv_source_read(x->s->source, x->lo, x->buf, x->n, err));
	search(x, &about, first, end);
	return SLV_OK;
}

static bool
is_out(const struct slv_extent *x)
{
	return x->fate == SLV_FOREIGN || slv_extent_is_torn(x);
}

/* Around everything that is left out; nearby places are one. */
static enum slv_status
look_all(struct search *x, struct slv_err *err)
{
	const struct slv_catalog *c = &x->s->catalog;
	size_t places = 0;

	for (size_t i = 0, j; i < c->n && places < PLACES; i = j) {
		struct slv_range about = { c->at[i].off, 0 };

		j = i + 1;
		if (!is_out(&c->at[i]))
			continue;
		about.end = about.off + c->at[i].len;
		for (; j < c->n && c->at[j].off < about.end + 2 * NEAR; j++) {
			if (is_out(&c->at[j]))
				about.end = c->at[j].off + c->at[j].len;
		}
		/* A seam costs the units at it, and no more. */
		if (about.end - about.off > LOSS)
			continue;
		places++;
		SLV_TRY(look(x, about, err));
	}
	return SLV_OK;
}

enum slv_status
slv_seams_find(struct slv_scan *s, struct slv_seams *out, struct slv_err *err)
{
	uint64_t room = slv_min64(ROOM, s->source->size + 1);
	struct search x = { .s = s, .out = out, .bits = bits_for(room) };
	enum slv_status st;

	if (s->source->unreadable.n > 0)
		return SLV_OK;
	x.buf = slv_realloc(NULL, (size_t)room);
	x.seen = slv_realloc(NULL, sizeof(*x.seen) << x.bits);
	st = x.buf != NULL && x.seen != NULL
	    ? look_all(&x, err)
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
	free(x.buf);
	free(x.seen);
	return st;
}
