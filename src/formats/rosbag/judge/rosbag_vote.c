/* rosbag_vote.c - which of two times of a message is right?
 *
 * One flipped byte makes a message's header and the index of its chunk differ.
 * Recorders write messages nearly in the order of their times, so the times
 * around the message show which one is wrong, unless the flip was small.
 */
#include "formats/rosbag/judge/rosbag_vote.h"

#define NEAR_NS INT64_C(10000000) /* how far recorders are out of order */
#define REACH   64                /* records searched on each side */
#define SECOND  1000000000        /* nanoseconds */

static int64_t
nanos_of(struct rosbag_time t)
{
	return (int64_t)t.sec * SECOND + t.nsec;
}

static bool
is_same(struct rosbag_time a, struct rosbag_time b)
{
	return a.sec == b.sec && a.nsec == b.nsec;
}

/* Whether nothing contradicts the time in the header of a record. */
static bool
is_undisputed(const struct rosbag_two *r)
{
	return r->is_message && (!r->named || is_same(r->header, r->index));
}

/* Nanoseconds that a time is outside of those around the record; < 0: it is
 * inside. */
static int64_t
distance(const struct rosbag_two *at, size_t n, size_t i, struct rosbag_time t)
{
	int64_t far = INT64_MIN, time = nanos_of(t);

	for (size_t k = 1; k <= REACH && k <= i; k++) {
		if (!is_undisputed(&at[i - k]))
			continue;
		far = nanos_of(at[i - k].header) - time;
		break;
	}
	for (size_t k = 1; k <= REACH && k < n - i; k++) {
		int64_t after;

		if (!is_undisputed(&at[i + k]))
			continue;
		after = time - nanos_of(at[i + k].header);
		far = after > far ? after : far;
		break;
	}
	return far;
}

/* Whether x fits better than y: within what recorders are out of order both
 * fit alike, unless only one is in order. */
static bool
is_nearer(int64_t x, int64_t y)
{
	if (x > NEAR_NS || y > NEAR_NS)
		return x < y;
	return x <= 0 && y > 0;
}

static bool
is_inside(const struct rosbag_edges *e, struct rosbag_time t)
{
	return nanos_of(e->from) <= nanos_of(t)
	    && nanos_of(t) <= nanos_of(e->to);
}

static bool
is_edge(const struct rosbag_edges *e, struct rosbag_time t)
{
	return is_same(e->from, t) || is_same(e->to, t);
}

static enum rosbag_winner
prefer(bool header)
{
	return header ? ROSBAG_HEADER_WINS : ROSBAG_INDEX_WINS;
}

enum rosbag_winner
rosbag_vote(const struct rosbag_two *at, size_t n, size_t i,
    const struct rosbag_edges *edges)
{
	struct rosbag_time header = at[i].header, index = at[i].index;
	int64_t x, y;

	if (index.nsec >= SECOND)
		return ROSBAG_HEADER_WINS;
	if (edges->known && is_inside(edges, header) != is_inside(edges, index))
		return prefer(is_inside(edges, header));
	if (edges->known && is_edge(edges, header) != is_edge(edges, index))
		return prefer(is_edge(edges, header));
	x = distance(at, n, i, header);
	y = distance(at, n, i, index);
	if ((x > NEAR_NS && y > NEAR_NS) || is_nearer(x, y) == is_nearer(y, x))
		return ROSBAG_UNDECIDED;
	return prefer(is_nearer(x, y));
}
