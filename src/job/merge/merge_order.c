/* merge_order.c - in which order copies are joined.
 *
 * Copies are joined two at a time, and the result depends on which two.  A head
 * and a tail have no block in common, and each has many in common with a copy
 * that lost its middle.  So the order of the command line only decides which
 * copy is trusted where two differ and nothing else decides.  If its result
 * does not match a surviving digest, or if the copies seem to be of two
 * recordings, all orders are tried, and the best result counts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/compare.h"
#include "job/merge/merge.h"

#define ALL_ORDERS 3  /* copies of which every order is tried */
#define FIRSTS     16 /* copies that are the first once, at most */

/* The result of an order. */
struct outcome {
	bool joined; /* they are of one recording */
	bool proven; /* the recorder's digest confirms the repair */
	int rank;    /* of the state; a higher one is better */
	uint64_t kept;
};

/* The search for the best order. */
struct search {
	struct slv_merge *merge;
	const struct slv_audit_options *opt;
	struct slv_source *out;
	struct outcome best;
	struct slv_err why; /* the first order that contradicts one recording */
	size_t *best_order; /* owned */
	size_t *used;       /* owned; which copies are in the order so far */
	bool is_last;       /* the best order was joined last */
};

/* Which of two copies comes first: the larger one, then the one with the
 * smaller first different byte.  0: they are equal. */
static enum slv_status
compare(
    struct slv_source *a, struct slv_source *b, int *order, struct slv_err *err)
{
	uint64_t same;
	uint8_t x, y;

	*order = a->size > b->size ? -1 : a->size < b->size;
	if (*order != 0)
		return SLV_OK;
	SLV_TRY(slv_compare_sources(a, 0, b, 0, a->size, &same, err));
	if (same == a->size)
		return SLV_OK;
	SLV_TRY(slv_source_read(a, same, &x, 1, err));
	SLV_TRY(slv_source_read(b, same, &y, 1, err));
	*order = x - y;
	return SLV_OK;
}

/* An order that does not depend on the command line. */
static enum slv_status
sort(struct slv_merge *m, struct slv_err *err)
{
	for (size_t i = 0; i < m->n; i++) {
		size_t at = i;

		for (; at > 0; at--) {
			int order;

			SLV_TRY(compare(m->files[i].source,
			    m->files[m->order[at - 1]].source, &order, err));
			if (order >= 0)
				break;
			m->order[at] = m->order[at - 1];
		}
		m->order[at] = i;
	}
	return SLV_OK;
}

static int
rank_of(enum slv_state state)
{
	static const enum slv_state worst_first[] = { SLV_STATE_UNRECOVERABLE,
		SLV_STATE_DAMAGED, SLV_STATE_LOSSY, SLV_STATE_REPAIRED,
		SLV_STATE_INTACT };
	int rank = 0;

	for (size_t i = 0; i < sizeof(worst_first) / sizeof(*worst_first); i++)
		if (worst_first[i] == state)
			rank = (int)i + 1;
	return rank;
}

static bool
is_better(const struct outcome *a, const struct outcome *b)
{
	if (a->joined != b->joined)
		return a->joined;
	if (a->proven != b->proven)
		return a->proven;
	if (a->rank != b->rank)
		return a->rank > b->rank;
	return a->kept > b->kept;
}

/* Join the copies in their order and find out what a repair would make of
 * it. */
static enum slv_status
try_order(struct search *s, struct outcome *out, struct slv_err *err)
{
	struct slv_audit_options how = *s->opt;
	struct slv_audit audit = { .planned = false };
	enum slv_status st;

	*out = (struct outcome){ .joined = false };
	st = slv_merge_lay(s->merge, s->opt, &s->out, err);
	if (st == SLV_E_UNRELATED) {
		if (s->why.code == SLV_OK)
			s->why = *err;
		*err = (struct slv_err){ 0 };
		return SLV_OK;
	}
	SLV_TRY(st);
	how.plan = true;
	how.prove = false;
	st = slv_audit_run(&audit, s->out, &how, err);
	out->joined = true;
	out->proven = audit.assurance == SLV_BY_DIGEST;
	out->rank = rank_of(audit.state);
	out->kept = audit.scan.units_kept;
	slv_audit_free(&audit);
	return st;
}

/* Try the present order of the merge. */
static enum slv_status
consider(struct search *s, struct slv_err *err)
{
	struct slv_merge *m = s->merge;
	struct outcome now;

	SLV_TRY(try_order(s, &now, err));
	s->is_last = is_better(&now, &s->best);
	if (!s->is_last)
		return SLV_OK;
	s->best = now;
	memcpy(s->best_order, m->order, m->n * sizeof(*m->order));
	return SLV_OK;
}

/* Try every order that begins with the present first n copies, until one is
 * proven. */
static enum slv_status
permute(struct search *s, const size_t *sorted, size_t n, struct slv_err *err)
{
	struct slv_merge *m = s->merge;

	if (n == m->n)
		return consider(s, err);
	for (size_t i = 0; i < m->n && !s->best.proven; i++) {
		if (s->used[i])
			continue;
		s->used[i] = true;
		m->order[n] = sorted[i];
		SLV_TRY(permute(s, sorted, n + 1, err));
		s->used[i] = false;
		/* With many copies only the first one is chosen, and few of
		 * them are it. */
		if (m->n > ALL_ORDERS && (n > 0 || i + 1 == FIRSTS))
			break;
	}
	return SLV_OK;
}

static enum slv_status
search(struct search *s, struct slv_err *err)
{
	struct slv_merge *m = s->merge;
	size_t *sorted = slv_calloc(m->n, sizeof(*sorted));
	enum slv_status st;

	s->best_order = slv_calloc(m->n, sizeof(*s->best_order));
	s->used = slv_calloc(m->n, sizeof(*s->used));
	if (sorted == NULL || s->best_order == NULL || s->used == NULL) {
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	} else {
		memcpy(sorted, m->order, m->n * sizeof(*sorted));
		memcpy(s->best_order, sorted, m->n * sizeof(*sorted));
		st = permute(s, sorted, 0, err);
	}
	if (st == SLV_OK && s->best.joined && !s->is_last) {
		memcpy(m->order, s->best_order, m->n * sizeof(*m->order));
		st = slv_merge_lay(m, s->opt, &s->out, err);
	}
	slv_free(sorted);
	slv_free(s->best_order);
	slv_free(s->used);
	return st;
}

enum slv_status
slv_merge_join(struct slv_merge *m, const struct slv_audit_options *opt,
    struct slv_source **out, struct slv_err *err)
{
	struct search s = { .merge = m, .opt = opt };
	enum slv_status st;

	for (size_t i = 0; i < m->n; i++)
		m->order[i] = i;
	*out = NULL;
	st = slv_merge_lay(m, opt, &s.out, err);
	if (st == SLV_OK && !m->in_doubt)
		*out = s.out;
	if ((st == SLV_OK && !m->in_doubt)
	    || (st != SLV_OK && st != SLV_E_UNRELATED))
		return st;
	s.why = *err;
	*err = (struct slv_err){ 0 };
	SLV_TRY(sort(m, err));
	SLV_TRY(search(&s, err));
	*out = s.out;
	if (s.best.joined)
		return SLV_OK;
	*err = s.why;
	return s.why.code;
}
