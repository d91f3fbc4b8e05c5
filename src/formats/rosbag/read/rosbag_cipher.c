/* rosbag_cipher.c - a bag that is encrypted: what can be seen of it without
 * the key.
 *
 * Clear are the headers of the bag and of the chunks, the index after each
 * chunk and the CHUNK_INFOs.  What chunks hold is encrypted, and so are the
 * connections at the end.  So a chunk is what its header says, where its index
 * follows, and holds what that says; neither it nor a connection can be made
 * anew.
 */
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_unit.h"
#include "support/ros.h"

#define BLOCK      16 /* bytes that AES-CBC encrypts at once, and of its start */
#define SECRET_MAX ((uint32_t)1 << 20) /* bytes of a definition, and more */

/* Whether the connections at the end may begin or go on at off. */
static bool
wants_secret(const struct rosbag *b, uint64_t off)
{
	return off == b->head.index_pos || (b->in_tail && b->n_infos == 0)
	    || (b->open && b->in_index);
}

/* The length of something encrypted at off; *known = false where the file ends
 * before it, *len = 0 where it is none. */
static enum slv_status
secret_len(const struct slv_scan *s, uint64_t off, uint32_t max, uint32_t *len,
    bool *known, struct slv_err *err)
{
	const uint8_t *p;

	*len = 0;
	*known = slv_range_in(off, 4, s->logical_end);
	if (!*known)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, 4, &p, err));
	*len = slv_get_le32(p);
	if (*len % BLOCK != 0 || *len < 2 * BLOCK || *len > max)
		*len = 0;
	return SLV_OK;
}

/* A connection at the end: a header and data, each encrypted and after its
 * length. */
static enum slv_status
secret_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint32_t head, data = 0;
	bool known;

	/* What is none may be a chunk, unless none can be there. */
	if (b->in_tail || off == b->head.index_pos) {
		u->tag = ROSBAG_TAG_SECRET;
		u->part = SLV_PART_INDEX;
		u->problem = ROSBAG_P_INDEX_BROKEN;
	}
	SLV_TRY(secret_len(s, off, ROSBAG_FIELDS_MAX, &head, &known, err));
	if (known && head == 0)
		return SLV_OK;
	if (known)
		SLV_TRY(secret_len(
		    s, off + 4 + head, SECRET_MAX, &data, &known, err));
	if (known && data == 0)
		return SLV_OK;
	u->tag = ROSBAG_TAG_SECRET;
	u->part = SLV_PART_INDEX;
	u->len = 8 + (uint64_t)head + data;
	if (known && slv_range_in(off, u->len, s->logical_end)) {
		u->verdict = SLV_UNIT_GOOD;
		u->problem = ROSBAG_PROBLEMS;
		return SLV_OK;
	}
	u->verdict = SLV_UNIT_SHORT;
	u->len = s->logical_end - off;
	u->problem = ROSBAG_P_CUT;
	return SLV_OK;
}

enum slv_status
rosbag_cipher_unit(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, struct slv_unit *u, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);

	if (r != NULL && r->op == ROSBAG_CHUNK) {
		u->tag = ROSBAG_TAG_CIPHER;
		u->part = SLV_PART_PACK;
		u->len = rosbag_span(r);
		u->verdict = slv_range_in(off, u->len, s->source->size)
		    ? SLV_UNIT_GOOD
		    : SLV_UNIT_SHORT;
		if (u->verdict == SLV_UNIT_SHORT)
			u->problem = ROSBAG_P_CUT;
		return SLV_OK;
	}
	if (wants_secret(b, off))
		return secret_unit(s, off, u, err);
	if (b->in_tail) {
		u->tag = ROSBAG_INDEX;
		u->part = SLV_PART_INDEX;
		u->problem = ROSBAG_P_INDEX_BROKEN;
	}
	return SLV_OK;
}

enum slv_status
rosbag_cipher_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	uint64_t tail = rosbag_of(s)->head.index_pos;

	SLV_TRY(rosbag_find(s, from, to,
	    1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK | 1u << ROSBAG_INFO, out,
	    err));
	if (tail >= from && tail < *out)
		*out = tail;
	return SLV_OK;
}

enum slv_status
rosbag_cipher_chunk(struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_chunk *c;
	struct rosbag_record r;

	SLV_TRY(rosbag_look(s, off, &r, err));
	SLV_TRY(
	    rosbag_chunk_open(s, off, &(struct rosbag_claim){ r.data, r.size },
	        off + rosbag_head(&r), r.codec, err));
	c = &b->chunks[b->n_chunks - 1];
	c->data_end = c->end = c->data + r.data;
	c->size = r.size;
	c->stored = c->stays = true;
	return SLV_OK;
}

/* Whether the entry at p can be one of the open chunk, after another that is of
 * this time. */
static bool
get_entry(const struct rosbag *b, const uint8_t *p, struct rosbag_time last,
    struct rosbag_entry *e)
{
	e->time = (struct rosbag_time){ slv_get_le32(p), slv_get_le32(p + 4) };
	e->at = slv_get_le32(p + 8);
	return e->time.nsec < 1000000000
	    && e->at < b->chunks[b->n_chunks - 1].size
	    && rosbag_time_compare(last, e->time) <= 0;
}

/* Take the messages that an index names, or only look whether it can be true,
 * which it must be then. */
