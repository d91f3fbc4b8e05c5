/* gaps.h - what was lost, gap by gap: when, and about how many blocks of which
 * channel.
 *
 * A gap is a maximal range of lost bytes with nothing in between that is in the
 * output.  The walk notes each kept block and each lost range.  Whether bytes
 * stay lost is known only later, so the gaps are listed from the finished
 * catalog, and the notes of the walk explain them.
 *
 * Bounded: a few numbers for each of SLV_GAP_CHANNELS channels, `max` notes,
 * and SLV_GAP_ROWS rows in all of them.  The rest is summed.
 */
#ifndef SLV_CORE_GAPS_H
#define SLV_CORE_GAPS_H

#include "core/catalog/catalog.h"
#include "core/format/facts.h"

#define SLV_GAP_CHANNELS 4096  /* that are watched */
#define SLV_GAP_ROWS     65536 /* a channel at a gap, in all notes */
#define SLV_GAP_BLAMED   1024  /* channels at one gap that were not watched */
#define SLV_GAP_STEP     86400 /* seconds: longer is a clock that was set */

/* The state of a channel. */
struct slv_gap_channel {
	uint32_t channel;
	uint64_t n;             /* kept blocks that have a time */
	uint64_t least;         /* bytes of the smallest of these blocks */
	struct slv_moment last; /* their last time, in file order */
	uint64_t met;           /* gaps opened when it was last seen */
	int64_t steps;          /* ns between adjacent blocks without a gap */
	uint64_t n_steps;
	size_t waiting; /* 1 + its last row that waits for its next block */
};

/* The state of a channel when a gap opened. */
struct slv_gap_row {
	uint32_t channel;
	struct slv_moment before, after; /* times of the channel */
	uint64_t seen; /* lost blocks whose headers name the channel */
	size_t next;   /* 1 + its earlier row that waits as well */
};

struct slv_gap_note {
	uint64_t off, end;
	struct slv_moment before, after; /* times of any channel, in file
					  * order */
	bool loose;                      /* some lost blocks were not seen */
	size_t row, n_rows;
	size_t n_watched; /* the first of these rows, sorted by channel */
};

struct slv_gaps {
	size_t max;                       /* notes; 0: take none */
	struct slv_gap_channel *channels; /* owned; sorted by number */
	size_t n_channels, cap_channels;
	struct slv_gap_note *notes; /* owned; in order */
	size_t n_notes, cap_notes;
	struct slv_gap_row *rows; /* owned */
	size_t n_rows, cap_rows;
	uint64_t opened;          /* gaps so far, noted or not */
	bool open, noted;         /* a gap is open; the last note is about it */
	size_t waiting;           /* the first note without a time after it */
	struct slv_moment last;   /* time of the last kept block that has one */
	struct slv_moment latest; /* latest time since the clock was set back */
	uint32_t late; /* ms by which a block was earlier than the one before
		        * it, at most */
};

/* Index of the channel among the watched ones, or where it would be
 * inserted. */
size_t slv_gaps_index(const struct slv_gaps *, uint32_t channel);

/* Note a kept block of a channel, len bytes, with a known time. */
enum slv_status slv_gaps_block(struct slv_gaps *, uint32_t channel,
    struct slv_moment, uint64_t len, struct slv_err *);

/* Return true if kept blocks need no note: no gap is open, and no note waits
 * for the time after a gap. */
static inline bool
slv_gaps_quiet(const struct slv_gaps *g)
{
	return !g->open && g->waiting == g->n_notes;
}

/* The same as slv_gaps_block while slv_gaps_quiet(), for a channel with a block
 * since the last gap; false: nothing was done. */
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
	/* Do not compute one from the other: that would wait for each store. */
	c->last = at;
	g->last = at;
	g->latest = at;
	c->least = len < c->least ? len : c->least;
	return true;
}

/* Kept blocks of a channel, without a gap between them. */
struct slv_gap_blocks {
	uint32_t channel;
	uint64_t n;
	struct slv_moment first, last; /* their times, less than SLV_GAP_STEP
					* from one to the next */
	uint64_t least;                /* bytes of the smallest one */
};

