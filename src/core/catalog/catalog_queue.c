/* catalog_queue.c - many changes of fate in one pass.
 *
 * Every change that splits or merges extents moves all extents after it.  A log
 * can need as many changes as it has extents, in any order, so a driver queues
 * them and the catalog is written once.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "core/catalog/catalog.h"

#define NO_FATE ((uint8_t)SLV_FATES)

/* The queued ranges, cut at every edge of one of them. */
struct cells {
	uint64_t *edge; /* sorted; cell i is [edge[i], edge[i + 1]) */
	size_t *next;   /* a cell at or after i without a fate, or a step
	                 * towards it */
	uint8_t *fate;
	size_t n; /* edges */
};

enum slv_status
slv_catalog_queue(struct slv_catalog *c, uint64_t off, uint64_t len,
    enum slv_fate fate, struct slv_err *err)
{
	if (len == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(
	    &c->queue, &c->cap_queue, c->n_queue + 1, sizeof(*c->queue), err));
	c->queue[c->n_queue++] =
	    (struct slv_extent){ .off = off, .len = len, .fate = fate };
	return SLV_OK;
}

static int
by_offset(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void
cells_free(struct cells *x)
{
	slv_free(x->edge);
	slv_free(x->next);
	slv_free(x->fate);
}

static enum slv_status
cells_init(struct cells *x, const struct slv_catalog *c, struct slv_err *err)
{
	size_t n = 2 * c->n_queue;

	x->edge = slv_calloc(n, sizeof(*x->edge));
	x->next = slv_calloc(n, sizeof(*x->next));
	x->fate = slv_calloc(n, sizeof(*x->fate));
	if (x->edge == NULL || x->next == NULL || x->fate == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < c->n_queue; i++) {
		x->edge[2 * i] = c->queue[i].off;
		x->edge[2 * i + 1] = c->queue[i].off + c->queue[i].len;
	}
	slv_sort(x->edge, n, sizeof(*x->edge), by_offset);
	for (size_t i = 0; i < n; i++) {
		if (x->n == 0 || x->edge[x->n - 1] != x->edge[i])
			x->edge[x->n++] = x->edge[i];
	}
	for (size_t i = 0; i < x->n; i++) {
		x->next[i] = i;
		x->fate[i] = NO_FATE;
	}
	return SLV_OK;
}

/* The first cell at or after i that has no fate. */
static size_t
first_free(struct cells *x, size_t i)
{
	while (x->next[i] != i) {
		x->next[i] = x->next[x->next[i]];
		i = x->next[i];
	}
	return i;
}

/* The last cell that begins at or before off. */
static size_t
cell_at(const struct cells *x, uint64_t off)
{
	struct slv_search f = { .high = x->n };

	while (slv_search(&f))
		slv_search_on(&f, x->edge[f.mid] <= off);
	return slv_search_last(&f);
}

/* The last change counts, so changes are applied from the last to the first and
 * no cell is visited again. */
static void
paint(struct cells *x, const struct slv_catalog *c)
{
	for (size_t k = c->n_queue; k-- > 0;) {
		const struct slv_extent *q = &c->queue[k];
		size_t i = first_free(x, cell_at(x, q->off));

		while (x->edge[i] < q->off + q->len) {
			x->fate[i] = (uint8_t)q->fate;
			x->next[i] = i + 1;
			i = first_free(x, i + 1);
		}
	}
}

/* Write the extents again, with the fates of the cells laid over them. */
static enum slv_status
overlay(const struct slv_catalog *c, const struct cells *x,
    struct slv_catalog *out, struct slv_err *err)
{
	size_t cell = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *e = &c->at[i];
		uint64_t end = e->off + e->len;

		while (out->end < end) {
			uint64_t upto = end;
			enum slv_fate fate = e->fate;

			while (cell < x->n && x->edge[cell] <= out->end)
				cell++;
			if (cell < x->n)
				upto = slv_min64(upto, x->edge[cell]);
			if (cell > 0 && x->fate[cell - 1] != NO_FATE)
				fate = x->fate[cell - 1];
			SLV_TRY(slv_catalog_add(
			    out, upto - out->end, fate, e->part, err));
		}
	}
	return SLV_OK;
}

enum slv_status
slv_catalog_apply(struct slv_catalog *c, struct slv_err *err)
{
	struct slv_catalog made = { 0 };
	struct cells x = { 0 };
	enum slv_status st;

	if (c->n_queue == 0)
		return SLV_OK;
	st = cells_init(&x, c, err);
	if (st == SLV_OK) {
		paint(&x, c);
		st = overlay(c, &x, &made, err);
	}
	cells_free(&x);
	if (st != SLV_OK) {
		slv_catalog_free(&made);
		return st;
	}
	made.moved = c->moved + made.n;
	slv_catalog_free(c);
	*c = made;
	return SLV_OK;
}
