/* stray_names.c - find the unit in the wrong place by an index that names
 * places. */
#include "core/readings/stray_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

enum slv_status
slv_naming_unit(
    struct slv_naming *x, const struct slv_placed *one, struct slv_err *err)
{
	SLV_TRY(slv_grow(&x->units, &x->cap, x->n + 1, sizeof(*one), err));
	x->units[x->n++] = *one;
	return SLV_OK;
}

enum slv_status
slv_naming_name(
    struct slv_naming *x, const struct slv_name *one, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &x->names, &x->cap_names, x->n_names + 1, sizeof(*one), err));
	x->names[x->n_names++] = *one;
	return SLV_OK;
}

void
slv_naming_free(struct slv_naming *x)
{
	slv_free(x->units);
	slv_free(x->names);
	slv_free(x->first);
	*x = (struct slv_naming){ .n = 0 };
}

static int
compare_names(const void *p, const void *q)
{
	const struct slv_name *a = p, *b = q;

	return a->at < b->at ? -1 : a->at > b->at;
}

static bool
is_named(const struct slv_placed *u, const struct slv_name *name, uint64_t at)
{
	return name->at == at && memcmp(name->key, u->key, sizeof(u->key)) == 0;
}

/* Return true if a unit of a named kind has its name at a place. */
static bool
is_named_at(const struct slv_naming *x, const struct slv_placed *u, uint64_t at)
{
	struct slv_search f = { .high = x->n_names };

	if (!u->named)
		return true;
	while (slv_search(&f))
		slv_search_on(&f, x->names[f.mid].at < at);
	return f.low < x->n_names && is_named(u, &x->names[f.low], at);
}

/* Compare both from the first unit on, and backwards from the last one with
 * units that are `shift` bytes after their names; `ahead`: before them. */
static enum slv_status
pair(struct slv_naming *x, uint64_t shift, bool ahead, struct slv_err *err)
{
	size_t cap = 0, k = 0, n = x->n_names;

	slv_free(x->first);
	x->first = NULL;
	SLV_TRY(slv_grow(&x->first, &cap, x->n + 1, sizeof(*x->first), err));
	if (n > 1)
		slv_sort(x->names, n, sizeof(*x->names), compare_names);
	for (size_t i = 0; i < x->n; i++) {
		x->first[i] = k;
		k += x->units[i].named;
	}
	x->first[x->n] = k;
	for (x->head = 0; x->head < x->n; x->head++) {
		const struct slv_placed *u = &x->units[x->head];

		k = x->first[x->head];
		if (u->named && (k >= n || !is_named(u, &x->names[k], u->off)))
			break;
	}
	for (x->tail = x->n; x->tail > 0; x->tail--) {
		const struct slv_placed *u = &x->units[x->tail - 1];
		uint64_t at = ahead ? u->off + shift : u->off - shift;

		if (!u->named)
			continue;
		if (n == 0 || !is_named(u, &x->names[n - 1], at))
			break;
		n--;
	}
	return SLV_OK;
}

enum slv_status
slv_naming_surplus(struct slv_naming *x, uint64_t more, uint64_t to,
    struct slv_strays *out, struct slv_err *err)
{
	SLV_TRY(pair(x, more, false, err));
	for (size_t i = 0, k = 0; i <= x->head && i < x->n; i++) {
		struct slv_stray one = { .off = x->units[i].off };
		size_t gone;

		while (k < x->n && x->units[k].off < one.off + more)
			k++;
		one.end = k < x->n ? x->units[k].off : x->units[x->n - 1].end;
		gone = x->first[k] - x->first[i];
		if (one.end != one.off + more || k < x->tail
		    || x->first[x->n] - gone != x->n_names)
			continue;
		one.to = to != UINT64_MAX ? to : one.off;
		slv_strays_add(out, &one);
	}
	return SLV_OK;
}

enum slv_status
slv_naming_gap(struct slv_naming *x, uint64_t less, uint64_t *to, bool *found,
    struct slv_err *err)
{
	*found = false;
	if (x->n == 0)
		return SLV_OK;
	SLV_TRY(pair(x, less, true, err));
	for (size_t i = 0; i <= x->head && !*found; i++) {
		size_t k = x->first[i];

		*to = i < x->n ? x->units[i].off : x->units[x->n - 1].end;
		/* Of two places, the one where a name has no unit. */
		*found = i >= x->tail
		    && (x->first[x->n] == x->n_names
		        || (k < x->n_names && x->names[k].at == *to));
	}
	return SLV_OK;
}

/* Return true if units [from, upto) have names `shift` bytes after their place;
 * `ahead`: before it. */
static bool
are_named(const struct slv_naming *x, size_t from, size_t upto, uint64_t shift,
    bool ahead)
{
	for (size_t i = from; i < upto; i++) {
		const struct slv_placed *u = &x->units[i];

		if (!is_named_at(x, u, ahead ? u->off - shift : u->off + shift))
			return false;
	}
	return true;
}

/* Propose to move unit i over units [from, upto), which are next to it: to their end if it
 * precedes them, else to their start. */
static bool
propose_turned(const struct slv_naming *x, size_t i, size_t from, size_t upto,
    struct slv_strays *out)
{
	const struct slv_placed *u = &x->units[i];
	uint64_t len = u->end - u->off, to;
	struct slv_stray one = { u->off, u->end, 0, 0, 0 };

	if (from >= upto)
		return false;
	one.to = i < from ? x->units[upto - 1].end : x->units[from].off;
	to = i < from ? one.to - len : one.to;
	if (!is_named_at(x, u, to) || !are_named(x, from, upto, len, i < from))
		return false;
	slv_strays_add(out, &one);
	return true;
}

enum slv_status
slv_naming_turned(
    struct slv_naming *x, struct slv_strays *out, struct slv_err *err)
{
	size_t p, q;

	SLV_TRY(pair(x, 0, false, err));
	p = x->head;
	q = x->tail;
	if (p >= q || x->first[x->n] != x->n_names)
		return SLV_OK;
	/* The others may be shifted by a unit without a name. */
	(void)(propose_turned(x, p, p + 1, q, out)
	    || propose_turned(x, q - 1, p, q - 1, out)
	    || (p > 0 && propose_turned(x, p - 1, p, q, out))
	    || (q < x->n && propose_turned(x, q, p, q, out)));
	return SLV_OK;
}
