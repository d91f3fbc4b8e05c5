/* rosbag_donor.c - connections that nobody declares any more, and another bag
 * of the same robot that does.
 *
 * A recorder numbers connections as they come, mostly in the same order.  So
 * the donor's connection of the same number is taken, where everything else
 * says that both bags number alike, where every message that is looked at is
 * one of its type, to the byte, of the same coordinate frame and about as
 * frequent, and where the same is true of no other topic of the donor.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_type.h"
#include "formats/rosbag/read/rosbag_unit.h"
#include "support/offer.h"

#define SAMPLES     64    /* messages of a connection that are looked at */
#define CHUNKS      16    /* in so many chunks */
#define SAMPLE_MAX  65536 /* bytes of one; longer ones are passed by */
#define LOST_MAX    256   /* connections */
#define OFFERED_MAX 4096  /* of the donor */

/* Payloads of a connection. */
struct samples {
	struct slv_buf bytes; /* owned; one after the other */
	size_t end[SAMPLES];
	size_t n;
};

/* A connection of the donor. */
struct offer {
	const struct rosbag_conn *conn;
	struct slv_span record;
	struct rosbag_types types; /* owned */
	struct samples samples;    /* owned; one */
	bool readable; /* its own messages are as its definition says */
};

struct exchange {
	struct slv_scan *scan, *donor;
	struct offer *offers;    /* owned; in the donor's order */
	struct slv_offer *terms; /* owned; likewise */
	size_t n;
	bool odd; /* the two number their connections otherwise */
};

static enum slv_status
add_sample(struct samples *to, const uint8_t *record, uint32_t len,
    struct slv_err *err)
{
	struct rosbag_record r;

	if (to->n == SAMPLES || len > SAMPLE_MAX
	    || rosbag_record_get(record, len, &r) != ROSBAG_WHOLE
	    || rosbag_span(&r) != len)
		return SLV_OK;
	slv_buf_add(&to->bytes, record + rosbag_head(&r), r.data);
	to->end[to->n++] = to->bytes.len;
	return slv_buf_check(&to->bytes, err);
}

static struct slv_span
sample(const struct samples *s, size_t i)
{
	size_t from = i > 0 ? s->end[i - 1] : 0;

	return (struct slv_span){ (const uint8_t *)s->bytes.at + from,
		s->end[i] - from };
}

/* Messages of connection `id` in a compressed chunk. */
static enum slv_status
sample_packed(struct slv_scan *s, const struct rosbag_chunk *c, uint32_t id,
    size_t most, struct samples *to, struct slv_err *err)
{
	const struct rosbag_body *body;

	SLV_TRY(rosbag_body_again(
	    s, c->data, c->limit, c->expect, c->codec, &body, err));
	for (size_t i = 0; i < body->entries.n && to->n < most; i++) {
		const struct rosbag_entry *e = &body->entries.at[i];

		if (!e->is_conn && e->conn == id)
			SLV_TRY(add_sample(
			    to, body->decode.out.at + e->at, e->len, err));
	}
	return SLV_OK;
}

/* ... in one that is not.  Where it is damaged only what was kept counts. */
static enum slv_status
sample_plain(struct slv_scan *s, const struct rosbag_chunk *c, uint32_t id,
    size_t most, struct samples *to, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	size_t i = 0;

	for (uint64_t at = c->data; at < c->data_end && to->n < most;) {
		struct rosbag_record r;
		const uint8_t *p;

		if (c->n_entries > 0) {
			if (i == c->n_entries)
				break;
			at = b->kept.at[c->first_entry + i++].at;
		}
		SLV_TRY(rosbag_look(s, at, &r, err));
		if (r.read != ROSBAG_WHOLE)
			break;
		if (r.op == ROSBAG_MESSAGE && r.conn == id
		    && rosbag_span(&r) <= SAMPLE_MAX) {
			SLV_TRY(slv_window_view(
			    s->window, at, (size_t)rosbag_span(&r), &p, err));
			SLV_TRY(
			    add_sample(to, p, (uint32_t)rosbag_span(&r), err));
		}
		at += rosbag_span(&r);
	}
	return SLV_OK;
}

