/* rosbag_glance.c - what the bag header and the index say, without reading the
 * chunks.
 *
 * The index says which connection each chunk holds how many messages of, and
 * from when to when; where a chunk begins says where the one before it ends.
 * A bounded number of chunks is looked at besides, to see that the index is
 * of this bag, and for what it does not say.  Whatever is odd is left to a
 * scan, which finds out why.
 */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define SAMPLES 32  /* chunks that are looked at, with the index after them */
#define LOOKS   256 /* chunks whose index is searched for times */

/* The unit at off, which must be as usual, is accepted. */
static enum slv_status
take(struct slv_scan *s, uint64_t off, struct slv_unit *u, bool *yes,
    struct slv_err *err)
{
	unsigned none = (unsigned)s->format->n_problems;

	*u = (struct slv_unit){ .verdict = SLV_UNIT_BAD, .problem = none };
	if (off < s->source->size)
		SLV_TRY(rosbag_unit(s, off, SLV_ASK_NEXT, u, err));
	*yes = u->verdict == SLV_UNIT_GOOD && u->fate == SLV_KEPT
	    && u->problem == none;
	if (*yes)
		SLV_TRY(rosbag_accept(s, off, u, err));
	return SLV_OK;
}

/* The first line and the bag header. */
static enum slv_status
glance_head(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct slv_unit u;

	SLV_TRY(take(s, 0, &u, yes, err));
	if (*yes && u.tag == ROSBAG_TAG_MAGIC)
		SLV_TRY(take(s, b->magic.len, &u, yes, err));
	*yes = *yes && b->version[0] == 2 && b->header.len > 0
	    && !b->head.encrypted && b->head.index_pos >= ROSBAG_DATA_START
	    && b->head.index_pos <= s->source->size;
	if (*yes)
		SLV_TRY(rosbag_is_padded(s, b->header.off, &b->head, yes, err));
	return SLV_OK;
}

/* The records of the index, and nothing but them up to the end of the file. */
static enum slv_status
glance_tail(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t off = b->head.index_pos;
	struct slv_unit u;

	s->window->stride = SLV_WINDOW_STRIDE;
	while (*yes && off < s->source->size) {
		SLV_TRY(take(s, off, &u, yes, err));
		*yes = *yes && b->in_tail;
		off += u.len;
	}
	s->window->stride = SLV_WINDOW_GLANCE;
	*yes = *yes && !b->tail_odd && b->tail_conns == b->head.n_conns
	    && b->n_infos == b->head.n_chunks;
	/* An index of no chunk is that of a bag without any: a reindexing
	 * that was not finished leaves one, too. */
	if (b->n_infos == 0)
		*yes = *yes && b->head.index_pos == ROSBAG_DATA_START;
	return SLV_OK;
}

/* Where the chunk of an info ends, with its index. */
static uint64_t
end_of(const struct rosbag *b, size_t i)
{
	return i + 1 < b->n_infos ? b->infos[i + 1].chunk : b->tail;
}

/* Sum up one CHUNK_INFO, if it can be true.  From here on its counts are by
 * position of the connection.
 *
 *   met  by connection: the last chunk that held it, counted from 1 */
static enum slv_status
add_info(
    struct slv_scan *s, size_t i, size_t *met, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const struct rosbag_info *info = &b->infos[i];
	uint64_t end = end_of(b, i), n = 0;
	bool full;

	*yes = info->chunk < end && (i > 0 || info->chunk == ROSBAG_DATA_START)
	    && rosbag_time_compare(info->from, info->to) <= 0;
	for (size_t k = 0; *yes && k < info->n_counts; k++) {
		struct rosbag_count *c = &b->counts[info->first_count + k];
		uint32_t at;

		*yes = c->n > 0 && rosbag_conn_known(b, c->conn);
		if (!*yes)
			break;
		SLV_TRY(rosbag_conn_find(s, c->conn, 0, &at, &full, err));
		*yes = met[at] != i + 1;
		met[at] = i + 1;
		c->conn = at;
		b->conns[at].n += c->n;
		n += c->n;
	}
	/* Each message has an entry in the index of its chunk. */
	*yes = *yes && n * ROSBAG_ENTRY_SIZE <= end - info->chunk;
	s->units_kept += n;
	return SLV_OK;
}

