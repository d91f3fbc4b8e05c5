/* ranges.c - a sorted set of byte ranges. */
#include "base/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"

/* Index of the first range that ends at or after off. */
static size_t
find(const struct slv_ranges *r, uint64_t off)
{
	struct slv_search f = { .high = r->n };

	while (slv_search(&f))
		slv_search_on(&f, r->at[f.mid].end < off);
	return f.low;
}

enum slv_status
slv_ranges_add(
    struct slv_ranges *r, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct slv_range add = { off, off + len };
	size_t first = find(r, off), last = first;

	if (len == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&r->at, &r->cap, r->n + 1, sizeof(*r->at), err));
	for (; last < r->n && r->at[last].off <= add.end; last++) {
		add.off = slv_min64(add.off, r->at[last].off);
		add.end = slv_max64(add.end, r->at[last].end);
	}
	memmove(
	    &r->at[first + 1], &r->at[last], (r->n - last) * sizeof(*r->at));
	r->n = r->n - (last - first) + 1;
	r->at[first] = add;
	return SLV_OK;
}

const struct slv_range *
slv_ranges_from(const struct slv_ranges *r, uint64_t off)
{
	size_t i = find(r, off);

	if (i < r->n && r->at[i].end == off)
		i++;
	return i < r->n ? &r->at[i] : NULL;
}

bool
slv_ranges_hit(const struct slv_ranges *r, uint64_t off, uint64_t len)
{
	const struct slv_range *next = slv_ranges_from(r, off);

	return next != NULL && len > 0 && next->off < off + len;
}

uint64_t
slv_ranges_sum(const struct slv_ranges *set)
{
	uint64_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += set->at[i].end - set->at[i].off;
	return n;
}

void
slv_ranges_free(struct slv_ranges *r)
{
	slv_free(r->at);
	*r = (struct slv_ranges){ 0 };
}