/* The same as slv_gaps_block for all of them, while slv_gaps_quiet().  Blocks of
 * several channels may be mixed: slv_gaps_times() then states the order of their
 * times. */
enum slv_status slv_gaps_blocks(
    struct slv_gaps *, const struct slv_gap_blocks *, struct slv_err *);

/* Note the latest time of these blocks, which is about that of the last one.
 *
 *   late  ms by which one was earlier than one before it, at most */
void slv_gaps_times(struct slv_gaps *, struct slv_moment latest, uint32_t late);

/* Note bytes that are in the output: an open gap ends before them. */
void slv_gaps_close(struct slv_gaps *);

/* Note that [off, off + len) is lost. */
enum slv_status slv_gaps_lost(
    struct slv_gaps *, uint64_t off, uint64_t len, struct slv_err *);

/* Note that the last loss in the open gap was one block of this channel; NULL:
 * its content is unknown. */
enum slv_status slv_gaps_blame(
    struct slv_gaps *, const uint32_t *channel, struct slv_err *);

/* How many blocks of a channel a gap has cost. */
struct slv_gap_loss {
	uint32_t channel;
	bool known; /* else unknown beyond at_least */
	bool exact; /* else an estimate, from the channel's own rate */
	uint64_t missing;
	uint64_t at_least; /* lost blocks with headers that were seen */
};

struct slv_gap {
	uint64_t off, len; /* in the input */
	uint64_t bytes;    /* lost bytes in it, the rest is padding or another
			    * recording; 0: not even the space is left */
	struct slv_moment before, after; /* last good time, first good time */
	uint32_t late; /* ms by which blocks of this log are out of order */
	int64_t leap;  /* seconds without an explanation by lost blocks; < 0:
		        * back; 0: none */
	size_t loss, n_losses; /* rows in `losses`, the largest first */
	bool told;             /* the log itself states the losses: there were
			        * no others */
	bool earlier; /* an earlier repair lost it; the offset is in the
			        * file that was repaired */
};

struct slv_gap_list {
	struct slv_gap *at; /* owned; in order */
	size_t n, cap;
	struct slv_gap_loss *losses; /* owned; of all gaps */
	size_t n_losses, cap_losses;
	uint64_t total;           /* gaps, listed or not */
	uint64_t bytes;           /* lost in all gaps */
	struct slv_moment latest; /* latest time since the clock was set back */
	uint32_t late; /* ms by which blocks of this log are out of order */
};

/* List the gaps of a finished catalog, at most ->max of them.  Free the list,
 * also after a failure. */
enum slv_status slv_gaps_list(const struct slv_gaps *,
    const struct slv_catalog *, struct slv_gap_list *, struct slv_err *);

/* How many blocks of a channel. */
struct slv_gap_count {
	uint32_t channel;
	uint64_t n;
};

/* Set the losses of gap i, which are known: so many blocks of these n channels.
 * They replace any estimate. */
enum slv_status slv_gap_told(struct slv_gap_list *, size_t i,
    const struct slv_gap_count *, size_t n, struct slv_err *);

/* Insert a gap without bytes at ->off, where something was of which not even
 * the space is left.  *i is its index. */
enum slv_status slv_gap_absent(
    struct slv_gap_list *, const struct slv_gap *, size_t *i, struct slv_err *);

/* Return true if all losses of all gaps are known to be data, and count their
 * blocks. */
bool slv_gap_list_total(const struct slv_gap_list *, uint64_t *n);

/* How many blocks were lost at least, by all evidence. */
uint64_t slv_gap_list_least(const struct slv_gap_list *);

/* The whole seconds around a gap, if its sides are known.  `from` is not after
 * its beginning and `to` not before its end; both leave room for blocks that
 * are out of order. */
struct slv_gap_span {
	bool has_from, has_to;
	int64_t from, to; /* seconds since 1970-01-01 UTC */
};
struct slv_gap_span slv_gap_span(const struct slv_gap *);

/* The whole second from which on nothing is known, if `latest` is; earlier
 * blocks may have followed the block with that time. */
int64_t slv_gap_list_open_from(const struct slv_gap_list *);

void slv_gap_list_free(struct slv_gap_list *);
void slv_gaps_free(struct slv_gaps *);

#endif
