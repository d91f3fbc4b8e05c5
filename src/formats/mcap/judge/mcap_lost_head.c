/* mcap_lost_head.c - the head of a chunk that only its ChunkIndex still states.
 *
 * A ChunkIndex repeats all that the head says but the checksum.  Where the data agree
 * with it in every respect, the head is what it says.  Its checksum is the one that is
 * left in the damaged bytes or that DataEnd confirms; otherwise it has none.
 */
#include "base/list.h"
#include "digest/crc32.h"
#include "formats/mcap/build/mcap_make.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/read/mcap_head.h"

/* Bytes from the beginning of a chunk to its checksum. */
#define CRC_AT (MCAP_HEAD + 24)

/* A head that can be written again. */
struct lost_head {
	uint64_t off, data;      /* where it begins, and ends */
	struct mcap_claim claim; /* its `crc` is that of the records */
	enum slv_codec_kind codec;
	bool confirmed; /* the bytes that are there state this checksum */
};

struct heads {
	struct lost_head *at; /* owned; in order */
	size_t n, cap;
};

/* What is where a ChunkIndex names records. */
struct held {
	bool whole; /* records, from end to end */
	uint64_t messages, from, to;
	uint32_t crc;
};

static void
hold(struct held *held, uint64_t time)
{
	held->messages++;
	held->from = slv_min64(held->from, time);
	held->to = slv_max64(held->to, time);
}

/* The records that are here without compression. */
static enum slv_status
read_plain(struct slv_scan *s, const struct lost_head *h, struct held *out,
    struct slv_err *err)
{
	const struct mcap_bytes b = { s->window, NULL,
		h->data + h->claim.stored };

	out->whole = h->claim.size == h->claim.stored;
	for (uint64_t at = h->data; out->whole && at < b.end;) {
		struct mcap_record r;
		enum mcap_read read;

		SLV_TRY(mcap_record_get(&b, at, &r, &read, err));
		out->whole = read == MCAP_WHOLE && mcap_is_inner(&r);
		if (out->whole && r.op == MCAP_MESSAGE)
			hold(out, r.v[MCAP_LOG_TIME]);
		at += mcap_span(&r);
	}
	return out->whole ? mcap_crc(&b, h->data, h->claim.size, &out->crc, err)
	                  : SLV_OK;
}

/* ... and those that are compressed. */
static enum slv_status
read_packed(struct slv_scan *s, const struct lost_head *h, struct held *out,
    struct slv_err *err)
{
	const struct mcap_body *body;
	const struct slv_decode *d;

	SLV_TRY(mcap_body_at(s, h->data, h->data + h->claim.stored, h->codec,
	    h->claim.size, 0, &body, err));
	d = &body->decode;
	out->whole = body->whole && d->out.len == h->claim.size
	    && d->used == h->claim.stored;
	for (size_t i = 0; out->whole && i < body->entries.n; i++) {
		if (body->entries.at[i].op == MCAP_MESSAGE)
			hold(out, body->entries.at[i].time);
	}
	if (out->whole)
		out->crc = slv_crc32(0, d->out.at, d->out.len);
	return SLV_OK;
}

/* Whether nothing of [from, end) is kept. */
static bool
is_left_out(const struct slv_catalog *k, uint64_t from, uint64_t end)
{
	bool yes = true;

	for (size_t i = slv_catalog_find(k, from);
	     yes && i < k->n && k->at[i].off < end; i++)
		yes = k->at[i].fate != SLV_KEPT;
	return yes;
}

/* The head that this ChunkIndex states; *yes: its parts agree, and no head is there. */
static enum slv_status
get_head(struct slv_scan *s, const struct mcap_placed *p, struct lost_head *h,
    bool *yes, struct slv_err *err)
{
	struct mcap_record r;
	struct mcap_head own;
	const uint8_t *name;

	/* In the summary there are none. */
	*yes = p->off >= s->base
	    && slv_range_in(
	        p->off, p->len, mcap_summary_from(&mcap_of(s)->summary))
	    && is_left_out(&s->catalog, p->off, p->off + 1);
	if (!*yes)
		return SLV_OK;
	/* One that is there is not lost, if its checksum contradicts the data. */
	SLV_TRY(mcap_head_get(s, p->off, &own, yes, err));
	*yes = !*yes;
	if (*yes)
		SLV_TRY(mcap_look_strict(s, p->at, &r, yes, err));
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, p->at + r.at[MCAP_ENCODING],
	    (size_t)r.v[MCAP_ENCODING], &name, err));
	*h = (struct lost_head){
		.off = p->off,
		.data = p->off + MCAP_CHUNK_HEAD + r.v[MCAP_ENCODING],
		.claim = { p->from, p->to, r.v[MCAP_SIZE], r.v[MCAP_STORED],
		    0 },
	};
	*yes = mcap_codec_get(name, (size_t)r.v[MCAP_ENCODING], &h->codec)
	    && p->len > h->data - p->off
	    && p->len - (h->data - p->off) == h->claim.stored
	    && is_left_out(&s->catalog, h->off, h->data);
	return SLV_OK;
}

