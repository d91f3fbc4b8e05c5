/* mcap_twice.c - chunks, attachments and metadata that are in the file twice.
 *
 * A disk or a download may repeat a range, and the records in it are intact.  A chunk
 * that equals another one byte for byte is such a range, unless the summary names both.
 * An attachment or metadata may have been written twice, unless the summary counts fewer.
 * The copy at the place that the summary names is kept, or else the first.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/compare.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/summary/mcap_summary.h"

#define EXTRAS 4096 /* attachments and metadata that are compared, at most */
#define TRIES  8    /* ... each with so many of its length before it */

/* Compare what equal chunks have in common. */
static int
compare(const void *a, const void *b)
{
	const struct mcap_chunk *x = *(const struct mcap_chunk *const *)a;
	const struct mcap_chunk *y = *(const struct mcap_chunk *const *)b;
	const uint64_t keys[][2] = { { x->data_end - x->off,
		                         y->data_end - y->off },
		{ x->claim.crc, y->claim.crc }, { x->from, y->from },
		{ x->to, y->to }, { x->sum, y->sum } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	}
	return 0;
}

/* By compare(), then by place. */
static int
compare_places(const void *a, const void *b)
{
	const struct mcap_chunk *x = *(const struct mcap_chunk *const *)a;
	const struct mcap_chunk *y = *(const struct mcap_chunk *const *)b;
	int order = compare(a, b);

	return order != 0 ? order : (x->off > y->off) - (x->off < y->off);
}

/* Two parts of the file that may be equal. */
struct pair {
	struct slv_range first, again;
	uint64_t n; /* bytes that must be equal */
	unsigned problem;
};

/* Leave out one of a pair, if they are equal. */
static enum slv_status
leave(struct slv_scan *s, const struct pair *p, struct slv_mends *out,
    bool *done, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	bool swap =
	    mcap_is_placed(m, p->again.off) && !mcap_is_placed(m, p->first.off);
	const struct slv_range *copy = swap ? &p->first : &p->again;
	uint64_t stays = swap ? p->again.off : p->first.off, same;
	const struct slv_aside aside = {
		.off = copy->off,
		.end = copy->end,
		.fate = SLV_FILLER,
		.problem = { .info = &mcap_problems[p->problem], .got = stays },
		.twin = stays,
	};

	SLV_TRY(slv_compare(s, stays, copy->off, p->n, &same, err));
	*done = same == p->n;
	return *done ? slv_mends_add_aside(out, &aside, err) : SLV_OK;
}

static enum slv_status
leave_chunk(struct slv_scan *s, const struct mcap_chunk *first,
    const struct mcap_chunk *again, struct slv_mends *out, struct slv_err *err)
{
	const struct pair pair = { { first->off, first->end },
		{ again->off, again->end }, first->data_end - first->off,
		MCAP_P_TWICE };
	bool done;

	return leave(s, &pair, out, &done, err);
}

/* Leave out one of these attachments and metadata, if an earlier one equals it.
 *
 *   many  the summary counts fewer; otherwise only one of two that it does not name
 *         is left out */
static enum slv_status
leave_extra(struct slv_scan *s, size_t i, bool many, struct slv_mends *out,
    bool *done, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_extra *at = m->extras;
	size_t tries = 0;

	*done = false;
	for (size_t k = i; !*done && k-- > 0 && tries < TRIES;) {
		const struct pair pair = {
			{ at[k].off, at[k].off + at[k].len },
			{ at[i].off, at[i].off + at[i].len },
			at[i].len,
			MCAP_P_REPEATED,
		};
		bool one = mcap_is_placed(m, at[i].off)
		    != mcap_is_placed(m, at[k].off);

		if (at[k].op != at[i].op || at[k].len != at[i].len
		    || !(many || one))
			continue;
		tries++;
		SLV_TRY(leave(s, &pair, out, done, err));
	}
	return SLV_OK;
}

static enum slv_status
leave_extras(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t surplus =
	    m->n_extras - slv_min64(m->n_extras, m->summary.extras);
	bool done;

	if (m->summary.counted == 0 || m->n_extras > EXTRAS)
		return SLV_OK;
	for (size_t i = 1; i < m->n_extras; i++) {
		SLV_TRY(leave_extra(s, i, surplus > 0, out, &done, err));
		surplus -= done && surplus > 0;
	}
	return SLV_OK;
}

static enum slv_status
leave_chunks(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk **list;
	enum slv_status st = SLV_OK;
	bool fewer = m->summary.counted > 0 && m->summary.counted < m->messages;
	size_t n = 0, first = 0;

	SLV_TRY(slv_new(&list, m->n_chunks, sizeof(*list), err));
	for (size_t i = 0; i < m->n_chunks; i++) {
		/* Chunks without messages at different times may be equal by
		 * chance, unless the summary counts fewer messages. */
		if (m->chunks[i].headed
		    && (m->chunks[i].from < m->chunks[i].to
		        || (m->chunks[i].messages > 0 && fewer)))
			list[n++] = &m->chunks[i];
	}
	slv_sort(list, n, sizeof(*list), compare_places);
	for (size_t i = 1; st == SLV_OK && i < n; i++) {
		if (compare(&list[first], &list[i]) != 0)
			first = i;
		else
			st = leave_chunk(s, list[first], list[i], out, err);
	}
	slv_free(list);
	return st;
}

enum slv_status
mcap_leave_twice(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	if (mcap_of(s)->summary.stays)
		return SLV_OK;
	SLV_TRY(leave_extras(s, out, err));
	return leave_chunks(s, out, err);
}
