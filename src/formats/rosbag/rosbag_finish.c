/* rosbag_finish.c - all is read: does the index say what the chunks hold? */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/index/rosbag_due.h"
#include "formats/rosbag/read/rosbag_type.h"

/* A chunk in which a connection gets another number is rebuilt.  A compressed
 * chunk that no checksum confirms cannot stay as it is stored when another
 * declaration is right than one that is in it. */
static void
open_contradicted(struct rosbag *b)
{
	for (size_t i = 0; i < b->n_chunks; i++) {
		struct rosbag_chunk *c = &b->chunks[i];

		c->refuted =
		    c->renumbered && c->stored && c->codec != SLV_CODEC_NONE;
		c->stays &= !c->renumbered;
		c->indexed &= !c->renumbered;
		c->stored &= !c->refuted;
		if (!c->declares || c->summed || !c->stored)
			continue;
		for (size_t k = 0; k < c->n_entries && !c->refuted; k++)
			c->refuted = rosbag_entry_is_out(
			    b, &b->kept.at[c->first_entry + k]);
		c->stored &= !c->refuted;
		c->stays &= !c->refuted;
	}
}

static enum slv_status
set_rebuilt(struct slv_scan *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	return slv_catalog_queue(&s->catalog, off, end - off, SLV_REBUILT, err);
}

/* How many messages of a connection an info counts. */
static uint32_t
count_of(const struct rosbag *b, const struct rosbag_info *info, uint32_t id)
{
	const struct rosbag_count *at = b->counts + info->first_count;
	const struct rosbag_count *found =
	    SLV_FIND(const struct rosbag_count, conn, at, info->n_counts, id);

	return found != NULL ? found->n : 0;
}

bool
rosbag_counts_same(const struct rosbag *b, const struct rosbag_info *info,
    const struct rosbag_chunk *chunk)
{
	if (info->n_counts != chunk->n_counts)
		return false;
	for (size_t i = 0; i < chunk->n_counts; i++) {
		const struct rosbag_count *c =
		    &b->counts[chunk->first_count + i];

		if (count_of(b, info, b->conns[c->conn].id) != c->n)
			return false;
	}
	return true;
}

bool
rosbag_info_same(const struct rosbag *b, const struct rosbag_info *info,
    const struct rosbag_chunk *chunk)
{
	return info->chunk == chunk->off && rosbag_counts_same(b, info, chunk)
	    && (chunk->messages == 0
	        || (rosbag_time_compare(info->from, chunk->from) == 0
	            && rosbag_time_compare(info->to, chunk->to) == 0));
}

enum slv_status
rosbag_is_padded(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *head, bool *yes, struct slv_err *err)
{
	uint64_t at = off + rosbag_head(head);
	size_t n = (size_t)slv_min64(head->data, s->source->size - at);
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, at, n, &p, err));
	*yes = n == head->data;
	for (size_t i = 0; i < n; i++)
		*yes &= p[i] == ' ';
	return SLV_OK;
}

/* Whether the last chunk says that it goes on after the end of the bag. */
static bool
is_cut(const struct slv_scan *s)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_chunk *last;

	if (b->n_chunks == 0)
		return false;
	last = &b->chunks[b->n_chunks - 1];
	return last->headed && last->index == last->end
	    && b->claim.len > s->logical_end - last->data;
}

/* Whether the bag ends before the length that was written when it, or its last
 * chunk, was closed: then it is unknown how much is missing. */
static enum slv_status
finish_short(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t index = b->head.index_pos, end = s->logical_end;
	bool closed = b->header.len > 0 && b->head.n_chunks > 0 && index > end;

	if (b->tail != 0 || !(closed || is_cut(s)))
		return SLV_OK;
	/* Of all chunks only the last one's index is not here. */
	if (!is_cut(s) && b->head.n_chunks == b->n_chunks
	    && s->units_lost == 0) {
		s->end = SLV_END_KNOWN;
		return SLV_OK;
	}
	s->absent = s->lost_loose = true;
	return closed
	    ? rosbag_problem(s, ROSBAG_P_SHORT, end, 0, index, index - end, err)
	    : SLV_OK;
}

/* Readers tell types apart by a sum over their definition. */
static enum slv_status
finish_sum(struct slv_scan *s, const struct rosbag_conn *c, struct slv_err *err)
{
	const uint8_t *record;
	enum rosbag_sum sum;

	/* Nor is what was made of a damaged one held against it, in a proof. */
	if (s->reference != NULL || !c->declared
	    || (c->spoilt_len > 0 && c->text == c->spoilt))
		return SLV_OK;
	record = rosbag_of(s)->texts.at + c->text;
	SLV_TRY(
	    rosbag_sum_check(record + c->head, c->len - c->head, &sum, err));
	return sum != ROSBAG_SUM_DIFFERS ? SLV_OK
	                                 : rosbag_problem(s, ROSBAG_P_TYPE_SUM,
	                                     c->need_off, 0, c->id, 0, err);
}