/* At most so many messages of a connection. */
static enum slv_status
take_samples(struct slv_scan *s, const struct rosbag_conn *conn, size_t most,
    struct samples *to, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	size_t chunks = 0, first = conn->chunk == SIZE_MAX ? 0 : conn->chunk;

	for (size_t i = first; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];
		size_t k = 0;

		while (k < c->n_counts
		    && &b->conns[b->counts[c->first_count + k].conn] != conn)
			k++;
		if (k == c->n_counts)
			continue;
		if (to->n >= most || chunks++ == CHUNKS)
			break;
		SLV_TRY(c->codec == SLV_CODEC_NONE
		        ? sample_plain(s, c, conn->id, most, to, err)
		        : sample_packed(s, c, conn->id, most, to, err));
	}
	return SLV_OK;
}

static struct slv_span
record_of(const struct rosbag *b, const struct rosbag_conn *c)
{
	return (struct slv_span){ b->texts.at + c->text, c->len };
}

static struct slv_span
topic_of(const struct rosbag *b, const struct rosbag_conn *c)
{
	return (
	    struct slv_span){ b->texts.at + c->text + c->topic, c->topic_len };
}

/* Declared, and not made of what was left of a declaration. */
static bool
is_sound(const struct rosbag_conn *c)
{
	return c->declared && !(c->spoilt_len > 0 && c->text == c->spoilt);
}

/* What a declaration says, without its number. */
static bool
says_same(const struct rosbag *b, const struct rosbag_conn *c,
    const struct rosbag *d, const struct rosbag_conn *other)
{
	return slv_span_same(topic_of(b, c), topic_of(d, other))
	    && rosbag_fields_same(b->texts.at + c->text + c->head,
	        c->len - c->head, d->texts.at + other->text + other->head,
	        other->len - other->head);
}

static enum slv_status
add_offer(
    struct exchange *x, const struct rosbag_conn *conn, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(x->scan), *d = rosbag_of(x->donor);
	struct slv_offer *t = &x->terms[x->n];
	struct offer *o = &x->offers[x->n++];
	struct rosbag_about about;

	*o = (struct offer){ .conn = conn, .record = record_of(d, conn) };
	*t =
	    (struct slv_offer){ .number = conn->id, .name = topic_of(d, conn) };
	for (size_t i = 0; i < b->n_conns && !t->here; i++)
		t->here = is_sound(&b->conns[i])
		    && says_same(b, &b->conns[i], d, conn);
	if (!rosbag_about_get(
	        o->record.at + conn->head, conn->len - conn->head, &about))
		return SLV_OK;
	SLV_TRY(rosbag_types_read(
	    &o->types, about.type, about.definition, &o->readable, err));
	SLV_TRY(take_samples(x->donor, conn, 1, &o->samples, err));
	if (o->readable && o->samples.n > 0) {
		struct slv_span own = sample(&o->samples, 0);

		o->readable = rosbag_types_fit(&o->types, own.at, own.len);
	}
	t->readable = o->readable;
	return SLV_OK;
}

/* Whether the messages of a connection here may be of one there. */
static bool
fits(const struct rosbag_conn *conn, const struct samples *samples,
    const struct offer *o)
{
	const struct slv_use ours = { conn->n, conn->from, conn->to };
	const struct slv_use theirs = { o->conn->n, o->conn->from,
		o->conn->to };
	struct slv_span there = { NULL, 0 }, here;

	if (samples->n == 0 || !o->readable || !slv_use_alike(&ours, &theirs))
		return false;
	if (o->samples.n > 0) {
		struct slv_span s = sample(&o->samples, 0);

		there = rosbag_types_frame(&o->types, s.at, s.len);
	}
	for (size_t i = 0; i < samples->n; i++) {
		struct slv_span s = sample(samples, i);

		if (!rosbag_types_fit(&o->types, s.at, s.len))
			return false;
		here = rosbag_types_frame(&o->types, s.at, s.len);
		if (i == 0 && there.at != NULL && !slv_span_same(here, there))
			return false;
	}
	return true;
}

/* Whether any connection that both bags declare has another topic there. */
static bool
is_numbered_otherwise(const struct exchange *x)
{
	const struct rosbag *b = rosbag_of(x->scan), *d = rosbag_of(x->donor);

	for (size_t i = 0; i < b->n_conns; i++) {
		const struct rosbag_conn *other =
		    rosbag_conn_nth(d, b->conns[i].id, 0);

		if (is_sound(&b->conns[i]) && other != NULL && is_sound(other)
		    && !slv_span_same(
		        topic_of(b, &b->conns[i]), topic_of(d, other)))
			return true;
	}
	return false;
}

