/* bddf_missing.c - how many blocks were lost, by the index that survives.
 *
 * Where every series still has its index, and something after a gap is
 * where an index says, the blocks that they name inside the gap are those
 * that were there: no estimate.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/bddf/recover/bddf_known.h"

/* Up to where the indexes are known to hold: the last thing that is where
 * one says. */
static uint64_t
held_upto(const struct bddf_knowledge *k)
{
	for (size_t i = k->n; i-- > 0;) {
		if (k->at[i].found
		    && (k->at[i].kind == BDDF_K_DATA
		        || k->at[i].kind == BDDF_K_SERIES_INDEX))
			return k->at[i].off;
	}
	return 0;
}

/* Count the blocks that were in a gap, by series; false where an index is of
 * none of them. */
static bool
count(const struct bddf_knowledge *k, const struct slv_gap *gap,
    struct slv_gap_count *n, size_t n_series)
{
	for (size_t i = bddf_known_from(k, gap->off);
	     i < k->n && k->at[i].off < gap->off + gap->len; i++) {
		const struct bddf_known *one = &k->at[i];

		if (one->kind != BDDF_K_DATA || one->found)
			continue;
		if (one->series >= n_series)
			return false;
		n[one->series].n++;
	}
	return true;
}

enum slv_status
bddf_missing(struct slv_scan *s, struct slv_gap_list *list, struct slv_err *err)
{
	size_t n_series = bddf_of(s)->n_series;
	struct bddf_knowledge k;
	enum slv_status st = bddf_know(s, &k, err);
	uint64_t upto = held_upto(&k);
	struct slv_gap_count *n = NULL;

	for (size_t i = 0; st == SLV_OK && k.whole && i < list->n; i++) {
		const struct slv_gap *gap = &list->at[i];

		if (gap->off + gap->len > upto)
			break;
		n = slv_calloc(n_series + 1, sizeof(*n));
		for (size_t c = 0; n != NULL && c < n_series; c++)
			n[c].channel = (uint32_t)c;
		if (n == NULL)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		else if (count(&k, gap, n, n_series))
			st = slv_gap_told(list, i, n, n_series, err);
		slv_free(n);
	}
	bddf_knowledge_free(&k);
	return st;
}
