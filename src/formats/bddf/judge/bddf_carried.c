/* bddf_carried.c - is what follows a gap a log inside a payload?
 *
 * Logs carry logs, of the same robot and with the same series.  Where the
 * block around one is lost, the blocks inside look like ours.  Two things
 * give them away: they end before the block around them does, and an end
 * block of theirs says where its index is, counted from their own beginning.
 * A recorder of downloads puts pieces of a log into its payloads, without their
 * ends.  So where the log runs out inside a block whose head is whole, nothing
 * in its payload is a block of ours, unless the blocks there end where the file
 * does, which a cut rarely hits, or one bit of the size explains them and its
 * series is not known to carry blocks.
 */
#include "core/scan/resync.h"
#include "formats/bddf/read/bddf_carries.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define LOOK      4096                   /* blocks followed */
#define MUCH_MORE 16                   /* times the mean payload of a series */
#define ANY_SIZE  ((uint64_t)64 << 10) /* bytes of a series' first block */

/* A chain of blocks. */
struct chain {
	uint64_t end;   /* where its last block ends */
	uint64_t last;  /* where that block begins */
	uint64_t index; /* its FileIndex; 0: it has none */
	uint64_t foot;  /* its end block; 0: it has none */
	bool broken;    /* it ends where no block begins */
};

static enum slv_status
follow(const struct slv_scan *s, uint64_t off, struct chain *c,
    struct slv_err *err)
{
	*c = (struct chain){ .end = off, .last = off };
	for (unsigned i = 0; i < LOOK && c->end < s->logical_end; i++) {
		struct slv_unit u;

		SLV_TRY(bddf_block(s, c->end, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD) {
			c->broken = u.verdict == SLV_UNIT_BAD || !u.has_channel;
			return SLV_OK;
		}
		if (u.tag == BDDF_TAG_FILE_INDEX)
			c->index = c->end;
		if (u.ends)
			c->foot = c->end;
		c->last = c->end;
		c->end += u.len;
		if (u.ends)
			return SLV_OK;
	}
	return SLV_OK;
}

/* Whether a block of this log, and no other log, begins at off. */
static enum slv_status
goes_on(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
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
 * and this log goes on after it. */
static enum slv_status
counts_from_inside(const struct slv_scan *s, uint64_t lost, uint64_t mark,
    const struct chain *c, bool *yes, struct slv_err *err)
{
	uint64_t says;
	const uint8_t *p;

	*yes = false;
	if (c->foot == 0 || c->index == 0 || c->end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, c->foot, BDDF_DIGEST_AT, &p, err));
	says = slv_get_le64(p + BDDF_HEADER_SIZE);
	if (says + s->base == c->index)
		return SLV_OK;
	if (says < c->index && c->index - says > lost
	    && c->index - says <= mark) {
		*yes = true;
		return SLV_OK;
	}
	return goes_on(s, c->end, yes, err);
}

/* Whether the log runs out inside a block that follows what is kept: its head
 * is whole, and its payload is of a size that its series has. */
static bool
runs_out(const struct slv_scan *s, const struct slv_unit *u, uint64_t size)
{
	const struct bddf *b = bddf_of(s);
	uint64_t most = ANY_SIZE;

	if (!bddf_is_data(u) || !u->has_channel)
		return false;
	if (u->channel < b->n_series && b->series[u->channel].n > 0)
		most = MUCH_MORE
		    * (b->series[u->channel].bytes / b->series[u->channel].n
		        + DATA_HEAD);
	return size <= most;
}

/* Whether the chain at the mark is in the payload of the block at lost, in which
 * the log runs out, at the end of the file or in the zeros there. */
static enum slv_status
is_payload(const struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, const struct chain *c, bool *yes, struct slv_err *err)
{
	enum bddf_carries has;
	struct bddf_head head;
	struct bddf_carriage like = { 0 };
	const uint8_t *p;

	*yes = false;
	if (mark - lost < DATA_HEAD || c->end == s->logical_end
	    || !(u->verdict == SLV_UNIT_SHORT
	        || (u->verdict == SLV_UNIT_GOOD
	            && lost + u->len > s->logical_end)))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, lost, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	*yes = runs_out(s, u, head.size);
	if (!*yes || !bddf_one_bit_apart(head.size, mark - lost - DATA_HEAD))
		return SLV_OK;
	SLV_TRY(bddf_carries(s, u->channel, &has, &like, err));
	*yes = has == BDDF_CARRIES;
	return SLV_OK;
}

/* Whether the log that begins at `log` is all in one block of those in a row from
 * the mark on. */
static enum slv_status
is_inside(const struct slv_scan *s, uint64_t mark, uint64_t log, bool *yes,
    struct slv_err *err)
{
	struct slv_unit whole, u = { .len = 0 };