/* A connection that is lost, and some of its messages. */
struct lost {
	const struct exchange *x;
	uint32_t conn; /* position in the list */
	struct samples samples;
	struct slv_want want;
};

static bool
fits_lost(const void *lost, size_t offer)
{
	const struct lost *l = lost;

	return fits(&rosbag_of(l->x->scan)->conns[l->conn], &l->samples,
	    &l->x->offers[offer]);
}

static enum slv_status
weigh(struct exchange *x, struct lost *l, struct slv_err *err)
{
	const struct rosbag_conn *conn = &rosbag_of(x->scan)->conns[l->conn];
	enum slv_status st;

	l->x = x;
	l->want.number = conn->id;
	l->samples = (struct samples){ .n = 0 };
	st = take_samples(x->scan, conn, SAMPLES, &l->samples, err);
	if (st == SLV_OK)
		slv_want_weigh(&l->want, x->terms, x->n, fits_lost, l);
	slv_buf_free(&l->samples.bytes);
	return st;
}

/* Declare it, as the donor does. */
static enum slv_status
take(struct exchange *x, const struct lost *l, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(x->scan);
	struct slv_span record = x->offers[l->want.own].record;
	struct rosbag_record r;
	bool odd, full;
	uint32_t i;

	rosbag_record_get(record.at, record.len, &r);
	SLV_TRY(rosbag_conn_declare(
	    x->scan, record.at, &r, 0, &i, &odd, &full, err));
	b->conns[i].taken = true;
	x->scan->taken++;
	return SLV_OK;
}

static enum slv_status
settle(
    struct exchange *x, const struct lost *lost, size_t n, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(x->scan);

	for (size_t i = 0; i < n; i++)
		x->odd |= slv_want_is_odd(&lost[i].want, x->terms);
	if (x->odd)
		SLV_TRY(rosbag_problem(
		    x->scan, ROSBAG_P_DONOR_ODD, 0, 0, n, 0, err));
	for (size_t i = 0; i < n; i++) {
		const struct rosbag_conn *c = &b->conns[lost[i].conn];

		if (!x->odd && slv_want_is_met(&lost[i].want)) {
			SLV_TRY(take(x, &lost[i], err));
			continue;
		}
		x->scan->refused++;
		if (!x->odd)
			SLV_TRY(rosbag_problem(x->scan, ROSBAG_P_DONOR_UNSURE,
			    c->need_off, 0, c->id, lost[i].want.n, err));
	}
	return SLV_OK;
}

static enum slv_status
exchange(struct exchange *x, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(x->scan), *d = rosbag_of(x->donor);
	struct lost lost[LOST_MAX];
	size_t n = 0;

	for (size_t i = 0; i < d->n_conns && x->n < OFFERED_MAX; i++) {
		if (is_sound(&d->conns[i]))
			SLV_TRY(add_offer(x, &d->conns[i], err));
	}
	x->odd = is_numbered_otherwise(x);
	for (uint32_t i = 0; i < b->n_conns && n < LOST_MAX; i++) {
		if (b->conns[i].declared || b->conns[i].n == 0)
			continue;
		lost[n].conn = i;
		SLV_TRY(weigh(x, &lost[n++], err));
	}
	return n > 0 ? settle(x, lost, n, err) : SLV_OK;
}

enum slv_status
rosbag_take(struct slv_scan *s, struct slv_err *err)
{
	struct exchange x = { .scan = s, .donor = s->opt.donor };
	enum slv_status st;

	s->taken = s->refused = 0;
	if (x.donor == NULL || x.donor->format != s->format
	    || s->reference != NULL)
		return SLV_OK;
	SLV_TRY(slv_new(&x.offers, OFFERED_MAX, sizeof(*x.offers), err));
	st = slv_new(&x.terms, OFFERED_MAX, sizeof(*x.terms), err);
	if (st == SLV_OK)
		st = exchange(&x, err);
	for (size_t i = 0; i < x.n; i++) {
		rosbag_types_free(&x.offers[i].types);
		slv_buf_free(&x.offers[i].samples.bytes);
	}
	slv_free(x.offers);
	slv_free(x.terms);
	return st;
}
