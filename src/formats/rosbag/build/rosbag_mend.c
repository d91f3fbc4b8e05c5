/* rosbag_mend.c - headers of messages against the index of their chunk.
 *
 * In an uncompressed chunk the index repeats of every message where it begins,
 * its connection and its time.  Where the two differ one of them was hit, and
 * what is around says which.
 */
#include "base/list.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/index/rosbag_keys.h"
#include "formats/rosbag/judge/rosbag_vote.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define HEAD   ROSBAG_MESSAGE_HEAD
#define FIELDS ROSBAG_MESSAGE_FIELDS

/* What an index says of a message. */
struct named {
	uint64_t at; /* in the input */
	uint32_t id; /* of the connection */
	struct rosbag_time time;
	bool trusted; /* the rest of the record agrees with the headers */
};

struct mending {
	struct slv_scan *scan;
	const struct rosbag_chunk *chunk;
	struct rosbag_edges edges;          /* of it */
	const struct rosbag_entry *entries; /* n of them, in order */
	size_t n;
	struct named *named; /* owned; in order once sorted */
	size_t n_named, cap_named;
	struct rosbag_two *twos; /* owned; one an entry */
	size_t cap_twos;
	struct rosbag_keys all; /* owned; what the indexes of all chunks name */
	struct slv_mends *out;
};

SLV_ORDER(compare_named, struct named, at)

/* The first entry at or after `at`; n: none. */
static size_t
entry_from(const struct mending *m, uint64_t at)
{
	return SLV_FROM(struct rosbag_entry, at, m->entries, m->n, at);
}

/* Whether the header there says the same. */
static bool
agrees(const struct mending *m, const struct named *named)
{
	const struct rosbag *b = rosbag_of(m->scan);
	size_t i = entry_from(m, named->at);

	return i < m->n && m->entries[i].at == named->at
	    && b->conns[m->entries[i].conn].id == named->id
	    && rosbag_time_compare(m->entries[i].time, named->time) == 0;
}

/* The entries of one record of the index. */
static enum slv_status
read_record(struct mending *m, uint64_t off, const struct rosbag_record *r,
    struct slv_err *err)
{
	uint32_t n = r->data / ROSBAG_ENTRY_SIZE, same = 0;
	size_t first = m->n_named;
	struct rosbag_named x;
	const uint8_t *p;

	SLV_TRY(SLV_ROOM(m, named, n, err));
	off += rosbag_head(r);
	for (uint32_t i = 0; i < n; i++, off += ROSBAG_ENTRY_SIZE) {
		SLV_TRY(slv_window_view(
		    m->scan->window, off, ROSBAG_ENTRY_SIZE, &p, err));
		x = rosbag_named_get(p, r->conn);
		m->named[m->n_named] = (struct named){
			.at = m->chunk->data + x.offset,
			.id = x.conn,
			.time = x.time,
		};
		same += agrees(m, &m->named[m->n_named++]);
	}
	for (size_t i = first; i < m->n_named; i++)
		m->named[i].trusted = same >= 2 && n - same <= same;
	return SLV_OK;
}

/* All that the index of the chunk says. */
static enum slv_status
read_index(struct mending *m, struct slv_err *err)
{
	uint64_t off = m->chunk->index;
	uint64_t end = rosbag_index_limit(m->scan);

	m->n_named = 0;
	while (off < m->chunk->end) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(m->scan, off, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_INDEX
		    || rosbag_span(&r) > m->chunk->end - off
		    || off + rosbag_span(&r) > end) {
			SLV_TRY(rosbag_find(m->scan, off + 1, m->chunk->end,
			    1u << ROSBAG_INDEX, &off, err));
			continue;
		}
		SLV_TRY(read_record(m, off, &r, err));
		off += rosbag_span(&r);
	}
	slv_sort(m->named, m->n_named, sizeof(*m->named), compare_named);
	return SLV_OK;
}

