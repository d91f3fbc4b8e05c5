/* seam_run.c - the bytes that equal those some distance before them. */
#include "core/seams/seam_run.h"

#include "base/bytes.h"
#include "base/sort.h"
#include "core/readings/repeats.h"

#define HOLE     ((size_t)64 << 10) /* bytes, at most, where a copy is damaged */
#define DOUBT    ((size_t)4 << 10)  /* the same, where neither seems to be */
#define FRACTION 32 /* of a range without a hole in it, at least once */
#define DOUBTED  8  /* times such a hole: the range, at least */
#define BOTH     64 /* bytes that the scan keeps in both copies, at least */
#define FLIPS    64 /* bytes of a range for each flipped bit, at least */

/* Return true if the scan leaves the byte at i out; *around: all bytes around it
 * that it leaves out. */
static bool
is_out(const struct slv_seam_bytes *b, size_t i, struct slv_range *around)
{
	const struct slv_catalog *c = b->catalog;
	const struct slv_extent *x = &c->at[slv_catalog_find(c, b->off + i)];

	*around = (struct slv_range){ x->off, x->off + x->len };
	return slv_extent_is_torn(x);
}

/* Return true if a copy is damaged at i; *around: as far as one of them is. */
static bool
may_differ(const struct slv_seam_bytes *b, size_t i, size_t shift,
    struct slv_range *around)
{
	struct slv_range second, first;
	bool out2 = is_out(b, i, &second), out1 = is_out(b, i - shift, &first);

	first.off += shift;
	first.end += shift;
	if (out1 && out2) {
		around->off = slv_min64(first.off, second.off);
		around->end = slv_max64(first.end, second.end);
	} else {
		*around = out1 ? first : second;
	}
	return out1 || out2;
}

/* Passes a hole, byte by byte, away from a run. */
struct pass {
	const struct slv_seam_bytes *bytes;
	size_t shift, begun; /* where it begins */
	struct slv_range torn;
	size_t equal; /* bytes, up to the last one */
};

/* Add byte k.  false: the hole cannot extend to there. */
static bool
add_byte(struct pass *p, size_t k)
{
	const struct slv_seam_bytes *b = p->bytes;
	size_t passed = k > p->begun ? k - p->begun : p->begun - k;
	/* A larger hole is no part of a seam. */
	bool in_hole =
	    passed < HOLE && passed <= p->shift / 2 + SLV_SEAM_WINDOW;
	uint64_t off = b->off + k;

	p->equal = b->at[k] == b->at[k - p->shift] ? p->equal + 1 : 0;
	if (p->equal > 0 || (off >= p->torn.off && off < p->torn.end))
		return in_hole;
	return in_hole
	    && (may_differ(b, k, p->shift, &p->torn)
	        || passed < (b->doubts ? DOUBT : 1));
}

/* The next place from i on, where the copies differ, from which on they are
 * equal again; i: none. */
static size_t
pass_after(const struct slv_seam_bytes *b, size_t i, size_t shift)
{
	struct pass p = { .bytes = b, .shift = shift, .begun = i };

	for (size_t k = i; k < b->n && add_byte(&p, k); k++) {
		if (p.equal == SLV_SEAM_WINDOW)
			return k + 1 - p.equal;
	}
	return i;
}

/* The last place before i, the byte before which differs, up to which they are
 * equal again; i: none. */
static size_t
pass_before(const struct slv_seam_bytes *b, size_t i, size_t shift)
{
	struct pass p = { .bytes = b, .shift = shift, .begun = i };

	for (size_t k = i; k > shift && add_byte(&p, k - 1); k--) {
		if (p.equal == SLV_SEAM_WINDOW)
			return k - 1 + p.equal;
	}
	return i;
}

/* Extend a run by all bytes that are equal. */
static void
extend(const struct slv_seam_bytes *b, size_t shift, struct slv_seam_run *r)
{
	while (
	    r->from > shift && b->at[r->from - 1] == b->at[r->from - 1 - shift])
		r->from--;
	while (r->end < b->n && b->at[r->end] == b->at[r->end - shift])
		r->end++;
}

/* Extend a run by the smaller hole at one of its ends, which may be one that the seam
 * makes.  false: there is none. */
static bool
cross(const struct slv_seam_bytes *b, size_t shift, struct slv_seam_run *r)
{
	size_t from = pass_before(b, r->from, shift);
	size_t end = pass_after(b, r->end, shift);
	struct slv_range *hole = &r->holes[r->n_holes];

	if (end > r->end
	    && (from == r->from || end - r->end < r->from - from)) {
		*hole = (struct slv_range){ r->end, end };
		r->end = end;
	} else if (from < r->from) {
		*hole = (struct slv_range){ from, r->from };
		r->from = from;
	} else {
		return false;
	}
	r->n_holes++;
	return true;
}

void
slv_seam_run_around(const struct slv_seam_bytes *b, size_t i, size_t shift,
    bool holes, struct slv_seam_run *r)
{
	*r = (struct slv_seam_run){ .from = i, .end = i + SLV_SEAM_WINDOW };
	extend(b, shift, r);
	if (!holes || (r->end - r->from) * FRACTION < shift)
		return;
	while (r->end - r->from < shift && r->n_holes < SLV_SEAM_HOLES
	    && cross(b, shift, r))
		extend(b, shift, r);
}

