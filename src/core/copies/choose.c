/* choose.c - which bytes to take where two copies differ. */
#include "core/copies/choose.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/copies/surplus.h"

#define CHUNK ((size_t)1 << 18) /* bytes compared at once */
#define APART 32                /* equal bytes that separate two differences */
#define MANY  65536 /* differences; from then on chunks separate them */

/* Properties of a byte, as bits. */
enum { HOLE_A = 1, HOLE_B = 2, EQUAL = 4 };

/* How many bytes before a place are lost, in a row. */
struct lost_run {
	uint64_t off, len;
};

struct choosing {
	struct slv_choices *out;
	struct slv_joint *joint;
	const struct slv_copy *copy[2];
	uint8_t *bytes[2], *marks;      /* owned; CHUNK each */
	struct slv_ranges unwritten[2]; /* owned; holes of the files */
	struct lost_run lost[2];        /* before the last difference */
	struct slv_err *err;
};

/* Mark runs of one byte that look like a hole. */
static void
mark_holes(const uint8_t *p, size_t n, uint8_t bit, uint8_t *marks)
{
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		if (!slv_is_blank(p[i]))
			continue;
		while (end < n && p[end] == p[i])
			end++;
		for (size_t k = i; end - i >= SLV_BLANK_RUN && k < end; k++)
			marks[k] |= bit;
	}
}

/* How much a copy has lost before off: the copy with later damage is more
 * likely to be right.  A run of many extents is walked once, as differences are in
 * order. */
static uint64_t
lost_before(struct choosing *c, int copy, uint64_t off)
{
	const struct lost_run last = c->lost[copy];
	uint64_t from = last.off <= off ? last.off : 0;
	uint64_t len =
	    slv_copy_run(c->copy[copy], from, off - from, false, true);

	if (from > 0 && len == off - from)
		len += last.len;
	c->lost[copy] = (struct lost_run){ off, len };
	return len;
}

/* Decide between the copies at [off, off + len) of each. */
static struct slv_choice
decide(struct choosing *c, const uint64_t *off, uint64_t len, unsigned mark,
    int *chosen)
{
	enum slv_rank rank[2];
	bool bad[2], hole[2] = { mark & HOLE_A, mark & HOLE_B };
	struct slv_choice x = { .doubt = SLV_DOUBT_NONE };

	for (int i = 0; i < 2; i++) {
		bad[i] = slv_ranges_hit(
		    &c->copy[i]->source->unreadable, off[i], len);
		rank[i] = slv_copy_rank(c->copy[i], off[i], len);
	}
	*chosen = 0;
	if (bad[0] || bad[1]) {
		*chosen = bad[0] && !bad[1];
		return x;
	}
	if (rank[0] != rank[1]) {
		*chosen = rank[1] > rank[0];
		x.doubt = SLV_DOUBT_LITTLE;
		if (hole[*chosen] && !hole[!*chosen]) {
			x.doubt = SLV_DOUBT_SOME;
			x.disputed = true;
		}
	} else if (hole[0] != hole[1]) {
		*chosen = hole[0];
		x.doubt = SLV_DOUBT_SOME;
		x.disputed = true;
	} else {
		*chosen = !c->copy[0]->scan.supported;
		if (c->copy[0]->scan.supported == c->copy[1]->scan.supported)
			*chosen = lost_before(c, 1, off[1])
			    < lost_before(c, 0, off[0]);
		x.doubt = SLV_DOUBT_FULL;
		x.disputed = rank[0] == SLV_RANK_KEPT;
		x.torn = rank[0] == SLV_RANK_LOST;
	}
	return x;
}

/* A difference: len bytes at `off` of each copy. */
static enum slv_status
add_difference(
    struct choosing *c, const uint64_t *off, uint64_t len, unsigned mark)
{
	struct slv_choices *out = c->out;
	int chosen;
	struct slv_choice x = decide(c, off, len, mark, &chosen);