/* Note the head that this ChunkIndex states, if it is lost and the records are as it
 * says.  What chunk indexes name may overlap, so *budget is how many bytes may be
 * read. */
static enum slv_status
add_head(struct slv_scan *s, const struct mcap_placed *p, uint64_t *budget,
    struct heads *out, struct slv_err *err)
{
	struct held held = { .from = UINT64_MAX };
	struct lost_head h;
	const uint8_t *crc;
	bool yes;

	SLV_TRY(get_head(s, p, &h, &yes, err));
	/* The same one may be named twice. */
	if (!yes || h.claim.stored > *budget
	    || (out->n > 0 && h.off < out->at[out->n - 1].data))
		return SLV_OK;
	*budget -= h.claim.stored;
	SLV_TRY(h.codec == SLV_CODEC_NONE ? read_plain(s, &h, &held, err)
	                                  : read_packed(s, &h, &held, err));
	if (!held.whole || held.messages == 0 || held.from != h.claim.start
	    || held.to != h.claim.stop)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, h.off + CRC_AT, 4, &crc, err));
	h.claim.crc = held.crc;
	h.confirmed = slv_get_le32(crc) == held.crc;
	return SLV_ADD_AT(out, err, h);
}

/* A head as it was; `sums`: with a checksum that is not confirmed. */
static enum slv_status
make_head(const struct lost_head *h, bool sums, struct slv_buf *out,
    struct slv_err *err)
{
	struct mcap_claim claim = h->claim;

	if (!sums && !h->confirmed)
		claim.crc = 0;
	out->len = 0;
	mcap_make_head(out, &claim, h->codec);
	return out->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                   : SLV_OK;
}

/* Whether the checksum of all data matches with these heads. */
static enum slv_status
is_confirmed(struct slv_scan *s, const struct heads *heads, struct slv_buf *buf,
    bool sums, bool *yes, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	const struct mcap_summary *x = &mcap_of(s)->summary;
	uint64_t at = s->base;
	uint32_t crc = 0;

	*yes = false;
	if (x->data_end == 0 || x->data_crc == 0)
		return SLV_OK;
	for (size_t i = 0; i < heads->n; i++) {
		const struct lost_head *h = &heads->at[i];

		SLV_TRY(mcap_crc(&b, at, h->off - at, &crc, err));
		SLV_TRY(make_head(h, sums, buf, err));
		crc = slv_crc32(crc, buf->at, buf->len);
		at = h->data;
	}
	SLV_TRY(mcap_crc(&b, at, x->data_end - at, &crc, err));
	*yes = crc == x->data_crc;
	return SLV_OK;
}

static enum slv_status
mend_heads(struct slv_scan *s, const struct heads *heads, struct slv_buf *buf,
    struct slv_mends *out, struct slv_err *err)
{
	bool sums;

	SLV_TRY(is_confirmed(s, heads, buf, true, &sums, err));
	for (size_t i = 0; i < heads->n; i++) {
		const struct slv_problem problem = {
			.info = &mcap_problems[MCAP_P_CHUNK_HEAD_LOST],
			.off = heads->at[i].off,
		};

		SLV_TRY(make_head(&heads->at[i], sums, buf, err));
		SLV_TRY(slv_mends_add(
		    out, problem.off, buf->at, buf->len, &problem, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_mend_heads(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct heads heads = { 0 };
	struct slv_buf buf = { 0 };
	uint64_t budget = 2 * s->source->size;
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < m->n_placed; i++) {
		if (m->placed[i].op == MCAP_CHUNK_INDEX)
			st = add_head(s, &m->placed[i], &budget, &heads, err);
	}
	if (st == SLV_OK && heads.n > 0)
		st = mend_heads(s, &heads, &buf, out, err);
	slv_buf_free(&buf);
	slv_free(heads.at);
	return st;
}
