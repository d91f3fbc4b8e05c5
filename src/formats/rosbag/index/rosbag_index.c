/* rosbag_index.c - does an index say of the open chunk what is in it? */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/rosbag_state.h"

SLV_ORDER(compare_named, struct rosbag_named, offset)

/* Read the entries, put in order of their offsets.  *sorted: they were in the
 * order of their times, as readers need them. */
static enum slv_status
read_named(struct slv_scan *s, uint64_t off, struct rosbag_named *to,
    uint32_t count, bool *sorted, struct slv_err *err)
{
	bool ascending = true;

	*sorted = true;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window,
		    off + (uint64_t)i * ROSBAG_ENTRY_SIZE, ROSBAG_ENTRY_SIZE,
		    &p, err));
		to[i] = rosbag_named_get(p, 0);
		if (i == 0)
			continue;
		*sorted &= rosbag_time_compare(to[i - 1].time, to[i].time) <= 0;
		ascending &= to[i - 1].offset <= to[i].offset;
	}
	if (!ascending)
		slv_sort(to, count, sizeof(*to), compare_named);
	return SLV_OK;
}

/* How many of them are messages of the connection. */
static uint32_t
count_hits(const struct rosbag *b, const struct rosbag_conn *c,
    const struct rosbag_named *at, uint32_t count)
{
	const struct rosbag_chunk *chunk = &b->chunks[b->n_chunks - 1];
	uint64_t base = chunk->codec == SLV_CODEC_NONE ? chunk->data : 0;
	uint32_t e = c->first, i = 0, hits = 0;

	while (e != ROSBAG_NONE && i < count) {
		const struct rosbag_entry *entry = &b->entries.at[e];
		uint64_t offset = entry->at - base;

		if (offset == at[i].offset) {
			hits +=
			    rosbag_time_compare(entry->time, at[i].time) == 0;
			i++;
			e = entry->next;
		} else if (offset < at[i].offset) {
			e = entry->next;
		} else {
			i++;
		}
	}
	return hits;
}

enum slv_status
rosbag_index_check(struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, uint64_t len, bool *same, bool *ours,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint32_t count, hits, i;
	struct rosbag_named *named;
	enum slv_status st;
	bool full, sorted;

	*same = *ours = false;
	if (rosbag_head(r) > len)
		return slv_scan_changed(s, err);
	count = (uint32_t)((len - rosbag_head(r)) / ROSBAG_ENTRY_SIZE);
	if (!rosbag_conn_known(b, r->conn))
		return SLV_OK;
	SLV_TRY(rosbag_conn_find(s, r->conn, off, &i, &full, err));
	SLV_TRY(slv_new(&named, (size_t)count, sizeof(*named), err));
	st = read_named(s, off + rosbag_head(r), named, count, &sorted, err);
	hits = count_hits(b, &b->conns[i], named, count);
	slv_free(named);
	*ours = count > 0 && (uint64_t)hits * 2 >= count;
	*same = sorted && hits == count && r->count == count
	    && rosbag_span(r) == len && b->conns[i].n_here == count
	    && !b->conns[i].indexed && b->conns[i].first != ROSBAG_NONE;
	if (*same)
		b->conns[i].indexed = true;
	return st;
}
