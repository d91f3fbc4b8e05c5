/* test_list.c - lists grow, are searched and put into order. */
#include "base/buf.h"
#include "base/list.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define MANY 1000

struct item {
	uint64_t off;
	uint32_t id, part;
};

struct bag {
	struct item *items;
	size_t n_items, cap_items;
};

struct items {
	struct item *at;
	size_t n, cap;
};

SLV_ORDER(by_off, struct item, off)
SLV_ORDER2(by_id, struct item, id, off)
SLV_ORDER3(by_part, struct item, part, id, off)

/* Items with few different values, in no order. */
static void
fill(struct bag *b, struct items *same)
{
	struct dice dice = { 7 };
	struct slv_err err = { 0 };

	for (uint32_t i = 0; i < MANY; i++) {
		uint64_t off = dice_roll(&dice) % MANY * 3;
		uint32_t id = (uint32_t)(dice_roll(&dice) % 8);

		CHECK_OK(
		    SLV_ADD(b, items, &err, (struct item){ off, id, i % 3 }),
		    &err);
		CHECK_OK(
		    SLV_ADD_AT(same, &err, (struct item){ off, id, i % 3 }),
		    &err);
	}
	CHECK_U64(b->n_items, MANY);
	CHECK_U64(same->n, MANY);
	CHECK(memcmp(b->items, same->at, MANY * sizeof(*same->at)) == 0);
}

static void
values_are_found(void)
{
	struct bag b = { 0 };
	struct items same = { 0 };

	CHECK_U64(SLV_FROM(struct item, off, b.items, b.n_items, 5), 0);
	CHECK(SLV_FIND(struct item, off, b.items, b.n_items, 5) == NULL);
	fill(&b, &same);
	slv_sort(b.items, b.n_items, sizeof(*b.items), by_off);
	slv_sort(same.at, same.n, sizeof(*same.at), by_id);
	for (uint64_t want = 0; want < MANY * 3 + 3; want++) {
		struct item *it =
		    SLV_FIND(struct item, off, b.items, b.n_items, want);
		size_t from = 0, id = 0;

		while (from < b.n_items && b.items[from].off < want)
			from++;
		while (id < same.n && same.at[id].id < want)
			id++;
		CHECK_U64(
		    SLV_FROM(struct item, off, b.items, b.n_items, want), from);
		CHECK_U64(SLV_FROM(struct item, id, same.at, same.n, want), id);
		CHECK(it
		    == (from < b.n_items && b.items[from].off == want
		            ? &b.items[from]
		            : NULL));
	}
	free(b.items);
	free(same.at);
}

static void
lists_are_ordered(void)
{
	struct bag b = { 0 };
	struct items same = { 0 };

	fill(&b, &same);
	slv_sort(b.items, b.n_items, sizeof(*b.items), by_part);
	for (size_t i = 1; i < b.n_items; i++) {
		const struct item *x = &b.items[i - 1], *y = &b.items[i];

		CHECK(x->part < y->part
		    || (x->part == y->part
		        && (x->id < y->id
		            || (x->id == y->id && x->off <= y->off))));
		CHECK(by_part(x, y) <= 0 && by_part(y, x) >= 0);
	}
	free(b.items);
	free(same.at);
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
	struct bag b = { 0 };
	struct slv_buf buf = { 0 };
	struct slv_err err = { 0 };
	char *text = (char *)&b;
	void *made = &b;

	slv_mem_hook = no_memory;
	CHECK_STATUS(SLV_ADD(&b, items, &err, (struct item){ 1, 2, 3 }),
	    SLV_E_NOMEM, &err);
	CHECK_STATUS(slv_new(&made, 1, 1, &err), SLV_E_NOMEM, &err);
	CHECK_STATUS(slv_text_copy("a", 1, &text, &err), SLV_E_NOMEM, &err);
	slv_buf_text(&buf, "a");
	CHECK_STATUS(slv_buf_check(&buf, &err), SLV_E_NOMEM, &err);
	slv_mem_hook = NULL;
	CHECK(b.n_items == 0 && made == NULL && text == NULL);
	CHECK_OK(slv_text_copy("abc", 2, &text, &err), &err);
	CHECK_STR(text, "ab");
	free(text);
	CHECK_OK(slv_new(&made, 0, 4, &err), &err);
	free(made);
}

CU_TestInfo list_tests[] = {
	{ "values are found", values_are_found },
	{ "lists are ordered", lists_are_ordered },
	{ "memory may be missing", memory_may_be_missing },
	CU_TEST_INFO_NULL,
};