/* Put what the header and the index say of each record beside each other. */
static enum slv_status
pair(struct mending *m, struct slv_err *err)
{
	SLV_TRY(slv_grow(&m->twos, &m->cap_twos, m->n, sizeof(*m->twos), err));
	for (size_t i = 0, k = 0; i < m->n; i++) {
		const struct rosbag_entry *e = &m->entries[i];

		while (k < m->n_named && m->named[k].at < e->at)
			k++;
		m->twos[i] = (struct rosbag_two){
			.header = e->time,
			.is_message = !e->is_conn,
			.named = k < m->n_named && m->named[k].at == e->at,
		};
		if (m->twos[i].named)
			m->twos[i].index = m->named[k].time;
	}
	return SLV_OK;
}

/* A message near `at`; n: there is none. */
static size_t
a_message(const struct mending *m, uint64_t at)
{
	size_t from = entry_from(m, at), i = from;

	while (i < m->n && m->entries[i].is_conn)
		i++;
	if (i < m->n)
		return i;
	while (from-- > 0) {
		if (!m->entries[from].is_conn)
			return from;
	}
	return m->n;
}

/* The header as the index has it, with the fields in the order in which other
 * messages of the chunk have them.  *made = false: there is no such. */
static enum slv_status
make_header(struct mending *m, const struct named *named, uint8_t *out,
    bool *made, struct slv_err *err)
{
	size_t i = a_message(m, named->at);
	const uint8_t *p;

	*made = false;
	if (i == m->n)
		return SLV_OK;
	SLV_TRY(
	    slv_window_view(m->scan->window, m->entries[i].at, HEAD, &p, err));
	*made = rosbag_message_head(p, named->id, named->time, out);
	return SLV_OK;
}

static enum slv_status
patch(struct mending *m, uint64_t at, const uint8_t *head, size_t n,
    struct slv_err *err)
{
	struct slv_problem p = {
		.info = &rosbag_problems[ROSBAG_P_MESSAGE_HEADER],
		.off = at,
		.len = n,
	};

	return slv_mends_add(m->out, at, head, n, &p, err);
}

/* Which is right about a message, its header or the index. */
static enum rosbag_winner
decide(const struct mending *m, const struct named *named, size_t i)
{
	const struct rosbag *b = rosbag_of(m->scan);
	const struct rosbag_entry *e = &m->entries[i];

	if (rosbag_time_compare(e->time, named->time) == 0)
		return named->trusted || !b->conns[e->conn].declared
		    ? ROSBAG_INDEX_WINS
		    : ROSBAG_HEADER_WINS;
	if (b->conns[e->conn].id != named->id)
		return ROSBAG_HEADER_WINS;
	return rosbag_vote(m->twos, m->n, i, &m->edges);
}

/* Whether the index has a message where one is; true where it has none. */
static bool
is_hit(const struct mending *m, size_t i)
{
	size_t e;

	if (i >= m->n_named)
		return true;
	e = entry_from(m, m->named[i].at);
	return e < m->n && m->entries[e].at == m->named[i].at;
}

/* Whether the index is about this place: after bytes that are missing or too
 * many it has other messages there. */
static bool
is_in_place(const struct mending *m, size_t i)
{
	return (i == 0 || is_hit(m, i - 1)) && is_hit(m, i + 1);
}

/* Whether the message at the place that an index names is one that an index lists at
 * another place: it was moved there. */
static enum slv_status
is_moved(struct mending *m, const struct named *named, bool *yes,
    struct slv_err *err)
{
	struct rosbag_key key = { .at = named->at };
	struct rosbag_record r;
	bool conn, time;

	SLV_TRY(rosbag_look(m->scan, named->at, &r, err));
	key.conn = r.conn;
	key.time = r.time;
	*yes = r.read == ROSBAG_WHOLE && r.op == ROSBAG_MESSAGE;
	if (!*yes)
		return SLV_OK;
	conn = r.conn != named->id;
	time = rosbag_time_compare(r.time, named->time) != 0;
	/* No damage in one place changes both, and nothing between them. */
	*yes = (conn && time)
	    || ((conn || time) && rosbag_keys_have(&m->all, &key));
	return SLV_OK;
}

