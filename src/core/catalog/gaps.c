/* gaps.c - the notes of the walk: the times of each channel before and after
 * lost bytes. */
#include "core/catalog/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"

#define LATE_MAX 60.0       /* seconds: more is a clock that was set back */
#define NS       1000000000 /* per second */

size_t
slv_gaps_index(const struct slv_gaps *g, uint32_t channel)
{
	struct slv_search f = { .high = g->n_channels };

	while (slv_search(&f))
		slv_search_on(&f, g->channels[f.mid].channel < channel);
	return f.low;
}

/* What is called for each block: two callers would make it a call. */
#define INLINE __attribute__((always_inline)) static inline

/* The channel, added if it is not watched; NULL: there are too many. */
INLINE enum slv_status
watch(struct slv_gaps *g, uint32_t channel, struct slv_gap_channel **out,
    struct slv_err *err)
{
	/* Usually they are numbered from 0 on. */
	size_t i =
	    channel < g->n_channels && g->channels[channel].channel == channel
	    ? channel
	    : slv_gaps_index(g, channel);

	*out = NULL;
	if (i == g->n_channels || g->channels[i].channel != channel) {
		if (g->n_channels == SLV_GAP_CHANNELS)
			return SLV_OK;
		SLV_TRY(slv_grow(&g->channels, &g->cap_channels,
		    g->n_channels + 1, sizeof(*g->channels), err));
		memmove(&g->channels[i + 1], &g->channels[i],
		    (g->n_channels - i) * sizeof(*g->channels));
		g->n_channels++;
		g->channels[i] = (struct slv_gap_channel){
			.channel = channel,
			.least = UINT64_MAX,
		};
	}
	*out = &g->channels[i];
	return SLV_OK;
}

/* Complete the rows that waited for the next block of the channel. */
INLINE void
answer(struct slv_gaps *g, struct slv_gap_channel *c, struct slv_moment at)
{
	while (c->waiting > 0) {
		struct slv_gap_row *row = &g->rows[c->waiting - 1];

		row->after = at;
		c->waiting = row->next;
	}
}

/* Count the step between two blocks of a channel. */
INLINE void
step(struct slv_gap_channel *c, struct slv_moment from, struct slv_moment to)
{
	int64_t nanos = (int64_t)to.nanos - (int64_t)from.nanos, sec, sum;

	if (__builtin_sub_overflow(to.sec, from.sec, &sec)
	    || sec >= SLV_GAP_STEP || sec < -SLV_GAP_STEP
	    || __builtin_add_overflow(c->steps, sec * NS + nanos, &sum))
		return;
	c->steps = sum;
	c->n_steps++;
}

/* Blocks are written in the order of arrival, not of their times. */
static void
keep_time(struct slv_gaps *g, struct slv_moment at)
{
	double behind;

	g->last = at;
	if (!g->latest.known || slv_moment_compare(at, g->latest) >= 0) {
		g->latest = at;
		return;
	}
	behind = slv_moment_seconds(at, g->latest);
	if (behind > LATE_MAX)
		g->latest = at;
	else if ((uint32_t)(behind * 1000) + 1 > g->late)
		g->late = (uint32_t)(behind * 1000) + 1;
}

/* Note one block; *out: its channel, NULL: there are too many. */
INLINE enum slv_status
add_block(struct slv_gaps *g, uint32_t channel, struct slv_moment at,
    uint64_t len, struct slv_gap_channel **out, struct slv_err *err)
{
	struct slv_gap_channel *c;

	SLV_TRY(watch(g, channel, &c, err));
	*out = c;
	if (c == NULL)
		return SLV_OK;
	answer(g, c, at);
	if (c->n > 0 && c->met == g->opened)
		step(c, c->last, at);
	c->n++;
	c->met = g->opened;
	c->last = at;
	if (len < c->least)
		c->least = len;
	return SLV_OK;
}

enum slv_status
slv_gaps_blocks(
    struct slv_gaps *g, const struct slv_gap_blocks *b, struct slv_err *err)
{
	struct slv_gap_channel *c;

	if (g->max == 0)
		return SLV_OK;
	SLV_TRY(add_block(g, b->channel, b->first, b->least, &c, err));
	if (c == NULL || b->n < 2)
		return SLV_OK;
	/* The steps between them add up to the one from first to last. */
	step(c, b->first, b->last);
	c->n_steps += b->n - 2;
	c->n += b->n - 1;
	c->last = b->last;
	return SLV_OK;
}

