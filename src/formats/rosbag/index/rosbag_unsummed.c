/* rosbag_unsummed.c - a compressed chunk without a checksum, compared with its
 * index.
 *
 * Some programs write LZ4 frames without a checksum of their content, and most
 * wrong bytes decode to something.  The index repeats the time and connection of
 * every message: where the two differ, the chunk or the index was hit.
 */
#include "base/list.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/judge/rosbag_vote.h"
#include "formats/rosbag/rosbag_state.h"

#define CHUNK_HEAD 64 /* bytes of the header of a chunk, at most */

struct comparing {
	struct rosbag_body *body;
	struct rosbag_edges edges;
	struct rosbag_two *twos; /* owned; one an entry */
	size_t *named;           /* owned; its place among the names */
	size_t n;                /* entries */
};

/* Put what the headers and the index state of each message beside each other;
 * false: the index is of another chunk. */
static bool
pair(struct comparing *x)
{
	const struct rosbag_names *names = &x->body->names;
	size_t hits = 0;

	for (size_t i = 0, k = 0; i < x->n; i++) {
		const struct rosbag_entry *e = &x->body->entries.at[i];

		while (k < names->n && names->at[k].offset < e->at)
			k++;
		x->named[i] = k;
		x->twos[i] = (struct rosbag_two){
			.header = e->time,
			.is_message = !e->is_conn,
			.named = !e->is_conn && k < names->n
			    && names->at[k].offset == e->at,
		};
		if (!x->twos[i].named)
			continue;
		x->twos[i].index = names->at[k].time;
		hits += e->conn == names->at[k].conn;
	}
	return hits * 2 >= names->n;
}

/* Which is right about the connection of a message.  A flip in the index changes
 * that of a whole record, so that nothing else names the one in the header; a
 * flipped bit more often makes a number greater. */
static enum rosbag_winner
decide_conn(const struct rosbag_names *names, uint32_t header, uint32_t index)
{
	size_t alike = 0;

	if (header == index)
		return ROSBAG_UNDECIDED;
	if (rosbag_names_tell(names, header))
		return ROSBAG_INDEX_WINS;
	for (size_t i = 0; i < names->n && alike < 2; i++)
		alike += names->at[i].conn == index;
	if (alike == 1)
		return header < index ? ROSBAG_HEADER_WINS : ROSBAG_INDEX_WINS;
	return ROSBAG_HEADER_WINS;
}

/* Change the header of a message, in what was decoded. */
static void
correct(struct rosbag_body *body, struct rosbag_entry *e, uint32_t conn,
    struct rosbag_time time)
{
	uint8_t *at = body->decode.out.at + e->at;
	uint8_t head[ROSBAG_MESSAGE_FIELDS];

	if (!rosbag_message_head(at, conn, time, head))
		return;
	memcpy(at, head, sizeof(head));
	e->conn = conn;
	e->time = time;
	body->corrected = true;
}

/* A message with a header and an index that differ. */
static void
resolve(struct comparing *x, size_t i)
{
	struct rosbag_body *body = x->body;
	struct rosbag_entry *e = &body->entries.at[i];
	const struct rosbag_named *named = &body->names.at[x->named[i]];
	enum rosbag_winner conn, time = ROSBAG_HEADER_WINS;
	bool other_time = rosbag_time_compare(e->time, named->time) != 0;

	conn = decide_conn(&body->names, e->conn, named->conn);
	if (other_time)
		time = rosbag_vote(x->twos, x->n, i, &x->edges);
	body->unsure += time != ROSBAG_HEADER_WINS
	    || (e->conn != named->conn && conn != ROSBAG_HEADER_WINS);
	if (time == ROSBAG_INDEX_WINS || conn == ROSBAG_INDEX_WINS)
		correct(body, e,
		    conn == ROSBAG_INDEX_WINS ? named->conn : e->conn,
		    time == ROSBAG_INDEX_WINS ? named->time : e->time);
}

SLV_ORDER(compare_chunks, struct rosbag_times, chunk)

/* Put down what each CHUNK_INFO of the index says, by the place of the chunk. */
static enum slv_status
read_infos(
    const struct slv_scan *s, struct rosbag_infos *out, struct slv_err *err)
{
	uint64_t at = rosbag_of(s)->head.index_pos;
	struct rosbag_record r;

	out->n = 0;
	while (at > 0 && at < s->logical_end) {
		SLV_TRY(rosbag_look(s, at, &r, err));
		if (r.read != ROSBAG_WHOLE
		    || (r.op != ROSBAG_INFO && r.op != ROSBAG_CONN))
			break;
		at += rosbag_span(&r);
		if (r.op != ROSBAG_INFO)
			continue;
		SLV_TRY(SLV_ADD_AT(out, err,
		    (struct rosbag_times){
		        s->base + r.chunk_pos, r.start, r.end }));
	}
	slv_sort(out->at, out->n, sizeof(*out->at), compare_chunks);
	return SLV_OK;
}

/* First and last time of the chunk with this data by its CHUNK_INFO. */
static enum slv_status
find_edges(const struct slv_scan *s, uint64_t data, struct rosbag_edges *out,
    struct slv_err *err)
{
	const uint64_t index = rosbag_of(s)->head.index_pos;
	void *room = slv_cache_find(s->cache, ROSBAG_CACHED_INFOS, index);
	const struct rosbag_infos *infos;
	size_t i;

	if (room == NULL) {
		SLV_TRY(
		    slv_cache_claim(s->cache, ROSBAG_CACHED_INFOS, &room, err));
		SLV_TRY(read_infos(s, room, err));
		slv_cache_keep(s->cache, ROSBAG_CACHED_INFOS, room, index);
	}
	infos = room;
	*out = (struct rosbag_edges){ 0 };
	i = SLV_FROM(struct rosbag_times, chunk, infos->at, infos->n, data);
	if (i > 0 && data - infos->at[i - 1].chunk <= CHUNK_HEAD)
		*out = (struct rosbag_edges){ true, infos->at[i - 1].from,
			infos->at[i - 1].to };
	return SLV_OK;
}

static void
compare(struct comparing *x)
{
	const struct rosbag_names *names = &x->body->names;

	for (size_t i = 0; i < x->n; i++) {
		const struct rosbag_entry *e = &x->body->entries.at[i];
		const struct rosbag_named *named;

		if (e->is_conn)
			continue;
		if (!x->twos[i].named) {
			x->body->unsure += rosbag_names_tell(names, e->conn);
			continue;
		}
		named = &names->at[x->named[i]];
		if (e->conn != named->conn
		    || rosbag_time_compare(e->time, named->time) != 0)
			resolve(x, i);
	}
}

enum slv_status
rosbag_body_compare(
    const struct slv_scan *s, struct rosbag_body *body, struct slv_err *err)
{
	struct comparing x = { .body = body, .n = body->entries.n };
	enum slv_status st = SLV_OK;

	SLV_TRY(rosbag_names_read(
	    s, body->off + body->decode.used, x.n, &body->names, err));
	if (body->names.n == 0)
		return SLV_OK;
	x.twos = slv_calloc(x.n, sizeof(*x.twos));
	x.named = slv_calloc(x.n, sizeof(*x.named));
	if (x.twos == NULL || x.named == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	else if (pair(&x)) {
		st = find_edges(s, body->off, &x.edges, err);
		if (st == SLV_OK)
			compare(&x);
		body->doubtful = body->unsure > 0;
	}
	slv_free(x.twos);
	slv_free(x.named);
	return st;
}
