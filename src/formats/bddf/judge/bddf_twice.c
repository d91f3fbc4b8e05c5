/* bddf_twice.c - find ranges of the log that are in the file twice.
 *
 * A download that repeated a range, or a copy that stuttered, leaves
 *
 *	... A B C|B C D ...
 *
 * with both seams inside blocks, mostly.  A reader would get the blocks of the
 * second copy, too.  Candidates are found by their times, where a series goes back
 * in time or bytes were left out.  A comparison of all bytes decides.
 */
#include "formats/bddf/judge/bddf_twice.h"

#include "base/bytes.h"
#include "base/list.h"
#include "formats/bddf/index/bddf_entries.h"

#define TURNS_MAX 4096 /* an undamaged log with more is out of order */
#define PIECE     ((size_t)16 << 10) /* bytes compared at once */

enum slv_status
bddf_twice_note(struct slv_scan *s, const struct bddf_series *series,
    const struct bddf_entry *e, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	struct bddf *b = bddf_edit(s);
	struct slv_moment at = { .sec = e->sec, .nanos = e->nanos }, before;
	struct bddf_entry last;
	struct bddf_turn turn = {
		.off = e->off,
		.series = (uint32_t)(series - b->series),
		.sec = e->sec,
		.nanos = e->nanos,
		.torn = c->n > 0 && c->at[c->n - 1].fate != SLV_KEPT,
	};
	size_t *count = turn.torn ? &b->n_torn : &b->n_back;

	if (series->last == NULL || e->nanos == BDDF_NO_TIME)
		return SLV_OK;
	last = bddf_chunk_get(series->last, series->last->n - 1);
	before = (struct slv_moment){ .sec = last.sec, .nanos = last.nanos };
	turn.back = slv_moment_compare(at, before) < 0;
	if ((!turn.torn && !turn.back) || *count > TURNS_MAX)
		return SLV_OK;
	++*count;
	return SLV_ADD(b, turns, err, turn);
}

enum slv_status
bddf_twice_ask(struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct slv_unit u;

	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !u.time.known
	    || u.channel >= b->n_series || b->n_torn > TURNS_MAX)
		return SLV_OK;
	b->n_torn++;
	return SLV_ADD(b, turns, err,
	    (struct bddf_turn){
	        .off = off,
	        .series = u.channel,
	        .sec = u.time.sec,
	        .nanos = u.time.nanos,
	        .torn = true,
	    });
}

SLV_ORDER(compare_turns, struct bddf_turn, off)

struct search {
	struct slv_scan *s;
	const struct bddf_knowledge *known;
	struct slv_mends *out;
	uint64_t looked;   /* entries */
	uint64_t compared; /* bytes */
	uint64_t end;      /* of the range that was excluded last */
};

/* How many of the n bytes from x on equal those from y on; back: up to x and y. */
static enum slv_status
alike(struct search *f, uint64_t x, uint64_t y, uint64_t n, bool back,
    uint64_t *same, struct slv_err *err)
{
	uint8_t a[PIECE], b[PIECE];

	for (*same = 0; *same < n;) {
		size_t len = (size_t)slv_min64(n - *same, PIECE), i = 0;
		uint64_t skip = back ? 0 - (*same + len) : *same;

		SLV_TRY(slv_source_read(f->s->source, x + skip, a, len, err));
		SLV_TRY(slv_source_read(f->s->source, y + skip, b, len, err));
		f->compared += len;
		while (i < len
		    && (back ? a[len - 1 - i] == b[len - 1 - i] : a[i] == b[i]))
			i++;
		*same += i;
		if (i < len)
			break;
	}
	return SLV_OK;
}

/* The next block of the series before the turn with the same time, from a
 * cursor on; NULL: there is none. */
static const struct bddf_entry *
same_time(struct search *f, const struct bddf_turn *t, struct bddf_cursor *at)
{
	const struct bddf_entry *e;

	for (; (e = bddf_cursor_at(at)) != NULL && e->off < t->off; at->i++) {
		if (f->looked++ > BDDF_LOOKS)
			return NULL;
		if (e->sec == t->sec && e->nanos == t->nanos) {
			at->i++;
			return e;
		}
	}
	return NULL;
}

