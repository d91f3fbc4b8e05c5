/* seam.c - find where a copy of a log was resumed at too early an offset.
 *
 * A duplicate range of n bytes is a run of bytes, each equal to the byte n
 * before it, unless one of both is damaged.  A window of a few bytes that occurred
 * earlier proposes n; the run must then be at least n long.
 */
#include "core/seams/seam.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "core/readings/repeats.h"
#include "core/seams/seam_run.h"

#define STRETCH  ((size_t)1 << 20)    /* bytes between two looks at a signal */
#define NEAR     ((uint64_t)64 << 10) /* of a seam to what is left out */
#define ROOM     ((uint64_t)10 << 20) /* bytes that are examined at one place */
#define LOSS     ((uint64_t)4 << 20)  /* bytes that a seam may cost */
#define PLACES   64
#define WINDOW   SLV_SEAM_WINDOW
#define BITS     20   /* log2 of how many are remembered, at most */
#define FEWEST   10   /* and at least */
#define SPARE    4    /* times that many of a small log, so that few collide */
#define EXTENDS  8    /* times that room for the length of all runs */
#define TORN_MIN 64   /* least bytes of a range with a damaged copy */
#define SHIFTS   1024 /* that may have runs at the same time */

/* The last run of bytes that equal those `shift` before them. */
struct run {
	size_t shift, end; /* the end: in the buffer */
};

