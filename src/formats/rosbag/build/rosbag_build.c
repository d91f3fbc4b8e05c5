/* rosbag_build.c - the repaired bag as a plan.
 *
 *	magic, bag header, the chunks with their indexes, the connections, a
 *	CHUNK_INFO a chunk
 *
 * A chunk that is as it was is copied with its index.  Of any other what is
 * left of its records is written uncompressed, which readers take in any bag.
 */
#include "base/list.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/read/rosbag_unit.h"
#include "support/ros.h"

/* A message, for the index of its chunk. */
struct listed {
	uint32_t id, offset;
	struct rosbag_time time;
};

struct build {
	struct slv_scan *scan;
	struct rosbag *bag;
	struct slv_plan *plan;
	struct slv_buf buf;   /* owned; records that are being made */
	struct slv_buf infos; /* owned; of all chunks */
	uint32_t n_infos;
	struct listed *listed; /* owned; messages of a chunk */
	size_t n_listed, cap_listed;
	uint64_t offset; /* in the data of a chunk */
	size_t chunk;
};

static int
compare_listed(const void *p, const void *q)
{
	const struct listed *a = p, *b = q;
	int order = rosbag_time_compare(a->time, b->time);

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (order != 0)
		return order;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* How many of the messages from i on are of one connection. */
static uint32_t
run_of(const struct build *x, size_t i)
{
	uint32_t n = 1;

	while (i + n < x->n_listed && x->listed[i + n].id == x->listed[i].id)
		n++;
	return n;
}

/* The index of a chunk whose messages are listed, and its CHUNK_INFO. */
static enum slv_status
put_index(struct build *x, uint64_t chunk, struct slv_err *err)
{
	struct rosbag_time from, to;
	uint32_t kinds = 0;

	slv_sort(x->listed, x->n_listed, sizeof(*x->listed), compare_listed);
	from = to = x->listed[0].time;
	for (size_t i = 0; i < x->n_listed; i += run_of(x, i), kinds++) {
		uint32_t n = run_of(x, i);

		rosbag_make_index(x->listed[i].id, n, &x->buf);
		for (size_t k = i; k < i + n; k++) {
			slv_buf_put32(&x->buf, x->listed[k].time.sec);
			slv_buf_put32(&x->buf, x->listed[k].time.nsec);
			slv_buf_put32(&x->buf, x->listed[k].offset);
		}
		if (rosbag_time_compare(x->listed[i].time, from) < 0)
			from = x->listed[i].time;
		if (rosbag_time_compare(x->listed[i + n - 1].time, to) > 0)
			to = x->listed[i + n - 1].time;
	}
	rosbag_make_info(chunk, from, to, kinds, &x->infos);
	for (size_t i = 0; i < x->n_listed; i += run_of(x, i)) {
		slv_buf_put32(&x->infos, x->listed[i].id);
		slv_buf_put32(&x->infos, run_of(x, i));
	}
	x->n_infos++;
	return slv_plan_buf(x->plan, &x->buf, err);
}

/* Whether the output has the connection: one that would need another number, and
 * has no messages, is of no use. */
static bool
is_written(const struct rosbag_conn *c)
{
	return c->declared && (c->out == c->id || c->n > 0);
}

/* Whether a record goes into a chunk that is written again: the output has its
 * connection, and nothing holds against it. */
static bool
is_kept(const struct rosbag *b, const struct rosbag_entry *e)
{
	return is_written(&b->conns[e->conn]) && !rosbag_entry_is_out(b, e);
}

/* List a message of the input for the index; *keep = false where it goes. */
static enum slv_status
list(struct build *x, const struct rosbag_entry *e, uint64_t offset, bool *keep,
    struct slv_err *err)
{
	const struct rosbag_conn *c = &x->bag->conns[e->conn];

	*keep = is_kept(x->bag, e);
	if (!*keep || e->is_conn)
		return SLV_OK;
	return SLV_ADD(x, listed, err,
	    (struct listed){ c->out, (uint32_t)offset, e->time });
}

static const struct rosbag_entry *
entry_of(const struct build *x, const struct rosbag_chunk *c, size_t i)
{
	return &x->bag->kept.at[c->first_entry + i];
}

/* Whether any message of the chunk must go or change, or a declaration come. */
static bool
is_changed(const struct build *x, const struct rosbag_chunk *c)
{
	if (c->renumbered)
		return true;
	for (size_t i = 0; i < c->n_counts; i++) {
		const struct rosbag_conn *conn =
		    &x->bag->conns[x->bag->counts[c->first_count + i].conn];

		if (!conn->declared
		    || (conn->unannounced && conn->chunk == x->chunk))
			return true;
	}
	return false;
}

/* The counts of a chunk that is copied, by id. */
SLV_ORDER(compare_counts, struct listed, id)

/* A chunk that is copied with its index. */
static enum slv_status
put_verbatim(struct build *x, struct rosbag_chunk *c, struct slv_err *err)
{
	uint64_t at = x->plan->size;

	c->verbatim = true;
	SLV_TRY(slv_plan_copy(x->plan, c->off, c->end - c->off, err));
	SLV_TRY(slv_grow(
	    &x->listed, &x->cap_listed, c->n_counts, sizeof(*x->listed), err));
	for (size_t i = 0; i < c->n_counts; i++) {
		struct rosbag_count n = x->bag->counts[c->first_count + i];

		x->listed[i] =
		    (struct listed){ x->bag->conns[n.conn].out, n.n, c->from };
	}
	slv_sort(x->listed, c->n_counts, sizeof(*x->listed), compare_counts);
	rosbag_make_info(at, c->from, c->to, (uint32_t)c->n_counts, &x->infos);
	for (size_t i = 0; i < c->n_counts; i++) {
		slv_buf_put32(&x->infos, x->listed[i].id);
		slv_buf_put32(&x->infos, x->listed[i].offset);
	}
	x->n_infos++;
	return SLV_OK;
}

/* The data as they are, with a new header or a new index. */
static enum slv_status
put_stored(struct build *x, struct rosbag_chunk *c, struct slv_err *err)
{
	uint64_t at = x->plan->size, len = c->data_end - c->data;
	uint64_t base = c->codec == SLV_CODEC_NONE ? c->data : 0;
	bool keep;

	if (c->stays) {
		SLV_TRY(slv_plan_copy(x->plan, c->off, c->data - c->off, err));
	} else {
		rosbag_make_chunk(c->codec, c->size, (uint32_t)len, &x->buf);
		SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	}
	SLV_TRY(slv_plan_copy(x->plan, c->data, len, err));
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = entry_of(x, c, i);

		SLV_TRY(list(x, e, e->at - base, &keep, err));
	}
	return put_index(x, at, err);
}

