/* rosbag_doubted.c - messages that may be of a bag which a payload carries.
 *
 * Records in a payload read like those of the bag around it.  After damage it is
 * not known which of the two goes on, until the index of the chunk, the index at
 * the end, or an unbroken row of records up to the end of the bag shows it.  Only
 * a bag that is seen to carry records, or may have lost one that did, is doubted so.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/index/rosbag_due.h"
#include "formats/rosbag/index/rosbag_keys.h"

#define FEW 4 /* messages before the damage that an index must name, or all */

/* Whether a record begins in the payload of the message in [off, end). */
static enum slv_status
is_carrier(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const unsigned ops = 1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN
	    | 1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK;
	uint64_t at = end;

	if (end - off > 2 * ROSBAG_MESSAGE_HEAD)
		SLV_TRY(rosbag_find(
		    s, off + ROSBAG_MESSAGE_HEAD, end, ops, &at, err));
	*yes = at < end;
	return SLV_OK;
}

/* The same of a message of a chunk that is not compressed. */
static enum slv_status
carries(struct slv_scan *s, const struct rosbag_chunk *c, bool *yes,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t at = c->data;

	for (size_t i = 0; i < c->n_entries && !*yes; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];

		if (!e->is_conn)
			SLV_TRY(is_carrier(s, e->at, e->at + e->len, yes, err));
	}
	while (c->n_entries == 0 && at < c->data_end && !*yes) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, at, &r, err));
		if (r.read != ROSBAG_WHOLE)
			break;
		if (r.op == ROSBAG_MESSAGE)
			SLV_TRY(
			    is_carrier(s, at, at + rosbag_span(&r), yes, err));
		at += rosbag_span(&r);
	}
	return SLV_OK;
}

/* Where the row of records begins that reaches the end of the bag: nothing in it is
 * missing, and no index at the end of a bag is in it but the one that ends it. */
static uint64_t
find_last_row(const struct slv_scan *s)
{
	const struct rosbag *b = rosbag_of(s);
	const struct slv_catalog *k = &s->catalog;
	uint64_t last = b->chunks[b->n_chunks - 1].off, off = 0;

	for (size_t i = 0; i < k->n; i++) {
		const struct slv_extent *x = &k->at[i];

		if (x->off < s->logical_end && x->fate == SLV_LOST)
			off = x->off + x->len;
	}
	return b->tail > 0 && b->tail_end <= last ? slv_max64(off, b->tail_end)
	                                          : off;
}

struct doubting {
	struct slv_scan *scan;
	uint64_t last_row;
	bool sure; /* what is next is of this bag */
	bool *
	    foreign; /* owned; of each connection: what declares it first may be
	                * of another one */
	uint64_t n;  /* messages that may be, or are of such a connection */
};

/* Whether the index at the end has such a chunk. */
static bool
is_in_tail(const struct rosbag *b, const struct rosbag_chunk *c)
{
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];

		if (rosbag_counts_same(b, info, c)
		    && rosbag_time_compare(info->from, c->from) == 0
		    && rosbag_time_compare(info->to, c->to) == 0)
			return true;
	}
	return false;
}

static struct rosbag_key
key_of(const struct rosbag *b, const struct rosbag_entry *e)
{
	return (struct rosbag_key){
		b->conns[e->conn].id,
		e->time,
		e->at,
		e->len,
	};
}

/* How many entries of the chunk follow its header without a gap. */
static size_t
count_firm(const struct doubting *d, const struct rosbag_chunk *c)
{
	const struct rosbag_entry *e =
	    rosbag_of(d->scan)->kept.at + c->first_entry;
	uint64_t at = c->data;
	size_t n = 0;

	if (!d->sure || !c->headed)
		return 0;
	for (; n < c->n_entries && e[n].at == at; n++)
		at += e[n].len;
	return n;
}

/* Whether the index names the messages of the first n entries. */
static bool
is_own(const struct rosbag *b, const struct rosbag_chunk *c, size_t n,
    const struct rosbag_keys *names)
{
	size_t hits = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];
		struct rosbag_key key = key_of(b, e);

		if (e->is_conn)
			continue;
		all++;
		hits += rosbag_keys_have(names, &key);
	}
	return hits >= FEW || (hits > 0 && hits == all);
}

/* Note an entry that may be of another bag, or is of such a connection. */
static void
note_entry(struct doubting *d, const struct rosbag_entry *e, bool doubted)
{
	const struct rosbag *b = rosbag_of(d->scan);
	const struct rosbag_conn *c = &b->conns[e->conn];

	if (!e->is_conn)
		d->n += c->declared && (doubted || d->foreign[e->conn]);
	else if (doubted && c->decl < b->n_decls
	    && b->decls[c->decl].off == e->at)
		d->foreign[e->conn] = !c->in_tail || c->out != c->id;
}

