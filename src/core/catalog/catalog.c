/* catalog.c - the fate of every byte of the input. */
#include "core/catalog/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"

const char *
slv_fate_name(enum slv_fate fate)
{
	switch (fate) {
	case SLV_KEPT: return "kept";
	case SLV_REBUILT: return "rebuilt";
	case SLV_LOST: return "lost";
	case SLV_FILLER: return "filler";
	case SLV_FOREIGN: return "foreign";
	case SLV_FATES: break;
	}
	return "?";
}

enum slv_status
slv_catalog_add(struct slv_catalog *c, uint64_t len, enum slv_fate fate,
    unsigned part, struct slv_err *err)
{
	struct slv_extent *last = c->n > 0 ? &c->at[c->n - 1] : NULL;

	if (len == 0)
		return SLV_OK;
	if (last != NULL && last->fate == fate && last->part == part) {
		last->len += len;
	} else {
		SLV_TRY(
		    slv_grow(&c->at, &c->cap, c->n + 1, sizeof(*c->at), err));
		c->at[c->n++] = (struct slv_extent){
			.off = c->end,
			.len = len,
			.fate = fate,
			.part = part,
		};
	}
	c->end += len;
	c->sums[fate] += len;
	return SLV_OK;
}

size_t
slv_catalog_find(const struct slv_catalog *c, uint64_t off)
{
	struct slv_search f = { .high = c->n };

	while (slv_search(&f))
		slv_search_on(&f, c->at[f.mid].off <= off);
	return slv_search_last(&f);
}

/* Split the extent that holds off, so that one begins there. */
static enum slv_status
split(struct slv_catalog *c, uint64_t off, struct slv_err *err)
{
	size_t i;
	uint64_t head;

	if (off >= c->end)
		return SLV_OK;
	i = slv_catalog_find(c, off);
	head = off - c->at[i].off;
	if (head == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&c->at, &c->cap, c->n + 1, sizeof(*c->at), err));
	memmove(&c->at[i + 1], &c->at[i], (c->n - i) * sizeof(*c->at));
	c->moved += c->n - i;
	c->n++;
	c->at[i].len = head;
	c->at[i + 1].off = off;
	c->at[i + 1].len -= head;
	return SLV_OK;
}

/* Merge adjacent extents of one fate and part in [first, end).  The others stay
 * as they are: a log may have millions, and as many changes. */
static void
merge(struct slv_catalog *c, size_t first, size_t end)
{
	size_t n = first + 1;

	for (size_t i = n; i < end; i++) {
		struct slv_extent *last = &c->at[n - 1];

		if (last->fate == c->at[i].fate && last->part == c->at[i].part)
			last->len += c->at[i].len;
		else
			c->at[n++] = c->at[i];
	}
	if (n < end) {
		memmove(&c->at[n], &c->at[end], (c->n - end) * sizeof(*c->at));
		c->moved += c->n - end;
		c->n -= end - n;
	}
}

enum slv_status
slv_catalog_set(struct slv_catalog *c, uint64_t off, uint64_t len,
    enum slv_fate fate, struct slv_err *err)
{
	size_t first, end;

	if (len == 0)
		return SLV_OK;
	SLV_TRY(split(c, off, err));
	SLV_TRY(split(c, off + len, err));
	first = slv_catalog_find(c, off);
	for (end = first; end < c->n && c->at[end].off < off + len; end++) {
		c->sums[c->at[end].fate] -= c->at[end].len;
		c->sums[fate] += c->at[end].len;
		c->at[end].fate = fate;
	}
	merge(c, first - (first > 0), end + (end < c->n));
	return SLV_OK;
}

/* The cell that holds byte off of size; cells differ in length by one byte at
 * most. */
static size_t
cell_of(uint64_t off, uint64_t size, size_t n)
{
	return (size_t)((double)off / (double)size * (double)n);
}

void
slv_catalog_map(const struct slv_catalog *c, uint8_t *cells, size_t n)
{
	memset(cells, 0, n);
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		size_t first = cell_of(x->off, c->end, n);
		size_t last = cell_of(x->off + x->len - 1, c->end, n);

		for (size_t k = first; k <= last && k < n; k++)
			cells[k] |= (uint8_t)(1u << x->fate);
	}
}

void
slv_catalog_free(struct slv_catalog *c)
{
	slv_free(c->at);
	slv_free(c->queue);
	*c = (struct slv_catalog){ 0 };
}