/* Start of the range directly before off that was left out; off: none was. */
static uint64_t
torn_before(const struct slv_scan *s, uint64_t off)
{
	const struct slv_catalog *c = &s->catalog;
	size_t i = slv_catalog_find(c, off);

	if (c->at[i].off < off)
		return off;
	while (i > 0 && c->at[i - 1].fate != SLV_KEPT)
		i--;
	return c->at[i].off;
}

/* A range that is in the file at two places. */
struct copy {
	uint64_t first;  /* a block, in the first */
	uint64_t second; /* the same, in the second */
	uint64_t before; /* bytes that are alike before it */
	uint64_t from;   /* and from it on */
};

static enum slv_status
begins_block(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct slv_unit u;

	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	*yes = u.verdict == SLV_UNIT_GOOD;
	return SLV_OK;
}

/* Propose to cut [off, off + len), with `len` the distance of the copies.  *yes: each of
 * these bytes is in the file a second time, `len` bytes later (up to first + from) or
 * earlier (from second - before on), and a block begins after them. */
static enum slv_status
cut_from(struct search *f, const struct copy *c, uint64_t off, bool *yes,
    struct slv_aside *a, struct slv_err *err)
{
	uint64_t len = c->second - c->first;

	*yes = c->before + c->from >= len && off >= c->first - c->before
	    && off <= c->first + c->from && off + len < f->s->logical_end;
	if (*yes)
		SLV_TRY(begins_block(f->s, off + len, yes, err));
	a->off = off;
	a->end = off + len;
	return SLV_OK;
}

/* Propose to cut whole blocks from the second copy on, as far as they are equal. */
static enum slv_status
cut_blocks(struct search *f, const struct copy *c, struct slv_aside *a,
    struct slv_err *err)
{
	uint64_t end = c->second + c->from;
	struct slv_unit u;

	a->off = a->end = c->second;
	while (a->end < end) {
		SLV_TRY(bddf_block(f->s, a->end, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || u.len > end - a->end)
			break;
		a->end += u.len;
	}
	if (end == f->s->logical_end)
		a->end = end;
	return SLV_OK;
}

/* Whether the log goes back in time where the second copy begins.  If not, equal
 * blocks may have been recorded. */
static bool
goes_back(const struct bddf_turn *t, const struct bddf_entry *last)
{
	if (t->back || last->off == BDDF_NOWHERE || last->nanos == BDDF_NO_TIME)
		return t->back;
	return last->sec > t->sec
	    || (last->sec == t->sec && last->nanos > t->nanos);
}

/* The first block in the second copy, which reaches back as far as bytes are
 * equal. */
static uint64_t
first_in(struct search *f, const struct copy *c)
{
	uint64_t off = c->second;

	while (f->looked <= BDDF_LOOKS) {
		struct bddf_entry e =
		    bddf_entry_before(bddf_of(f->s), off, &f->looked);

		if (e.off == BDDF_NOWHERE || e.off < c->second - c->before)
			break;
		off = e.off;
	}
	return off;
}

/* Propose to cut a range as long as the distance of the copies, if all of it is in
 * the file twice.  It begins with the damaged bytes before the second copy or, if there
 * are none, with the last block there: a seam can also be between two blocks, by chance
 * or if all blocks have one size. */
static enum slv_status
cut_exactly(struct search *f, const struct copy *c, struct slv_aside *a,
    bool *yes, struct slv_err *err)
{
	uint64_t first = first_in(f, c), torn = torn_before(f->s, first);
	struct bddf_entry last;

	SLV_TRY(cut_from(f, c, torn, yes, a, err));
	if (*yes || torn != first)
		return SLV_OK;
	last = bddf_entry_before(bddf_of(f->s), first, &f->looked);
	if (last.off == BDDF_NOWHERE)
		return SLV_OK;
	return cut_from(f, c, last.off, yes, a, err);
}

/* The last block before off that is not excluded so far. */
static struct bddf_entry
last_left(struct search *f, uint64_t off)
{
	const struct slv_mends *m = f->out;
	struct bddf_entry e;
	size_t i;

	do {
		e = bddf_entry_before(bddf_of(f->s), off, &f->looked);
		for (i = 0; e.off != BDDF_NOWHERE && i < m->n_aside; i++) {
			if (m->aside[i].off <= e.off && e.off < m->aside[i].end)
				break;
		}
		f->looked += i;
		off = e.off;
	} while (
	    e.off != BDDF_NOWHERE && i < m->n_aside && f->looked <= BDDF_LOOKS);
	return e;
}

/* The same of the blocks that are alike, after damage. */
static enum slv_status
cut(struct search *f, const struct copy *c, const struct bddf_turn *t,
    struct slv_aside *a, struct slv_err *err)
{
	struct bddf_entry last;