/* A chunk of which the messages are listed; `known`: all are of this bag. */
static enum slv_status
doubt_listed(struct doubting *d, const struct rosbag_chunk *c, bool known,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(d->scan);
	struct rosbag_keys names = { 0 };
	size_t firm = known ? c->n_entries : count_firm(d, c);
	enum slv_status st = SLV_OK;
	bool whole, own;

	if (c->index < c->end)
		st = rosbag_keys_read(
		    d->scan, c->index, c->end, c->data, &names, &whole, err);
	rosbag_keys_sort(&names);
	own = is_own(b, c, firm, &names);
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];
		struct rosbag_key key = key_of(b, e);

		note_entry(d, e,
		    i >= firm && e->at < d->last_row
		        && !(own && rosbag_keys_have(&names, &key)));
	}
	d->sure = own || known || (d->sure && firm == c->n_entries);
	slv_free(names.at);
	return st;
}

static enum slv_status
doubt_chunk(
    struct doubting *d, const struct rosbag_chunk *c, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(d->scan);
	bool known = c->off >= d->last_row || is_in_tail(b, c);

	d->sure &= c->headed && !rosbag_follows_gap(d->scan, c);
	if (c->codec == SLV_CODEC_NONE && c->n_entries > 0)
		return doubt_listed(d, c, known, err);
	d->sure |= known;
	for (size_t i = 0; i < c->n_counts; i++) {
		const struct rosbag_count *n = &b->counts[c->first_count + i];

		if (d->foreign[n->conn]
		    || (!d->sure && c->codec == SLV_CODEC_NONE))
			d->n += n->n;
	}
	return SLV_OK;
}

/* Look at all chunks.  A declaration can follow messages of its connection: so
 * they are counted when those are known. */
static enum slv_status
doubt_all(struct doubting *d, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(d->scan);

	d->last_row = find_last_row(d->scan);
	for (int turn = 0; turn < 2; turn++) {
		d->sure = true;
		d->n = 0;
		for (size_t i = 0; i < b->n_chunks; i++)
			SLV_TRY(doubt_chunk(d, &b->chunks[i], err));
	}
	return SLV_OK;
}

/* Whether what is kept after a message that was left out begins in its payload, as
 * the message states it. */
static enum slv_status
lost_carries(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct slv_catalog *k = &s->catalog;

	for (size_t i = 0; i + 1 < k->n && !*yes; i++) {
		const struct slv_extent *x = &k->at[i];
		uint64_t end = x->off + x->len;
		struct rosbag_record r;

		if (x->fate != SLV_LOST || x[1].fate == SLV_LOST
		    || end >= s->logical_end)
			continue;
		SLV_TRY(rosbag_look(s, x->off, &r, err));
		*yes = r.read == ROSBAG_WHOLE && r.op == ROSBAG_MESSAGE
		    && end < x->off + rosbag_span(&r)
		    && slv_range_in(x->off, rosbag_span(&r), s->logical_end);
	}
	return SLV_OK;
}

/* Whether a message of the bag carries records, or another connection of the same
 * number is declared where that may be so. */
static enum slv_status
any_carries(const struct doubting *d, bool *yes, struct slv_err *err)
{
	struct slv_scan *s = d->scan;
	const struct rosbag *b = rosbag_of(s);

	*yes = false;
	for (size_t i = 0; i < b->n_conns && !*yes; i++)
		*yes = d->foreign[i] && b->conns[i].out != b->conns[i].id;
	for (size_t i = 0; i < b->n_chunks && !*yes; i++) {
		if (b->chunks[i].codec == SLV_CODEC_NONE)
			SLV_TRY(carries(s, &b->chunks[i], yes, err));
	}
	return *yes ? SLV_OK : lost_carries(s, yes, err);
}

enum slv_status
rosbag_doubt_carried(struct slv_scan *s, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct doubting d = { .scan = s };
	enum slv_status st;
	bool yes;

	SLV_TRY(rosbag_is_all_there(s, &yes, err));
	if (yes || b->n_chunks == 0 || b->head.encrypted)
		return SLV_OK;
	SLV_TRY(slv_new(&d.foreign, b->n_conns, sizeof(*d.foreign), err));
	st = doubt_all(&d, err);
	if (st == SLV_OK && d.n > 0)
		st = any_carries(&d, &yes, err);
	slv_free(d.foreign);
	SLV_TRY(st);
	if (yes)
		s->units_unsure =
		    slv_min64(s->units_unsure + d.n, s->units_kept);
	return SLV_OK;
}
