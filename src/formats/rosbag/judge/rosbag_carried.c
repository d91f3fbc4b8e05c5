/* rosbag_carried.c - is what follows a gap a bag inside a payload?
 *
 * Its records read like those of the bag around it.  But a bag ends with its
 * CHUNK_INFOs, and the one around goes on after them; and what is in the
 * payload of a message, by the length that the message states, and breaks off
 * there, is a part of one.  Above all the index of the chunk says where its
 * messages are.
 */
#include <string.h>

#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/rosbag_state.h"
#include "support/seek.h"

#define LOOK        4096 /* records that are followed */
#define KNOWN       64   /* messages that an index is held against */
#define FEW         4    /* are not enough to know it by */
#define EFFORT      4    /* bytes of indexes, for one of the file */
#define EFFORT_BASE ((uint64_t)16 << 20) /* ... and for small files */
#define REACH       ((uint64_t)16 << 20) /* bytes to the index of the chunk */
#define STEP        ((uint64_t)1 << 20) /* ... in whole pieces: each is a jump */

#define LIKELY      ((uint64_t)1 << 20) /* bytes of a message that may be */
#define TIMES       16 /* ... or so many of the longest before */

/* Records in a row. */
struct chain {
	uint64_t end;
	bool broken; /* something else follows */
	bool closed; /* CHUNK_INFOs were the last of them */
};

static enum slv_status
follow(const struct slv_scan *s, uint64_t off, struct chain *c,
    struct slv_err *err)
{
	bool magic;

	SLV_TRY(
	    slv_seek_is(s, off, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE, &magic, err));
	*c = (struct chain){ .end = magic ? off + ROSBAG_MAGIC_SIZE : off };
	for (unsigned i = 0; i < LOOK && c->end < s->logical_end; i++) {
		struct rosbag_record r;
		uint64_t len;

		SLV_TRY(rosbag_look(s, c->end, &r, err));
		c->broken = r.read == ROSBAG_BAD;
		if (r.read != ROSBAG_WHOLE
		    || (c->closed && r.op != ROSBAG_INFO))
			return SLV_OK;
		len = r.op == ROSBAG_CHUNK && r.codec == SLV_CODEC_NONE
		    ? rosbag_head(&r)
		    : rosbag_span(&r);
		c->closed = r.op == ROSBAG_INFO;
		c->end += slv_min64(len, s->source->size - c->end);
	}
	/* Among thousands of CHUNK_INFOs it is open what ends them. */
	c->closed = false;
	return SLV_OK;
}

/* Whether the bag goes on at off, and no other one begins there. */
static enum slv_status
goes_on(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;

	SLV_TRY(rosbag_look(s, off, &r, err));
	*yes = r.read == ROSBAG_WHOLE && r.op != ROSBAG_BAG_HEADER;
	return SLV_OK;
}

/* Where the connections in a row end that begin at off. */
static enum slv_status
behind_conns(
    const struct slv_scan *s, uint64_t off, uint64_t *out, struct slv_err *err)
{
	for (*out = off; *out < s->logical_end;) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, *out, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_CONN)
			break;
		*out += rosbag_span(&r);
	}
	return SLV_OK;
}

/* Whether an index names the messages of the open chunk that are known, which
 * are too few to tell where the header says that this is the place. */
static bool
is_about(const struct slv_scan *s, const struct rosbag_names *x, bool is_place)
{
	const struct rosbag *b = rosbag_of(s);
	const struct slv_mends *known = s->opt.mends;
	const struct rosbag_chunk *c = &b->chunks[b->n_chunks - 1];
	size_t n = 0, hits = 0;

	for (size_t i = b->entries.n; i-- > 0 && n < KNOWN;) {
		const struct rosbag_entry *e = &b->entries.at[i];
		const struct rosbag_record r = {
			.op = ROSBAG_MESSAGE,
			.conn = b->conns[e->conn].id,
			.time = e->time,
		};

		/* What is known of one that was moved says nothing. */
		if (e->is_conn
		    || (known != NULL
		        && slv_ranges_hit(&known->trusted, e->at, 1)))
			continue;
		n++;
		hits += x->n > 0
		    && rosbag_names_opinion(x, e->at - c->data, &r)
		        == ROSBAG_NAMED;
	}
	return n < FEW ? is_place && x->n > 0 && hits == n : hits * 10 >= n * 9;
}

