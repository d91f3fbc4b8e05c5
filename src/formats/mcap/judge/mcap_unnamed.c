/* mcap_unnamed.c - messages in a damaged chunk that are not of this chunk.
 *
 * A page that was written to the wrong place holds whole messages, which then are in
 * the file twice.  The MessageIndexes after the chunk name its own messages: by their
 * place, and by their time if bytes before them are missing or too many.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/mcap/judge/mcap_judge.h"

/* By channel, then by time. */
static int
compare(const void *a, const void *b)
{
	const struct mcap_named *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/* Return true if a list names this message by its time, or names none of its
 * channel. */
static bool
is_timed(const struct mcap_names *by_time, const struct mcap_entry *e)
{
	const struct mcap_named key = { 0, e->time, e->id };
	const struct mcap_named first = { 0, 0, e->id };
	const struct mcap_named *end = by_time->at + by_time->n, *p;
	size_t low = 0, high = by_time->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(&by_time->at[mid], &first) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	p = by_time->at + low;
	return p == end || p->id != e->id
	    || slv_find_sorted(
	           &key, by_time->at, by_time->n, sizeof(key), compare)
	    != NULL;
}

static enum slv_status
leave(const struct mcap_entry *e, uint64_t chunk, struct slv_mends *out,
    struct slv_err *err)
{
	const struct slv_aside aside = {
		.off = e->at,
		.end = e->at + e->len,
		.fate = SLV_LOST,
		.problem = { .info = &mcap_problems[MCAP_P_UNNAMED],
		    .want = chunk },
	};

	return slv_mends_add_aside(out, &aside, err);
}

/* Leave out what the index does not name, if it names anything that is there. */
static enum slv_status
examine(struct slv_scan *s, const struct mcap_chunk *c, struct mcap_names *x,
    struct mcap_names *by_time, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_entry *at = m->kept.at + c->first_entry;
	size_t named = 0;

	SLV_TRY(mcap_names_read(s, c->index, SIZE_MAX, x, err));
	for (size_t i = 0; i < c->n_entries; i++)
		named += at[i].op == MCAP_MESSAGE
		    && mcap_names_tell(
		        x, at[i].at - c->data, at[i].id, at[i].time);
	if (named == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(
	    &by_time->at, &by_time->cap, x->n, sizeof(*by_time->at), err));
	memcpy(by_time->at, x->at, x->n * sizeof(*x->at));
	by_time->n = x->n;
	slv_sort(by_time->at, by_time->n, sizeof(*by_time->at), compare);
	for (size_t i = 0; i < c->n_entries; i++) {
		if (at[i].op == MCAP_MESSAGE
		    && !mcap_names_place(x, at[i].at - c->data)
		    && !is_timed(by_time, &at[i]))
			SLV_TRY(leave(&at[i], c->off, out, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_leave_unnamed(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct mcap_names names = { 0 }, by_time = { 0 };
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		if (c->headed && c->codec == SLV_CODEC_NONE && !c->stored
		    && c->has_index && c->n_entries > 0)
			st = examine(s, c, &names, &by_time, out, err);
	}
	slv_free(names.at);
	slv_free(by_time.at);
	return st;
}
