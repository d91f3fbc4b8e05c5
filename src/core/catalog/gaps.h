/* gaps.h - what was lost, gap by gap: when, and about how many blocks of
 * which channel.
 *
 * A gap is a maximal stretch of lost bytes with nothing between them that is
 * in the output.  The walk tells of each kept block and of each lost range;
 * whether bytes stay lost is known later, so that the gaps are listed from
 * the finished catalog, and the notes of the walk say what they mean.
 *
 * Bounded: a few numbers for each of SLV_GAP_CHANNELS channels, `max` notes,
 * and SLV_GAP_ROWS rows in all of them.  What goes beyond is summed.
 */
#ifndef SLV_CORE_GAPS_H
#define SLV_CORE_GAPS_H

#include "core/catalog/catalog.h"
#include "core/format/facts.h"

#define SLV_GAP_CHANNELS 4096  /* that are watched */
#define SLV_GAP_ROWS     65536 /* a channel at a gap, in all notes */
#define SLV_GAP_STEP     86400 /* seconds: no interval, somebody set the clock */

/* A channel so far. */
struct slv_gap_channel {
	uint32_t channel;
	uint64_t n;             /* kept blocks that have a time */
	uint64_t least;         /* bytes of the smallest of them */
	struct slv_moment last; /* of them, in file order */
	uint64_t met;           /* gaps opened when it was last seen */
	int64_t steps;          /* ns between neighbours, no gap between */
	uint64_t n_steps;
	size_t waiting; /* its last row that waits to see it again, + 1 */
};

/* A channel when a gap opened. */
struct slv_gap_row {
	uint32_t channel;
	struct slv_moment before, after; /* of the channel */
	uint64_t seen; /* lost blocks whose headers name the channel */
	size_t next;   /* its earlier row that waits as well, + 1 */
};

struct slv_gap_note {
	uint64_t off, end;
	struct slv_moment before, after; /* of any channel, in file order */
	bool loose;                      /* not every lost block was seen */
	size_t row, n_rows;
};

struct slv_gaps {
	size_t max;                       /* notes; 0: none are taken */
	struct slv_gap_channel *channels; /* owned; sorted by number */
	size_t n_channels, cap_channels;
	struct slv_gap_note *notes; /* owned; in order */
	size_t n_notes, cap_notes;
	struct slv_gap_row *rows; /* owned */
	size_t n_rows, cap_rows;
	uint64_t opened;          /* gaps so far, noted or not */
	bool open, noted;         /* one is open; the last note is about it */
	size_t waiting;           /* the first note without a time after it */
	struct slv_moment last;   /* of the last kept block that has a time */
	struct slv_moment latest; /* of all since the clock was set back */
	uint32_t late; /* how far behind a later one a block was, ms */
};

/* Where the channel stands among those watched, or would. */
size_t slv_gaps_index(const struct slv_gaps *, uint32_t channel);

/* A kept block of a channel, len bytes; its time is known. */
enum slv_status slv_gaps_block(struct slv_gaps *, uint32_t channel,
    struct slv_moment, uint64_t len, struct slv_err *);

/* Whether kept blocks are nothing to note: no gap is open, and nobody waits for
 * the time behind one. */
static inline bool
slv_gaps_quiet(const struct slv_gaps *g)
{
	return !g->open && g->waiting == g->n_notes;
}

/* The same as slv_gaps_block, where all is quiet, for a block of a channel that
 * was seen since the last gap; false: nothing was done. */
static inline bool
slv_gaps_tick(
    struct slv_gaps *g, uint32_t channel, struct slv_moment at, uint64_t len)
{
	struct slv_gap_channel *c;
	uint64_t sec;
	int64_t sum;