/* Whether another index may be read: each chunk may ask about all after it, however
 * long they are. */
static bool
may_read(const struct slv_scan *s, struct rosbag_guide *g)
{
	if (g->most == 0)
		g->most = EFFORT_BASE
		    + EFFORT * (s->source->size - slv_ranges_sum(&s->holes));
	return g->read < g->most;
}

/* Read the index at off; *yes = false: it is not that of the open chunk. */
static enum slv_status
try_index(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_guide *g = &b->guide;
	uint64_t place = b->chunks[b->n_chunks - 1].data + b->claim.len;

	rosbag_names_free(&g->names);
	if (!may_read(s, g))
		return SLV_OK;
	SLV_TRY(rosbag_names_read(s, off,
	    (size_t)(s->logical_end / ROSBAG_MESSAGE_HEAD), &g->names, err));
	g->read += (uint64_t)g->names.cap * ROSBAG_ENTRY_SIZE;
	*yes = is_about(s, &g->names, off == place);
	if (*yes)
		g->at = off;
	else
		rosbag_names_free(&g->names);
	return SLV_OK;
}

/* Look for indexes from here on; those after it are known as far as the search for
 * an earlier chunk has come. */
static void
search_from(struct rosbag_guide *g, uint64_t from)
{
	size_t gone = 0;

	if (from < g->searched.off || from > g->searched.end) {
		g->searched = (struct slv_range){ from, from };
		g->n_seen = 0;
	}
	while (gone < g->n_seen && g->seen[gone] < from)
		gone++;
	g->n_seen -= gone;
	memmove(g->seen, g->seen + gone, g->n_seen * sizeof(*g->seen));
}

/* The i-th record of an index from there on; to: there is none before that. */
static enum slv_status
nth_index(struct slv_scan *s, size_t i, uint64_t to, uint64_t *out,
    struct slv_err *err)
{
	struct rosbag_guide *g = &rosbag_edit(s)->guide;

	*out = to;
	if (i < g->n_seen) {
		*out = slv_min64(g->seen[i], to);
		return SLV_OK;
	}
	if (g->searched.end >= to)
		return SLV_OK;
	SLV_TRY(
	    rosbag_find(s, g->searched.end, to, 1u << ROSBAG_INDEX, out, err));
	g->searched.end = *out < to ? *out + 1 : to;
	if (*out < to)
		g->seen[g->n_seen++] = *out;
	return SLV_OK;
}

/* Find the index of the open chunk, which is not compressed, after a gap. */
static enum slv_status
find_index(struct slv_scan *s, uint64_t lost, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint64_t data = b->chunks[b->n_chunks - 1].data, at = lost;
	uint64_t to =
	    slv_min64(s->logical_end, (lost + REACH) / STEP * STEP + STEP);
	bool yes = false;

	if (b->guide.data == data)
		return SLV_OK;
	b->guide.data = data;
	if (b->claim.len > 0 && data + b->claim.len > lost)
		SLV_TRY(try_index(s, data + b->claim.len, &yes, err));
	search_from(&b->guide, lost);
	for (size_t i = 0; !yes && i < ROSBAG_SEEN && at < to; i++) {
		SLV_TRY(nth_index(s, i, to, &at, err));
		if (at < to)
			SLV_TRY(try_index(s, at, &yes, err));
	}
	return SLV_OK;
}

/* What the index of the open chunk says of what seems to be a record after a
 * gap: true, it is none of this bag. */
