/* rosbag_decl.c - declarations that contradict each other: which is right?
 *
 * Every connection is declared in the chunk where it first appears and again
 * in the index.  A declaration whose number was hit gives another connection a
 * second topic, so that votes are counted.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/rosbag/rosbag_type.h"
#include "formats/rosbag/rosbag_unit.h"

/* Of all bytes; damage is no adversary here. */
static uint64_t
hash_of(const uint8_t *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Whether the data name the topic of the header, or none. */
static bool
topics_agree(const uint8_t *record, const struct rosbag_record *r)
{
	static const char name[] = "topic";
	uint32_t at = rosbag_head(r), end = (uint32_t)rosbag_span(r);

	while (at < end) {
		uint32_t name_len, len, value;

		len = rosbag_field_get(record + at, end - at, &name_len);
		if (len == 0)
			return false;
		value = at + 4 + name_len + 1;
		if (name_len == sizeof(name) - 1
		    && memcmp(record + at + 4, name, name_len) == 0)
			return at + len - value == r->topic_len
			    && memcmp(record + value, record + r->topic,
			           r->topic_len)
			    == 0;
		at += len;
	}
	return true;
}

enum slv_status
rosbag_decl_add(struct slv_scan *s, const uint8_t *record,
    const struct rosbag_record *r, struct rosbag_decl d, struct slv_err *err)
{
	struct rosbag *b = rosbag_of(s);
	enum rosbag_sum sum;

	SLV_TRY(slv_grow(
	    &b->decls, &b->cap_decls, b->n_decls + 1, sizeof(*b->decls), err));
	d.len = rosbag_span(r);
	d.hash = hash_of(record, (size_t)d.len);
	d.agrees = topics_agree(record, r);
	SLV_TRY(rosbag_sum_check(record + rosbag_head(r), r->data, &sum, err));
	d.fits = sum == ROSBAG_SUM_FITS;
	b->decls[b->n_decls++] = d;
	return SLV_OK;
}

/* By connection, and those that say the same beside each other. */
static int
compare_decls(const void *p, const void *q)
{
	const struct rosbag_decl *a = p, *b = q;

	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

/* Declarations that say the same: n of them, of which this is the first. */
struct party {
	const struct rosbag_decl *at;
	size_t n;
	bool packed;
};

static struct party
party_of(const struct rosbag_decl *at, const struct rosbag_decl *end)
{
	struct party p = { .at = at };

	while (at + p.n < end && at[p.n].conn == at->conn
	    && at[p.n].hash == at->hash) {
		p.packed |= at[p.n].packed;
		p.n++;
	}
	return p;
}

/* Whether x is to be believed rather than y. */
static bool
beats(const struct party *x, const struct party *y)
{
	if (x->at->fits != y->at->fits)
		return x->at->fits;
	if (x->n != y->n)
		return x->n > y->n;
	if (x->packed != y->packed)
		return x->packed;
	if (x->at->agrees != y->at->agrees)
		return x->at->agrees;
	return x->at->off < y->at->off;
}

/* What contradicts the best of a connection's n declarations, in order, is set
 * aside, where that can be done. */
static enum slv_status
choose(struct slv_scan *s, const struct rosbag_decl *at, size_t n,
    struct slv_mends *out, struct slv_err *err)
{
	struct party best = party_of(at, at + n), p = best;

	for (const struct rosbag_decl *d = at + p.n; d < at + n; d += p.n) {
		p = party_of(d, at + n);
		if (beats(&p, &best))
			best = p;
	}
	for (size_t i = 0; i < n; i++) {
		const struct slv_aside a = {
			.off = at[i].off,
			.end = at[i].off + at[i].len,
			.fate = SLV_REBUILT,
			.problem = {
				.info =
				    &rosbag_problems[ROSBAG_P_CONN_WRONG],
				.off = at[i].off,
				.len = at[i].len,
				.got = rosbag_of(s)->conns[at[i].conn].id,
			},
		};

		if (at[i].hash != best.at->hash && !at[i].packed)
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}

enum slv_status
rosbag_choose(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct rosbag *b = rosbag_of(s);
	size_t n;

	if (!b->conns_odd)
		return SLV_OK;
	slv_sort(b->decls, b->n_decls, sizeof(*b->decls), compare_decls);
	for (size_t i = 0; i < b->n_decls; i += n) {
		n = 1;
		while (i + n < b->n_decls
		    && b->decls[i + n].conn == b->decls[i].conn)
			n++;
		SLV_TRY(choose(s, b->decls + i, n, out, err));
	}
	return SLV_OK;
}
