/* rosbag_other.c - records of another bag, which a payload carried.
 *
 * Where the header of the message that carried them is lost, they read like those
 * of the bag around.  But they number connections in their own way: where one of
 * them declares another topic or type than the index at the end of a closed bag
 * does, it is of another bag, and so is what follows it without a gap.
 */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"

/* Whether the index at the end declares another connection of that number, and not
 * this one. */
static bool
is_denied(const struct rosbag *b, const struct rosbag_decl *d)
{
	const struct rosbag_conn *c = &b->conns[d->conn], *other;

	if (c->in_tail || d->packed)
		return false;
	for (size_t n = 0; (other = rosbag_conn_nth(b, c->id, n)) != NULL;
	     n++) {
		if (other->in_tail)
			return true;
	}
	return false;
}

/* The chunk in which off is; NULL: none that is listed. */
static const struct rosbag_chunk *
chunk_at(const struct rosbag *b, uint64_t off)
{
	size_t i =
	    SLV_FROM(struct rosbag_chunk, end, b->chunks, b->n_chunks, off + 1);
	const struct rosbag_chunk *c;

	if (i == b->n_chunks)
		return NULL;
	c = &b->chunks[i];
	return off >= c->off && c->n_entries > 0 && c->codec == SLV_CODEC_NONE
	    ? c
	    : NULL;
}

/* Where the records end that follow the declaration without a gap. */
static uint64_t
run_end(const struct rosbag *b, const struct rosbag_chunk *c, uint64_t off)
{
	uint64_t end = off;

	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];

		if (e->at == end)
			end += e->len;
	}
	return end == c->data_end ? c->end : end;
}

enum slv_status
rosbag_other(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint64_t end = 0;

	/* Only where two connections have one number. */
	for (size_t i = 0; b->given > 0 && i < b->n_decls; i++) {
		const struct rosbag_decl *d = &b->decls[i];
		const struct rosbag_chunk *c;
		struct slv_aside a = {
			.off = d->off,
			.fate = SLV_LOST,
			.problem = { .info = &rosbag_problems
			                         [ROSBAG_P_BAD_RECORD] },
		};

		if (d->off < end || !is_denied(b, d))
			continue;
		c = chunk_at(b, d->off);
		if (c == NULL)
			continue;
		if (c->headed && c->data == d->off)
			a.off = c->off;
		if (!rosbag_follows_gap(s, c))
			continue;
		a.end = end = run_end(b, c, d->off);
		SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}
