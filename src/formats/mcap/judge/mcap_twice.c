/* mcap_twice.c - chunks that are in the file twice.
 *
 * A range that a disk or a download has repeated reads as well as any. A chunk that
 * equals an earlier one byte for byte, and that the summary does not name, is such a
 * range.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/compare.h"
#include "formats/mcap/judge/mcap_judge.h"

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

/* Leave out a chunk that equals an earlier one. */
static enum slv_status
leave(struct slv_scan *s, const struct mcap_chunk *first,
    const struct mcap_chunk *again, struct slv_mends *out, struct slv_err *err)
{
	uint64_t n = first->data_end - first->off, same;
	const struct slv_aside aside = {
		.off = again->off,
		.end = again->end,
		.fate = SLV_FILLER,
		.problem = { .info = &mcap_problems[MCAP_P_TWICE],
		    .got = first->off },
	};

	SLV_TRY(slv_compare(s, first->off, again->off, n, &same, err));
	return same == n ? slv_mends_add_aside(out, &aside, err) : SLV_OK;
}

enum slv_status
mcap_leave_twice(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk **list;
	enum slv_status st = SLV_OK;
	bool fewer = m->summary.counted > 0 && m->summary.counted < m->messages;
	size_t n = 0, first = 0;

	if (m->n_chunks < 2 || m->summary.stays)
		return SLV_OK;
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
			st = leave(s, list[first], list[i], out, err);
	}
	free(list);
	return st;
}