/* Messages of connections that nothing declares are of no use to a reader. */
static enum slv_status
finish_conns(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	for (size_t i = 0; i < b->n_conns; i++) {
		const struct rosbag_conn *c = &b->conns[i];

		SLV_TRY(finish_sum(s, c, err));
		s->wants_donor |= !c->declared && s->opt.donor == NULL;
		if (!c->declared)
			SLV_TRY(rosbag_problem(s, ROSBAG_P_UNDECLARED,
			    c->need_off, 0, c->id, c->n, err));
		else if (c->taken)
			SLV_TRY(rosbag_problem(s, ROSBAG_P_CONN_TAKEN,
			    c->need_off, 0, c->id, c->n, err));
		else if (c->unannounced && c->n > 0)
			SLV_TRY(rosbag_problem(s, ROSBAG_P_UNANNOUNCED,
			    c->need_off, 0, c->id, c->n, err));
		if (c->out != c->id && c->n > 0)
			SLV_TRY(rosbag_problem(s, ROSBAG_P_CONN_NUMBER,
			    c->need_off, 0, c->out, c->id, err));
	}
	return SLV_OK;
}

/* Whether all chunks are copied to where they are, with nothing between them and
 * the index. */
static bool
tail_stays(const struct rosbag *b)
{
	uint64_t at = ROSBAG_DATA_START;

	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->off != at || !c->stays || !c->indexed || c->gone
		    || c->unannounced || rosbag_chunk_is_empty(c))
			return false;
		at = c->end;
	}
	return b->tail_holds && b->tail == at && !b->head.encrypted;
}

/* The index at the end is rebuilt, but not what is between its records: chunks, and
 * what was lost. */
static enum slv_status
set_tail_rebuilt(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct slv_catalog *k = &s->catalog;
	uint64_t at = b->tail;
	size_t next = 0;

	while (at < b->tail_end) {
		const struct slv_extent *x = &k->at[slv_catalog_find(k, at)];
		uint64_t end = slv_min64(x->off + x->len, b->tail_end);

		while (next < b->n_chunks && b->chunks[next].end <= at)
			next++;
		if (next < b->n_chunks && b->chunks[next].off <= at) {
			at = b->chunks[next].end;
			continue;
		}
		if (next < b->n_chunks)
			end = slv_min64(end, b->chunks[next].off);
		if (x->fate == SLV_KEPT)
			SLV_TRY(set_rebuilt(s, at, end, err));
		at = end;
	}
	return SLV_OK;
}

/* Which ends of the bag are copied. */
static void
settle_ends(struct rosbag *b)
{
	b->tail_stays = tail_stays(b);
	b->head_stays &= b->tail_stays && b->magic.len == ROSBAG_MAGIC_SIZE;
}

/* What is rebuilt is not kept. */
static enum slv_status
mark_rebuilt(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	settle_ends(b);
	if (b->tail != 0 && !b->tail_stays)
		SLV_TRY(set_tail_rebuilt(s, err));
	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if ((!c->indexed || c->gone) && c->index < c->end)
			SLV_TRY(set_rebuilt(s, c->index, c->end, err));
		if (c->headed
		    && (!c->stays || c->gone || rosbag_chunk_is_empty(c)))
			SLV_TRY(set_rebuilt(s, c->off, c->data, err));
		if (c->refuted)
			SLV_TRY(set_rebuilt(s, c->data, c->data_end, err));
	}
	return b->header.len > 0 && !b->head_stays
	    ? set_rebuilt(s, b->header.off, b->header.off + b->header.len, err)
	    : SLV_OK;
}

/* A stretch as long as a declaration, before the first message that needed
 * it, was that. */
static enum slv_status
excuse_conns(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	for (size_t i = 0; i < b->n_conns; i++) {
		const struct rosbag_conn *c = &b->conns[i];
		struct slv_extent x;

		if (!c->declared || !c->unannounced || c->need_off <= c->len
		    || s->units_lost == 0)
			continue;
		x = s->catalog
		        .at[slv_catalog_find(&s->catalog, c->need_off - 1)];
		if (x.fate != SLV_LOST || x.len != c->len
		    || x.off + x.len != c->need_off)
			continue;
		/* At once: the next one may mean the same stretch. */
		SLV_TRY(slv_catalog_set(
		    &s->catalog, x.off, x.len, SLV_REBUILT, err));
		s->units_lost--;
		s->lost_loose &= s->units_lost > 0;
	}
	return SLV_OK;
}

