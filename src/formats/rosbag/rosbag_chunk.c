/* rosbag_chunk.c - the chunk that is open: what it holds, and when it is
 * closed what of it can stay.
 */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/rosbag_state.h"
#include "support/memory.h"

enum slv_status
rosbag_chunk_open(struct slv_scan *s, uint64_t off,
    const struct rosbag_claim *claim, uint64_t data, enum slv_codec_kind codec,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	bool first = b->header.len == 0 && b->n_chunks == 0;
	uint64_t room = rosbag_head_room(b, codec, claim != NULL);

	SLV_TRY(rosbag_chunk_close(s, err));
	SLV_TRY(SLV_ADD(b, chunks, err,
	    (struct rosbag_chunk){
	        .off = off,
	        .end = data,
	        .data = data,
	        .data_end = data,
	        .codec = codec,
	        .headed = claim != NULL,
	        .gap = first ? 0 : off - b->upto,
	        .room = room,
	    }));
	b->open = true;
	b->plain |= codec == SLV_CODEC_NONE;
	b->in_index = b->gaps = b->in_tail = false;
	b->next = codec == SLV_CODEC_NONE ? data : 0;
	b->claim = claim != NULL ? *claim : (struct rosbag_claim){ 0 };
	return SLV_OK;
}

uint64_t
rosbag_sum(uint32_t id, const struct rosbag_entry *e)
{
	uint64_t x = (uint64_t)e->time.sec << 32 | e->time.nsec;

	x = (x ^ (uint64_t)id << 32 ^ e->len) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

/* Chain the entry after the connection's last in this chunk. */
static enum slv_status
chain(struct rosbag *b, uint32_t i, uint32_t entry, struct slv_err *err)
{
	struct rosbag_conn *c = &b->conns[i];

	if (c->first == ROSBAG_NONE) {
		SLV_TRY(SLV_ADD(b, here, err, i));
		c->first = entry;
		c->indexed = false;
		c->n_here = 0;
	} else {
		b->entries.at[c->last].next = entry;
	}
	c->last = entry;
	c->n_here++;
	return SLV_OK;
}

static enum slv_status
add_message(struct slv_scan *s, struct rosbag_entry *e, uint32_t entry,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_chunk *chunk = &b->chunks[b->n_chunks - 1];
	struct rosbag_conn *c = &b->conns[e->conn];
	struct slv_moment at = rosbag_moment(e->time);
	uint64_t sum = rosbag_sum(c->out, e);

	SLV_TRY(chain(b, e->conn, entry, err));
	c->n++;
	c->bytes += e->len;
	b->longest = slv_max64(b->longest, e->len);
	slv_moment_span(at, &c->from, &c->to);
	if (c->chunk == SIZE_MAX) {
		c->chunk = b->n_chunks - 1;
		c->unannounced = true;
	}
	chunk->unannounced |=
	    !c->declared || (c->unannounced && c->chunk == b->n_chunks - 1);
	if (chunk->messages++ == 0)
		chunk->from = chunk->to = e->time;
	if (rosbag_time_compare(e->time, chunk->from) < 0)
		chunk->from = e->time;
	if (rosbag_time_compare(e->time, chunk->to) > 0)
		chunk->to = e->time;
	chunk->sum += sum;
	b->messages++;
	b->sum += sum;
	return SLV_OK;
}

enum slv_status
rosbag_chunk_add(
    struct slv_scan *s, const struct rosbag_entry *entry, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_entries *e = &b->entries;
	struct rosbag_conn *c = &b->conns[entry->conn];
	size_t here = b->n_chunks - 1;

	if (e->n >= ROSBAG_NONE)
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: a chunk of more than %u messages", s->source->name,
		    ROSBAG_NONE);
	SLV_TRY(SLV_ROOM_AT(e, 1, err));
	e->at[e->n] = *entry;
	e->at[e->n].next =
	    entry->is_conn ? (uint32_t)b->n_decls - 1 : ROSBAG_NONE;
	b->gaps |= entry->at != b->next;
	b->next = entry->at + entry->len;
	if (entry->is_conn && c->chunk == SIZE_MAX)
		c->chunk = here;
	if (!entry->is_conn)
		SLV_TRY(add_message(s, &e->at[e->n], (uint32_t)e->n, err));
	e->n++;
	b->chunks[here].renumbered |= c->out != c->id;
	/* If that one goes, this one is to declare it. */
	b->chunks[here].unannounced |= b->chunks[c->chunk].gone;
	return SLV_OK;
}

/* What the chunk holds of each connection, for its CHUNK_INFO. */
static enum slv_status
add_counts(struct rosbag *b, struct rosbag_chunk *chunk, struct slv_err *err)
{
	chunk->first_count = b->n_counts;
	chunk->n_counts = b->n_here;
	SLV_TRY(SLV_ROOM(b, counts, b->n_here, err));
	for (size_t i = 0; i < b->n_here; i++) {
		const struct rosbag_conn *c = &b->conns[b->here[i]];

		b->counts[b->n_counts++] =
		    (struct rosbag_count){ b->here[i], c->n_here };
	}
	return SLV_OK;
}

