/* rosbag_counts.c - how many messages of each connection there are, and how many the
 * index at the end names.
 */
#include "base/list.h"
#include "formats/rosbag/index/rosbag_due.h"

SLV_ORDER(compare_counts, struct slv_gap_count, channel)

bool
rosbag_counts_add_up(struct slv_gap_count *at, size_t *n, uint64_t *sum)
{
	size_t from = 0, to = 0;

	*sum = 0;
	slv_sort(at, *n, sizeof(*at), compare_counts);
	while (from < *n) {
		struct slv_gap_count c = { at[from].channel, 0 };

		for (; from < *n && at[from].channel == c.channel; from++)
			c.n += at[from].n;
		if (c.n > INT64_MAX)
			return false;
		*sum += c.n;
		if (c.n > 0)
			at[to++] = c;
	}
	*n = to;
	return true;
}

size_t
rosbag_counts_take(const struct rosbag *b, const struct rosbag_chunk *chunk,
    struct slv_gap_count *out)
{
	size_t n = 0;

	for (size_t i = 0; i < chunk->n_counts; i++) {
		struct rosbag_count c = b->counts[chunk->first_count + i];

		if (b->conns[c.conn].declared)
			out[n++] = (struct slv_gap_count){
				b->conns[c.conn].id,
				0 - (uint64_t)c.n,
			};
	}
	return n;
}

bool
rosbag_names_all(const struct rosbag *b)
{
	for (size_t i = 0; i < b->n_conns; i++) {
		if (!b->conns[i].declared && b->conns[i].n > 0)
			return false;
	}
	return b->header.len > 0 && b->head.n_chunks > 0
	    && b->n_infos == b->head.n_chunks && !b->head.encrypted;
}

uint64_t
rosbag_surplus(const struct rosbag *b)
{
	uint64_t named = 0, kept = 0;

	if (!rosbag_names_all(b))
		return 0;
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		for (size_t k = 0; k < info->n_counts; k++)
			named += b->counts[info->first_count + k].n;
	}
	for (size_t i = 0; i < b->n_conns; i++)
		kept += b->conns[i].n;
	return kept > named ? kept - named : 0;
}

enum slv_status
rosbag_are_all_kept(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct slv_gap_count *at;
	uint64_t sum;
	size_t n = 0;

	*yes = s->catalog.sums[SLV_LOST] == 0 && rosbag_names_all(b);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_new(&at, b->n_counts + b->n_conns, sizeof(*at), err));
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		for (size_t k = 0; k < info->n_counts; k++)
			at[n++] = (struct slv_gap_count){
				b->counts[info->first_count + k].conn,
				b->counts[info->first_count + k].n,
			};
	}
	for (size_t i = 0; i < b->n_conns; i++)
		at[n++] =
		    (struct slv_gap_count){ b->conns[i].id, 0 - b->conns[i].n };
	*yes = rosbag_counts_add_up(at, &n, &sum) && n == 0;
	slv_free(at);
	return SLV_OK;
}