/* A message whose header says something else than the index. */
static enum slv_status
mend_header(
    struct mending *m, const struct named *named, size_t i, struct slv_err *err)
{
	uint8_t head[HEAD];
	bool made;

	if (decide(m, named, i) != ROSBAG_INDEX_WINS)
		return SLV_OK;
	SLV_TRY(make_header(m, named, head, &made, err));
	return made ? patch(m, named->at, head, FIELDS, err) : SLV_OK;
}

/* Where the message after `at` begins, or the declaration before it, or the
 * data of the chunk end; at: that is not known. */
static uint64_t
next_boundary(const struct mending *m, size_t named, uint64_t at)
{
	const struct rosbag *b = rosbag_of(m->scan);
	size_t i = entry_from(m, at + 1);
	uint64_t end = m->chunk->index;
	const struct rosbag_conn *c;

	if (named + 1 < m->n_named)
		end = slv_min64(end, m->named[named + 1].at);
	if (i == m->n || m->entries[i].at > end)
		return end;
	end = m->entries[i].at;
	c = &b->conns[m->entries[i].conn];
	if (!c->unannounced || c->need_off != end)
		return end;
	return c->declared && c->len < end - at ? end - c->len : at;
}

/* Whether a record follows a message of that payload. */
static enum slv_status
ends_well(struct mending *m, uint64_t at, uint32_t payload, uint64_t boundary,
    bool *yes, struct slv_err *err)
{
	uint64_t end = at + HEAD + payload;
	struct rosbag_record r;

	*yes = end == boundary;
	if (*yes || end > boundary || end >= m->scan->logical_end)
		return SLV_OK;
	SLV_TRY(rosbag_look(m->scan, end, &r, err));
	*yes = r.read == ROSBAG_WHOLE;
	return SLV_OK;
}

/* A message of which all is right but what follows it: where that is zeros, and
 * its last byte is none, they begin after it. */
static enum slv_status
trust(struct mending *m, uint64_t at, uint64_t end, struct slv_err *err)
{
	const uint8_t *p;
	bool zeros = true;

	if (end - at == HEAD || !slv_range_in(end, HEAD, m->chunk->index))
		return SLV_OK;
	SLV_TRY(slv_window_view(m->scan->window, end - 1, HEAD + 1, &p, err));
	for (int i = 1; i <= HEAD; i++)
		zeros &= p[i] == 0;
	return zeros && p[0] != 0 ? slv_ranges_add(&m->out->trusted, at, 1, err)
	                          : SLV_OK;
}

/* A message that was left out: is it there, except for its header? */
static enum slv_status
mend_lost(struct mending *m, size_t i, struct slv_err *err)
{
	const struct named *named = &m->named[i];
	uint64_t boundary = next_boundary(m, i, named->at), rest;
	uint8_t head[HEAD], length[8];
	unsigned alike = 0;
	const uint8_t *p;
	bool made, good;

	if (named->at + HEAD > boundary)
		return SLV_OK;
	SLV_TRY(make_header(m, named, head, &made, err));
	if (!made)
		return SLV_OK;
	SLV_TRY(slv_window_view(m->scan->window, named->at, HEAD, &p, err));
	for (int k = 0; k < FIELDS; k++)
		alike += p[k] == head[k];
	memcpy(head + FIELDS, p + FIELDS, HEAD - FIELDS);
	if (alike < ROSBAG_ALIKE)
		return SLV_OK;
	SLV_TRY(ends_well(
	    m, named->at, slv_get_le32(head + FIELDS), boundary, &good, err));
	if (good && alike < FIELDS)
		return patch(m, named->at, head, HEAD, err);
	if (good)
		return trust(m, named->at,
		    named->at + HEAD + slv_get_le32(head + FIELDS), err);
	rest = boundary - named->at - HEAD;
	if (alike < FIELDS || rest > UINT32_MAX || i + 1 == m->n_named
	    || !agrees(m, &m->named[i + 1]))
		return SLV_OK;
	/* Its fields are right, and what follows is where the index has it, so
	 * that the length is what was hit. */
	slv_put_le64(length, rest);
	memcpy(head + FIELDS, length, HEAD - FIELDS);
	return patch(m, named->at, head, HEAD, err);
}

