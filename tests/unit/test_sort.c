/* test_sort.c - long lists, against qsort(), and signals while they are
 * sorted. */
#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define LONG 200000 /* many runs, and a part of one */
#define SOON 500000 /* comparisons after a signal: a few milliseconds */

struct item {
	uint32_t key, place;
};

static volatile sig_atomic_t stop;
static uint64_t compared, stop_at;

static int
by_key(const void *x, const void *y)
{
	const struct item *a = x, *b = y;

	if (++compared == stop_at)
		stop = 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

static int
by_key_and_place(const void *x, const void *y)
{
	const struct item *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static struct item *
make(size_t n, uint64_t seed, uint32_t keys)
{
	struct item *at = must_alloc((n + 1) * sizeof(*at));
	struct dice dice = { seed };

	for (size_t i = 0; i < n; i++)
		at[i] = (struct item){
			.key = (uint32_t)(dice_roll(&dice) % keys),
			.place = (uint32_t)i,
		};
	return at;
}

static void
long_lists_are_sorted(void)
{
	const size_t sizes[] = { 0, 1, 2, 16383, 16384, 16385, 32768, 49153,
		LONG };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t n = sizes[i];
		struct item *at = make(n, i, (uint32_t)(n / 4 + 1));
		struct item *same = make(n, i, (uint32_t)(n / 4 + 1));
		struct slv_err err = { 0 };

		stop_at = 0;
		slv_sort(same, n, sizeof(*same), by_key_and_place);
		CHECK_OK(slv_sort_long(
		             at, n, sizeof(*at), by_key_and_place, NULL, &err),
		    &err);
		CHECK(memcmp(at, same, n * sizeof(*at)) == 0);
		free(at);
		free(same);
	}
}

static void
signals_stop_them(void)
{
	for (uint64_t when = 1; when < 3000000; when = when * 3 + 1) {
		struct item *at = make(LONG, when, LONG);
		struct slv_err err = { 0 };

		stop = 0;
		compared = 0;
		stop_at = when;
		CHECK_STATUS(
		    slv_sort_long(at, LONG, sizeof(*at), by_key, &stop, &err),
		    SLV_E_CANCELLED, &err);
		CHECK(compared < when + SOON);
		free(at);
	}
}

static void
elements_are_found(void)
{
	struct item *at = make(LONG, 1, LONG);
	struct item key = at[LONG / 2];

	slv_sort(at, LONG, sizeof(*at), by_key);
	const struct item *found =
	    slv_find_sorted(&key, at, LONG, sizeof(*at), by_key);
	CHECK(found != NULL && found->key == key.key);
	key.key = LONG;
	CHECK(slv_find_sorted(&key, at, LONG, sizeof(*at), by_key) == NULL);
	CHECK(slv_find_sorted(&key, NULL, 0, sizeof(*at), by_key) == NULL);
	free(at);
}

static bool
no_memory(size_t size)
{
	(void)size;
	return false;
}

static void
memory_may_be_missing(void)
{
	struct item *at = make(LONG, 1, LONG);
	struct slv_err err = { 0 };

	slv_mem_hook = no_memory;
	CHECK_STATUS(slv_sort_long(at, LONG, sizeof(*at), by_key, NULL, &err),
	    SLV_E_NOMEM, &err);
	slv_mem_hook = NULL;
	free(at);
}

CU_TestInfo sort_tests[] = {
	{ "long lists are sorted", long_lists_are_sorted },
	{ "elements are found", elements_are_found },
	{ "signals stop them", signals_stop_them },
	{ "memory may be missing", memory_may_be_missing },
	CU_TEST_INFO_NULL,
};