	if (channel >= g->n_channels || slv_moment_compare(at, g->latest) < 0)
		return false;
	c = &g->channels[channel];
	sec = (uint64_t)at.sec - (uint64_t)c->last.sec;
	if (c->channel != channel || c->waiting > 0 || c->met != g->opened
	    || c->n == 0 || sec >= SLV_GAP_STEP)
		return false;
	sum = (int64_t)sec * 1000000000 + at.nanos - c->last.nanos;
	if (__builtin_add_overflow(c->steps, sum, &sum))
		return false;
	c->steps = sum;
	c->n_steps++;
	c->n++;
	/* Not one from the other: that would wait for each to be written. */
	c->last = at;
	g->last = at;
	g->latest = at;
	c->least = len < c->least ? len : c->least;
	return true;
}

/* Bytes that are in the output: the open gap ends before them. */
void slv_gaps_close(struct slv_gaps *);

/* [off, off + len) is lost. */
enum slv_status slv_gaps_lost(
    struct slv_gaps *, uint64_t off, uint64_t len, struct slv_err *);

/* What was lost last in the open gap was one block of this channel, or, with
 * NULL, nobody knows what. */
enum slv_status slv_gaps_blame(
    struct slv_gaps *, const uint32_t *channel, struct slv_err *);

/* How many blocks of a channel a gap has cost. */
struct slv_gap_loss {
	uint32_t channel;
	bool known; /* else nobody can tell, beyond at_least */
	bool exact; /* else an estimate, from the channel's own rate */
	uint64_t missing;
	uint64_t at_least; /* whose headers were seen */
};

struct slv_gap {
	uint64_t off, len; /* in the input */
	uint64_t bytes;    /* of it lost; the rest is filler or foreign; 0:
	                    * what was here is not even room any more */
	struct slv_moment before, after; /* last good time, first good time */
	uint32_t late; /* blocks of this log are out of order by so much, ms */
	int64_t leap;  /* s; that no lost blocks explain; < 0: back; 0: none */
	size_t loss, n_losses; /* the worst first */
	bool told;             /* by the log itself: there were no others */
};

struct slv_gap_list {
	struct slv_gap *at; /* owned; in order */
	size_t n, cap;
	struct slv_gap_loss *losses; /* owned; of all gaps */
	size_t n_losses, cap_losses;
	uint64_t total;           /* gaps, listed or not */
	uint64_t bytes;           /* lost in all of them */
	struct slv_moment latest; /* since the clock was set back, if it was */
	uint32_t late; /* blocks of this log are out of order by so much, ms */
};

/* The gaps of a finished catalog, at most ->max of them.  The list must be
 * freed, also after a failure. */
enum slv_status slv_gaps_list(const struct slv_gaps *,
    const struct slv_catalog *, struct slv_gap_list *, struct slv_err *);

/* Blocks of a channel. */
struct slv_gap_count {
	uint32_t channel;
	uint64_t n;
};

/* What was in gap i is known: so many blocks of these n channels; that takes the
 * place of any estimate. */
enum slv_status slv_gap_told(struct slv_gap_list *, size_t i,
    const struct slv_gap_count *, size_t n, struct slv_err *);

/* Something was at ->off of which nothing is there any more, not even room: put
 * a gap without bytes into the list.  *i is where it stands. */
enum slv_status slv_gap_absent(
    struct slv_gap_list *, const struct slv_gap *, size_t *i, struct slv_err *);

/* Whether all losses of all gaps are known to be data, and how many blocks they
 * are. */
bool slv_gap_list_total(const struct slv_gap_list *, uint64_t *n);

/* How many blocks they are at least, by all that is known of each. */
uint64_t slv_gap_list_least(const struct slv_gap_list *);

/* The whole seconds around a gap, as far as its sides are known: `from` is not
 * after its beginning, `to` not before its end, and both leave room for blocks
 * as far out of order as those that are there. */
struct slv_gap_span {
	bool has_from, has_to;
	int64_t from, to; /* seconds since 1970-01-01 UTC */
};
struct slv_gap_span slv_gap_span(const struct slv_gap *);

/* The whole second from which on nothing is known, where `latest` is: blocks
 * of before it may have stood behind its own. */
int64_t slv_gap_list_open_from(const struct slv_gap_list *);

void slv_gap_list_free(struct slv_gap_list *);
void slv_gaps_free(struct slv_gaps *);

#endif