	a->off = a->end = c->second;
	if (torn_before(f->s, c->second) == c->second)
		return SLV_OK;
	last = last_left(f, c->second);
	return goes_back(t, &last) ? cut_blocks(f, c, a, err) : SLV_OK;
}

/* Exclude a copy: the second one, unless the indexes name its blocks where they are,
 * and not those of the first one.  Then nothing was put in; what the first copy is
 * instead of is lost. */
static enum slv_status
exclude(struct search *f, const struct copy *c, struct slv_aside *a,
    struct slv_err *err)
{
	uint64_t apart = c->second - c->first;

	if (a->end == a->off)
		return SLV_OK;
	a->problem.want = a->off - apart;
	if (c->before + c->from >= apart
	    && bddf_known_orphan(f->known, c->first)
	    && !bddf_known_orphan(f->known, c->second)) {
		a->off = c->first - c->before;
		a->end = a->off + apart;
		a->problem.want = a->end;
	}
	f->end = a->end;
	return slv_mends_add_aside(f->out, a, err);
}

/* Whether a whole block is there twice, and how far that goes on. */
static enum slv_status
measure(struct search *f, struct copy *c, bool *yes, struct slv_err *err)
{
	uint64_t apart = c->second - c->first;
	struct slv_unit u;

	SLV_TRY(bddf_block(f->s, c->second, SLV_ASK_NEXT, &u, err));
	SLV_TRY(alike(f, c->first, c->second,
	    slv_min64(apart, f->s->logical_end - c->second), false, &c->from,
	    err));
	*yes = u.verdict == SLV_UNIT_GOOD && c->from >= u.len;
	if (!*yes)
		return SLV_OK;
	return alike(f, c->first, c->second, slv_min64(apart, c->first), true,
	    &c->before, err);
}

/* Of several blocks of the same time that are alike, one is as far away as the
 * second copy is from the first. */
static enum slv_status
visit(struct search *f, const struct bddf_turn *t, struct slv_err *err)
{
	const struct bddf_series *series = &bddf_of(f->s)->series[t->series];
	struct bddf_cursor at = { .chunk = series->first };
	struct copy best = { .from = 0 };
	struct slv_aside a = {
		.fate = SLV_FILLER,
		.problem = { .info = &bddf_problems[BDDF_P_REPEATED] },
	};
	const struct bddf_entry *e;

	/* An index that says the same has seen it written twice. */
	if (t->off < f->end || series->index_same)
		return SLV_OK;
	while ((e = same_time(f, t, &at)) != NULL) {
		struct copy c = { .first = e->off, .second = t->off };
		bool yes;

		SLV_TRY(measure(f, &c, &yes, err));
		if (!yes)
			continue;
		SLV_TRY(cut_exactly(f, &c, &a, &yes, err));
		if (yes)
			return exclude(f, &c, &a, err);
		if (c.before + c.from > best.before + best.from)
			best = c;
		if (f->compared > f->s->source->size)
			break;
	}
	if (best.from == 0)
		return SLV_OK;
	SLV_TRY(cut(f, &best, t, &a, err));
	return exclude(f, &best, &a, err);
}

enum slv_status
bddf_twice(struct slv_scan *s, const struct bddf_knowledge *known,
    struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct search f = { .s = s, .known = known, .out = out };

	slv_sort(b->turns, b->n_turns, sizeof(*b->turns), compare_turns);
	for (size_t i = 0; i < b->n_turns && b->n_torn <= TURNS_MAX
	     && f.looked <= BDDF_LOOKS && f.compared <= 4 * s->source->size;
	     i++) {
		if (b->turns[i].torn || b->n_back <= TURNS_MAX)
			SLV_TRY(visit(&f, &b->turns[i], err));
	}
	return SLV_OK;
}
