/* test_fill.c - blocks of a second recording for the gaps of a first. */
#include <string.h>

#include "support/check.h"
#include "support/damage.h"
#include "support/make_bddf.h"
#include "support/repair.h"
#include "unit/suites.h"

#define BLOCKS 30

static const struct recipe first = {
	.series = 4,
	.blocks = BLOCKS,
	.least = 20,
	.most = 90,
	.keys = 2,
	.extras = 2,
	.annotated = true,
	.seed = 9,
};

/* Which blocks a log has: its declarations, and data blocks [from, to). */
static void
choose(bool *keep, size_t from, size_t to)
{
	for (size_t i = 0; i < 5 + BLOCKS; i++)
		keep[i] = i < 5 || (i >= 5 + from && i < 5 + to);
}

/* A hole over data blocks [from, to) of the log. */
static void
make_hole(struct blob *out, const struct made_log *log, size_t from, size_t to)
{
	size_t off = log->blocks[5 + from].off + 2;

	damage_overwrite(out, log->bytes.at, log->bytes.n, off,
	    log->blocks[5 + to].off - off, WINDOW_RANDOM, from);
}

static void
try_gap(const struct made_log *log, size_t from, size_t to)
{
	bool keep[5 + BLOCKS];
	struct recipe again = first;
	struct made_log donor = { 0 };
	struct repaired r = { 0 };
	struct blob hurt = { 0 };
	uint64_t added, left_out;

	check_case("blocks %zu to %zu", from, to);
	again.again = true;
	choose(keep, from - 2, to + 3);
	make_bddf(&donor, &again, keep);
	make_hole(&hurt, log, from, to);
	fill_memory(&r, &hurt, &donor.bytes, &added, &left_out);
	CHECK_OK(r.status, &r.err);
	/* The block before the hole is suspect. */
	CHECK(added >= to - from && added <= to - from + 1);
	CHECK_U64(left_out, 0);
	CHECK_BYTES(r.out.at, r.out.n, log->bytes.at, log->bytes.n);
	CHECK(r.verified && !r.proven);
	CHECK(r.assurance == SLV_BY_STRUCTURE);
	CHECK_NAME(slv_state_name, r.state, SLV_STATE_LOSSY);
	made_free(&donor);
	repaired_free(&r);
	blob_free(&hurt);
}

/* What was lost is back, in its place and in the log's own numbers. */
static void
gaps_are_filled(void)
{
	struct made_log log = { 0 };

	make_bddf(&log, &first, NULL);
	for (size_t from = 5; from + 8 < BLOCKS; from++)
		try_gap(&log, from, from + 1 + from % 4);
	check_case("%s", "");
	made_free(&log);
}

/* After the last block, where the end of the log is gone. */
static void
open_end_is_filled(void)
{
	struct recipe again = first;
	struct made_log log = { 0 }, donor = { 0 };
	struct repaired r = { 0 };
	struct blob cut = { 0 };
	uint64_t added, left_out;

	again.again = true;
	make_bddf(&log, &first, NULL);
	make_bddf(&donor, &again, NULL);
	for (size_t spare = 0; spare < 12; spare += 4) {
		check_case("%zu bytes of block 20", spare);
		damage_cut(&cut, log.bytes.at, log.bytes.n,
		    log.blocks[25].off + spare);
		fill_memory(&r, &cut, &donor.bytes, &added, &left_out);
		CHECK_OK(r.status, &r.err);
		CHECK_U64(added, 10);
		CHECK_BYTES(r.out.at, r.out.n, log.bytes.at, log.bytes.n);
		CHECK_NAME(slv_state_name, r.state,
		    spare > 0 ? SLV_STATE_LOSSY : SLV_STATE_REPAIRED);
	}
	check_case("%s", "");
	made_free(&log);
	made_free(&donor);
	repaired_free(&r);
	blob_free(&cut);
}

/* What is there already is not added twice, and a log that lacks nothing gets
 * nothing. */
static void
nothing_is_doubled(void)
{
	struct recipe again = first;
	struct made_log log = { 0 }, donor = { 0 };
	struct repaired r = { 0 };
	uint64_t added, left_out;

	again.again = true;
	make_bddf(&log, &first, NULL);
	make_bddf(&donor, &again, NULL);
	fill_memory(&r, &log.bytes, &donor.bytes, &added, &left_out);
	CHECK_OK(r.status, &r.err);
	CHECK_U64(added, 0);
	CHECK_NAME(slv_state_name, r.state, SLV_STATE_INTACT);
	CHECK_BYTES(r.out.at, r.out.n, log.bytes.at, log.bytes.n);
	made_free(&log);
	made_free(&donor);
	repaired_free(&r);
}

/* A channel that the log does not declare is left out, and that is counted; a
 * donor without any channel of the log is refused. */
static void
strangers_stay_out(void)
{
	struct recipe other = first, again = first;
	struct made_log log = { 0 }, donor = { 0 };
	struct repaired r = { 0 };
	struct blob hurt = { 0 };
	uint64_t added, left_out, lost;
	bool keep[5 + BLOCKS];

	make_bddf(&log, &first, NULL);
	choose(keep, 0, BLOCKS);
	/* Series 3 was never declared here. */
	for (size_t i = 0; i < log.n; i++) {
		if (i < 5 + BLOCKS && log.blocks[i].kind != MADE_FILE)
			keep[i] &= log.blocks[i].series != 3;
	}
	again.again = true;
	make_bddf(&donor, &again, NULL);
	make_bddf(&log, &first, keep);
	make_hole(&hurt, &log, 6, 12);
	fill_memory(&r, &hurt, &donor.bytes, &added, &left_out);
	CHECK_OK(r.status, &r.err);
	lost = added;
	CHECK(lost >= 6 && left_out > 0);
	CHECK_BYTES(r.out.at, r.out.n, log.bytes.at, log.bytes.n);

	other.keys = 3;
	make_bddf(&donor, &other, NULL);
	fill_memory(&r, &hurt, &donor.bytes, &added, &left_out);
	CHECK_STATUS(r.status, SLV_E_UNRELATED, &r.err);
	CHECK(strstr(r.err.text, "no channel in common") != NULL);
	made_free(&log);
	made_free(&donor);
	repaired_free(&r);
	blob_free(&hurt);
}

CU_TestInfo fill_tests[] = {
	{ "gaps are filled", gaps_are_filled },
	{ "open end is filled", open_end_is_filled },
	{ "nothing is doubled", nothing_is_doubled },
	{ "strangers stay out", strangers_stay_out },
	CU_TEST_INFO_NULL,
};
