/* rosbag_again.c - messages that a damaged chunk holds twice.
 *
 * Where a stretch of a compressed chunk is in the file twice, what is found
 * after the damage are messages that were decoded before it.
 */
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/rosbag/rosbag_state.h"

/* Messages of one connection, time and length that are compared with each
 * other. */
#define TRIES 64

/* By time, connection and length. */
static int
compare(const void *p, const void *q)
{
	const struct rosbag_entry *a = p, *b = q;
	int order = rosbag_time_compare(a->time, b->time);

	if (order != 0)
		return order;
	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	return a->len < b->len ? -1 : a->len > b->len;
}

enum slv_status
rosbag_body_sort(
    const struct slv_scan *s, struct rosbag_body *body, struct slv_err *err)
{
	const struct rosbag_entries *from = &body->entries;
	struct rosbag_entries *to = &body->sorted;

	if (to->n > 0 || from->n == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&to->at, &to->cap, from->n, sizeof(*to->at), err));
	memcpy(to->at, from->at, from->n * sizeof(*from->at));
	to->n = from->n;
	return slv_sort_long(
	    to->at, to->n, sizeof(*to->at), compare, s->opt.cancel, err);
}

bool
rosbag_body_has(
    const struct rosbag_body *body, uint64_t at, const struct rosbag_record *r)
{
	const struct rosbag_entries *e = &body->sorted;
	const uint8_t *p = body->decode.out.at;
	struct slv_search f = { .high = e->n };
	const struct rosbag_entry like = {
		.len = (uint32_t)rosbag_span(r),
		.conn = r->conn,
		.time = r->time,
	};

	if (e->n == 0 || r->op != ROSBAG_MESSAGE)
		return false;
	while (slv_search(&f))
		slv_search_on(&f, compare(&e->at[f.mid], &like) < 0);
	for (size_t i = f.low;
	     i < e->n && i - f.low < TRIES && compare(&e->at[i], &like) == 0;
	     i++) {
		if (memcmp(p + e->at[i].at, p + at, like.len) == 0)
			return true;
	}
	return false;
}