	SLV_TRY(bddf_log(s, log, SLV_ASK_SEARCH, &whole, err));
	*yes = false;
	for (unsigned i = 0; i < LOOK && mark <= log; i++) {
		SLV_TRY(bddf_block(s, mark, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD)
			return SLV_OK;
		mark += u.len;
	}
	*yes = mark >= log + whole.len;
	return SLV_OK;
}

/* bddf_carried(); `chained`: what ends at `lost` is kept. */
static enum slv_status
carried(const struct slv_scan *s, uint64_t lost, const struct slv_unit *left,
    bool chained, uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	uint64_t end = left->verdict == SLV_UNIT_GOOD ? lost + left->len : lost;
	uint64_t log;
	struct slv_unit u;
	struct chain c;
	bool yes = false;

	SLV_TRY(bddf_swallows(s, mark, &yes, err));
	*skip = mark + yes;
	if (yes)
		return SLV_OK;
	if (end > mark) {
		SLV_TRY(bddf_log_across(s, mark, end, end, &log, err));
		if (log < end)
			SLV_TRY(is_inside(s, mark, log, &yes, err));
		*skip = log < end && !yes ? log : mark;
		if (*skip > mark)
			return SLV_OK;
		yes = false;
	}
	SLV_TRY(follow(s, mark, &c, err));
	if (chained)
		SLV_TRY(is_payload(s, lost, left, mark, &c, &yes, err));
	if (!yes) {
		SLV_TRY(bddf_log(s, mark, SLV_ASK_SEARCH, &u, err));
		if (u.verdict == SLV_UNIT_GOOD)
			return SLV_OK;
		yes = c.end <= end && c.end < s->logical_end
		    && (c.broken || c.foot > 0);
	}
	if (!yes)
		SLV_TRY(counts_from_inside(s, lost, mark, &c, &yes, err));
	/* A last block that no block follows was cut: the bytes that complete
	 * it may be those of the log, or of another one. */
	if (yes)
		*skip = c.broken ? slv_max64(c.last, mark) + 1 : c.end;
	return SLV_OK;
}

enum slv_status
bddf_carried(struct slv_scan *s, uint64_t lost, const struct slv_unit *left,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	const struct slv_aside *before =
	    lost > 0 ? slv_mends_aside(s->opt.mends, lost - 1) : NULL;
	bool chained = c->n > 0 && c->end == lost
	    && (c->at[c->n - 1].fate == SLV_KEPT
	        || (before != NULL && before->end == lost
	            && before->fate == SLV_LOST));

	return carried(s, lost, left, chained, mark, skip, err);
}

enum slv_status
bddf_goes_on(
    const struct slv_scan *s, uint64_t off, uint64_t *mark, struct slv_err *err)
{
	uint64_t from = off + 1, before;
	struct slv_unit u, log;
	bool spent;

	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	*mark = s->logical_end;
	do {
		SLV_TRY(slv_resync(s, from, s->logical_end, SLV_ASK_SEARCH,
		    mark, &spent, err));
		if (spent || *mark >= s->logical_end)
			return SLV_OK;
		before = s->window->viewed;
		/* Another log is carried, or follows. */
		SLV_TRY(bddf_log(s, *mark, SLV_ASK_SEARCH, &log, err));
		if (log.verdict == SLV_UNIT_GOOD)
			from = *mark + log.len;
		else
			SLV_TRY(carried(s, off, &u, true, *mark, &from, err));
		s->cache->searched += s->window->viewed - before;
	} while (from != *mark);
	return SLV_OK;
}