static enum slv_status
add_infos(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	enum slv_status st = SLV_OK;
	size_t *met;

	SLV_TRY(slv_new(&met, b->n_conns, sizeof(*met), err));
	for (size_t i = 0; st == SLV_OK && *yes && i < b->n_infos; i++)
		st = add_info(s, i, met, yes, err);
	slv_free(met);
	return st;
}

/* Whether a chunk is where an info says; *index: what follows it. */
static enum slv_status
look_at_chunk(struct slv_scan *s, size_t i, struct rosbag_record *r,
    uint64_t *index, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t off = b->infos[i].chunk;

	SLV_TRY(rosbag_look(s, off, r, err));
	*yes = r->read == ROSBAG_WHOLE && r->op == ROSBAG_CHUNK
	    && slv_range_in(off, rosbag_span(r), end_of(b, i))
	    && (r->codec != SLV_CODEC_NONE || r->size == r->data);
	*index = *yes ? off + rosbag_span(r) : 0;
	return SLV_OK;
}

/* The first and the last time of an index record, which are its earliest and
 * latest. */
static enum slv_status
times_of(struct slv_scan *s, uint64_t off, const struct rosbag_record *r,
    struct rosbag_time *from, struct rosbag_time *to, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off + rosbag_head(r), 8, &p, err));
	*from = (struct rosbag_time){ slv_get_le32(p), slv_get_le32(p + 4) };
	SLV_TRY(slv_window_view(
	    s->window, off + rosbag_span(r) - ROSBAG_ENTRY_SIZE, 8, &p, err));
	*to = (struct rosbag_time){ slv_get_le32(p), slv_get_le32(p + 4) };
	return SLV_OK;
}

/* What an info says of the connection, and learn when it was used. */
static bool
add_times(struct rosbag *b, const struct rosbag_info *info,
    const struct rosbag_record *r, struct rosbag_time from,
    struct rosbag_time to)
{
	struct slv_search f = { .high = info->n_counts };
	const struct rosbag_count *n;
	struct rosbag_conn *c;

	while (slv_search(&f)) {
		n = &b->counts[info->first_count + f.mid];
		slv_search_on(&f, b->conns[n->conn].id < r->conn);
	}
	if (f.low == info->n_counts)
		return false;
	n = &b->counts[info->first_count + f.low];
	c = &b->conns[n->conn];
	if (c->id != r->conn)
		return false;
	slv_moment_span(rosbag_moment(from), &c->from, &c->to);
	slv_moment_span(rosbag_moment(to), &c->from, &c->to);
	return n->n == r->count && rosbag_time_compare(from, to) <= 0
	    && rosbag_time_compare(from, info->from) >= 0
	    && rosbag_time_compare(to, info->to) <= 0;
}

/* Hold an info against the index after its chunk, which begins at off. */
static enum slv_status
check_index(
    struct slv_scan *s, size_t i, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const struct rosbag_info *info = &b->infos[i];
	uint64_t end = end_of(b, i);
	struct rosbag_time from = info->to, to = info->from, first, last;
	struct rosbag_record r;
	size_t n = 0;

	for (; *yes && off < end; off += rosbag_span(&r), n++) {
		SLV_TRY(rosbag_look(s, off, &r, err));
		*yes = r.read == ROSBAG_WHOLE && r.op == ROSBAG_INDEX
		    && r.count > 0
		    && r.data == (uint64_t)r.count * ROSBAG_ENTRY_SIZE
		    && slv_range_in(off, rosbag_span(&r), end);
		if (!*yes)
			return SLV_OK;
		SLV_TRY(times_of(s, off, &r, &first, &last, err));
		*yes = add_times(b, info, &r, first, last);
		if (rosbag_time_compare(first, from) < 0)
			from = first;
		if (rosbag_time_compare(last, to) > 0)
			to = last;
	}
	*yes = *yes && off == end && n == info->n_counts
	    && (n == 0
	        || (rosbag_time_compare(from, info->from) == 0
	            && rosbag_time_compare(to, info->to) == 0));
	return SLV_OK;
}

