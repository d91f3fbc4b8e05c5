/* gaps_list.c - the gaps of a finished catalog, and what each has cost.
 *
 * A channel's own rate says how many of its blocks were expected during a gap.
 * Blocks expected outside the gap were not lost in it, so a channel that pauses
 * or has ended does not count; and no more blocks can be lost than the bytes
 * have space for.
 */
#include "core/catalog/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"

#define BLOCKS_MIN 3    /* blocks of a channel that has a rate */
#define PATIENCE   3.0  /* steps; a channel silent for longer has ended */
#define LEAP_BACK  60   /* s; by less, a block may just be late */
#define LEAP_ON    3600 /* s; silence that is normal in a recording */
#define LEAP_MAX   1e15 /* s; not a clock */

/* How many blocks of the channel are expected between its last block and t
 * seconds later. */
static double
due(double t, double step)
{
	double n = t > 0 ? t / step : 0;

	return n < 9e15 ? (double)(uint64_t)n : 9e15;
}

/* About how many blocks are missing; false: unknown. */
static bool
estimate(const struct slv_gaps *g, const struct slv_gap_channel *c,
    const struct slv_gap_row *row, const struct slv_gap *gap, uint64_t *out)
{
	double step, low, high;

	if (c->n < BLOCKS_MIN || c->n_steps == 0 || c->steps <= 0
	    || !row->before.known || !gap->after.known)
		return false;
	step = (double)c->steps / 1e9 / (double)c->n_steps;
	low = slv_moment_seconds(row->before, gap->before) - step / 2;
	high = slv_moment_seconds(row->before, gap->after);
	if (row->after.known) {
		double again = slv_moment_seconds(row->before, row->after);

		high += step / 2;
		if (again - step / 2 < high)
			high = again - step / 2;
	} else if (slv_moment_seconds(gap->after, g->last) > PATIENCE * step) {
		return false;
	}
	high = due(high, step) - due(low, step);
	*out = high > 0 ? (uint64_t)high : 0;
	*out = slv_min64(*out, gap->bytes / c->least);
	return true;
}

/* What the gap has cost the channel of a row; false: nothing. */
static bool
weigh(const struct slv_gaps *g, const struct slv_gap_note *note,
    const struct slv_gap_row *row, const struct slv_gap *gap,
    struct slv_gap_loss *out)
{
	size_t i = slv_gaps_index(g, row->channel);
	bool watched =
	    i < g->n_channels && g->channels[i].channel == row->channel;

	*out = (struct slv_gap_loss){
		.channel = row->channel,
		.at_least = row->seen,
	};
	if (!note->loose) {
		out->known = out->exact = true;
		out->missing = row->seen;
		return row->seen > 0;
	}
	if (watched)
		out->known =
		    estimate(g, &g->channels[i], row, gap, &out->missing);
	if (out->known)
		out->missing = slv_max64(out->missing, row->seen);
	/* In a gap without an end every channel would be unknown. */
	return out->known ? out->missing > 0
	                  : row->seen > 0 || gap->after.known;
}

static int
worst_first(const void *x, const void *y)
{
	const struct slv_gap_loss *a = x, *b = y;

	if (a->known != b->known)
		return a->known ? -1 : 1;
	if (a->missing != b->missing)
		return a->missing > b->missing ? -1 : 1;
	return a->channel < b->channel ? -1 : a->channel > b->channel;
}

/* The losses of a gap.  Without any there may be no address. */
static void
sort_losses(struct slv_gap_list *list, const struct slv_gap *gap)
{
	if (gap->n_losses > 0)
		slv_sort(&list->losses[gap->loss], gap->n_losses,
		    sizeof(*list->losses), worst_first);
}

/* By how many seconds time jumps across the gap.  It counts as going back if it
 * does for one channel, and as going on only if it does for all: channels may
 * have clocks of their own. */
static int64_t
leap_of(const struct slv_gaps *g, const struct slv_gap_note *note)
{
	double leap, least = LEAP_MAX;

	if (!note->before.known || !note->after.known)
		return 0;
	leap = slv_moment_seconds(note->before, note->after);
	for (size_t i = 0; i < note->n_rows; i++) {
		const struct slv_gap_row *row = &g->rows[note->row + i];
		double own;

		if (!row->before.known || !row->after.known)
			continue;
		own = slv_moment_seconds(row->before, row->after);
		if (own < least)
			least = own;
	}
	if (leap <= -LEAP_MAX || least == LEAP_MAX)
		return 0;
	return (leap < -LEAP_BACK && least < -LEAP_BACK)
	        || (leap > LEAP_ON && leap < LEAP_MAX && least > LEAP_ON)
	    ? (int64_t)(leap < 0 ? leap - 0.5 : leap + 0.5)
	    : 0;
}

/* Add what the note of a gap says. */
static enum slv_status
explain(const struct slv_gaps *g, const struct slv_gap_note *note,
    struct slv_gap_list *list, struct slv_err *err)
{
	struct slv_gap *gap = &list->at[list->n - 1];

	gap->before = note->before;
	gap->after = note->after;
	gap->late = g->late;
	gap->leap = leap_of(g, note);
	for (size_t i = 0; i < note->n_rows; i++) {
		struct slv_gap_loss loss;

		if (!weigh(g, note, &g->rows[note->row + i], gap, &loss))
			continue;
		SLV_TRY(slv_grow(&list->losses, &list->cap_losses,
		    list->n_losses + 1, sizeof(*list->losses), err));
		list->losses[list->n_losses++] = loss;
		gap->n_losses++;
	}
	sort_losses(list, gap);
	return SLV_OK;
}