struct rosbag_range
rosbag_chunk_stored(const struct rosbag_chunk *c)
{
	uint64_t off = slv_max64(c->off, c->data);

	return (struct rosbag_range){ off,
		(c->stored ? c->data_end : c->upto) - off };
}

/* Messages of undeclared connections are lost.  In a compressed chunk all of
 * its data is marked, because a part of it cannot be copied. */
static enum slv_status
mark_lost(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	for (size_t i = b->n_chunks; i-- > 0;) {
		const struct rosbag_chunk *chunk = &b->chunks[i];
		struct rosbag_range stored = { 0 };

		for (size_t k = chunk->n_entries; k-- > 0;) {
			const struct rosbag_entry *e =
			    &b->kept.at[chunk->first_entry + k];

			if (chunk->gone && e->is_conn
			    && chunk->codec == SLV_CODEC_NONE)
				SLV_TRY(
				    set_rebuilt(s, e->at, e->at + e->len, err));
			if (e->is_conn || b->conns[e->conn].declared)
				continue;
			s->units_kept--;
			slv_scan_lose(s, 1, &b->conns[e->conn].out);
			if (chunk->codec == SLV_CODEC_NONE)
				SLV_TRY(slv_catalog_queue(
				    &s->catalog, e->at, e->len, SLV_LOST, err));
			else
				stored = rosbag_chunk_stored(chunk);
		}
		SLV_TRY(slv_catalog_queue(
		    &s->catalog, stored.off, stored.len, SLV_LOST, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Where the index shows that no message is missing, what is no record was none
 * of the chunks: it came in from elsewhere, or was of the index. */
static enum slv_status
excuse_rest(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	bool yes;

	SLV_TRY(rosbag_is_all_there(s, &yes, err));
	if (!yes)
		return SLV_OK;
	s->units_lost = 0;
	/* There are as many as were recorded, but it is unknown if they are
	 * the same. */
	if (b->unverified)
		return SLV_OK;
	s->lost_loose = s->absent = false;
	for (size_t i = 0; i < s->catalog.n; i++) {
		struct slv_extent x = s->catalog.at[i];
		bool in_tail = b->tail != 0 && x.off + x.len >= b->tail;

		if (x.fate == SLV_LOST)
			SLV_TRY(slv_catalog_queue(&s->catalog, x.off, x.len,
			    in_tail ? SLV_REBUILT : SLV_FILLER, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* An empty bag is one that was begun: of a few bytes that are none of it nothing
 * is made. */
static enum slv_status
finish_nothing(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	if (b->header.len > 0 || b->messages > 0 || b->n_conns > 0
	    || b->n_infos > 0)
		return SLV_OK;
	b->locked = true;
	return rosbag_problem(s, ROSBAG_P_NOTHING, 0, 0, 0, 0, err);
}

static enum slv_status
compare_proof(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *first = s->reference->state;
	const struct rosbag *b = rosbag_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ b->messages, b->sum }, err);
}

enum slv_status
rosbag_finish(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	s->supported = true;
	if (b->version[0] != 2) {
		s->supported = false;
		return rosbag_problem(s, ROSBAG_P_VERSION, 0, b->magic.len,
		    b->version[0], b->version[1], err);
	}
	b->index_odd |= b->head.encrypted && b->upto != s->source->size;
	SLV_TRY(rosbag_chunk_close(s, err));
	if (b->head.encrypted) {
		SLV_TRY(rosbag_cipher_finish(s, err));
	} else {
		rosbag_conn_settle(b);
		SLV_TRY(rosbag_decl_settle(s, err));
		open_contradicted(b);
		SLV_TRY(rosbag_take(s, err));
		SLV_TRY(finish_conns(s, err));
	}
	SLV_TRY(rosbag_tail_finish(s, err));
	SLV_TRY(finish_nothing(s, err));
	s->checksummed = b->n_chunks > 0 && !b->head.encrypted;
	for (size_t i = 0; i < b->n_chunks; i++)
		s->checksummed &= b->chunks[i].stored && b->chunks[i].summed;
	if (s->reference != NULL)
		return compare_proof(s, err);
	if (slv_scan_is_sound(s)) {
		settle_ends(b); /* a bag inside other bytes has a plan, too */
		return SLV_OK;
	}
	SLV_TRY(excuse_conns(s, err));
	rosbag_conn_move(b);
	SLV_TRY(mark_rebuilt(s, err));
	SLV_TRY(mark_lost(s, err));
	SLV_TRY(rosbag_absent_before(s, err));
	SLV_TRY(finish_short(s, err));
	SLV_TRY(excuse_rest(s, err));
	SLV_TRY(rosbag_doubt(s, err));
	SLV_TRY(rosbag_decl_doubt(s, err));
	SLV_TRY(rosbag_gone(s, err));
	SLV_TRY(rosbag_absent_named(s, err));
	return rosbag_doubt_carried(s, err);
}