static enum slv_status
mend_chunk(struct mending *m, struct slv_err *err)
{
	for (size_t i = 0; i < m->n_named; i++) {
		const struct named *named = &m->named[i];
		size_t e = entry_from(m, named->at);
		bool moved;

		if (agrees(m, named) || named->at >= m->chunk->index)
			continue;
		SLV_TRY(is_moved(m, named, &moved, err));
		if (moved)
			continue;
		if (e == m->n || m->entries[e].at != named->at)
			SLV_TRY(mend_lost(m, i, err));
		else if (!m->entries[e].is_conn && is_in_place(m, i))
			SLV_TRY(mend_header(m, named, e, err));
	}
	return SLV_OK;
}

/* Whether the time of message e may be the one that the index has and the header
 * does not.  Where entries next to that are damaged, too, the header was not
 * corrected. */
static bool
is_doubtful(const struct mending *m, size_t i, size_t e)
{
	const struct named *named = &m->named[i];
	enum rosbag_winner winner = decide(m, named, e);

	if (is_in_place(m, i))
		return winner == ROSBAG_UNDECIDED;
	return named->trusted && winner != ROSBAG_HEADER_WINS;
}

/* Which of the two times is right cannot be determined: the message keeps its
 * own, and the log is not called whole. */
static enum slv_status
doubt_chunk(struct mending *m, struct slv_err *err)
{
	for (size_t i = 0; i < m->n_named; i++) {
		const struct named *named = &m->named[i];
		size_t e = entry_from(m, named->at);

		if (agrees(m, named) || e == m->n
		    || m->entries[e].at != named->at || m->entries[e].is_conn
		    || !is_doubtful(m, i, e))
			continue;
		m->scan->units_unsure++;
		SLV_TRY(rosbag_problem(m->scan, ROSBAG_P_MESSAGE_TIME,
		    named->at, m->entries[e].len, 0, 0, err));
	}
	return SLV_OK;
}

/* Do something with each chunk that is not compressed and differs from its
 * index. */
static enum slv_status
each_chunk(struct mending *m,
    enum slv_status (*visit)(struct mending *, struct slv_err *),
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(m->scan);
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		if (c->codec != SLV_CODEC_NONE || c->indexed
		    || c->index >= c->end || c->n_entries == 0)
			continue;
		m->chunk = c;
		m->edges = (struct rosbag_edges){ 0 };
		if (i < b->n_infos && b->infos[i].chunk == c->off)
			m->edges = (struct rosbag_edges){ true,
				b->infos[i].from, b->infos[i].to };
		m->entries = b->kept.at + c->first_entry;
		m->n = c->n_entries;
		st = read_index(m, err);
		if (st == SLV_OK)
			st = pair(m, err);
		if (st == SLV_OK)
			st = visit(m, err);
	}
	slv_free(m->named);
	slv_free(m->twos);
	return st;
}

enum slv_status
rosbag_doubt(struct slv_scan *s, struct slv_err *err)
{
	struct mending m = { .scan = s };

	return rosbag_of(s)->head.encrypted ? SLV_OK
	                                    : each_chunk(&m, doubt_chunk, err);
}

enum slv_status
rosbag_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	struct mending m = { .scan = s, .out = out };
	enum slv_status st;

	if (rosbag_of(s)->head.encrypted)
		return SLV_OK;
	st = rosbag_keys_named(s, &m.all, err);
	if (st == SLV_OK)
		st = each_chunk(&m, mend_chunk, err);
	if (st == SLV_OK)
		st = rosbag_other(s, out, err);
	if (st == SLV_OK)
		st = rosbag_moved(s, &m.all, out, err);
	slv_free(m.all.at);
	SLV_TRY(st);
	SLV_TRY(rosbag_twice(s, out, err));
	return rosbag_choose(s, bold, out, err);
}
