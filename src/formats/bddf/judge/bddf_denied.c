/* bddf_denied.c - blocks that this log's index does not know.
 *
 * Sectors that were used before hold blocks of other logs, and those of the
 * same shift are no further away in time than this one's own.  But where every
 * series still has its index, and finds its blocks after such a stretch where
 * it says they are, nothing was put in or taken out before: what no index
 * names there was never written there.
 */
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/bddf/recover/bddf_known.h"

static int
compare_moments(const void *x, const void *y)
{
	return slv_moment_compare(
	    *(const struct slv_moment *)x, *(const struct slv_moment *)y);
}

enum slv_status
bddf_list_missed(struct bddf_knowledge *k, struct slv_err *err)
{
	SLV_TRY(slv_new(&k->missed, k->n, sizeof(*k->missed), err));
	for (size_t i = 0; i < k->n; i++) {
		const struct bddf_entry *e = &k->at[i].entry;

		if (k->at[i].kind != BDDF_K_DATA || k->at[i].found)
			continue;
		k->missed[k->n_missed++] =
		    (struct slv_moment){ .sec = e->sec, .nanos = e->nanos };
	}
	slv_sort(k->missed, k->n_missed, sizeof(*k->missed), compare_moments);
	slv_sort(k->astray, k->n_astray, sizeof(*k->astray), compare_moments);
	return SLV_OK;
}

static bool
is_in(const struct slv_moment *list, size_t n, struct slv_moment at)
{
	struct slv_search f = { .high = n };

	while (slv_search(&f))
		slv_search_on(&f, slv_moment_compare(list[f.mid], at) < 0);
	return f.low < n && slv_moment_compare(list[f.low], at) == 0;
}

bool
bddf_known_missed(const struct bddf_knowledge *k, struct slv_moment at)
{
	return is_in(k->missed, k->n_missed, at);
}

bool
bddf_known_astray(const struct bddf_knowledge *k, struct slv_moment at)
{
	return is_in(k->astray, k->n_astray, at);
}

/* Up to where the indexes are known to hold: the last block that is where one
 * says, after something that is not. */
static uint64_t
held_upto(const struct bddf_knowledge *k)
{
	size_t i = k->n;

	while (
	    i > 0 && !(k->at[i - 1].found && k->at[i - 1].kind == BDDF_K_DATA))
		i--;
	return i > 0 ? k->at[i - 1].off : 0;
}

/* Set the orphan at off aside, with the one before if they touch. */
static enum slv_status
judge(const struct slv_scan *s, const struct bddf_knowledge *k, uint64_t off,
    struct slv_aside *a, struct slv_mends *out, struct slv_err *err)
{
	struct slv_unit u;

	/* Where an index has another block, one of the two is damaged. */
	if (bddf_known_at(k, off) != NULL)
		return SLV_OK;
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !u.time.known
	    || bddf_known_missed(k, u.time))
		return SLV_OK;
	if (a->end != off) {
		if (a->end > 0)
			SLV_TRY(slv_mends_add_aside(out, a, err));
		*a = (struct slv_aside){
			.off = off,
			.fate = SLV_FOREIGN,
			.problem.info = &bddf_problems[BDDF_P_NOT_INDEXED],
		};
	}
	a->end = off + u.len;
	return SLV_OK;
}

enum slv_status
bddf_denied(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_aside a = { .off = 0 };
	uint64_t upto = held_upto(k);
	enum slv_status st = SLV_OK;

	if (!k->whole || k->n_orphans == 0 || upto == 0
	    || s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	for (size_t i = 0;
	     st == SLV_OK && i < k->n_orphans && k->orphans[i] < upto; i++)
		st = judge(s, k, k->orphans[i], &a, out, err);
	if (st == SLV_OK && a.end > 0)
		st = slv_mends_add_aside(out, &a, err);
	return st;
}
