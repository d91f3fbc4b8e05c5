/* rosbag_tail.c - the index at the end of a bag, and the header that points to it:
 * do they say what the chunks hold?
 */
#include <stdio.h>

#include "base/text/count.h"
#include "formats/rosbag/index/rosbag_due.h"

/* Where the data of the last chunk end, and its index. */
static uint64_t
chunks_end(const struct rosbag *b)
{
	return b->n_chunks > 0 ? b->chunks[b->n_chunks - 1].end
	                       : ROSBAG_DATA_START;
}

/* Whether what declares the connection in the index was set aside, with a finding
 * of its own. */
static bool
is_aside(const struct slv_scan *s, const struct rosbag_conn *c)
{
	const struct slv_mends *m = s->opt.mends;
	uint64_t from = chunks_end(rosbag_of(s));

	for (size_t i = 0; m != NULL && i < m->n_aside; i++) {
		const struct slv_problem *p = &m->aside[i].problem;

		if (m->aside[i].off >= from && p->got == c->id
		    && (p->info == &rosbag_problems[ROSBAG_P_CONN_WRONG]
		        || p->info
		            == &rosbag_problems[ROSBAG_P_CONN_UNDECIDED]))
			return true;
	}
	return false;
}

/* What of the index is not as the chunks have it: into p->here; "": nothing.
 * *told: a finding of its own says what. */
static void
compare_tail(const struct slv_scan *s, struct slv_problem *p, bool *told)
{
	const struct rosbag *b = rosbag_of(s);

	*told = false;
	if (b->n_infos != b->n_chunks) {
		snprintf(p->here, sizeof(p->here),
		    "it names %s chunk%s, and there %s %s",
		    slv_count(b->n_infos).text, b->n_infos == 1 ? "" : "s",
		    b->n_chunks == 1 ? "is" : "are",
		    slv_count(b->n_chunks).text);
		return;
	}
	for (size_t i = 0; i < b->n_chunks; i++) {
		if (rosbag_info_same(b, &b->infos[i], &b->chunks[i]))
			continue;
		snprintf(p->here, sizeof(p->here),
		    "its entry for the chunk at %s does not match",
		    slv_count(b->chunks[i].off).text);
		return;
	}
	for (size_t i = 0; i < b->n_conns; i++) {
		if (b->conns[i].in_tail)
			continue;
		*told = is_aside(s, &b->conns[i]);
		snprintf(p->here, sizeof(p->here), "it lacks connection %s",
		    slv_count(b->conns[i].id).text);
		if (!*told)
			return;
	}
	if (b->tail_odd && p->here[0] == '\0')
		snprintf(p->here, sizeof(p->here),
		    "something in it is no good, or there twice");
}

/* Whether nothing that is kept is between the last chunk and the first record
 * of the index, so that the index may have begun anywhere there. */
static bool
may_begin_at(const struct slv_scan *s, uint64_t off)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t at = off;

	if (off < chunks_end(b) || off > b->tail)
		return false;
	while (at < b->tail) {
		const struct slv_extent *x =
		    &s->catalog.at[slv_catalog_find(&s->catalog, at)];

		if (x->fate == SLV_KEPT)
			return false;
		at = x->off + x->len;
	}
	return true;
}

/* Where the index begins, or would be. */
static uint64_t
index_at(const struct slv_scan *s)
{
	const struct rosbag *b = rosbag_of(s);

	if (b->tail == 0)
		return b->upto;
	/* Its first record may be damaged, or set aside. */
	return b->header.len > 0 && may_begin_at(s, b->head.index_pos)
	    ? b->head.index_pos
	    : b->tail;
}

/* Whether the header counts what the index names, or what is there: then it is
 * the index that lacks something. */
static bool
counts_hold(const struct rosbag *b)
{
	const struct rosbag_record *h = &b->head;

	return (h->n_conns == b->tail_conns && h->n_chunks == b->n_infos)
	    || (h->n_conns == b->n_conns && h->n_chunks == b->n_chunks);
}

static enum slv_status
finish_header(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint64_t index = index_at(s);
	unsigned row = ROSBAG_PROBLEMS;
	bool padded;

	/* Mostly something else was found in its place, or is missing, too. */
	if (b->header.len == 0)
		return !slv_scan_is_sound(s)
		    ? SLV_OK
		    : rosbag_problem(
		        s, ROSBAG_P_HEADER_LOST, b->magic.len, 0, 0, 0, err);
	/* It is about the fields, not about the page of spaces that follows. */
	if (b->head.index_pos == 0)
		return rosbag_problem(s, ROSBAG_P_UNINDEXED, b->header.off,
		    rosbag_head(&b->head), 0, 0, err);
	SLV_TRY(rosbag_is_padded(s, b->header.off, &b->head, &padded, err));
	if (b->head.index_pos != index)
		row = ROSBAG_P_HEADER;
	else if (!counts_hold(b))
		row = ROSBAG_P_HEADER_COUNTS;
	else if (!padded)
		row = ROSBAG_P_HEADER_PADDING;
	else
		b->head_stays = true;
	if (b->head_stays)
		return SLV_OK;
	return rosbag_problem(s, row, b->header.off, b->header.len, index,
	    b->head.index_pos, err);
}

static enum slv_status
finish_tail(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct slv_problem p = {
		.info = &rosbag_problems[ROSBAG_P_TAIL],
		.off = b->tail,
		.len = b->tail_end - b->tail,
		.want = b->n_chunks,
		.got = b->n_infos,
	};
	bool told;

	compare_tail(s, &p, &told);
	b->tail_holds = p.here[0] == '\0';
	if (b->tail == 0 && b->n_chunks > 0)
		return rosbag_problem(
		    s, ROSBAG_P_TAIL_MISSING, b->upto, 0, 0, 0, err);
	return b->tail_holds || told ? SLV_OK
	                             : slv_problems_add(&s->problems, &p, err);
}

/* Whether the last chunk that the index names is the last one in the file. */
static bool
tells_of_last(const struct rosbag *b)
{
	const struct rosbag_chunk *c;
	const struct rosbag_info *i;

	if (b->n_infos == 0 || b->n_chunks == 0)
		return false;
	c = &b->chunks[b->n_chunks - 1];
	i = &b->infos[b->n_infos - 1];
	return c->messages > 0 && rosbag_counts_same(b, i, c)
	    && rosbag_time_compare(i->from, c->from) == 0
	    && rosbag_time_compare(i->to, c->to) == 0;
}

/* Whether all that was recorded is before the index: who closed the bag has
 * written, last of all, where that begins. */
static bool
is_closed(const struct slv_scan *s)
{
	const struct rosbag *b = rosbag_of(s);

	if (b->header.len > 0 && b->head.index_pos == 0)
		return false;
	return b->tail_holds || tells_of_last(b)
	    || (b->header.len > 0 && b->head.index_pos == index_at(s));
}

enum slv_status
rosbag_tail_finish(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	SLV_TRY(finish_tail(s, err));
	SLV_TRY(finish_header(s, err));
	s->surplus = rosbag_surplus(b) > 0;
	/* Header and index agree on how many chunks there are: some that are more
	 * may be there twice. */
	if (b->n_chunks > b->head.n_chunks)
		s->units_unsure += rosbag_surplus(b);
	if (is_closed(s))
		s->end = SLV_END_KNOWN;
	return SLV_OK;
}