/* Remember how a chunk is compressed. */
static enum slv_status
note_chunk(struct rosbag *b, size_t i, const struct rosbag_record *r,
    uint64_t end, struct slv_err *err)
{
	return SLV_ADD(b, chunks, err,
	    (struct rosbag_chunk){
	        .off = b->infos[i].chunk,
	        .data = end - r->data,
	        .data_end = end,
	        .codec = r->codec,
	        .size = r->size,
	    });
}

/* Look at some chunks, the first and the last among them. */
static enum slv_status
look_at_some(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	size_t n = b->n_infos < SAMPLES ? b->n_infos : SAMPLES;

	for (size_t k = 0; *yes && k < n; k++) {
		size_t i = k * (b->n_infos - 1) / (n > 1 ? n - 1 : 1);
		struct rosbag_record r;
		uint64_t index;

		SLV_TRY(look_at_chunk(s, i, &r, &index, yes, err));
		if (!*yes)
			return SLV_OK;
		SLV_TRY(note_chunk(b, i, &r, index, err));
		SLV_TRY(check_index(s, i, index, yes, err));
	}
	return SLV_OK;
}

/* Whether the chunk may hold an earlier message of a connection than is known,
 * or a later one. */
static bool
may_widen(
    const struct rosbag_info *info, const struct rosbag_conn *c, bool later)
{
	struct slv_moment at = rosbag_moment(later ? info->to : info->from);
	struct slv_moment known = later ? c->to : c->from;
	int order = known.known ? slv_moment_compare(at, known) : 0;

	return !known.known || (later ? order > 0 : order < 0);
}

/* Learn from the index of a chunk when its connections were used, if it may
 * tell more than is known.
 *
 *   left   chunks that may still be looked at
 *   vague  by connection: nobody knows */
static enum slv_status
learn_times(struct slv_scan *s, size_t i, bool later, unsigned *left,
    bool *vague, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const struct rosbag_info *info = &b->infos[i];
	struct rosbag_record r;
	bool wanted = false;
	uint64_t index;

	for (size_t k = 0; k < info->n_counts; k++) {
		uint32_t at = b->counts[info->first_count + k].conn;
		bool may = !vague[at] && may_widen(info, &b->conns[at], later);

		wanted |= may;
		vague[at] |= may && *left == 0;
	}
	if (!wanted || *left == 0)
		return SLV_OK;
	--*left;
	SLV_TRY(look_at_chunk(s, i, &r, &index, yes, err));
	return *yes ? check_index(s, i, index, yes, err) : SLV_OK;
}

/* When each connection was used: the index of a chunk says so, and of most
 * chunks the times of others show that it cannot be more. */
static enum slv_status
find_times(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	enum slv_status st = SLV_OK;
	unsigned left = LOOKS;
	bool *vague;

	SLV_TRY(slv_new(&vague, b->n_conns, sizeof(*vague), err));
	for (size_t i = 0; st == SLV_OK && *yes && i < b->n_infos; i++)
		st = learn_times(s, i, false, &left, vague, yes, err);
	for (size_t i = b->n_infos; st == SLV_OK && *yes && i-- > 0;)
		st = learn_times(s, i, true, &left, vague, yes, err);
	for (size_t i = 0; i < b->n_conns; i++) {
		if (vague[i])
			b->conns[i].from.known = b->conns[i].to.known = false;
	}
	slv_free(vague);
	return st;
}

enum slv_status
rosbag_glance(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	SLV_TRY(glance_head(s, yes, err));
	if (*yes)
		SLV_TRY(glance_tail(s, yes, err));
	if (*yes)
		SLV_TRY(add_infos(s, yes, err));
	if (*yes)
		SLV_TRY(look_at_some(s, yes, err));
	if (*yes)
		SLV_TRY(find_times(s, yes, err));
	s->supported = *yes;
	s->end = SLV_END_KNOWN;
	return SLV_OK;
}