static enum slv_status
is_denied(struct slv_scan *s, uint64_t lost, uint64_t mark, bool *yes,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_names *x = &b->guide.names;
	struct rosbag_record r;
	uint64_t at;
	bool told = false;

	*yes = false;
	if (!b->open || b->in_index
	    || b->chunks[b->n_chunks - 1].codec != SLV_CODEC_NONE)
		return SLV_OK;
	SLV_TRY(find_index(s, lost, err));
	if (x->n == 0 || mark >= b->guide.at)
		return SLV_OK;
	SLV_TRY(behind_conns(s, mark, &at, err));
	SLV_TRY(rosbag_look(s, at, &r, err));
	*yes = r.read != ROSBAG_WHOLE || r.op != ROSBAG_MESSAGE;
	if (*yes)
		return SLV_OK;
	for (size_t i = 0; i < x->n_conns; i++)
		told |= x->conns[i] == r.conn;
	*yes = told;
	for (size_t i = 0; *yes && i < x->n; i++)
		*yes = x->at[i].conn != r.conn
		    || rosbag_time_compare(x->at[i].time, r.time) != 0;
	return SLV_OK;
}

/* Whether the file ends in the payload of this message, which follows what is
 * kept: what reads like records is inside it then.  A length that was hit mostly
 * reaches out of the chunk, or is far from that of any other message. */
static bool
may_be_last(const struct slv_scan *s, uint64_t lost, const struct slv_unit *u)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t end = lost + u->len, data;

	if (u->tag != ROSBAG_MESSAGE || !u->has_channel || end <= s->logical_end
	    || !b->open || b->in_index || lost != b->upto
	    || !rosbag_conn_known(b, u->channel)
	    || u->len > slv_max64(LIKELY, b->longest * TIMES))
		return false;
	data = b->chunks[b->n_chunks - 1].data;
	return b->claim.len == 0 || end <= data + b->claim.len;
}

/* The same; a bag that was closed does not end there. */
static enum slv_status
is_last(const struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	uint64_t index = rosbag_of(s)->head.index_pos;
	struct rosbag_record r;

	*yes = may_be_last(s, lost, u);
	if (!*yes || index <= lost || index >= s->logical_end)
		return SLV_OK;
	SLV_TRY(rosbag_look(s, index, &r, err));
	*yes = r.read != ROSBAG_WHOLE || r.op != ROSBAG_CONN;
	return SLV_OK;
}

/* The same, without what is known. */
static enum slv_status
judge(struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint64_t end;
	struct chain c;
	bool yes;

	SLV_TRY(is_last(s, lost, u, &yes, err));
	if (yes) {
		*skip = s->logical_end;
		return SLV_OK;
	}
	SLV_TRY(is_denied(s, lost, mark, &yes, err));
	*skip = mark + yes;
	if (yes)
		return SLV_OK;
	SLV_TRY(follow(s, mark, &c, err));
	if (c.end >= s->logical_end)
		return SLV_OK;
	if (u->verdict == SLV_UNIT_GOOD)
		b->claimed = slv_max64(b->claimed, lost + u->len);
	end = slv_max64(b->claimed, lost);
	yes = c.end <= end && (c.broken || c.closed);
	if (!yes && c.closed)
		SLV_TRY(goes_on(s, c.end, &yes, err));
	if (yes)
		*skip = slv_max64(c.end, mark + 1);
	return SLV_OK;
}

enum slv_status
rosbag_carried(struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	const struct slv_range *known = s->opt.mends != NULL
	    ? slv_ranges_from(&s->opt.mends->trusted, mark)
	    : NULL;

	*skip = mark;
	if (known != NULL && known->off <= mark)
		return SLV_OK;
	SLV_TRY(judge(s, lost, u, mark, skip, err));
	if (known != NULL)
		*skip = slv_min64(*skip, known->off);
	return SLV_OK;
}