struct search {
	struct slv_scan *s;
	struct slv_seams *out;
	uint8_t *buf;   /* owned; ROOM */
	uint32_t *seen; /* owned; 1 + place of a window, by its hash; 0: none */
	unsigned bits;  /* log2 of their number */
	struct slv_seam_bytes bytes; /* in buf */
	enum slv_seam_use use;
	size_t budget;           /* bytes that may still be compared */
	struct run runs[SHIFTS]; /* by shift */
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

/* Return true if the run was written again.  Adjacent bytes may be equal by
 * chance; many equal ones mean that the content repeats itself. */
static bool
is_seam(const struct slv_seam_run *run, size_t shift)
{
	uint64_t len = run->end - run->from;

	return shift >= (run->n_holes > 0 ? TORN_MIN : SLV_SEAM_MIN)
	    && shift <= SLV_SEAM_MAX && len >= shift
	    && len < 2 * shift + WINDOW;
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

	for (size_t i = 0; i < out->n; i++) {
		if (out->at[i].off == seam->off && out->at[i].len == seam->len)
			return;
	}
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

/* Whether the log may be wrong there.  Where it has more records than it states,
 * an index that contradicts them is all that shows it. */
static bool
is_out(const struct slv_scan *s, const struct slv_extent *x)
{
	return x->fate == SLV_FOREIGN || slv_extent_is_torn(x)
	    || (s->surplus && x->fate == SLV_REBUILT);
}

/* Add extent i to a damage, with what is wrong on either side of it. */
static void
widen(const struct slv_scan *s, size_t i, struct slv_range *about)
{
	const struct slv_catalog *c = &s->catalog;
	size_t first = i, end = i + 1;

	while (first > 0 && is_out(s, &c->at[first - 1]))
		first--;
	while (end < c->n && is_out(s, &c->at[end]))
		end++;
	about->off = slv_min64(about->off, c->at[first].off);
	about->end = c->at[end - 1].off + c->at[end - 1].len;
}

/* Return true if something is wrong with the bytes from off to end, or with those
 * after an index there, because an index is read whatever follows it.  Content that
 * repeats itself is in whole units.  An index alone that contradicts the records does
 * not count: the seam is among these.
 *
 * *about: all of what is wrong there, from its first byte to its last. */
static bool
is_torn(const struct slv_scan *s, uint64_t off, uint64_t end,
    struct slv_range *about)
{
	const struct slv_catalog *c = &s->catalog;
	size_t i = slv_catalog_find(c, off);
	bool data = false, torn = false;

	*about = (struct slv_range){ UINT64_MAX, 0 };
	for (; i < c->n
	     && (c->at[i].off < end || c->at[i - 1].fate == SLV_REBUILT);
	     i++) {
		data |= c->at[i].off < end
		    && (c->at[i].part == SLV_PART_DATA
		        || c->at[i].part == SLV_PART_PACK);
		torn |= slv_extent_is_torn(&c->at[i]);
		if (is_out(s, &c->at[i]) && c->at[i].off >= about->end)
			widen(s, i, about);
	}
	return torn || (data && about->end > 0);
}

/* List a run of bytes that equal those `shift` before them if it is a seam. */
static void
propose(struct search *x, struct slv_seam_run *run, size_t shift)
{
	uint64_t base = x->s->base;
	struct slv_seam seam = { .about = { base, base + 1 } };

	/* Whole ranges were proposed before. */
	if (x->use == SLV_SEAM_TORN && run->n_holes == 0)
		return;
	if (is_seam(run, shift) && slv_seam_of_run(&x->bytes, run, shift, &seam)
	    && (x->use == SLV_SEAM_HIDDEN
	        || is_torn(
	            x->s, seam.first, x->bytes.off + run->end, &seam.about)))
		list(x->out, &seam);
}

/* The seams in the buffer that begin from `first` on, at most up to `end`. */
static enum slv_status
search(struct search *x, uint64_t first, uint64_t end, struct slv_err *err)
{
	const struct slv_seam_bytes *b = &x->bytes;

	memset(x->seen, 0, sizeof(*x->seen) << x->bits);
	memset(x->runs, 0, sizeof(x->runs));
	for (size_t i = 0; i + WINDOW <= b->n && x->budget > 0; i++) {
		const uint8_t *p = x->buf + i;
		struct slv_seam_run run;
		struct run *last;
		size_t shift;

		if (i % STRETCH == 0 && slv_is_cancelled(x->s->opt.cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		/* Zeros, and other content with a short period. */
		if (slv_get_le64(p) == slv_get_le64(p + 8))
			continue;
		shift = remember(x, i);
		last = &x->runs[shift % SHIFTS];
		if (shift == 0 || b->off + i < first || b->off + i >= end
		    || (last->shift == shift && i < last->end))
			continue;
		slv_seam_run_around(b, i, shift, x->use == SLV_SEAM_TORN, &run);
		x->budget -= slv_min64(run.end - run.from, x->budget);
		*last = (struct run){ shift, run.end };
		propose(x, &run, shift);
	}
	return SLV_OK;
}

/* Search around one place. */
static enum slv_status
look(struct search *x, struct slv_range about, struct slv_err *err)
{
	struct slv_seam_bytes *b = &x->bytes;
	uint64_t size = x->s->source->size;
	uint64_t first = slv_max64(x->s->base, about.off);
	uint64_t end = slv_min64(about.end + NEAR, size);
	uint64_t last = slv_min64(end + SLV_SEAM_MAX, size);

	first -= slv_min64(first - x->s->base, NEAR);
	/* The second copy is at `first` or later, and as long as the first one. */
	b->off =
	    first - slv_min64(first, slv_min64(SLV_SEAM_MAX, last - first));
	b->n = (size_t)slv_min64(last - b->off, ROOM);
	x->bits = bits_for(b->n);
	x->budget = EXTENDS * b->n;
	SLV_TRY(slv_source_read(x->s->source, b->off, x->buf, b->n, err));
	return search(x, first, end, err);
}

/* In order of their damage. */
static int
compare(const void *a, const void *b)
{
	const struct slv_seam *x = a, *y = b;

	if (x->about.off != y->about.off)
		return x->about.off < y->about.off ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

/* Everywhere: where a log has more records than it states, and all of them are
 * whole, nothing else shows where they are. */
static enum slv_status
look_everywhere(struct search *x, struct slv_err *err)
{
	struct slv_range part = { x->s->base, x->s->base };
	for (size_t n = 0; n < PLACES && part.end < x->s->source->size; n++) {
		part.off = part.end;
		part.end += LOSS;
		SLV_TRY(look(x, part, err));
	}
	return SLV_OK;
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
		if (!is_out(x->s, &c->at[i]))
			continue;
		about.end = about.off + c->at[i].len;
		for (; j < c->n && c->at[j].off < about.end + 2 * NEAR; j++) {
			if (is_out(x->s, &c->at[j]))
				about.end = c->at[j].off + c->at[j].len;
		}
		/* A seam costs the units at it, and no more. */
		if (about.end - about.off > LOSS)
			continue;
		/* A damaged range is one only if units follow the damage. */
		if (x->use == SLV_SEAM_TORN && about.end == c->end
		    && !x->s->surplus)
			continue;
		places++;
		SLV_TRY(look(x, about, err));
	}
	return SLV_OK;
}

enum slv_status
slv_seams_find(struct slv_scan *s, enum slv_seam_use use, struct slv_seams *out,
    struct slv_err *err)
{
	uint64_t room = slv_min64(ROOM, s->source->size + 1);
	struct search x = {
		.s = s,
		.out = out,
		.use = use,
	};
	enum slv_status st;

	if (s->source->unreadable.n > 0)
		return SLV_OK;
	x.buf = slv_realloc(NULL, (size_t)room);
	x.bytes.at = x.buf;
	x.bytes.catalog = &s->catalog;
	x.bytes.doubts = !s->checksummed;
	x.seen = slv_realloc(NULL, sizeof(*x.seen) << bits_for(room));
	if (x.buf == NULL || x.seen == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	else
		st = use == SLV_SEAM_HIDDEN ? look_everywhere(&x, err)
		                            : look_all(&x, err);
	slv_sort(out->at, out->n, sizeof(*out->at), compare);
	slv_free(x.buf);
	slv_free(x.seen);
	return st;
}