static int
compare(const void *a, const void *b)
{
	const struct slv_range *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

/* All that the scan does not keep as it is around i: where the log goes from the first copy to the
 * second one, a unit is torn though both copies are good. */
static struct slv_range
tear_at(const struct slv_seam_bytes *b, size_t i)
{
	const struct slv_catalog *c = b->catalog;
	size_t first = slv_catalog_find(c, b->off + i), end = first;

	while (end < c->n && c->at[end].fate != SLV_KEPT)
		end++;
	while (first > 0 && c->at[first - 1].fate != SLV_KEPT)
		first--;
	return (struct slv_range){ c->at[first].off,
		end < c->n ? c->at[end].off : c->end };
}

/* What is known about a hole. */
enum evidence {
	NONE,
	TORN_BY_SEAM, /* a copy is left out there, but perhaps not for the hole */
	TORN
};

/* What shows that the copy that is `shift` before a hole is damaged there: nothing if
 * any byte of it is kept. */
static enum evidence
evidence_of(const struct slv_seam_bytes *b, struct slv_range hole, size_t shift,
    struct slv_range tear)
{
	enum evidence least = TORN;
	struct slv_range around;

	for (uint64_t i = hole.off - shift; i < hole.end - shift;
	     i = around.end - b->off) {
		if (!is_out(b, (size_t)i, &around))
			return NONE;
		if (around.off >= tear.off && around.end <= tear.end)
			least = TORN_BY_SEAM;
	}
	return least;
}

/* Return true if the byte at i is one of many zeros, or ones. */
static bool
is_blank(const struct slv_seam_bytes *b, size_t i)
{
	size_t from = i, end = i + 1;

	if (!slv_is_blank(b->at[i]))
		return false;
	while (from > 0 && end - from < SLV_BLANK_RUN
	    && b->at[from - 1] == b->at[i])
		from--;
	while (
	    end < b->n && end - from < SLV_BLANK_RUN && b->at[end] == b->at[i])
		end++;
	return end - from == SLV_BLANK_RUN;
}

/* Return true if a bit is all that differs. */
static bool
is_flip(
    const struct slv_seam_bytes *b, const struct slv_range *at, size_t shift)
{
	unsigned x = b->at[at->off] ^ b->at[at->off - shift];

	return at->end == at->off + 1 && (x & (x - 1)) == 0;
}

/* Decide which copy of a hole is damaged: what is torn for it, else what is blank,
 * else the second one.  false: nothing shows it, or too much would be in doubt. */
static bool
weigh(const struct slv_seam_bytes *b, const struct slv_range *at, size_t shift,
    struct slv_range tear, struct slv_seam_hole *hole, bool *first_is_bad)
{
	enum evidence first = evidence_of(b, *at, shift, tear);
	enum evidence second = evidence_of(b, *at, 0, tear);
	bool unclear = (first == TORN) == (second == TORN);
	bool blank1 = is_blank(b, at->off - shift),
	     blank2 = is_blank(b, at->off);

	hole->off = b->off + at->off - shift;
	hole->len = at->end - at->off;
	hole->kept = first == NONE && second == NONE;
	hole->doubted = unclear && b->doubts;
	*first_is_bad = unclear ? blank1 && !blank2 : first == TORN;
	return !hole->kept || is_flip(b, at, shift)
	    || (blank1 != blank2 && hole->len * DOUBTED <= shift);
}

static bool
is_kept(const struct slv_seam_bytes *b, uint64_t i)
{
	const struct slv_catalog *c = b->catalog;

	return c->at[slv_catalog_find(c, b->off + i)].fate == SLV_KEPT;
}

/* Return true if a unit may be whole in both copies: without one nothing shows that
 * it is a duplicate.  It follows the place where the log broke off.  Frames of a log
 * that was cut resemble the last one, which is torn, and nothing follows that. */
static bool
has_both(
    const struct slv_seam_bytes *b, const struct slv_seam_run *r, size_t shift)
{
	struct slv_range first, second;
	uint64_t both = 0, next;
	bool broken = false;

	for (uint64_t i = r->from; i < r->end && both < BOTH; i = next) {
		bool out = is_out(b, (size_t)i, &second);

		broken |= !is_kept(b, i);
		out |= is_out(b, (size_t)i - shift, &first);
		next = slv_min64(second.end, first.end + shift) - b->off;
		both = out || !broken ? 0 : both + next - i;
	}
	return both >= BOTH;
}

/* The log is in the first copy up to some place, and in the second one from there
 * on.  So holes of the second copy must come before those of the first. */
bool
slv_seam_of_run(const struct slv_seam_bytes *b, struct slv_seam_run *r,
    size_t shift, struct slv_seam *out)
{
	struct slv_range tear = tear_at(b, r->from);
	bool changed = false, bad;
	uint64_t differ = 0;

	out->first = b->off + r->from - shift;
	out->off = out->first + shift;
	out->len = shift;
	out->n_holes = r->n_holes;
	slv_sort(r->holes, r->n_holes, sizeof(*r->holes), compare);
	for (size_t i = 0; i < r->n_holes; i++) {
		struct slv_seam_hole *hole = &out->holes[i];

		if (!weigh(b, &r->holes[i], shift, tear, hole, &bad))
			return false;
		/* Either copy will do. */
		bad |= changed && hole->kept && is_flip(b, &r->holes[i], shift);
		if (changed && !bad)
			return false;
		differ += hole->len;
		if (bad && !changed)
			out->off = hole->off;
		changed |= bad;
	}
	return 2 * differ <= shift && FLIPS * r->n_holes <= shift + FLIPS
	    && (r->n_holes == 0 || has_both(b, r, shift));
}
