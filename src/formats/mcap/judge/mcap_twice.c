/* mcap_twice.c - chunks, attachments and metadata that are in the file twice.
 *
 * A range that a disk or a download has repeated reads as well as any. A chunk that
 * equals an earlier one byte for byte, and that the summary does not name, is such a
 * range.  An attachment or metadata may have been written twice, unless the summary
 * counts fewer.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/compare.h"
#include "formats/mcap/judge/mcap_judge.h"

#define EXTRAS 4096 /* attachments and metadata that are compared, at most */
#define TRIES  8    /* ... each with so many of its length before it */

/* What equal chunks have in common. */
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

/* By that, then by place. */
static int
compare_places(const void *a, const void *b)
{
	const struct mcap_chunk *x = *(const struct mcap_chunk *const *)a;
	const struct mcap_chunk *y = *(const struct mcap_chunk *const *)b;
	int order = compare(a, b);

	return order != 0 ? order : (x->off > y->off) - (x->off < y->off);
}

/* Leave out what begins at aside->off, if n bytes equal those at `first`. */
static enum slv_status
leave(struct slv_scan *s, uint64_t first, uint64_t n,
    const struct slv_aside *aside, struct slv_mends *out, bool *done,
    struct slv_err *err)
{
	uint64_t same;

	SLV_TRY(slv_compare(s, first, aside->off, n, &same, err));
	*done = same == n;
	return *done ? slv_mends_add_aside(out, aside, err) : SLV_OK;
}

/* Leave out a chunk that equals an earlier one. */
static enum slv_status
leave_chunk(struct slv_scan *s, const struct mcap_chunk *first,
    const struct mcap_chunk *again, struct slv_mends *out, struct slv_err *err)
{
	const struct slv_aside aside = {
		.off = again->off,
		.end = again->end,
		.fate = SLV_FILLER,
		.problem = { .info = &mcap_problems[MCAP_P_TWICE],
		    .got = first->off },
	};
	bool done;

	return leave(s, first->off, first->data_end - first->off, &aside, out,
	    &done, err);
}

/* Leave out one of these attachments and metadata, if an earlier one equals it. */
static enum slv_status
leave_extra(struct slv_scan *s, size_t i, struct slv_mends *out, bool *done,
    struct slv_err *err)
{
	const struct mcap_extra *at = mcap_of(s)->extras;
	size_t tries = 0;

	*done = false;
	for (size_t k = i; !*done && k-- > 0 && tries < TRIES;) {
		const struct slv_aside aside = {
			.off = at[i].off,
			.end = at[i].off + at[i].len,
			.fate = SLV_FILLER,
			.problem = { .info = &mcap_problems[MCAP_P_REPEATED],
			    .got = at[k].off },
		};

		if (at[k].op != at[i].op || at[k].len != at[i].len)
			continue;
		tries++;
		SLV_TRY(leave(s, at[k].off, at[i].len, &aside, out, done, err));
	}
	return SLV_OK;
}

static enum slv_status
leave_extras(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t surplus;
	bool done;

	if (m->summary.counted == 0 || m->summary.extras >= m->n_extras
	    || m->n_extras > EXTRAS)
		return SLV_OK;
	surplus = m->n_extras - m->summary.extras;
	for (size_t i = 1; surplus > 0 && i < m->n_extras; i++) {
		SLV_TRY(leave_extra(s, i, out, &done, err));
		surplus -= done;
	}
	return SLV_OK;
}

enum slv_status
mcap_leave_twice(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk **list;
	enum slv_status st = SLV_OK;
	bool fewer = m->summary.counted > 0 && m->summary.counted < m->messages;
	size_t n = 0, first = 0;

	if (m->summary.stays)
		return SLV_OK;
	SLV_TRY(leave_extras(s, out, err));
	list = slv_calloc(m->n_chunks, sizeof(*list));
	if (list == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < m->n_chunks; i++) {
		/* Without messages at two times chunks may be alike by chance,
		 * unless the summary counts fewer messages. */
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
	free(list);
	return st;
}
