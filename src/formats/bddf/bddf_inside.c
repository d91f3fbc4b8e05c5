/* bddf_inside.c - blocks that a lost block carried in its payload.
 *
 * Where a block that carries blocks of another log is damaged, the blocks inside
 * look like ours (bddf_carried.c).  Two things show it when the whole log was
 * read.  The other blocks of the series, or of another one, carry blocks, too.
 * And the blocks inside end with the block around them, mostly amid one of them:
 * the log goes on inside the last.  A pair of damages leaves blocks of ours that
 * look so, too.  They have times that their series has around them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/resync.h"
#include "formats/bddf/bddf_inside.h"
#include "formats/bddf/bddf_twice.h"

#define DATA_HEAD  (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define SAMPLES    3 /* blocks of a series that are searched */
#define UNKNOWN    ((uint64_t)64 << 10) /* bytes that an unseen block spans */
#define SERIES_MAX 1024                 /* series that are searched */

/* Whether the block of data at off carries blocks; *len: what it spans. */
static enum slv_status
is_carrier(struct slv_scan *s, uint64_t off, uint64_t *len, bool *large,
    bool *yes, struct slv_err *err)
{
	struct bddf_data d;
	struct slv_unit u;
	uint64_t from, mark;
	bool spent;

	*yes = *large = false;
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	from = off + DATA_HEAD + d.size;
	*len = u.len;
	*large = off + u.len - from >= BDDF_CARRY_MIN;
	if (!*large)
		return SLV_OK;
	SLV_TRY(slv_resync(
	    s, from, off + u.len, SLV_ASK_SEARCH, &mark, &spent, err));
	*yes = !spent && mark < off + u.len;
	return SLV_OK;
}

enum slv_status
bddf_carries(struct slv_scan *s, uint32_t index, enum bddf_carries *out,
    uint64_t *most, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_chunk *last, *first;

	*out = BDDF_MAY_CARRY;
	if (index >= b->n_series || b->series[index].first == NULL)
		return SLV_OK;
	first = b->series[index].first;
	last = b->series[index].last;
	for (unsigned i = 0; i < SAMPLES; i++) {
		bool yes, large;
		uint64_t len = 0;
		struct bddf_entry e = i == 0
		    ? bddf_chunk_get(last, last->n - 1)
		    : bddf_chunk_get(first, (first->n - 1) * (i - 1));

		SLV_TRY(is_carrier(s, e.off, &len, &large, &yes, err));
		if (yes) {
			*out = BDDF_CARRIES;
			*most = slv_max64(*most, len);
		} else if (large && *out == BDDF_MAY_CARRY) {
			*out = BDDF_CARRIES_NONE;
		}
	}
	return SLV_OK;
}

/* Blocks in a row after bytes that were lost. */
struct island {
	uint64_t lost;     /* where those begin */
	uint64_t off, end; /* of the blocks */
	uint64_t next;     /* where the log goes on after them */
	bool cut;          /* that is inside a block that begins at `end` */
};

struct inside {
	struct slv_scan *s;
	struct slv_mends *out;
	struct island *at; /* owned; in order */
	size_t n, cap;
	uint64_t upto; /* where the last block that was lost should end, */
	uint64_t span; /* what it spans, */
	enum bddf_carries has; /* and what its series is known for */
	bool asked, carries;   /* some series of the log carries blocks, */
	bool unknown;          /* or may carry them, */
	uint64_t most;         /* such a block spans so many bytes */
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
	SLV_TRY(slv_window_view(&s->window, off, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	*yes = bddf_head_span(head) > next - off;
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
		SLV_TRY(
		    slv_grow(&w->at, &w->cap, w->n + 1, sizeof(*w->at), err));
		w->at[w->n++] = x;
	}
	return SLV_OK;
}

/* The first or the last block of a series that is not in the island;
 * BDDF_NOWHERE: there is none. */
static struct bddf_entry
outer(const struct bddf_series *series, const struct island *x, bool last)
{
	const struct bddf_chunk *c = series->first;
	struct bddf_entry e = { .off = BDDF_NOWHERE };
	struct bddf_cursor at = { .chunk = c };
	const struct bddf_entry *one;

	if (c == NULL)
		return e;
	if (last)
		e = bddf_chunk_get(series->last, series->last->n - 1);
	else
		e = bddf_chunk_get(c, 0);
	if (e.off < x->off || e.off >= x->end)
		return e;
	for (e.off = BDDF_NOWHERE; (one = bddf_cursor_at(&at)) != NULL;
	     at.i++) {
		if (one->off >= x->end && !last)
			return *one;
		if (one->off >= x->off && last)
			return e;
		if (one->off < x->off)
			e = *one;
	}
	return e;
}

/* Whether the time is between the first and the last one that the series has
 * elsewhere, or no further from these than they are from each other where the log
 * has nothing before or after the island.  What follows an island that nothing
 * cuts may be any time later. */
static bool
fits(const struct bddf *b, const struct island *x, uint32_t series,
    struct slv_moment at)
{
	struct bddf_entry ends[2];
	struct slv_moment from = { .known = false }, to = { .known = false };
	double length;

