/* mcap_order.c - in which order lists by channel are written.
 *
 * The C++ library keeps channels in a std::unordered_map.  In libstdc++ its order
 * depends only on the order of insertion: a new key goes to the front of the list or,
 * if its bucket has keys, before the first of them.  So buckets are listed by the time
 * of their first key, the latest first, and so are the keys in a bucket.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/mcap/summary/mcap_summary.h"

/* How many buckets a table has when it grows. */
static const uint32_t sizes[] = { 13, 29, 59, 127, 257, 541, 1109, 2357, 5087,
	10273, 20753, 42043, 85229 };

struct mcap_table {
	const uint16_t *ids; /* borrowed */
	size_t n;            /* keys that are in it */
	size_t size;         /* position in `sizes` */
	uint32_t *buckets;   /* owned; when each got its first key; 0: never */
	uint32_t time;       /* keys that were put into it */
	uint64_t *ranks;     /* owned; by key: the greatest is listed first */
};

static void
free_table(struct mcap_table *t)
{
	slv_free(t->buckets);
	slv_free(t->ranks);
	*t = (struct mcap_table){ 0 };
}

/* Room for n keys. */
static enum slv_status
make_table(
    struct mcap_table *t, const uint16_t *ids, size_t n, struct slv_err *err)
{
	size_t size = 0;

	while (sizes[size] < n)
		size++;
	*t = (struct mcap_table){ .ids = ids };
	t->buckets = slv_calloc(sizes[size], sizeof(*t->buckets));
	t->ranks = slv_calloc(n + 1, sizeof(*t->ranks));
	if (t->buckets != NULL && t->ranks != NULL)
		return SLV_OK;
	free_table(t);
	return slv_fail(err, SLV_E_NOMEM, "out of memory");
}

static void
insert(struct mcap_table *t, size_t i)
{
	uint32_t *bucket = &t->buckets[t->ids[i] % sizes[t->size]];

	t->time++;
	if (*bucket == 0)
		*bucket = t->time;
	t->ranks[i] = (uint64_t)*bucket << 32 | t->time;
}

/* A key, while a list is put in order. */
struct place {
	uint32_t at;
	uint64_t rank; /* the key to sort by: the least is first */
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The keys in order; owned by the caller. */
static struct place *
list_keys(const struct mcap_table *t)
{
	struct place *places = slv_calloc(t->n + 1, sizeof(*places));

	for (size_t i = 0; places != NULL && i < t->n; i++)
		places[i] = (struct place){ (uint32_t)i, ~t->ranks[i] };
	if (places != NULL)
		slv_sort(places, t->n, sizeof(*places), compare_places);
	return places;
}

/* Take the next size, and insert the keys again in their present order. */
static enum slv_status
rehash(struct mcap_table *t, struct slv_err *err)
{
	struct place *places = list_keys(t);

	if (places == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	t->size++;
	t->time = 0;
	for (uint32_t i = 0; i < sizes[t->size]; i++)
		t->buckets[i] = 0;
	for (size_t i = 0; i < t->n; i++)
		insert(t, places[i].at);
	slv_free(places);
	return SLV_OK;
}

/* Insert the next keys, until the table has n. */
static enum slv_status
fill(struct mcap_table *t, size_t n, struct slv_err *err)
{
	for (; t->n < n; t->n++) {
		if (t->n >= sizes[t->size])
			SLV_TRY(rehash(t, err));
		insert(t, t->n);
	}
	return SLV_OK;
}

enum slv_status
mcap_hash_order(
    const uint16_t *ids, size_t n, uint32_t *order, struct slv_err *err)
{
	struct mcap_table t;
	struct place *places = NULL;
	enum slv_status st;

	SLV_TRY(make_table(&t, ids, n, err));
	st = fill(&t, n, err);
	if (st == SLV_OK && (places = list_keys(&t)) == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; st == SLV_OK && i < n; i++)
		order[i] = places[i].at;
	slv_free(places);
	free_table(&t);
	return st;
}

/* The table of the whole file when it had `used` channels. */
static enum slv_status
rank_channels(struct mcap_ranks *r, const struct mcap *m, size_t used,
    struct slv_err *err)
{
	if (r->table != NULL && used >= r->table->n)
		return fill(r->table, used, err);
	mcap_ranks_free(r);
	r->ids = slv_calloc(m->n_used + 1, sizeof(*r->ids));
	r->table = slv_calloc(1, sizeof(*r->table));
	if (r->ids == NULL || r->table == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		if (d->op == MCAP_CHANNEL && d->n > 0)
			r->ids[d->order] = d->id;
	}
	SLV_TRY(make_table(r->table, r->ids, m->n_used, err));
	return fill(r->table, used, err);
}

void
mcap_ranks_free(struct mcap_ranks *r)
{
	if (r->table != NULL)
		free_table(r->table);
	slv_free(r->table);
	slv_free(r->ids);
	*r = (struct mcap_ranks){ 0 };
}

/* Apply the order of a second table, into which the keys of an ordered list are
 * inserted. */
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
	slv_free(ids);
	slv_free(then);
	return st;
}

enum slv_status
mcap_channel_order(const struct mcap *m, const struct mcap_style *style,
    struct mcap_ranks *ranks, const struct mcap_count *counts, size_t n,
    size_t used, bool map, uint32_t *order, struct slv_err *err)
{
	struct place *places;

	if (style->hashed)
		SLV_TRY(rank_channels(ranks, m, used, err));
	places = slv_calloc(n + 1, sizeof(*places));
	if (places == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct mcap_decl *d = &m->decls[counts[i].decl];

		places[i].at = (uint32_t)i;
		places[i].rank = style->by_id ? d->id
		    : style->hashed           ? ~ranks->table->ranks[d->order]
		    : style->as_came          ? counts[i].decl
		                              : i;
	}
	slv_sort(places, n, sizeof(*places), compare_places);
	for (size_t i = 0; i < n; i++)
		order[i] = places[i].at;
	slv_free(places);
	return map && style->hashed ? order_map(m, counts, n, order, err)
	                            : SLV_OK;
}