void
slv_gaps_times(struct slv_gaps *g, struct slv_moment latest, uint32_t late)
{
	g->last = latest;
	g->latest = latest;
	if (late > g->late)
		g->late = late;
}

enum slv_status
slv_gaps_block(struct slv_gaps *g, uint32_t channel, struct slv_moment at,
    uint64_t len, struct slv_err *err)
{
	struct slv_gap_channel *c;

	if (g->max == 0)
		return SLV_OK;
	slv_gaps_close(g);
	while (g->waiting < g->n_notes)
		g->notes[g->waiting++].after = at;
	keep_time(g, at);
	return add_block(g, channel, at, len, &c, err);
}

void
slv_gaps_close(struct slv_gaps *g)
{
	g->open = false;
}

/* A row for a channel in the last note; *out = NULL: there are too many. */
static enum slv_status
add_row(struct slv_gaps *g, uint32_t channel, struct slv_gap_row **out,
    struct slv_err *err)
{
	*out = NULL;
	if (g->n_rows == SLV_GAP_ROWS)
		return SLV_OK;
	SLV_TRY(slv_grow(
	    &g->rows, &g->cap_rows, g->n_rows + 1, sizeof(*g->rows), err));
	*out = &g->rows[g->n_rows++];
	**out = (struct slv_gap_row){ .channel = channel };
	g->notes[g->n_notes - 1].n_rows++;
	return SLV_OK;
}

/* Note the state of every channel. */
static enum slv_status
note(struct slv_gaps *g, uint64_t off, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &g->notes, &g->cap_notes, g->n_notes + 1, sizeof(*g->notes), err));
	g->notes[g->n_notes++] = (struct slv_gap_note){
		.off = off,
		.before = g->last,
		.row = g->n_rows,
	};
	for (size_t i = 0; i < g->n_channels; i++) {
		struct slv_gap_channel *c = &g->channels[i];
		struct slv_gap_row *row;

		SLV_TRY(add_row(g, c->channel, &row, err));
		if (row == NULL)
			return SLV_OK;
		row->before = c->last;
		row->next = c->waiting;
		c->waiting = g->n_rows;
		g->notes[g->n_notes - 1].n_watched++;
	}
	return SLV_OK;
}

/* The row of a channel in the last note; NULL: it has none. */
static struct slv_gap_row *
find_row(const struct slv_gaps *g, uint32_t channel)
{
	const struct slv_gap_note *last = &g->notes[g->n_notes - 1];
	size_t watched = last->row + last->n_watched;
	struct slv_search f = { .low = last->row, .high = watched };

	while (slv_search(&f))
		slv_search_on(&f, g->rows[f.mid].channel < channel);
	if (f.low < watched && g->rows[f.low].channel == channel)
		return &g->rows[f.low];
	for (size_t i = watched; i < last->row + last->n_rows; i++) {
		if (g->rows[i].channel == channel)
			return &g->rows[i];
	}
	return NULL;
}

enum slv_status
slv_gaps_lost(
    struct slv_gaps *g, uint64_t off, uint64_t len, struct slv_err *err)
{
	if (g->max == 0)
		return SLV_OK;
	if (!g->open) {
		g->open = true;
		g->opened++;
		g->noted = g->n_notes < g->max;
		if (g->noted)
			SLV_TRY(note(g, off, err));
	}
	if (g->noted)
		g->notes[g->n_notes - 1].end = off + len;
	return SLV_OK;
}

enum slv_status
slv_gaps_blame(struct slv_gaps *g, const uint32_t *channel, struct slv_err *err)
{
	struct slv_gap_note *last;
	struct slv_gap_row *row = NULL;

	if (!g->open || !g->noted)
		return SLV_OK;
	last = &g->notes[g->n_notes - 1];
	last->loose |= channel == NULL;
	if (channel == NULL)
		return SLV_OK;
	row = find_row(g, *channel);
	if (row == NULL && last->n_rows - last->n_watched < SLV_GAP_BLAMED)
		SLV_TRY(add_row(g, *channel, &row, err));
	if (row != NULL)
		row->seen++;
	else
		last->loose = true;
	return SLV_OK;
}

void
slv_gaps_free(struct slv_gaps *g)
{
	slv_free(g->channels);
	slv_free(g->notes);
	slv_free(g->rows);
	*g = (struct slv_gaps){ 0 };
}
