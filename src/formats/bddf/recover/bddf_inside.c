/* bddf_inside.c - blocks that a lost block carried in its payload.
 *
 * Where a block that carries blocks of another log is damaged, the blocks inside
 * look like ours (bddf_carried.c).  Two things together show it when the whole log
 * was read.  Other blocks of the log carry blocks, too, or another log was found in
 * what was lost.  And the head of the lost block says that they are in its payload,
 * or their times are not those of this log.  A block that an index has is ours, and
 * so is one with a time that its neighbours or its series have around it: no block
 * is left out because nothing is known of it.
 */
#include "base/list.h"
#include "core/scan/resync.h"
#include "formats/bddf/judge/bddf_twice.h"
#include "formats/bddf/recover/bddf_inside.h"

#define LARGER     2    /* times what was seen, a payload may be */
#define LITTLE     60.0 /* seconds that any log may be long */
#define UNTOLD_MAX 64   /* blocks of an island that tell nothing */

/* Blocks in a row after bytes that were lost. */
struct island {
	uint64_t lost;     /* where those begin */
	uint64_t off, end; /* of the blocks */
	uint64_t next;     /* where the log goes on after them */
	bool cut;          /* that is inside a block that begins at `end` */
	struct slv_moment before, after; /* of the blocks around all that */
	double length;  /* seconds that the log has on one side of it */
	uint64_t since; /* where what is ours ends before it */
	bool carried;
};

struct inside {
	struct slv_scan *s;
	struct bddf_clocks clocks;
	struct slv_mends *out;
	struct island *at; /* owned; in order */
	size_t n, cap;
	uint64_t upto; /* where the last block that was lost should end, */
	uint64_t span; /* what it spans, */
	enum bddf_carries has; /* and what its series is known for */
	uint64_t looked;       /* see bddf_entry_before() */
};

/* Where the run of extents from i on ends, of those that are kept or are not. */
static size_t
run_of(const struct slv_catalog *c, size_t i, bool kept)
{
	while (i < c->n && (c->at[i].fate == SLV_KEPT) == kept
	    && (!kept || c->at[i].part == SLV_PART_DATA))
		i++;
	return i;
}

static uint64_t
begin_of(const struct slv_catalog *c, size_t i)
{
	return i < c->n ? c->at[i].off : c->end;
}

/* Whether the log goes on at `next`, inside a block of data at off. */
static enum slv_status
is_cut(struct slv_scan *s, uint64_t off, uint64_t next, bool *yes,
    struct slv_err *err)
{
	struct bddf_head head;
	struct slv_unit u;
	const uint8_t *p;

	*yes = false;
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (!bddf_is_data(&u) || !u.has_channel)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	*yes = bddf_head_span(head) > next - off;
	return SLV_OK;
}

/* The first block of data of the log. */
static struct bddf_entry
first_of(struct inside *w)
{
	const struct bddf *b = bddf_of(w->s);
	struct bddf_entry best = { .off = BDDF_NOWHERE };

	w->looked += b->n_series;
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_chunk *c = b->series[i].first;

		if (c != NULL && c->off < best.off)
			best = bddf_chunk_get(c, 0);
	}
	return best;
}

/* How long the log is between two of its blocks. */
static double
length_of(struct slv_moment from, struct slv_moment to)
{
	double length =
	    from.known && to.known ? slv_moment_seconds(from, to) : 0;

	return length > LITTLE ? length : LITTLE;
}

/* The times of the blocks before what was lost and after the island. */
static enum slv_status
find_times(struct inside *w, struct island *x, struct slv_err *err)
{
	const struct bddf *b = bddf_of(w->s);
	struct bddf_entry before, first, last;
	struct slv_unit u;

	if (w->looked > BDDF_LOOKS)
		return SLV_OK;
	before = bddf_entry_before(b, x->since, &w->looked);
	last = bddf_entry_before(b, w->s->logical_end, &w->looked);
	first = first_of(w);
	x->before = bddf_entry_time(&before);
	if (x->next < w->s->logical_end) {
		SLV_TRY(bddf_block(w->s, x->next, SLV_ASK_NEXT, &u, err));
		if (u.verdict == SLV_UNIT_GOOD && bddf_is_data(&u))
			x->after = u.time;
	}
	x->length = x->before.known
	    ? length_of(bddf_entry_time(&first), x->before)
	    : length_of(x->after, bddf_entry_time(&last));
	return SLV_OK;
}