/* Encode a stretch of the records that a compressed chunk holds. */
static enum slv_status
make_records(const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *err)
{
	struct slv_scan *s = (struct slv_scan *)ctx;
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_made m = b->made[arg];
	const struct rosbag_chunk *c = &b->chunks[m.chunk];
	const struct rosbag_body *body;
	uint64_t at = 0;

	SLV_TRY(rosbag_body_again(
	    s, c->data, c->limit, c->expect, c->codec, &body, err));
	for (size_t i = 0; i < c->n_entries && m.len > 0; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];
		uint64_t skip = m.from > at ? m.from - at : 0, n;
		const uint8_t *p;

		if (!is_kept(b, e))
			continue;
		at += e->len;
		if (skip >= e->len)
			continue;
		n = slv_min64(e->len - skip, m.len);
		SLV_TRY(rosbag_body_bytes(s, body, e->at, e->len, &p, err));
		if (e->len < sizeof(uint32_t)
		    || slv_get_le32(p) > e->len - sizeof(uint32_t))
			return slv_scan_changed(s, err);
		rosbag_make_numbered(p, b->conns[e->conn].out, skip, n, out);
		out += n;
		m.from += n;
		m.len -= (uint32_t)n;
	}
	return SLV_OK;
}

/* All records of a compressed chunk that are kept, len bytes. */
static enum slv_status
put_made(struct build *x, uint64_t len, struct slv_err *err)
{
	struct rosbag *b = x->bag;

	for (uint64_t from = 0; from < len; from += SLV_MADE_MAX) {
		uint64_t n = slv_min64(len - from, SLV_MADE_MAX);

		SLV_TRY(SLV_ROOM(b, made, 1, err));
		b->made[b->n_made] =
		    (struct rosbag_made){ x->chunk, from, (uint32_t)n };
		SLV_TRY(slv_plan_make(x->plan, (size_t)n, make_records, NULL,
		    x->scan, b->n_made++, err));
	}
	return SLV_OK;
}

