/* bddf_chained.c - carried blocks that follow this log's with nothing lost between.
 *
 * Where a block that carries blocks is longer than its head says, because something
 * was put into it, it ends inside its payload; where a block has a wrong size, it can
 * end where the payload of the next one begins.  If a carried block begins there, all
 * blocks are in a row.  Their times show it, which go back there and return.  Where
 * they do not return, the clock of this log may have been set, unless the block before
 * carries blocks, or has a head in it that does.
 */
#include <string.h>

#include "formats/bddf/recover/bddf_inside.h"

#define HEAD_MAX 128 /* bytes of a head that a block can swallow */

/* The block before off, if its whole span ends there; *u is not good: there is
 * none. */
static enum slv_status
block_before(const struct slv_scan *s, uint64_t off, uint64_t *at,
    struct slv_unit *u, struct slv_err *err)
{
	uint64_t looked = 0;
	struct bddf_entry e = bddf_entry_before(bddf_of(s), off, &looked);

	*u = (struct slv_unit){ .verdict = SLV_UNIT_BAD };
	*at = e.off;
	if (e.off == BDDF_NOWHERE)
		return SLV_OK;
	SLV_TRY(bddf_block(s, e.off, SLV_ASK_NEXT, u, err));
	if (e.off + u->len != off)
		u->verdict = SLV_UNIT_BAD;
	return SLV_OK;
}

/* Whether the series of a block is known to carry blocks. */
static enum slv_status
carries(struct bddf_clocks *c, const struct slv_unit *u, bool *yes,
    struct slv_err *err)
{
	enum bddf_carries has;

	SLV_TRY(bddf_clocks_ask(c, u->channel, &has, err));
	*yes = has == BDDF_CARRIES;
	return SLV_OK;
}

/* Whether the head of a block that carries blocks is the end of the one at
 * [from, off). */
static enum slv_status
ends_in_head(struct bddf_clocks *c, uint64_t from, uint64_t off, bool *yes,
    struct slv_err *err)
{
	uint64_t at = off - slv_min64(off - from, HEAD_MAX);
	struct bddf_data d;
	struct slv_unit u;

	*yes = false;
	for (; !*yes && at + BDDF_DATA_HEAD < off; at++) {
		SLV_TRY(bddf_block(c->s, at, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
			continue;
		memcpy(&d, u.priv, sizeof(d));
		if (at + BDDF_DATA_HEAD + d.size == off)
			SLV_TRY(carries(c, &u, yes, err));
	}
	return SLV_OK;
}

/* Where the blocks of the other log end that begin at off, and whether one of this
 * log follows. */
static enum slv_status
find_end(const struct bddf_clocks *c, uint64_t off, uint64_t *end,
    bool *returns, struct slv_err *err)
{
	struct slv_unit u;

	*returns = false;
	for (*end = off; *end < c->s->logical_end; *end += u.len) {
		SLV_TRY(bddf_block(c->s, *end, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
			return SLV_OK;
		*returns = bddf_clock_of(c, *end, &u, off) == BDDF_CLOCK_OWN;
		if (*returns)
			return SLV_OK;
	}
	return SLV_OK;
}

/* Exclude what begins at the turn, and the block before it, which does not end there.
 * *end: where that ends. */
static enum slv_status
visit(struct bddf_clocks *c, uint64_t off, struct slv_mends *out, uint64_t *end,
    struct slv_err *err)
{
	struct slv_aside before = {
		.end = off,
		.fate = SLV_LOST,
		.problem.info = &bddf_problems[BDDF_P_SUSPECT],
	};
	struct slv_aside after = {
		.off = off,
		.fate = SLV_FOREIGN,
		.problem.info = &bddf_problems[BDDF_P_CARRIED],
	};
	struct slv_unit u, last;
	bool yes;

	SLV_TRY(bddf_block(c->s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD
	    || bddf_clock_of(c, off, &u, off) != BDDF_CLOCK_CARRIED)
		return SLV_OK;
	SLV_TRY(block_before(c->s, off, &before.off, &last, err));
	if (last.verdict != SLV_UNIT_GOOD
	    || bddf_clock_of(c, before.off, &last, off) != BDDF_CLOCK_OWN)
		return SLV_OK;
	SLV_TRY(find_end(c, off, end, &yes, err));
	after.end = *end;
	if (!yes)
		SLV_TRY(carries(c, &last, &yes, err));
	if (!yes)
		SLV_TRY(ends_in_head(c, before.off, off, &yes, err));
	if (!yes)
		return SLV_OK;
	SLV_TRY(slv_mends_add_aside(out, &before, err));
	return slv_mends_add_aside(out, &after, err);
}

enum slv_status
bddf_chained(struct bddf_clocks *c, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(c->s);
	uint64_t end = 0;

	for (size_t i = 0; i < b->n_turns; i++) {
		if (b->turns[i].torn || b->turns[i].off < end)
			continue;
		SLV_TRY(bddf_clocks_learn(c, err));
		if (!c->carries)
			return SLV_OK;
		SLV_TRY(visit(c, b->turns[i].off, out, &end, err));
	}
	return SLV_OK;
}