	x.piece = c->joint->n;
	x.other = c->copy[!chosen]->source;
	x.off = off[!chosen];
	SLV_TRY(slv_grow(
	    &out->at, &out->cap, out->n + 1, sizeof(*out->at), c->err));
	out->at[out->n++] = x;
	return slv_joint_apart(
	    c->joint, c->copy[chosen]->source, off[chosen], len, c->err);
}

/* Equal bytes after a difference do not belong to its piece. */
static enum slv_status
add_equal(struct choosing *c, uint64_t off, uint64_t len)
{
	struct slv_joint *j = c->joint;
	bool behind =
	    c->out->n > 0 && c->out->at[c->out->n - 1].piece + 1 == j->n;

	return behind ? slv_joint_apart(j, c->copy[0]->source, off, len, c->err)
	              : slv_joint_add(j, c->copy[0]->source, off, len, c->err);
}

/* How far a difference at `at` can extend, of n bytes at `off`: either copy has
 * the same rank in all of it. */
static size_t
edge_of(const struct choosing *c, const uint64_t *off, size_t at, size_t n)
{
	uint64_t edge = n;

	for (int i = 0; i < 2; i++)
		edge = slv_min64(
		    edge, slv_copy_edge(c->copy[i], off[i] + at) - off[i]);
	return (size_t)edge;
}

/* n bytes of each copy, at `off`, which are in memory. */
static enum slv_status
compare(struct choosing *c, const uint64_t *off, size_t n)
{
	size_t apart = c->out->n < MANY ? APART : CHUNK, at = 0;

	for (size_t i = 0; i < n; i++) {
		if (c->bytes[0][i] == c->bytes[1][i])
			c->marks[i] |= EQUAL;
	}
	while (at < n) {
		size_t from = at, end, edge;
		uint64_t here[2];

		while (from < n && (c->marks[from] & EQUAL))
			from++;
		SLV_TRY(add_equal(c, off[0] + at, from - at));
		if (from == n)
			return SLV_OK;
		end = from + 1;
		edge = edge_of(c, off, from, n);
		for (size_t i = end; i < edge && i - end < apart; i++) {
			if (c->marks[i] & EQUAL)
				continue;
			if (apart == APART && c->marks[i] != c->marks[from])
				break;
			end = i + 1;
		}
		here[0] = off[0] + from;
		here[1] = off[1] + from;
		SLV_TRY(add_difference(c, here, end - from, c->marks[from]));
		at = end;
	}
	return SLV_OK;
}

/* How many bytes from here on are in a hole of either copy: equal zeros, and
 * perhaps more of them than can be read. */
static uint64_t
both_unwritten(const struct choosing *c, const uint64_t *off, uint64_t most)
{
	for (int i = 0; i < 2; i++) {
		const struct slv_range *hole =
		    slv_ranges_from(&c->unwritten[i], off[i]);

		if (hole == NULL || hole->off > off[i])
			return 0;
		most = slv_min64(most, hole->end - off[i]);
	}
	return most;
}

static bool
is_cancelled(const struct choosing *c)
{
	const volatile sig_atomic_t *cancel = c->copy[0]->scan.opt.cancel;

	return slv_is_cancelled(cancel);
}

/* Byte by byte. */
static enum slv_status
add_both(struct choosing *c, const struct slv_stretch *s)
{
	for (uint64_t at = 0; at < s->len[0];) {
		size_t n = (size_t)slv_min64(CHUNK, s->len[0] - at);
		uint64_t off[2] = { s->off[0] + at, s->off[1] + at };
		uint64_t zeros = both_unwritten(c, off, s->len[0] - at);

		if (is_cancelled(c))
			return slv_fail(c->err, SLV_E_CANCELLED, "stopped");
		if (zeros > 0) {
			SLV_TRY(add_equal(c, off[0], zeros));
			at += zeros;
			continue;
		}
		for (int i = 0; i < 2; i++)
			SLV_TRY(slv_source_read(c->copy[i]->source, off[i],
			    c->bytes[i], n, c->err));
		for (size_t i = 0; i < n; i++)
			c->marks[i] = 0;
		mark_holes(c->bytes[0], n, HOLE_A, c->marks);
		mark_holes(c->bytes[1], n, HOLE_B, c->marks);
		SLV_TRY(compare(c, off, n));
		at += n;
	}
	return SLV_OK;
}

