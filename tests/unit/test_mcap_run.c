/* test_mcap_run.c - messages in a row without a surprise, against one by one. */
#include "formats/mcap/mcap_state.h"
#include "support/blob.h"
#include "support/both_ways.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/testdata.h"
#include "unit/suites.h"

#define HITS 12 /* damaged copies of each file */

static void
check_decls(const struct mcap *a, const struct mcap *b)
{
	if (!CHECK_U64(a->n_decls, b->n_decls))
		return;
	for (size_t i = 0; i < a->n_decls; i++) {
		const struct mcap_decl *x = &a->decls[i], *y = &b->decls[i];

		CHECK_U64(x->op, y->op);
		CHECK_U64(x->id, y->id);
		CHECK_U64(x->n, y->n);
		CHECK_U64(x->bytes, y->bytes);
		CHECK_U64(x->named, y->named);
		CHECK_U64(x->order, y->order);
		CHECK(x->late == y->late && x->proven == y->proven);
		CHECK(both_same_moment(x->from, y->from));
		CHECK(both_same_moment(x->to, y->to));
	}
}

static void
check_chunks(const struct mcap *a, const struct mcap *b)
{
	if (!CHECK_U64(a->n_chunks, b->n_chunks))
		return;
	for (size_t i = 0; i < a->n_chunks; i++) {
		const struct mcap_chunk *x = &a->chunks[i], *y = &b->chunks[i];

		CHECK_U64(x->off, y->off);
		CHECK_U64(x->data_end, y->data_end);
		CHECK_U64(x->end, y->end);
		CHECK_U64(x->messages, y->messages);
		CHECK_U64(x->sum, y->sum);
		CHECK_U64(x->n_entries, y->n_entries);
		CHECK(x->stored == y->stored && x->stays == y->stays);
		CHECK(x->summed == y->summed && x->refuted == y->refuted);
		CHECK(x->indexed == y->indexed);
	}
}

static void
check_states(const struct slv_scan *a, const struct slv_scan *b)
{
	if (a->format->kinds != mcap_kinds)
		return;
	CHECK_U64(mcap_of(a)->messages, mcap_of(b)->messages);
	CHECK_U64(mcap_of(a)->sum, mcap_of(b)->sum);
	check_decls(mcap_of(a), mcap_of(b));
	check_chunks(mcap_of(a), mcap_of(b));
}

/* As it is, and with bits flipped or stretches overwritten. */
static void
check_file(const char *path)
{
	struct blob file = { 0 }, bad = { 0 };
	struct dice dice;

	check_case("%s", path);
	if (!CHECK(blob_read(&file, path)) || file.n == 0)
		return;
	both_ways(file.at, file.n, NULL, check_states);
	dice.state = file.n;
	for (unsigned i = 0; i < HITS; i++) {
		check_case("%s, hit %u", path, i);
		size_t off = (size_t)dice_below(&dice, file.n);

		if (i % 2 == 0)
			damage_flip(&bad, file.at, file.n, 8 * off + i % 8);
		else
			damage_overwrite(&bad, file.at, file.n, off,
			    1 + off % 99,
			    (enum damage_window)(i % WINDOW_KINDS), i);
		both_ways(bad.at, bad.n, NULL, check_states);
	}
	blob_free(&bad);
	blob_free(&file);
}

static void
the_same_as_one_by_one(void)
{
	CHECK(testdata_each("mcap", check_file) > 100);
	check_case("%s", "");
}

CU_TestInfo mcap_run_tests[] = {
	{ "the same as one by one", the_same_as_one_by_one },
	CU_TEST_INFO_NULL,
};
