/* test_rosbag_vote.c - which of two times of a message is believed. */
#include "formats/rosbag/judge/rosbag_vote.h"
#include "support/check.h"
#include "unit/suites.h"

#define MS 1000000

static struct rosbag_time
at(uint32_t sec, uint32_t ms)
{
	return (struct rosbag_time){ sec, ms * MS };
}

static struct rosbag_two
sound(uint32_t sec, uint32_t ms)
{
	return (struct rosbag_two){ at(sec, ms), at(sec, ms), true, true };
}

/* Three messages, of which the one in the middle has two times. */
static enum rosbag_winner
between(struct rosbag_time header, struct rosbag_time index,
    const struct rosbag_edges *edges)
{
	const struct rosbag_two all[] = {
		sound(10, 100),
		{ header, index, true, true },
		sound(10, 200),
	};

	return rosbag_vote(all, 3, 1, edges);
}

static void
neighbours(void)
{
	static const struct rosbag_edges none;

	CHECK(between(at(10, 150), at(74, 150), &none) == ROSBAG_HEADER_WINS);
	CHECK(between(at(74, 150), at(10, 150), &none) == ROSBAG_INDEX_WINS);
	CHECK(between(at(10, 205), at(10, 150), &none) == ROSBAG_INDEX_WINS);
	CHECK(between(at(10, 150), at(10, 151), &none) == ROSBAG_UNDECIDED);
	CHECK(between(at(10, 205), at(10, 207), &none) == ROSBAG_UNDECIDED);
	CHECK(between(at(74, 0), at(90, 0), &none) == ROSBAG_UNDECIDED);
	CHECK(between(at(74, 0), at(10, 1500), &none) == ROSBAG_HEADER_WINS);
}

static void
disputed_neighbours(void)
{
	static const struct rosbag_edges none;
	const struct rosbag_two all[] = {
		sound(10, 0),
		{ at(74, 50), at(10, 50), true, true },
		{ at(74, 60), at(10, 60), true, true },
		{ at(74, 70), { 0, 0 }, false, false },
		sound(10, 100),
	};

	CHECK(rosbag_vote(all, 5, 1, &none) == ROSBAG_INDEX_WINS);
	CHECK(rosbag_vote(all, 5, 2, &none) == ROSBAG_INDEX_WINS);
	CHECK(rosbag_vote(all + 1, 2, 0, &none) == ROSBAG_UNDECIDED);
}

static void
chunk_times(void)
{
	const struct rosbag_edges wide = { true, at(9, 0), at(11, 0) };
	const struct rosbag_edges exact = { true, at(10, 150), at(11, 0) };
	const struct rosbag_two alone = { at(8, 0), at(9, 500), true, true };

	CHECK(rosbag_vote(&alone, 1, 0, &wide) == ROSBAG_INDEX_WINS);
	CHECK(between(at(10, 150), at(10, 151), &wide) == ROSBAG_UNDECIDED);
	CHECK(between(at(10, 150), at(10, 151), &exact) == ROSBAG_HEADER_WINS);
	CHECK(between(at(10, 151), at(10, 150), &exact) == ROSBAG_INDEX_WINS);
}

CU_TestInfo rosbag_vote_tests[] = {
	{ "neighbours", neighbours },
	{ "disputed neighbours", disputed_neighbours },
	{ "times of the chunk", chunk_times },
	CU_TEST_INFO_NULL,
};
