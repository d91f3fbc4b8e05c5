/* cyber_copies.c - messages that are in the file twice, where a copy is damaged.
 *
 * A range that is there twice is left out as a whole while it is byte for byte the
 * same (cyber_twice).  Where one copy is damaged it is not, and all messages of the
 * other one that survive in both would be duplicates.  So each message is compared
 * with the bytes that are as far before it as the copies are apart.
 */
#include "base/list.h"
#include "core/compare.h"
#include "formats/cyber/judge/cyber_twice.h"

#define TRIES  4                 /* messages of which a copy is sought */
#define PIECE  256               /* bytes that are compared at once */
#define LISTED ((size_t)1 << 20) /* messages, at most */

/* The messages of all chunks, in order. */
static enum slv_status
list(struct slv_scan *s, struct cyber_places *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_runs && out->n <= LISTED; i++)
		SLV_TRY(cyber_list_run(s, &c->runs[i], out, err));
	return SLV_OK;
}

/* The message that begins where message i would, `back` bytes before it, is as long,
 * and has its time; p->n: there is none. */
static size_t
find_twin(const struct cyber_places *p, size_t i, uint64_t back)
{
	const struct cyber_place *b = &p->at[i], *a;

	if (b->off < back)
		return p->n;
	a = SLV_FIND(const struct cyber_place, off, p->at, i, b->off - back);
	return a != NULL && a->end - a->off == b->end - b->off
	        && a->time == b->time
	    ? (size_t)(a - p->at)
	    : p->n;
}

/* Whether something else than a message is before message i, or after it. */
static bool
is_edge(const struct cyber_places *p, size_t i)
{
	return i == 0 || i + 1 == p->n || p->at[i - 1].end != p->at[i].off
	    || p->at[i + 1].off != p->at[i].end;
}

/* Whether a message was overwritten with one byte, over and over: all that differs
 * from the other one is this byte, and not so there. */
static enum slv_status
is_filled(struct slv_scan *s, const struct cyber_place *x,
    const struct cyber_place *other, bool *yes, struct slv_err *err)
{
	uint8_t mine[PIECE], byte = 0, its = 0;
	bool any = false, same = true;

	*yes = true;
	for (uint64_t at = x->off; at < x->end && *yes; at += PIECE) {
		size_t n = (size_t)slv_min64(PIECE, x->end - at);
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, at, n, &p, err));
		memcpy(mine, p, n);
		SLV_TRY(slv_window_view(
		    s->window, other->off + (at - x->off), n, &p, err));
		for (size_t i = 0; i < n; i++) {
			if (mine[i] == p[i])
				continue;
			byte = any ? byte : mine[i];
			its = any ? its : p[i];
			any = true;
			*yes &= mine[i] == byte;
			same &= p[i] == its;
		}
	}
	*yes &= !same;
	return SLV_OK;
}

/* Which of messages i and k, which have the same beginning, is damaged: the one next to
 * other damage, or the one that was overwritten; p->n: that is unknown. */
static enum slv_status
find_damaged(struct slv_scan *s, const struct cyber_places *p, size_t i,
    size_t k, size_t *out, struct slv_err *err)
{
	bool a = is_edge(p, k), b = is_edge(p, i);

	if (a == b) {
		SLV_TRY(is_filled(s, &p->at[k], &p->at[i], &a, err));
		SLV_TRY(is_filled(s, &p->at[i], &p->at[k], &b, err));
	}
	*out = a == b ? p->n : a ? k : i;
	return SLV_OK;
}

/* Exclude message `which` of two, the other of which is at `twin`. */
static enum slv_status
exclude(const struct cyber_places *p, size_t which, size_t twin, bool same,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_aside a = {
		.off = p->at[which].off,
		.end = p->at[which].end,
		.fate = same ? SLV_FILLER : SLV_LOST,
	};

	a.problem.info =
	    &cyber_problems[same ? CYBER_P_TWICE : CYBER_P_SUSPECT];
	a.problem.got = p->at[twin].off;
	return slv_mends_add_aside(out, &a, err);
}

/* Exclude all copies; *n: how many messages these are; UINT64_MAX: it is unknown
 * which. */
static enum slv_status
exclude_all(struct slv_scan *s, const struct cyber_places *p, uint64_t back,
    struct slv_mends *out, uint64_t *n, struct slv_err *err)
{
	*n = 0;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t len = p->at[i].end - p->at[i].off, same;
		size_t k = find_twin(p, i, back), which = i;

		SLV_TRY(slv_scan_go_on(s, err));
		if (k == p->n)
			continue;
		SLV_TRY(slv_compare(
		    s, p->at[k].off, p->at[i].off, len, &same, err));
		if (same < len)
			SLV_TRY(find_damaged(s, p, i, k, &which, err));
		if (which == p->n) {
			*n = UINT64_MAX;
			return SLV_OK;
		}
		SLV_TRY(exclude(
		    p, which, which == i ? k : i, same == len, out, err));
		++*n;
	}
	return SLV_OK;
}

/* Distance of message i from its copy before it; 0: there is none. */
static enum slv_status
find_distance(struct slv_scan *s, const struct cyber_places *p, size_t i,
    uint64_t *back, struct slv_err *err)
{
	uint64_t len = p->at[i].end - p->at[i].off, same = 0;

	*back = 0;
	for (size_t k = 0; k < i && *back == 0; k++) {
		const struct cyber_place *a = &p->at[k];

		if (a->time != p->at[i].time || a->end - a->off != len)
			continue;
		SLV_TRY(slv_compare(s, a->off, p->at[i].off, len, &same, err));
		if (same == len)
			*back = p->at[i].off - a->off;
	}
	return SLV_OK;
}

/* Exclude copies that are `back` bytes apart, if they are exactly the surplus.  If they are
 * more, some equal messages were recorded; if fewer, a message at an edge of the range is a
 * mixture of two. */
static enum slv_status
try_distance(struct slv_scan *s, const struct cyber_places *p, uint64_t back,
    uint64_t excess, struct slv_mends *out, struct slv_err *err)
{
	struct slv_mends copies = { 0 };
	uint64_t n = 0;
	enum slv_status st = exclude_all(s, p, back, &copies, &n, err);

	if (st == SLV_OK && n == excess)
		st = slv_mends_append(out, &copies, err);
	slv_mends_free(&copies);
	return st;
}

static enum slv_status
exclude_copies(struct slv_scan *s, const struct cyber_places *p,
    uint64_t excess, struct slv_mends *out, struct slv_err *err)
{
	uint64_t back, last = 0;

	for (size_t i = 1; i <= TRIES && out->n_aside == 0; i++) {
		SLV_TRY(find_distance(
		    s, p, p->n - 1 - i * (p->n - 1) / (2 * TRIES), &back, err));
		if (back > 0 && back != last)
			SLV_TRY(try_distance(s, p, back, excess, out, err));
		last = back;
	}
	return SLV_OK;
}

enum slv_status
cyber_copies_mend(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct cyber_places p = { 0 };
	uint64_t total;
	enum slv_status st;

	/* Shorter ranges are found by their ends (cyber_twice). */
	if (!cyber_total(c, &total) || c->messages <= total + total / 2)
		return SLV_OK;
	st = list(s, &p, err);
	if (st == SLV_OK && p.n > 1 && p.n <= LISTED)
		st = exclude_copies(s, &p, c->messages - total, out, err);
	slv_free(p.at);
	return st;
}