	if (!at.known || series >= b->n_series)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		ends[i] = outer(&b->series[series], x, i == 1);
		if (ends[i].off != BDDF_NOWHERE)
			slv_moment_span((struct slv_moment){ ends[i].sec,
			                    ends[i].nanos, true },
			    &from, &to);
	}
	if (!from.known)
		return false;
	length = slv_moment_seconds(from, to);
	if (slv_moment_compare(at, from) < 0)
		return ends[0].off >= x->end
		    && slv_moment_seconds(at, from) <= length;
	return slv_moment_compare(at, to) <= 0
	    || (ends[1].off < x->off
	        && (!x->cut || slv_moment_seconds(to, at) <= length));
}

/* Where the first block of the island is that has a time as its series has it
 * elsewhere; its end: none has. */
static enum slv_status
first_fit(struct inside *w, const struct island *x, uint64_t *out,
    struct slv_err *err)
{
	for (*out = x->off; *out < x->end;) {
		struct slv_unit u;

		SLV_TRY(bddf_block(w->s, *out, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD
		    || (bddf_is_data(&u)
		        && fits(bddf_of(w->s), x, u.channel, u.time)))
			return SLV_OK;
		*out += u.len;
	}
	return SLV_OK;
}

/* Whether blocks of this log are known to carry blocks. */
static enum slv_status
log_carries(struct inside *w, bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(w->s);

	for (size_t i = 0; !w->asked && i < b->n_series && i < SERIES_MAX;
	     i++) {
		enum bddf_carries has;

		if (b->series[i].n > 0
		    && b->series[i].bytes < BDDF_CARRY_MIN * b->series[i].n)
			continue;
		SLV_TRY(bddf_carries(w->s, (uint32_t)i, &has, &w->most, err));
		w->carries |= has == BDDF_CARRIES;
		w->unknown |= has == BDDF_MAY_CARRY;
	}
	w->asked = true;
	*yes = w->carries;
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
		SLV_TRY(slv_window_view(
		    &s->window, *at, BDDF_HEADER_SIZE, &p, err));
		*span = bddf_head_span(bddf_head_get(bddf_of(s)->dialect, p));
		if (*span >= x->off - *at)
			return SLV_OK;
	}
}

/* Up to where the island is in the payload of a lost block; its beginning: it is
 * not. */
static enum slv_status
judge(struct inside *w, const struct island *x, uint64_t *upto,
    struct slv_err *err)
{
	struct island head = *x; /* as much of it as a payload may hold */
	uint64_t len = x->end - x->off, at, strange, most;
	bool within, yes;
	uint32_t series = 0;

	if (x->lost >= w->upto) {
		w->has = BDDF_MAY_CARRY;
		SLV_TRY(head_at(w->s, x, &series, &at, &w->span, err));
		w->upto = at + w->span;
		if (w->span > 0)
			SLV_TRY(
			    bddf_carries(w->s, series, &w->has, &w->most, err));
	}
	within =
	    w->span > 0 && (x->end <= w->upto || (x->cut && len <= w->span));
	*upto = x->end;
	if (within && w->has == BDDF_CARRIES)
		return SLV_OK;
	*upto = x->off;
	SLV_TRY(log_carries(w, &yes, err));
	most = yes ? w->most : 0;
	if (w->has == BDDF_MAY_CARRY && x->off < w->upto)
		most = slv_max64(most, w->span);
	else if (!yes && x->cut && len <= UNKNOWN && w->unknown)
		most = len;
	if (len > most) {
		head.end = x->off + most;
		head.cut = false;
	}
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
	if (bddf_is_data(&u) && fits(bddf_of(w->s), x, u.channel, u.time))
		*end = mark;
	return SLV_OK;
}

enum slv_status
bddf_inside(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct inside w = { .s = s, .out = out };
	enum slv_status st;

	if (s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	st = find_islands(&w, err);
	for (size_t i = 0; st == SLV_OK && i < w.n; i++) {
		const struct island *x = &w.at[i];
		struct slv_aside a = {
			.off = x->off,
			.fate = SLV_FOREIGN,
			.problem.info = &bddf_problems[BDDF_P_CARRIED],
		};

		st = judge(&w, x, &a.end, err);
		/* The block that the end cuts is carried, too. */
		if (a.end == x->end && x->cut)
			a.end = x->next;
		if (st == SLV_OK && a.end > a.off && a.end < x->end)
			st = trim(&w, x, &a.end, err);
		if (st == SLV_OK && a.end > a.off)
			st = slv_mends_add_aside(out, &a, err);
		if (st == SLV_OK && a.end > a.off && a.end < x->end)
			st = bddf_twice_ask(s, a.end, err);
	}
	free(w.at);
	return st;
}