/* A gap is complete: its note is the first one that reaches into it.  A note
 * that was used already reports no block again. */
static enum slv_status
finish(const struct slv_gaps *g, const struct slv_gap *gap, size_t *next,
    struct slv_gap_list *list, struct slv_err *err)
{
	const struct slv_gap_note *note;

	list->total++;
	while (*next < g->n_notes && g->notes[*next].end <= gap->off)
		++*next;
	if (list->n == g->max)
		return SLV_OK;
	SLV_TRY(slv_grow(
	    &list->at, &list->cap, list->n + 1, sizeof(*list->at), err));
	list->at[list->n++] = *gap;
	list->at[list->n - 1].loss = list->n_losses;
	note = *next < g->n_notes ? &g->notes[*next] : NULL;
	if (note == NULL || note->off >= gap->off + gap->len)
		return SLV_OK;
	++*next;
	return explain(g, note, list, err);
}

enum slv_status
slv_gaps_list(const struct slv_gaps *g, const struct slv_catalog *c,
    struct slv_gap_list *list, struct slv_err *err)
{
	struct slv_gap gap = { .len = 0 };
	size_t next = 0;

	*list = (struct slv_gap_list){ .latest = g->latest, .late = g->late };
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];

		if (x->fate == SLV_LOST) {
			if (gap.len == 0)
				gap = (struct slv_gap){ .off = x->off };
			gap.len = x->off + x->len - gap.off;
			gap.bytes += x->len;
			list->bytes += x->len;
		} else if (gap.len > 0
		    && (x->fate == SLV_KEPT || x->fate == SLV_REBUILT)) {
			SLV_TRY(finish(g, &gap, &next, list, err));
			gap.len = 0;
		}
	}
	return gap.len > 0 ? finish(g, &gap, &next, list, err) : SLV_OK;
}

enum slv_status
slv_gap_told(struct slv_gap_list *list, size_t i,
    const struct slv_gap_count *counts, size_t n, struct slv_err *err)
{
	struct slv_gap *gap = &list->at[i];

	gap->told = true;
	gap->loss = list->n_losses;
	gap->n_losses = 0;
	for (size_t c = 0; c < n; c++) {
		if (counts[c].n == 0)
			continue;
		SLV_TRY(slv_grow(&list->losses, &list->cap_losses,
		    list->n_losses + 1, sizeof(*list->losses), err));
		list->losses[list->n_losses++] = (struct slv_gap_loss){
			.channel = counts[c].channel,
			.known = true,
			.exact = true,
			.missing = counts[c].n,
			.at_least = counts[c].n,
		};
		gap->n_losses++;
	}
	sort_losses(list, gap);
	return SLV_OK;
}

enum slv_status
slv_gap_absent(struct slv_gap_list *list, const struct slv_gap *gap, size_t *i,
    struct slv_err *err)
{
	size_t at = list->n;

	SLV_TRY(slv_grow(
	    &list->at, &list->cap, list->n + 1, sizeof(*list->at), err));
	while (at > 0 && list->at[at - 1].off > gap->off)
		at--;
	memmove(&list->at[at + 1], &list->at[at],
	    (list->n - at) * sizeof(*list->at));
	list->at[at] = *gap;
	list->at[at].late = list->late;
	list->n++;
	list->total++;
	*i = at;
	return SLV_OK;
}

bool
slv_gap_list_total(const struct slv_gap_list *list, uint64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct slv_gap *gap = &list->at[i];

		/* What else could it have held? */
		if (!gap->told || gap->n_losses == 0)
			return false;
		for (size_t k = 0; k < gap->n_losses; k++)
			*n += list->losses[gap->loss + k].missing;
	}
	return list->n > 0 && list->n == list->total;
}

uint64_t
slv_gap_list_least(const struct slv_gap_list *list)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct slv_gap *gap = &list->at[i];

		for (size_t k = 0; k < gap->n_losses; k++) {
			const struct slv_gap_loss *loss =
			    &list->losses[gap->loss + k];

			n += loss->known && loss->exact ? loss->missing
			                                : loss->at_least;
		}
	}
	return n;
}

/* The whole second at or before the moment minus so many milliseconds. */
static int64_t
earlier(struct slv_moment m, uint32_t ms)
{
	int64_t nanos = (int64_t)m.nanos - (int64_t)ms * 1000000;
	int64_t back = nanos < 0 ? (999999999 - nanos) / 1000000000 : 0;

	return m.sec < INT64_MIN + back ? INT64_MIN : m.sec - back;
}

/* The whole second at or after the moment plus so many milliseconds. */
static int64_t
later(struct slv_moment m, uint32_t ms)
{
	int64_t nanos = (int64_t)m.nanos + (int64_t)ms * 1000000;
	int64_t on = (nanos + 999999999) / 1000000000;

	return m.sec > INT64_MAX - on ? INT64_MAX : m.sec + on;
}

struct slv_gap_span
slv_gap_span(const struct slv_gap *gap)
{
	struct slv_moment a = gap->before, b = gap->after;

	/* The clock was set back here, or blocks are out of order. */
	if (a.known && b.known && slv_moment_compare(a, b) > 0) {
		a = gap->after;
		b = gap->before;
	}
	return (struct slv_gap_span){
		.has_from = a.known,
		.from = earlier(a, gap->late),
		.has_to = b.known,
		.to = later(b, gap->late),
	};
}

int64_t
slv_gap_list_open_from(const struct slv_gap_list *list)
{
	return earlier(list->latest, list->late);
}

void
slv_gap_list_free(struct slv_gap_list *list)
{
	slv_free(list->at);
	slv_free(list->losses);
	*list = (struct slv_gap_list){ 0 };
}