/* List what begins after lost bytes. */
static enum slv_status
find_islands(struct inside *w, struct slv_err *err)
{
	const struct slv_catalog *c = &w->s->catalog;
	size_t first, last;

	for (size_t i = 0; i < c->n; i = slv_max64(last, first + 1)) {
		struct island x = { .lost = c->at[i].off };

		first = run_of(c, i, false);
		last = run_of(c, first, true);
		if (first == i || last == first)
			continue;
		x.off = c->at[first].off;
		x.end = begin_of(c, last);
		x.next = begin_of(c, run_of(c, last, false));
		if (x.next > x.end && x.next < w->s->logical_end)
			SLV_TRY(is_cut(w->s, x.end, x.next, &x.cut, err));
		SLV_TRY(SLV_ADD_AT(w, err, x));
	}
	return SLV_OK;
}

/* Whether the time is between those of the blocks around the island.  Where one of
 * them is not there, it may be as far from the other as the log is long there. */
static bool
is_between(const struct island *x, struct slv_moment at)
{
	if (!x->before.known)
		return x->after.known && slv_moment_compare(at, x->after) <= 0
		    && slv_moment_seconds(at, x->after) <= x->length;
	if (slv_moment_compare(at, x->before) < 0)
		return false;
	if (x->after.known)
		return slv_moment_compare(at, x->after) <= 0;
	return !x->cut || slv_moment_seconds(x->before, at) <= x->length;
}

/* Does a time tell that a block is of this log? */
enum fit { FITS_NOT, FITS_UNKNOWN, FITS };

/* Whether the time is between the first and the last one that the series has
 * elsewhere, or no further from these than they are from each other where the log
 * has nothing before or after the island.  What follows an island that nothing
 * cuts may be any time later. */
static enum fit
fit_of(const struct inside *w, const struct island *x, uint64_t off,
    const struct slv_unit *u)
{
	const struct bddf *b = bddf_of(w->s);
	uint32_t series = u->channel;
	struct slv_moment at = u->time;
	struct bddf_entry ends[2];
	struct slv_moment from = { .known = false }, to = { .known = false };
	double length;

	if (!at.known || series >= b->n_series)
		return FITS_UNKNOWN;
	if (is_between(x, at) || bddf_is_indexed(&w->clocks, off, u))
		return FITS;
	for (unsigned i = 0; i < 2; i++) {
		struct slv_moment one;

		ends[i] = bddf_entry_outside(
		    &b->series[series], x->off, x->end, i == 1);
		one = bddf_entry_time(&ends[i]);
		slv_moment_span(one, &from, &to);
	}
	/* A series of no other block, and without a declaration, is one of
	 * those that the log does not have. */
	if (!from.known)
		return b->series[series].declared || !x->before.known
		    ? FITS_UNKNOWN
		    : FITS_NOT;
	length = slv_moment_seconds(from, to);
	if (slv_moment_compare(at, from) < 0)
		return ends[0].off >= x->end
		        && slv_moment_seconds(at, from) <= length
		    ? FITS
		    : FITS_NOT;
	return slv_moment_compare(at, to) <= 0
	        || (ends[1].off < x->off
	            && (!x->cut || slv_moment_seconds(to, at) <= length))
	    ? FITS
	    : FITS_NOT;
}

/* Where the first block of the island is that has a time of this log; its end:
 * none has, and one has another; its beginning: no time tells. */
static enum slv_status
first_fit(struct inside *w, const struct island *x, uint64_t *out,
    struct slv_err *err)
{
	enum fit fit = FITS_UNKNOWN;
	bool strange = false;
	uint64_t off;