static enum slv_status
take_named(struct slv_scan *s, uint64_t off, uint32_t count, uint32_t conn,
    bool look, bool *same, struct slv_err *err)
{
	struct rosbag_entry e = { .conn = conn };

	for (uint32_t i = 0; *same && i < count; i++) {
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window,
		    off + (uint64_t)i * ROSBAG_ENTRY_SIZE, ROSBAG_ENTRY_SIZE,
		    &p, err));
		*same = get_entry(rosbag_of(s), p, e.time, &e);
		if (*same && !look)
			SLV_TRY(rosbag_chunk_add(s, &e, err));
	}
	return SLV_OK;
}

enum slv_status
rosbag_cipher_index(struct slv_scan *s, uint64_t off, uint64_t len,
    const struct rosbag_record *r, bool *same, bool *full, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	uint32_t i;

	*same = false;
	SLV_TRY(rosbag_conn_find(s, r->conn, off, &i, full, err));
	if (*full)
		return SLV_OK;
	*same = r->count > 0 && rosbag_span(r) == len
	    && r->data == (uint64_t)r->count * ROSBAG_ENTRY_SIZE
	    && b->conns[i].first == ROSBAG_NONE;
	off += rosbag_head(r);
	SLV_TRY(take_named(s, off, r->count, i, true, same, err));
	SLV_TRY(take_named(s, off, r->count, i, false, same, err));
	b->conns[i].indexed = *same;
	return SLV_OK;
}

enum slv_status
rosbag_cipher_close(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const struct rosbag_chunk *c = &b->chunks[b->n_chunks - 1];
	uint64_t len = c->end - c->off;

	s->units_kept += c->messages;
	if (c->messages > 0)
		return SLV_OK;
	b->n_chunks--;
	SLV_TRY(
	    rosbag_problem(s, ROSBAG_P_CIPHER_INDEX, c->off, len, 0, 0, err));
	SLV_TRY(slv_catalog_set(&s->catalog, c->off, len, SLV_LOST, err));
	slv_scan_lose(s, 1, NULL);
	s->lost_loose = true;
	return SLV_OK;
}

enum slv_status
rosbag_secret_accept(
    struct slv_scan *s, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	SLV_TRY(rosbag_chunk_close(s, err));
	if (b->secrets.len == 0)
		b->tail = b->secrets.off = off;
	b->tail_odd |= off != b->secrets.off + b->secrets.len;
	b->secrets.len = off + len - b->secrets.off;
	b->in_tail = true;
	b->tail_end = off + len;
	b->tail_conns++;
	return SLV_OK;
}

/* Whether all connections are there, as far as that shows: nothing is broken
 * among them, there are as many as the indexes use, and after them the rest of
 * the index begins, or the bag header has counted them. */
static bool
has_secrets(const struct rosbag *b)
{
	uint64_t end = b->secrets.off + b->secrets.len;

	if (b->n_conns == 0)
		return true;
	return b->tail == b->secrets.off && b->secrets.len > 0
	    && b->tail_conns >= b->n_conns && !b->secrets_odd
	    && (b->n_infos > 0 ? b->first_info == end
	                       : b->tail_conns == b->head.n_conns);
}

/* After the index of some chunks is something broken: was more of it
 * there?  A CHUNK_INFO that names as many messages says no. */
static enum slv_status
finish_chunks(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	for (size_t i = 0, k = 0; i < b->n_chunks; i++) {
		struct rosbag_chunk *c = &b->chunks[i];

		while (k < b->n_infos && b->infos[k].chunk < c->off)
			k++;
		c->indexed |=
		    k < b->n_infos && rosbag_info_same(b, &b->infos[k], c);
		if (c->indexed)
			continue;
		SLV_TRY(rosbag_problem(s, ROSBAG_P_CIPHER_PART, c->off,
		    c->end - c->off, 0, c->messages, err));
		slv_scan_lose(s, 1, NULL);
		s->lost_loose = s->absent = true;
	}
	return SLV_OK;
}

enum slv_status
rosbag_cipher_finish(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	SLV_TRY(finish_chunks(s, err));
	b->locked = !has_secrets(b);
	for (size_t i = 0; i < b->n_conns; i++)
		b->conns[i].in_tail = !b->locked;
	SLV_TRY(rosbag_problem(
	    s, ROSBAG_P_ENCRYPTED, b->header.off, b->header.len, 0, 0, err));
	return b->locked ? rosbag_problem(s, ROSBAG_P_CIPHER_CONNS,
	           b->tail != 0 ? b->tail : b->upto, 0, b->n_conns,
	           b->tail_conns, err)
	                 : SLV_OK;
}

/* Put a number where the header of a bag has the field. */
static void
put_in(uint8_t *p, uint32_t fields, const char *name, uint64_t v, size_t n)
{
	struct slv_span value = slv_ros_value(p + 4, fields, name);
	uint8_t bytes[8];

	slv_put_le64(bytes, v);
	if (value.at != NULL)
		memcpy(p + (value.at - p), bytes, n);
}

void
rosbag_cipher_header(const struct rosbag *b, uint64_t index_pos, uint32_t conns,
    uint32_t chunks, struct slv_buf *out)
{
	size_t from = out->len;
	uint8_t *p;

	slv_buf_add(out, b->texts.at + b->header_text, b->header.len);
	if (out->failed)
		return;
	p = out->at + from;
	put_in(p, b->head.fields, "index_pos", index_pos, 8);
	put_in(p, b->head.fields, "conn_count", conns, 4);
	put_in(p, b->head.fields, "chunk_count", chunks, 4);
	memset(p + rosbag_head(&b->head), ' ', b->head.data);
}
