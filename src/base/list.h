/* list.h - lists that grow, and lists in order.
 *
 * A list is three members of a struct:
 *
 *	struct item *items;
 *	size_t n_items, cap_items;
 *
 * or a struct of its own with the members at, n and cap.  All zeros is a valid
 * empty list; slv_free() frees its elements.
 */
#ifndef SLV_BASE_LIST_H
#define SLV_BASE_LIST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

/* Make room for so many more elements of owner->list, without adding them; the
 * same for a list with the members at, n and cap.
 *
 * SLV_E_NOMEM */
#define SLV_ROOM(owner, list, more, err)                                       \
	slv_grow(&(owner)->list, &(owner)->cap_##list,                         \
	    (owner)->n_##list + (more), sizeof(*(owner)->list), err)
#define SLV_ROOM_AT(list, more, err)                                           \
	slv_grow(&(list)->at, &(list)->cap, (list)->n + (more),                \
	    sizeof(*(list)->at), err)

/* Append a value, which is written last because it may have commas:
 * SLV_ADD(bag, items, err, (struct item){ off, len }).
 *
 * SLV_E_NOMEM: it is not evaluated */
#define SLV_ADD(owner, list, err, ...)                                         \
	(SLV_ROOM(owner, list, 1, err) != SLV_OK                               \
	        ? SLV_E_NOMEM                                                  \
	        : ((owner)->list[(owner)->n_##list++] = __VA_ARGS__, SLV_OK))
#define SLV_ADD_AT(list, err, ...)                                             \
	(SLV_ROOM_AT(list, 1, err) != SLV_OK                                   \
	        ? SLV_E_NOMEM                                                  \
	        : ((list)->at[(list)->n++] = __VA_ARGS__, SLV_OK))

/* Of n elements of a type, in the order of a member that is a uint32_t or a
 * uint64_t: the index of the first one with this value or a greater one, n if
 * there is none; and the element with the value, NULL if there is none. */
#define SLV_FROM(type, key, list, n, want)                                     \
	slv_from(list, n, sizeof(type), offsetof(type, key),                   \
	    sizeof(((type *)0)->key), want)
#define SLV_FIND(type, key, list, n, want)                                     \
	((type *)slv_find(list, n, sizeof(type), offsetof(type, key),          \
	    sizeof(((type *)0)->key), want))

static inline uint64_t
slv_key_at(const void *list, size_t at, size_t width)
{
	uint32_t narrow;
	uint64_t wide;

	if (width == sizeof(narrow)) {
		memcpy(&narrow, (const uint8_t *)list + at, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, (const uint8_t *)list + at, sizeof(wide));
	return wide;
}

static inline size_t
slv_from(const void *list, size_t n, size_t size, size_t key, size_t width,
    uint64_t want)
{
	struct slv_search f = { .high = n };

	while (slv_search(&f))
		slv_search_on(
		    &f, slv_key_at(list, f.mid * size + key, width) < want);
	return f.low;
}

static inline void *
slv_find(const void *list, size_t n, size_t size, size_t key, size_t width,
    uint64_t want)
{
	size_t i = slv_from(list, n, size, key, width, want);

	if (i == n || slv_key_at(list, i * size + key, width) != want)
		return NULL;
	return (uint8_t *)(uintptr_t)list + i * size;
}

/* Define a function for slv_sort(), by one member of a type, or by several
 * members, the most important one first. */
#define SLV_ORDER(name, type, key)                                             \
	static int name(const void *p, const void *q)                          \
	{                                                                      \
		const type *a = p, *b = q;                                     \
                                                                               \
		return SLV_ORDER_OF(a->key, b->key);                           \
	}
#define SLV_ORDER2(name, type, key, then)                                      \
	static int name(const void *p, const void *q)                          \
	{                                                                      \
		const type *a = p, *b = q;                                     \
                                                                               \
		return a->key != b->key ? SLV_ORDER_OF(a->key, b->key)         \
		                        : SLV_ORDER_OF(a->then, b->then);      \
	}
#define SLV_ORDER3(name, type, key, then, last)                                \
	static int name(const void *p, const void *q)                          \
	{                                                                      \
		const type *a = p, *b = q;                                     \
                                                                               \
		if (a->key != b->key)                                          \
			return SLV_ORDER_OF(a->key, b->key);                   \
		return a->then != b->then ? SLV_ORDER_OF(a->then, b->then)     \
		                          : SLV_ORDER_OF(a->last, b->last);    \
	}
#define SLV_ORDER_OF(a, b) (((a) > (b)) - ((a) < (b)))

#endif
