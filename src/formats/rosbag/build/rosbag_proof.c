/* rosbag_proof.c - what a proof need not read again: chunks that the plan
 * copies from the input, where the first scan has read them from end to end.
 */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_unit.h"

void
rosbag_count_lent(struct rosbag *b)
{
	for (size_t k = 0; k < b->n_chunks; k++)
		b->chunks[k].lends = 0;
	for (size_t i = 0; i < b->n_conns; i++) {
		const struct rosbag_conn *c = &b->conns[i];

		if (c->chunk != SIZE_MAX && !c->unannounced)
			b->chunks[c->chunk].lends++;
	}
	for (size_t k = 0; k < b->n_chunks; k++) {
		struct rosbag_chunk *chunk = &b->chunks[k];

		for (size_t i = 0; i < chunk->n_counts; i++) {
			const struct rosbag_conn *c =
			    &b->conns[b->counts[chunk->first_count + i].conn];

			if (c->chunk == k && !c->unannounced)
				chunk->lends--;
		}
	}
}

/* The chunk of the first scan that is copied to off of the output.  One that
 * declares a connection and has no message of it is read again: what the first
 * scan knows of a chunk is about the connections of its messages. */
static const struct rosbag_chunk *
copied(const struct slv_scan *s, uint64_t off)
{
	const struct rosbag *first = s->reference->state;
	const struct slv_plan *plan = s->proving;
	const struct slv_seg *seg = &plan->at[slv_plan_find(plan, off)];
	const struct rosbag_chunk *c;
	uint64_t in;

	if (seg->kind != SLV_SEG_COPY)
		return NULL;
	in = seg->arg + (off - seg->out);
	c = SLV_FIND(
	    const struct rosbag_chunk, off, first->chunks, first->n_chunks, in);
	return c != NULL && c->verbatim && c->messages > 0 && c->lends == 0
	        && c->end - c->off <= seg->len - (off - seg->out)
	    ? c
	    : NULL;
}

enum slv_status
rosbag_proven_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	const struct rosbag_chunk *c = copied(s, off);

	(void)err;
	*yes = c != NULL;
	if (c == NULL)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->tag = ROSBAG_TAG_PROVEN;
	u->part = SLV_PART_PACK;
	u->len = c->end - c->off;
	u->sure = true;
	return SLV_OK;
}

/* What the first scan knows of a connection; declared here, if it is there in
 * this chunk. */
static enum slv_status
adopt_conn(struct slv_scan *s, const struct rosbag_chunk *from,
    const struct rosbag_conn *old, uint64_t off, uint32_t *out,
    struct slv_err *err)
{
	const struct rosbag *first = s->reference->state;
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_record r;
	bool odd, full;

	if (old->chunk != (size_t)(from - first->chunks) || old->unannounced)
		return rosbag_conn_find(s, old->id, off, out, &full, err);
	rosbag_record_get(first->texts.at + old->text, old->len, &r);
	SLV_TRY(rosbag_conn_declare(
	    s, first->texts.at + old->text, &r, off, out, &odd, &full, err));
	b->conns[*out].chunk = b->n_chunks;
	return SLV_OK;
}

enum slv_status
rosbag_adopt(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	const struct rosbag *first = s->reference->state;
	const struct rosbag_chunk *from = copied(s, off);
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_chunk *c;

	(void)u;
	SLV_TRY(rosbag_chunk_close(s, err));
	SLV_TRY(SLV_ROOM(b, chunks, 1, err));
	SLV_TRY(SLV_ROOM(b, counts, from->n_counts, err));
	c = &b->chunks[b->n_chunks];
	*c = *from;
	c->off = off;
	c->first_count = b->n_counts;
	c->n_entries = 0; /* they are listed in the first scan */
	for (size_t i = 0; i < from->n_counts; i++) {
		struct rosbag_count n = first->counts[from->first_count + i];

		SLV_TRY(adopt_conn(
		    s, from, &first->conns[n.conn], off, &n.conn, err));
		b->conns[n.conn].n += n.n;
		b->counts[b->n_counts++] = n;
	}
	b->n_chunks++;
	b->messages += from->messages;
	b->sum += from->sum;
	return SLV_OK;
}