	for (off = x->off; off < x->end && fit != FITS;) {
		struct slv_unit u;

		SLV_TRY(bddf_block(w->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD)
			break;
		if (bddf_is_data(&u)) {
			fit = fit_of(w, x, off, &u);
			strange |= fit == FITS_NOT;
		}
		if (fit != FITS)
			off += u.len;
	}
	*out = strange ? off : x->off;
	return SLV_OK;
}

/* What the last block that begins at `lost` or after it, before the island, spans,
 * if its head is whole and follows what is kept; *at: where it begins; *span = 0:
 * it is not known. */
static enum slv_status
head_at(struct slv_scan *s, const struct island *x, uint32_t *series,
    uint64_t *at, uint64_t *span, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	size_t i = slv_catalog_find(c, x->lost);
	struct bddf_data d;
	struct slv_unit u;
	const uint8_t *p;

	*at = x->lost;
	*span = 0;
	if (i == 0 || c->at[i - 1].fate != SLV_KEPT)
		return SLV_OK;
	for (;; *at += *span) {
		SLV_TRY(bddf_block(s, *at, SLV_ASK_NEXT, &u, err));
		memcpy(&d, u.priv, sizeof(d));
		*span = 0;
		if (!bddf_is_data(&u) || !u.has_channel || d.odd || d.strange)
			return SLV_OK;
		*series = u.channel;
		SLV_TRY(
		    slv_window_view(s->window, *at, BDDF_HEADER_SIZE, &p, err));
		*span = bddf_head_span(bddf_head_get(bddf_of(s)->dialect, p));
		if (*span >= x->off - *at)
			return SLV_OK;
	}
}

/* Let the island end with the last block that begins in its first `most` bytes. */
static enum slv_status
shorten(struct inside *w, struct island *x, uint64_t most, struct slv_err *err)
{
	uint64_t off = x->off;
	struct slv_unit u;

	while (off - x->off < most && off < x->end) {
		SLV_TRY(bddf_block(w->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD)
			break;
		off += u.len;
	}
	x->end = x->next = off;
	x->cut = false;
	return find_times(w, x, err);
}

/* Learn what the last block before the island that was lost should span, and
 * whether its series carries blocks. */
static enum slv_status
learn_head(struct inside *w, const struct island *x, struct slv_err *err)
{
	uint32_t series = 0;
	uint64_t at;

	if (x->lost < w->upto)
		return SLV_OK;
	w->has = BDDF_MAY_CARRY;
	SLV_TRY(head_at(w->s, x, &series, &at, &w->span, err));
	w->upto = at + w->span;
	return w->span > 0 ? bddf_clocks_ask(&w->clocks, series, &w->has, err)
	                   : SLV_OK;
}

/* Whether the head of that block says so: the island is in its payload, which is
 * known to carry blocks, and no flipped bit in its size made it reach so far. */
static bool
is_within(const struct inside *w, const struct island *x)
{
	return w->has == BDDF_CARRIES && w->span > 0
	    && (x->end <= w->upto || (x->cut && x->end - x->off <= w->span))
	    && !bddf_one_bit_apart(w->span - BDDF_DATA_HEAD,
	        x->off - (w->upto - w->span) - BDDF_DATA_HEAD);
}

/* Whether the lost bytes before the island contain a log of another recording. */
static bool
follows_log(const struct slv_catalog *c, const struct island *x)
{
	for (size_t i = slv_catalog_find(c, x->lost);
	     i < c->n && c->at[i].off < x->off; i++) {
		if (c->at[i].fate == SLV_FOREIGN)
			return true;
	}
	return false;
}

/* Where the blocks of another clock end with which the island begins.  *told =
 * false: no block has one of the two, or this log's comes first. */
static enum slv_status
by_clock(struct inside *w, const struct island *x, uint64_t *end, bool *told,
    struct slv_err *err)
{
	uint64_t off = x->off;

	*told = false;
	for (unsigned i = 0; off < x->end && (*told || i < UNTOLD_MAX); i++) {
		enum bddf_clock clock = BDDF_CLOCK_UNCLEAR;
		struct slv_unit u;

		SLV_TRY(bddf_block(w->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD)
			break;
		if (bddf_is_data(&u))
			clock = bddf_clock_of(&w->clocks, off, &u, x->off);
		if (clock == BDDF_CLOCK_OWN)
			break;
		*told |= clock == BDDF_CLOCK_CARRIED;
		off += u.len;
	}
	if (*told)
		*end = off;
	return SLV_OK;
}

/* Up to where the island is in the payload of a lost block; its beginning: it is
 * not. */
static enum slv_status
judge(struct inside *w, const struct island *x, uint64_t *upto,
    struct slv_err *err)
{
	struct island head = *x; /* as much of it as a payload may hold */
	uint64_t len = x->end - x->off, strange, most;
	struct slv_unit u;
	bool yes, told = false;

	SLV_TRY(bddf_block(w->s, x->off, SLV_ASK_NEXT, &u, err));
	*upto = x->off;
	if (u.verdict == SLV_UNIT_GOOD && bddf_is_data(&u)
	    && bddf_is_indexed(&w->clocks, x->off, &u))
		return SLV_OK;
	SLV_TRY(bddf_clocks_learn(&w->clocks, err));
	yes = w->clocks.carries;
	if (yes)
		SLV_TRY(by_clock(w, x, upto, &told, err));
	if (told)
		return SLV_OK;
	SLV_TRY(learn_head(w, x, err));
	if (is_within(w, x)) {
		*upto = x->end;
		return SLV_OK;
	}
	most = yes ? LARGER * w->clocks.like.most : 0;
	if (yes && w->has == BDDF_MAY_CARRY && x->off < w->upto)
		most = slv_max64(most, w->span);
	if (follows_log(&w->s->catalog, x))
		most = len;
	if (len > most)
		SLV_TRY(shorten(w, &head, most, err));
	SLV_TRY(first_fit(w, &head, &strange, err));
	if (strange - x->off <= most)
		*upto = strange;
	return SLV_OK;
}

/* The blocks that are carried end at *end, where one of this log begins, or inside
 * the last of them, which the end of the payload cut. */
static enum slv_status
trim(struct inside *w, const struct island *x, uint64_t *end,
    struct slv_err *err)
{
	uint64_t last = x->off, mark;
	struct slv_unit u;
	bool spent;

	for (uint64_t off = x->off; off < *end; off += u.len) {
		last = off;
		SLV_TRY(bddf_block(w->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD)
			return SLV_OK;
	}
	SLV_TRY(slv_resync(
	    w->s, last + 1, *end, SLV_ASK_SEARCH, &mark, &spent, err));
	if (spent || mark >= *end)
		return SLV_OK;
	SLV_TRY(bddf_block(w->s, mark, SLV_ASK_SEARCH, &u, err));
	if (bddf_is_data(&u) && fit_of(w, x, mark, &u) == FITS)
		*end = mark;
	return SLV_OK;
}

/* Exclude what of island i was carried. */
static enum slv_status
set_aside(struct inside *w, size_t i, struct slv_err *err)
{
	struct island *x = &w->at[i];
	struct slv_aside a = {
		.off = x->off,
		.fate = SLV_FOREIGN,
		.problem.info = &bddf_problems[BDDF_P_CARRIED],
	};

	x->since = x->lost;
	if (i > 0 && x[-1].carried && x[-1].end == x->lost)
		x->since = x[-1].since;
	SLV_TRY(find_times(w, x, err));
	SLV_TRY(judge(w, x, &a.end, err));
	x->carried = a.end == x->end;
	if (a.end == a.off)
		return SLV_OK;
	/* The block that the end cuts is carried, too. */
	if (x->carried && x->cut)
		a.end = x->next;
	if (a.end < x->end)
		SLV_TRY(trim(w, x, &a.end, err));
	SLV_TRY(slv_mends_add_aside(w->out, &a, err));
	return a.end < x->end ? bddf_twice_ask(w->s, a.end, err) : SLV_OK;
}

enum slv_status
bddf_inside(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, struct slv_err *err)
{
	struct inside w = { .s = s, .clocks = { .s = s, .k = k }, .out = out };
	enum slv_status st;

	if (s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	st = find_islands(&w, err);
	for (size_t i = 0; st == SLV_OK && i < w.n; i++)
		st = set_aside(&w, i, err);
	if (st == SLV_OK)
		st = bddf_chained(&w.clocks, out, err);
	slv_free(w.at);
	return st;
}
