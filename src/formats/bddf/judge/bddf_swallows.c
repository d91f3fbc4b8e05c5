/* bddf_swallows.c - does a block that follows damage swallow blocks of this log?
 *
 * Where bytes are gone, a header can be read a byte too early.  Its size is then
 * wrong, and if it ends by chance where a block does, it makes one block of all
 * blocks up to there.  These were recorded after it.  Blocks of another log in a
 * payload were recorded before it, so a block with such a payload is none.
 */
#include <string.h>

#include "core/scan/resync.h"
#include "formats/bddf/judge/bddf_clock.h"

#define JITTER 60.0 /* seconds that blocks of a log may be out of order */
#define FEW    2    /* blocks in a row that end where it does are no chance */

/* A block that may be none. */
struct claim {
	uint64_t payload, end;
	struct slv_moment at,
	    after; /* its time, and that of the block after it */
};

static bool
is_before(struct slv_moment a, struct slv_moment b)
{
	return slv_moment_compare(a, b) < 0
	    && slv_moment_seconds(a, b) > JITTER;
}

/* Follow the blocks from *off on, inside the block.  *yes: they end where it does, and
 * are of a time after its own. */
static enum slv_status
are_later(const struct slv_scan *s, const struct claim *c, uint64_t *off,
    bool *yes, struct slv_err *err)
{
	bool fit = true, later = false;
	unsigned n = 0;

	for (struct slv_unit u; *off < c->end; *off += u.len) {
		SLV_TRY(bddf_block(s, *off, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || u.len > c->end - *off)
			break;
		if (!bddf_is_data(&u) || !u.time.known)
			continue;
		n++;
		later |= slv_moment_compare(u.time, c->at) > 0;
		fit = fit && !is_before(u.time, c->at)
		    && !(c->after.known && is_before(c->after, u.time));
	}
	*yes = *off == c->end && n >= FEW && fit && later;
	return SLV_OK;
}

/* What the block at off says; *yes: it is one of data, with a time. */
static enum slv_status
get_claim(const struct slv_scan *s, uint64_t off, struct claim *c, bool *yes,
    struct slv_err *err)
{
	struct bddf_data d;
	struct slv_unit u;

	SLV_TRY(bddf_block(s, off, SLV_ASK_SEARCH, &u, err));
	*yes = u.verdict == SLV_UNIT_GOOD && bddf_is_data(&u) && u.time.known
	    && u.len <= s->logical_end - off
	    && u.len > (1 + FEW) * (uint64_t)BDDF_DATA_HEAD;
	if (!*yes)
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	*c = (struct claim){ .payload = off + BDDF_DATA_HEAD + d.size,
		.end = off + u.len,
		.at = u.time };
	if (c->end == s->logical_end)
		return SLV_OK;
	SLV_TRY(bddf_block(s, c->end, SLV_ASK_SEARCH, &u, err));
	if (u.verdict == SLV_UNIT_GOOD && bddf_is_data(&u))
		c->after = u.time;
	return SLV_OK;
}

enum slv_status
bddf_swallows(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	bool spent = false;
	uint64_t from;
	struct claim c;

	SLV_TRY(get_claim(s, off, &c, yes, err));
	if (!*yes)
		return SLV_OK;
	*yes = false;
	for (from = c.payload; from < c.end && !spent && !*yes;) {
		uint64_t mark;

		SLV_TRY(slv_resync(
		    s, from, c.end, SLV_ASK_SEARCH, &mark, &spent, err));
		from = mark;
		if (mark < c.end)
			SLV_TRY(are_later(s, &c, &from, yes, err));
		from = slv_max64(from, mark + 1);
	}
	return SLV_OK;
}
