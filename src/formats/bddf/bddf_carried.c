/* bddf_carried.c - is what follows a gap a log inside a payload?
 *
 * Logs carry logs, of the same robot and with the same series.  Where the
 * block around one is lost, the blocks inside look like ours.  Two things
 * give them away: they end before the block around them does, and an end
 * block of theirs says where its index is, counted from their own beginning.
 */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define LOOK 4096 /* blocks followed */

/* A chain of blocks. */
struct chain {
	uint64_t end;   /* behind its last block */
	uint64_t index; /* its FileIndex; 0: it has none */
	uint64_t foot;  /* its end block; 0: it has none */
	bool broken;    /* it ends where no block begins */
};

static enum slv_status
follow(struct slv_scan *s, uint64_t off, struct chain *c, struct slv_err *err)
{
	*c = (struct chain){ .end = off };
	for (unsigned i = 0; i < LOOK && c->end < s->logical_end; i++) {
		struct slv_unit u;

		SLV_TRY(bddf_block(s, c->end, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD) {
			c->broken = u.verdict == SLV_UNIT_BAD;
			return SLV_OK;
		}
		if (u.tag == BDDF_TAG_FILE_INDEX)
			c->index = c->end;
		if (u.ends)
			c->foot = c->end;
		c->end += u.len;
		if (u.ends)
			return SLV_OK;
	}
	return SLV_OK;
}

/* Whether a block of this log, and no other log, begins at off. */
static enum slv_status
goes_on(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct slv_unit u;

	*yes = false;
	if (off >= s->logical_end)
		return SLV_OK;
	SLV_TRY(bddf_block(s, off, SLV_ASK_SEARCH, &u, err));
	*yes = u.verdict == SLV_UNIT_GOOD;
	return SLV_OK;
}

/* Whether the chain's end block counts from somewhere inside what was lost,
 * and this log goes on behind it. */
static enum slv_status
counts_from_inside(struct slv_scan *s, uint64_t lost, uint64_t mark,
    const struct chain *c, bool *yes, struct slv_err *err)
{
	uint64_t says;
	const uint8_t *p;

	*yes = false;
	if (c->foot == 0 || c->index == 0 || c->end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, c->foot, BDDF_DIGEST_AT, &p, err));
	says = slv_get_le64(p + BDDF_HEADER_SIZE);
	if (says == c->index)
		return SLV_OK;
	if (says < c->index && c->index - says > lost
	    && c->index - says <= mark) {
		*yes = true;
		return SLV_OK;
	}
	return goes_on(s, c->end, yes, err);
}

enum slv_status
bddf_carried(struct slv_scan *s, uint64_t lost, uint64_t end, uint64_t mark,
    uint64_t *skip, struct slv_err *err)
{
	struct slv_unit u;
	struct chain c;
	bool yes;

	*skip = mark;
	SLV_TRY(bddf_log(s, mark, SLV_ASK_SEARCH, &u, err));
	if (u.verdict == SLV_UNIT_GOOD)
		return SLV_OK;
	SLV_TRY(follow(s, mark, &c, err));
	yes =
	    c.end <= end && c.end < s->logical_end && (c.broken || c.foot > 0);
	if (!yes)
		SLV_TRY(counts_from_inside(s, lost, mark, &c, &yes, err));
	if (yes)
		*skip = c.end;
	return SLV_OK;
}