/* The copy that alone has a range; -1: both have it. */
static int
only_in(const struct slv_stretch *s)
{
	return s->len[0] > 0 && s->len[1] > 0 ? -1 : s->len[0] == 0;
}

/* What only one copy has, and what only the other has at the same place; NULL:
 * nothing. */
static enum slv_status
add_only(struct choosing *c, const struct slv_stretch *s,
    const struct slv_stretch *next)
{
	const struct slv_stretch *part[2] = { s, next };
	struct slv_stretch all = *s;
	bool surplus[2] = { false, false };

	for (int i = 0; next != NULL && i < 2; i++) {
		if (next->len[i] > 0) {
			all.off[i] = next->off[i];
			all.len[i] = next->len[i];
		}
	}
	for (int i = 0; i < 2; i++)
		SLV_TRY(slv_is_surplus(c->copy, &all, i, &surplus[i], c->err));
	for (int i = 0; i < 2 && part[i] != NULL; i++) {
		int of = only_in(part[i]);

		if (!surplus[of])
			SLV_TRY(slv_joint_apart(c->joint, c->copy[of]->source,
			    part[i]->off[of], part[i]->len[of], c->err));
	}
	return SLV_OK;
}

static enum slv_status
add_stretches(struct choosing *c, const struct slv_alignment *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct slv_stretch *s = &l->at[i], *next = NULL;
		int only = only_in(s);

		if (only < 0) {
			SLV_TRY(add_both(c, s));
			continue;
		}
		if (i + 1 < l->n && only_in(s + 1) == !only)
			next = &l->at[++i];
		SLV_TRY(add_only(c, s, next));
	}
	return SLV_OK;
}

static enum slv_status
find_unwritten(struct choosing *c)
{
	for (int i = 0; i < 2; i++) {
		struct slv_source *s = c->copy[i]->source;

		SLV_TRY(slv_source_unwritten(
		    s, 0, s->size, &c->unwritten[i], c->err));
	}
	return SLV_OK;
}

enum slv_status
slv_choose(struct slv_choices *out, struct slv_joint *joint,
    const struct slv_alignment *l, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *err)
{
	uint8_t *room = slv_realloc(NULL, 3 * CHUNK);
	struct choosing c = {
		.out = out,
		.joint = joint,
		.copy = { a, b },
		.err = err,
	};
	enum slv_status st;

	if (room == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	c.bytes[0] = room;
	c.bytes[1] = room + CHUNK;
	c.marks = room + 2 * CHUNK;
	st = find_unwritten(&c);
	if (st == SLV_OK)
		st = add_stretches(&c, l);
	slv_ranges_free(&c.unwritten[0]);
	slv_ranges_free(&c.unwritten[1]);
	slv_free(room);
	return st;
}

enum slv_status
slv_choices_note(
    const struct slv_choices *c, struct slv_joint *j, struct slv_err *err)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_piece *p = &j->at[c->at[i].piece];

		if (c->at[i].disputed)
			SLV_TRY(
			    slv_ranges_add(&j->disputed, p->at, p->len, err));
		else if (c->at[i].torn)
			SLV_TRY(slv_ranges_add(&j->torn, p->at, p->len, err));
	}
	return SLV_OK;
}

void
slv_choices_free(struct slv_choices *c)
{
	slv_free(c->at);
	*c = (struct slv_choices){ .n = 0 };
}
