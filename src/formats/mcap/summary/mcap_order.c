/* mcap_order.c - in which order lists by channel are written.
 *
 * The C++ library keeps them in std::unordered_map, whose order under libstdc++
 * depends on which keys came when, and on nothing else: a new key goes to the front
 * of the list or, where its bucket has keys, before the first of them.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/mcap/summary/mcap_summary.h"

/* How many buckets a table has when it grows. */
static const uint32_t sizes[] = { 13, 29, 59, 127, 257, 541, 1109, 2357, 5087,
	10273, 20753, 42043, 85229 };

struct table {
	uint32_t *next;   /* by place of the key, + 1; [0]: the first of all */
	uint32_t *before; /* by bucket: the element before its first, + 1 */
	uint32_t buckets;
	const uint16_t *ids;
};

/* Put the key at place i, whose number in `next` is i + 1, into the list. */
static void
insert(struct table *t, uint32_t i)
{
	uint32_t bucket = t->ids[i] % t->buckets, self = i + 1;
	uint32_t at = t->before[bucket];

	if (at > 0) {
		t->next[self] = t->next[at - 1];
		t->next[at - 1] = self;
		return;
	}
	t->next[self] = t->next[0];
	t->next[0] = self;
	t->before[bucket] = 1;
	if (t->next[self] != 0)
		t->before[t->ids[t->next[self] - 1] % t->buckets] = self + 1;
}

/* As many buckets as the n-th key asks for. */
static void
rehash(struct table *t, uint32_t buckets)
{
	uint32_t at = t->next[0];

	for (uint32_t i = 0; i < buckets; i++)
		t->before[i] = 0;
	t->buckets = buckets;
	t->next[0] = 0;
	while (at != 0) {
		uint32_t next = t->next[at];

		insert(t, at - 1);
		at = next;
	}
}

enum slv_status
mcap_hash_order(
    const uint16_t *ids, size_t n, uint32_t *order, struct slv_err *err)
{
	const size_t most = sizes[sizeof(sizes) / sizeof(*sizes) - 1];
	struct table t = { .ids = ids };
	size_t size = 0, k = 0;

	t.next = slv_calloc(n + 1, sizeof(*t.next));
	t.before = slv_calloc(most, sizeof(*t.before));
	if (t.next == NULL || t.before == NULL) {
		free(t.next);
		free(t.before);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	t.buckets = sizes[0];
	for (size_t i = 0; i < n; i++) {
		if (i >= sizes[size])
			rehash(&t, sizes[++size]);
		insert(&t, (uint32_t)i);
	}
	for (uint32_t at = t.next[0]; at != 0; at = t.next[at])
		order[k++] = at - 1;
	free(t.next);
	free(t.before);
	return SLV_OK;
}

/* A channel, while a list is put in order. */
struct place {
	uint32_t at;   /* among the counts */
	uint32_t rank; /* of what the order goes by */
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Where each channel with messages is in the table of the whole file. */
static enum slv_status
rank_by_table(
    const struct mcap *m, size_t used, uint32_t *rank, struct slv_err *err)
{
	uint16_t *ids = slv_calloc(used + 1, sizeof(*ids));
	uint32_t *order = slv_calloc(used + 1, sizeof(*order));
	enum slv_status st = SLV_OK;

	if (ids == NULL || order == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; st == SLV_OK && i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		if (d->op == MCAP_CHANNEL && d->n > 0 && d->order < used)
			ids[d->order] = d->id;
	}
	if (st == SLV_OK)
		st = mcap_hash_order(ids, used, order, err);
	for (size_t i = 0; st == SLV_OK && i < used; i++)
		rank[order[i]] = (uint32_t)i;
	free(ids);
	free(order);
	return st;
}

/* The order that a table of its own gives to a list that is in order already. */
static enum slv_status
order_map(const struct mcap *m, const struct mcap_count *counts, size_t n,
    uint32_t *order, struct slv_err *err)
{
	uint16_t *ids = slv_calloc(n + 1, sizeof(*ids));
	uint32_t *then = slv_calloc(n + 1, sizeof(*then));
	enum slv_status st = SLV_OK;

	if (ids == NULL || then == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; st == SLV_OK && i < n; i++)
		ids[i] = m->decls[counts[order[i]].decl].id;
	if (st == SLV_OK)
		st = mcap_hash_order(ids, n, then, err);
	for (size_t i = 0; st == SLV_OK && i < n; i++)
		then[i] = order[then[i]];
	for (size_t i = 0; st == SLV_OK && i < n; i++)
		order[i] = then[i];
	free(ids);
	free(then);
	return st;
}

enum slv_status
mcap_channel_order(const struct mcap *m, const struct mcap_style *style,
    const struct mcap_count *counts, size_t n, size_t used, bool map,
    uint32_t *order, struct slv_err *err)
{
	struct place *places = slv_calloc(n + 1, sizeof(*places));
	uint32_t *rank = slv_calloc(used + 1, sizeof(*rank));
	enum slv_status st = SLV_OK;

	if (places == NULL || rank == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK && style->hashed)
		st = rank_by_table(m, used, rank, err);
	for (size_t i = 0; st == SLV_OK && i < n; i++) {
		const struct mcap_decl *d = &m->decls[counts[i].decl];

		places[i].at = (uint32_t)i;
		places[i].rank = style->by_id ? d->id
		    : style->hashed           ? rank[d->order]
		    : style->as_came          ? counts[i].decl
		                              : (uint32_t)i;
	}
	if (st == SLV_OK)
		slv_sort(places, n, sizeof(*places), compare_places);
	for (size_t i = 0; st == SLV_OK && i < n; i++)
		order[i] = places[i].at;
	free(places);
	free(rank);
	return st == SLV_OK && map && style->hashed
	    ? order_map(m, counts, n, order, err)
	    : st;
}