enum slv_status
rosbag_remember(struct slv_scan *s, uint64_t n, struct slv_err *err)
{
	return slv_memory_take(
	    s, &rosbag_edit(s)->memory, n, "messages and connections", err);
}

/* Keep the list of what is in the chunk. */
static enum slv_status
list(struct slv_scan *s, struct rosbag_chunk *chunk, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_entries *to = &b->kept, *from = &b->entries;

	chunk->first_entry = to->n;
	if (from->n == 0)
		return SLV_OK;
	SLV_TRY(rosbag_remember(s, from->n * sizeof(*from->at), err));
	SLV_TRY(SLV_ROOM_AT(to, from->n, err));
	memcpy(to->at + to->n, from->at, from->n * sizeof(*from->at));
	/* Not before: what is known is reported even if memory runs out. */
	to->n += chunk->n_entries = from->n;
	return SLV_OK;
}

/* Whether the header says what follows it; of a compressed one that is known
 * already. */
static void
judge_header(const struct rosbag *b, struct rosbag_chunk *chunk)
{
	const struct rosbag_claim *claim = &b->claim;

	if (chunk->codec != SLV_CODEC_NONE || b->head.encrypted)
		return;
	chunk->data_end = b->entries.n > 0 ? b->next : chunk->data;
	chunk->size = (uint32_t)(chunk->data_end - chunk->data);
	chunk->stored = !b->gaps;
	chunk->opened = chunk->headed && claim->size == 0 && claim->len == 0
	    && chunk->size > 0;
	chunk->stays = chunk->headed && chunk->stored
	    && claim->len == chunk->size && claim->size == chunk->size;
	chunk->shorter = chunk->headed && claim->len == claim->size
	    && claim->size > chunk->size;
}

/* What is wrong with its header and is not explained by a loss. */
static enum slv_status
tell_header(
    struct slv_scan *s, const struct rosbag_chunk *chunk, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t len = chunk->data - chunk->off;

	if (!chunk->stored || chunk->stays || !chunk->headed)
		return SLV_OK;
	if (chunk->opened)
		return rosbag_problem(
		    s, ROSBAG_P_CHUNK_OPEN, chunk->off, len, 0, 0, err);
	return rosbag_problem(s, ROSBAG_P_CHUNK_HEADER, chunk->off, len,
	    chunk->size,
	    b->claim.len != chunk->size ? b->claim.len : b->claim.size, err);
}

static enum slv_status
tell_index(
    struct slv_scan *s, const struct rosbag_chunk *chunk, struct slv_err *err)
{
	if (chunk->doubtful)
		return rosbag_problem(s, ROSBAG_P_INDEX_DOUBT, chunk->data,
		    chunk->data_end - chunk->data, 0, 0, err);
	if (chunk->indexed || !chunk->stored || chunk->messages == 0)
		return SLV_OK;
	return chunk->index < chunk->end
	    ? rosbag_problem(s, ROSBAG_P_INDEX, chunk->index,
	        chunk->end - chunk->index, 0, 0, err)
	    : rosbag_problem(
	        s, ROSBAG_P_INDEX_MISSING, chunk->end, 0, 0, 0, err);
}

/* A chunk without messages is not written; what it declares must be declared
 * elsewhere. */
static void
forget_conns(struct rosbag *b)
{
	for (size_t i = 0; i < b->entries.n; i++) {
		struct rosbag_conn *c = &b->conns[b->entries.at[i].conn];

		if (c->chunk == b->n_chunks - 1)
			c->chunk = SIZE_MAX;
	}
}

enum slv_status
rosbag_chunk_close(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_chunk *chunk;

	if (!b->open)
		return SLV_OK;
	b->open = false;
	chunk = &b->chunks[b->n_chunks - 1];
	judge_header(b, chunk);
	if (!b->in_index)
		chunk->index = chunk->end = chunk->data_end;
	chunk->indexed = !b->index_odd;
	SLV_TRY(add_counts(b, chunk, err));
	/* It is unknown what the chunks of an encrypted bag declare. */
	chunk->gone = !b->head.encrypted && chunk->messages > 0
	    && !rosbag_chunk_is_of_use(b, chunk);
	for (size_t i = 0; i < b->n_here; i++) {
		struct rosbag_conn *c = &b->conns[b->here[i]];

		chunk->indexed &= c->indexed;
		c->first = c->last = ROSBAG_NONE;
	}
	if (!b->head.encrypted
	    && (!chunk->stays || !chunk->indexed || chunk->unannounced
	        || chunk->renumbered || (chunk->declares && !chunk->summed)))
		SLV_TRY(list(s, chunk, err));
	if (rosbag_chunk_is_empty(chunk))
		forget_conns(b);
	b->entries.n = b->n_here = 0;
	b->index_odd = b->in_index = false;
	if (b->head.encrypted)
		return rosbag_cipher_close(s, err);
	SLV_TRY(tell_header(s, chunk, err));
	return tell_index(s, chunk, err);
}
