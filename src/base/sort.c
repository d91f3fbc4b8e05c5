/* sort.c - sort long lists, with cancellation. */
#include "base/sort.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

#define RUN 16384 /* elements that are sorted or merged between checks */

struct sorting {
	uint8_t *from, *to; /* the runs, and the place to merge them into */
	size_t n, size;
	slv_compare_fn *compare;
	const volatile sig_atomic_t *cancel;
};

static enum slv_status
look(const struct sorting *s, struct slv_err *err)
{
	if (slv_is_cancelled(s->cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	return SLV_OK;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static enum slv_status
sort_runs(const struct sorting *s, struct slv_err *err)
{
	for (size_t i = 0; i < s->n; i += RUN) {
		SLV_TRY(look(s, err));
		slv_sort(s->from + i * s->size, least(RUN, s->n - i), s->size,
		    s->compare);
	}
	return SLV_OK;
}

/* Merge the runs [a, b) and [b, end). */
static enum slv_status
merge(const struct sorting *s, size_t a, size_t b, size_t end,
    struct slv_err *err)
{
	const size_t middle = b;

	for (size_t to = a; to < end; to++) {
		const uint8_t *x = s->from + a * s->size;
		const uint8_t *y = s->from + b * s->size;
		bool first = b == end || (a < middle && s->compare(x, y) <= 0);

		if (to % RUN == 0)
			SLV_TRY(look(s, err));
		memcpy(s->to + to * s->size, first ? x : y, s->size);
		a += first;
		b += !first;
	}
	return SLV_OK;
}

/* Merge adjacent runs of `width` in pairs. */
static enum slv_status
merge_all(const struct sorting *s, size_t width, struct slv_err *err)
{
	for (size_t a = 0, end; a < s->n; a = end) {
		size_t b = a + least(width, s->n - a);

		end = b + least(width, s->n - b);
		SLV_TRY(merge(s, a, b, end, err));
	}
	return SLV_OK;
}

enum slv_status
slv_sort_long(void *at, size_t n, size_t size, slv_compare_fn *compare,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	uint8_t *room = n > RUN ? slv_calloc(n, size) : NULL;
	struct sorting s = { at, room, n, size, compare, cancel };
	enum slv_status st;

	if (n > RUN && room == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = sort_runs(&s, err);
	for (size_t width = RUN; st == SLV_OK && width < n; width *= 2) {
		uint8_t *merged = s.to;

		st = merge_all(&s, width, err);
		s.to = s.from;
		s.from = merged;
	}
	if (st == SLV_OK && s.from != at)
		memcpy(at, s.from, n * size);
	slv_free(room);
	return st;
}
