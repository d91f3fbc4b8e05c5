/* timeline.c - how the blocks of a log lie in time and in the file. */
#include "core/catalog/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

#define NS 1000000000u
#define SPAN_MAX                                                               \
	2000000000u /* seconds: steps and microseconds then fit into
                              * a JSON number */

static int
compare_messages(const void *x, const void *y)
{
	const struct slv_channel *a = *(const struct slv_channel *const *)x;
	const struct slv_channel *b = *(const struct slv_channel *const *)y;

	if (a->messages != b->messages)
		return a->messages > b->messages ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int
compare_indexes(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

/* The channels with most messages, sorted by number. */
static enum slv_status
choose_channels(
    struct slv_timeline *t, const struct slv_facts *f, struct slv_err *err)
{
	const struct slv_channel **all;

	if (f->n_channels == 0)
		return SLV_OK;
	all = slv_calloc(f->n_channels, sizeof(*all));
	if (all == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < f->n_channels; i++)
		all[i] = &f->channels[i];
	slv_sort(all, f->n_channels, sizeof(*all), compare_messages);
	t->n_channels = (size_t)slv_min64(f->n_channels, SLV_TIMELINE_CHANNELS);
	t->n_left_out = f->n_channels - t->n_channels;
	for (size_t i = 0; i < t->n_channels; i++)
		t->channels[i] = all[i]->index;
	slv_sort(
	    t->channels, t->n_channels, sizeof(*t->channels), compare_indexes);
	slv_free(all);
	return SLV_OK;
}

enum slv_status
slv_timeline_begin(struct slv_timeline *t, uint64_t size,
    struct slv_moment first, struct slv_moment last, const struct slv_facts *f,
    struct slv_err *err)
{
	uint64_t sec;

	if (!first.known || !last.known || size == 0)
		return SLV_OK;
	sec = (uint64_t)last.sec - (uint64_t)first.sec;
	if (sec > SPAN_MAX)
		return SLV_OK;
	SLV_TRY(choose_channels(t, f, err));
	t->from = first;
	t->size = size;
	t->n_parts = (size_t)slv_min64(size, SLV_TIMELINE_PARTS);
	/* The last moment is in the last step. */
	t->step =
	    (sec * NS + last.nanos - first.nanos) / SLV_TIMELINE_STEPS + 1;
	return SLV_OK;
}

/* Index of the channel; n_channels: none. */
static size_t
place_of(const struct slv_timeline *t, uint32_t channel)
{
	struct slv_search s = { .high = t->n_channels };
	size_t i;

	while (slv_search(&s))
		slv_search_on(&s, t->channels[s.mid] <= channel);
	i = slv_search_last(&s);
	return i < t->n_channels && t->channels[i] == channel ? i
	                                                      : t->n_channels;
}

/* The part that holds byte off. */
static size_t
part_of(const struct slv_timeline *t, uint64_t off)
{
	size_t i = (size_t)((double)off / (double)t->size * (double)t->n_parts);

	return i < t->n_parts ? i : t->n_parts - 1;
}

/* Count the bytes of the block in these parts of the file. */
static void
put_parts(struct slv_timeline *t, const struct slv_block *b, size_t place,
    bool timed, int64_t us)
{
	size_t end = part_of(t, t->end - 1);

	for (size_t i = part_of(t, t->off); i <= end; i++) {
		struct slv_timeline_part *p = &t->parts[i];

		if (place < t->n_channels)
			p->bytes[place] += b->len;
		if (!timed)
			continue;
		if (!p->timed || us < p->first)
			p->first = us;
		if (!p->timed || us > p->last)
			p->last = us;
		p->timed = true;
	}
}

bool
slv_timeline_block(void *timeline, const struct slv_block *b)
{
	struct slv_timeline *t = timeline;
	size_t place = t->n_channels;
	int64_t sec = 0, ns = 0;
	bool timed;

	if (!t->from.known || b->len == 0)
		return true;
	if (!b->packed) {
		t->off = b->off;
		t->end = b->off + b->len;
	}
	if (strcmp(b->verdict, "kept") != 0
	    && strcmp(b->verdict, "rebuilt") != 0)
		return true;
	timed = b->has_time
	    && !__builtin_sub_overflow(b->sec, t->from.sec, &sec)
	    && sec >= -(int64_t)SPAN_MAX && sec <= (int64_t)SPAN_MAX;
	if (timed)
		ns = sec * NS + (int64_t)b->nanos - t->from.nanos;
	if (b->has_channel)
		place = place_of(t, b->channel);
	if (timed && ns >= 0 && place < t->n_channels
	    && (uint64_t)ns / t->step < SLV_TIMELINE_STEPS)
		t->counts[place][(uint64_t)ns / t->step]++;
	put_parts(t, b, place, timed, ns / 1000);
	return true;
}
