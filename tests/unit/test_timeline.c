/* test_timeline.c - blocks are counted where and when they are. */
#include <stdlib.h>
#include <string.h>

#include "core/catalog/timeline.h"
#include "support/check.h"
#include "unit/suites.h"

#define SIZE 25600 /* bytes of the log: 100 a part */

static const struct slv_moment first = { 1700000000, 500000000, true };

/* A timeline of 24 seconds, 0.1 s and a little a step, with n channels, of
 * which the last one has most messages; owned by the caller. */
static struct slv_timeline *
begin(uint32_t n, struct slv_moment from, struct slv_moment to)
{
	struct slv_timeline *t = calloc(1, sizeof(*t));
	struct slv_facts facts = { 0 };
	struct slv_err err = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		struct slv_channel *c;

		CHECK_OK(slv_facts_channel(&facts, i, &c, &err), &err);
		c->messages = i;
	}
	CHECK_OK(slv_timeline_begin(t, SIZE, from, to, &facts, &err), &err);
	slv_facts_free(&facts);
	return t;
}

static struct slv_timeline *
usual(uint32_t n)
{
	struct slv_moment last = first;

	last.sec += 24;
	return begin(n, first, last);
}

/* A kept block of a channel, ms after the first one. */
static struct slv_block
block(uint64_t off, uint64_t len, uint32_t channel, unsigned ms)
{
	return (struct slv_block){
		.off = off,
		.len = len,
		.verdict = "kept",
		.has_channel = true,
		.channel = channel,
		.has_time = true,
		.sec = first.sec + (ms + 500) / 1000,
		.nanos = (ms + 500) % 1000 * 1000000,
	};
}

static void
steps_and_parts(void)
{
	struct slv_timeline *t = usual(2);
	struct slv_block b = block(50, 100, 1, 0);

	slv_timeline_block(t, &b);
	b = block(25590, 10, 0, 24000);
	slv_timeline_block(t, &b);
	CHECK_U64(t->n_parts, SLV_TIMELINE_PARTS);
	CHECK_U64(t->counts[1][0], 1);
	CHECK_U64(t->counts[0][SLV_TIMELINE_STEPS - 1], 1);
	CHECK(t->parts[0].timed && t->parts[1].timed && !t->parts[2].timed);
	CHECK_I64(t->parts[0].first, 0);
	CHECK_I64(t->parts[255].last, 24000000);
	CHECK_U64(t->parts[1].bytes[1], 100);
	CHECK_U64(t->parts[255].bytes[0], 10);
	free(t);
}

/* What is not kept, has no time or is out of all time is not counted. */
static void
only_what_is_kept(void)
{
	struct slv_timeline *t = usual(1);
	struct slv_block b = block(0, 10, 0, 0);

	b.verdict = "lost";
	slv_timeline_block(t, &b);
	b = block(0, 10, 0, 0);
	b.has_time = false;
	slv_timeline_block(t, &b);
	b = block(0, 10, 0, 0);
	b.sec = INT64_MIN;
	slv_timeline_block(t, &b);
	b.sec = INT64_MAX;
	slv_timeline_block(t, &b);
	b = block(0, 10, 0, 30000);
	slv_timeline_block(t, &b);
	b = block(0, 10, 7, 0);
	slv_timeline_block(t, &b);
	for (size_t i = 0; i < SLV_TIMELINE_STEPS; i++)
		CHECK_U64(t->counts[0][i], 0);
	free(t);
}

/* What is in a chunk is where the chunk is, whatever its own size. */
static void
packed_blocks(void)
{
	struct slv_timeline *t = usual(1);
	struct slv_block chunk = { .off = 100, .len = 200, .verdict = "kept" };
	struct slv_block b = block(100, 100000, 0, 1000);

	b.packed = true;
	slv_timeline_block(t, &chunk);
	slv_timeline_block(t, &b);
	CHECK(!t->parts[0].timed && t->parts[1].timed && t->parts[2].timed);
	CHECK(!t->parts[3].timed);
	free(t);
}

static void
busiest_channels(void)
{
	struct slv_timeline *t = usual(SLV_TIMELINE_CHANNELS + 10);

	CHECK_U64(t->n_channels, SLV_TIMELINE_CHANNELS);
	CHECK_U64(t->n_left_out, 10);
	CHECK_U64(t->channels[0], 10);
	CHECK_U64(
	    t->channels[SLV_TIMELINE_CHANNELS - 1], SLV_TIMELINE_CHANNELS + 9);
	free(t);
}

/* Times that make no sense together, or none, make no timeline. */
static void
no_time(void)
{
	static const struct {
		struct slv_moment from, to;
		bool known;
	} rows[] = {
		{ { 0 }, { 0 }, false },
		{ { 0, 0, true }, { 0 }, false },
		{ { 0, 0, true }, { 0, 0, true }, true },
		{ { 0, 0, true }, { 2000000000, 0, true }, true },
		{ { 0, 0, true }, { 2000000001, 0, true }, false },
		{ { INT64_MIN, 0, true }, { INT64_MAX, 0, true }, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct slv_timeline *t = begin(1, rows[i].from, rows[i].to);
		struct slv_block b = block(0, 1, 0, 0);

		check_case("row %zu", i);
		CHECK(t->from.known == rows[i].known);
		CHECK(!t->from.known || t->step > 0);
		CHECK(t->step <= (uint64_t)1 << 53);
		CHECK(slv_timeline_block(t, &b));
		free(t);
	}
}

CU_TestInfo timeline_tests[] = {
	{ "steps and parts", steps_and_parts },
	{ "only what is kept", only_what_is_kept },
	{ "packed blocks", packed_blocks },
	{ "busiest channels", busiest_channels },
	{ "no time", no_time },
	CU_TEST_INFO_NULL,
};