static void
put_declaration(struct build *x, const struct rosbag_conn *c)
{
	size_t at = x->buf.len;

	slv_buf_add(&x->buf, x->bag->texts.at + c->text, c->len);
	if (!x->buf.failed)
		rosbag_make_numbered(x->bag->texts.at + c->text, c->out, 0,
		    c->len, x->buf.at + at);
}

/* The declarations that come first in this chunk and are not in it, or other
 * ones are. */
static void
announce(struct build *x, const struct rosbag_chunk *c)
{
	const struct rosbag *b = x->bag;

	for (size_t i = 0; i < c->n_counts; i++) {
		const struct rosbag_conn *conn =
		    &b->conns[b->counts[c->first_count + i].conn];

		if (conn->declared && conn->unannounced
		    && conn->chunk == x->chunk)
			put_declaration(x, conn);
	}
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = entry_of(x, c, i);
		const struct rosbag_conn *conn = &b->conns[e->conn];

		if (rosbag_entry_is_out(b, e) && !conn->unannounced
		    && conn->chunk == x->chunk)
			put_declaration(x, conn);
	}
}

/* One record of an uncompressed chunk. */
static enum slv_status
put_record(struct build *x, const struct rosbag_entry *e, struct slv_err *err)
{
	const struct rosbag_conn *c = &x->bag->conns[e->conn];
	struct rosbag_record r;
	const uint8_t *p;
	uint32_t head = 0;

	if (c->out != c->id) {
		SLV_TRY(rosbag_look(x->scan, e->at, &r, err));
		head = r.read == ROSBAG_WHOLE ? rosbag_head(&r) : 0;
	}
	if (head > 0) {
		SLV_TRY(slv_window_view(x->scan->window, e->at, head, &p, err));
		if (head > e->len
		    || rosbag_record_get(p, head, &r) != ROSBAG_WHOLE
		    || rosbag_head(&r) != head)
			return slv_scan_changed(x->scan, err);
		slv_buf_add(&x->buf, p, head);
		if (!x->buf.failed)
			rosbag_make_numbered(p, c->out, 0, head, x->buf.at);
		SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	}
	return slv_plan_copy(x->plan, e->at + head, e->len - head, err);
}

/* What is left of the records, uncompressed. */
static enum slv_status
put_records(struct build *x, struct rosbag_chunk *c, struct slv_err *err)
{
	struct slv_buf intro = { 0 };
	uint64_t at = x->plan->size, len = 0;
	enum slv_status st = SLV_OK;
	bool keep;

	announce(x, c);
	intro = x->buf;
	x->buf = (struct slv_buf){ 0 };
	for (size_t i = 0; st == SLV_OK && i < c->n_entries; i++) {
		const struct rosbag_entry *e = entry_of(x, c, i);

		st = list(x, e, intro.len + len, &keep, err);
		if (keep)
			len += e->len;
	}
	if (st == SLV_OK && intro.failed)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK && x->n_listed > 0) {
		uint32_t size = (uint32_t)(intro.len + len);

		rosbag_make_chunk(SLV_CODEC_NONE, size, size, &x->buf);
		slv_buf_add(&x->buf, intro.at, intro.len);
		st = slv_plan_buf(x->plan, &x->buf, err);
	}
	slv_buf_free(&intro);
	if (st != SLV_OK || x->n_listed == 0)
		return st;
	if (c->codec != SLV_CODEC_NONE) {
		SLV_TRY(put_made(x, len, err));
		return put_index(x, at, err);
	}
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = entry_of(x, c, i);

		if (is_kept(x->bag, e))
			SLV_TRY(put_record(x, e, err));
	}
	return put_index(x, at, err);
}

