/* test_cache.c - what a driver has worked out is there again, or it is not. */
#include "suites.h"

#include <stdlib.h>
#include <string.h>

#include "core/scan/cache.h"
#include "support/check.h"

static unsigned freed;

struct value {
	char *owned;
	int n;
};

static void
release(void *at)
{
	struct value *v = at;

	freed += v->owned != NULL;
	free(v->owned);
}

enum { PAIR, ONE };

static const struct slv_cache_kind kinds[] = {
	[PAIR] = { sizeof(struct value), 2, release },
	[ONE] = { sizeof(int), 1, NULL },
	{ 0 },
};

static void
keep(struct slv_cache *c, uint64_t key, int n)
{
	struct slv_err err = { 0 };
	struct value *v;
	void *room;

	CHECK_OK(slv_cache_claim(c, PAIR, &room, &err), &err);
	release(room);
	v = room;
	*v = (struct value){ strdup("bytes"), n };
	slv_cache_keep(c, PAIR, room, key);
}

static void
check_kept(struct slv_cache *c, uint64_t key, int n)
{
	const struct value *v = slv_cache_find(c, PAIR, key);

	CHECK(v != NULL && v->n == n);
}

static void
the_one_used_least_goes(void)
{
	struct slv_cache c = { .kinds = kinds };

	freed = 0;
	CHECK(slv_cache_find(&c, PAIR, 0) == NULL);
	keep(&c, 0, 10);
	keep(&c, UINT64_MAX - 1, 11);
	check_kept(&c, UINT64_MAX - 1, 11);
	check_kept(&c, 0, 10);
	keep(&c, 5, 12);
	check_kept(&c, 0, 10);
	check_kept(&c, 5, 12);
	CHECK(slv_cache_find(&c, PAIR, UINT64_MAX - 1) == NULL);
	CHECK_U64(freed, 1);
	slv_cache_drop(&c);
	CHECK_U64(freed, 3);
	CHECK(slv_cache_find(&c, PAIR, 0) == NULL);
}

static void
room_without_a_value_is_none(void)
{
	struct slv_cache c = { .kinds = kinds };
	struct slv_err err = { 0 };
	struct value out;
	void *room;

	keep(&c, 1, 10);
	keep(&c, 2, 11);
	CHECK_OK(slv_cache_claim(&c, PAIR, &room, &err), &err);
	CHECK(slv_cache_find(&c, PAIR, 1) == NULL);
	slv_cache_take(&c, PAIR, 2, &out);
	CHECK(out.n == 11);
	CHECK(slv_cache_find(&c, PAIR, 2) == NULL);
	release(&out);
	slv_cache_drop(&c);
}

static void
the_only_one_begins_at_0(void)
{
	struct slv_cache c = { .kinds = kinds };
	struct slv_err err = { 0 };
	void *count;

	for (int i = 0; i < 3; i++) {
		CHECK_OK(slv_cache_only(&c, ONE, &count, &err), &err);
		CHECK(*(int *)count == i);
		++*(int *)count;
	}
	slv_cache_drop(&c);
	CHECK_OK(slv_cache_only(&c, ONE, &count, &err), &err);
	CHECK(*(int *)count == 0);
	slv_cache_drop(&c);
}

static void
a_copy_is_kept(void)
{
	struct slv_cache c = { .kinds = kinds };
	struct slv_err err = { 0 };
	int value = 7;

	CHECK_OK(slv_cache_copy(&c, ONE, 3, &value, &err), &err);
	value = 8;
	CHECK(*(int *)slv_cache_find(&c, ONE, 3) == 7);
	CHECK_OK(slv_cache_copy(&c, ONE, 4, &value, &err), &err);
	CHECK(slv_cache_find(&c, ONE, 3) == NULL);
	CHECK(*(int *)slv_cache_find(&c, ONE, 4) == 8);
	slv_cache_drop(&c);
}

static void
nothing_is_under_the_last_key(void)
{
	struct slv_cache c = { .kinds = kinds };
	struct slv_err err = { 0 };
	int value = 7;

	CHECK(slv_cache_find(&c, ONE, UINT64_MAX) == NULL);
	CHECK_OK(slv_cache_copy(&c, ONE, UINT64_MAX, &value, &err), &err);
	CHECK(slv_cache_find(&c, ONE, UINT64_MAX) == NULL);
	slv_cache_drop(&c);
}

CU_TestInfo cache_tests[] = {
	{ "the value that was used least goes", the_one_used_least_goes },
	{ "room without a value is none", room_without_a_value_is_none },
	{ "the only value begins at 0", the_only_one_begins_at_0 },
	{ "a copy is kept", a_copy_is_kept },
	{ "nothing is under the last key", nothing_is_under_the_last_key },
	CU_TEST_INFO_NULL,
};