static enum slv_status
put_chunk(struct build *x, struct rosbag_chunk *c, struct slv_err *err)
{
	bool changed;

	x->n_listed = 0;
	if (x->bag->head.encrypted)
		return put_verbatim(x, c, err);
	changed = is_changed(x, c);
	if (rosbag_chunk_is_empty(c))
		return SLV_OK;
	if (c->stays && c->indexed && !changed)
		return put_verbatim(x, c, err);
	return c->stored && !changed ? put_stored(x, c, err)
	                             : put_records(x, c, err);
}

/* The connections and the CHUNK_INFO records. */
static enum slv_status
put_tail(struct build *x, uint32_t *n_conns, struct slv_err *err)
{
	const struct rosbag *b = x->bag;

	*n_conns = (uint32_t)b->tail_conns;
	if (b->tail_stays)
		return slv_plan_copy(
		    x->plan, b->tail, b->tail_end - b->tail, err);
	*n_conns = 0;
	for (size_t i = 0; i < b->n_conns; i++) {
		const struct rosbag_conn *c = &b->conns[b->by_id[i]];

		if (!is_written(c))
			continue;
		put_declaration(x, c);
		++*n_conns;
	}
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	if (b->secrets.len > 0) {
		*n_conns = (uint32_t)b->tail_conns;
		SLV_TRY(slv_plan_copy(
		    x->plan, b->secrets.off, b->secrets.len, err));
	}
	return slv_plan_buf(x->plan, &x->infos, err);
}

/* What the plan keeps, to be found again by its proof. */
static void
add_up(struct rosbag *b)
{
	b->planned = b->messages;
	b->planned_sum = b->sum;
	for (size_t i = 0; i < b->kept.n; i++) {
		const struct rosbag_entry *e = &b->kept.at[i];

		if (e->is_conn || b->conns[e->conn].declared)
			continue;
		b->planned--;
		b->planned_sum -= rosbag_sum(b->conns[e->conn].out, e);
	}
}

static void
put_header(struct build *x, uint64_t index, uint32_t n_conns)
{
	if (x->bag->head.encrypted)
		rosbag_cipher_header(
		    x->bag, index, n_conns, x->n_infos, &x->buf);
	else
		rosbag_make_header(index, n_conns, x->n_infos, &x->buf);
}

static enum slv_status
build(struct build *x, struct slv_err *err)
{
	struct rosbag *b = x->bag;
	size_t header = 0;
	uint32_t n_conns;
	uint64_t index;

	if (b->head_stays) {
		SLV_TRY(slv_plan_copy(x->plan, 0, ROSBAG_DATA_START, err));
	} else {
		SLV_TRY(slv_plan_bytes(
		    x->plan, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE, err));
		/* Its numbers are known last: a segment of its own. */
		header = x->plan->literals.len;
		put_header(x, 0, 0);
		SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	}
	for (x->chunk = 0; x->chunk < b->n_chunks; x->chunk++)
		SLV_TRY(put_chunk(x, &b->chunks[x->chunk], err));
	index = x->plan->size;
	SLV_TRY(put_tail(x, &n_conns, err));
	if (b->head_stays)
		return SLV_OK;
	put_header(x, index, n_conns);
	SLV_TRY(slv_buf_check(&x->buf, err));
	memcpy(x->plan->literals.at + header, x->buf.at, x->buf.len);
	return SLV_OK;
}

enum slv_status
rosbag_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	struct build x = { .scan = s, .bag = rosbag_edit(s), .plan = plan };
	enum slv_status st;

	*possible = false;
	if (x.bag->locked)
		return SLV_OK;
	x.bag->n_made = 0;
	add_up(x.bag);
	rosbag_count_lent(x.bag);
	st = build(&x, err);
	slv_buf_free(&x.buf);
	slv_buf_free(&x.infos);
	slv_free(x.listed);
	*possible = st == SLV_OK;
	return st;
}
