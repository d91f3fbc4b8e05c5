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

/* Declarations in a bag that are compared with each other; in one of more,
 * damaged so that they contradict each other, a flipped type is not told. */
#define KIN_MAX    4096

#define HASH_FIRST UINT64_C(0xcbf29ce484222325)

/* Of all bytes, behind others; damage is no adversary here. */
static uint64_t
hash_of(uint64_t h, const uint8_t *p, size_t n)
{
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
	struct rosbag_about about;
	enum rosbag_sum sum;

	SLV_TRY(slv_grow(
	    &b->decls, &b->cap_decls, b->n_decls + 1, sizeof(*b->decls), err));
	d.len = rosbag_span(r);
	d.hash = hash_of(HASH_FIRST, record, (size_t)d.len);
	rosbag_about_get(record + rosbag_head(r), r->data, &about);
	d.type = hash_of(hash_of(HASH_FIRST, about.type.at, about.type.len),
	    about.md5sum.at, about.md5sum.len);
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
	bool known; /* another connection has the same type of that sum */
};

/* Whether another connection is of that type, with the same sum. */
static bool
is_known(const struct rosbag *b, const struct rosbag_decl *d)
{
	if (b->n_decls > KIN_MAX)
		return false;
	for (size_t i = 0; i < b->n_decls; i++) {
		if (b->decls[i].conn != d->conn && b->decls[i].type == d->type)
			return true;
	}
	return false;
}

static struct party
party_of(const struct rosbag *b, const struct rosbag_decl *at,
    const struct rosbag_decl *end)
{
	struct party p = { .at = at, .known = is_known(b, at) };

	while (at + p.n < end && at[p.n].conn == at->conn
	    && at[p.n].hash == at->hash) {
		p.packed |= at[p.n].packed;
		p.n++;
	}
	return p;
}

/* What speaks for x rather than y: > 0; or for y; 0: nothing does. */
static int
weigh(const struct party *x, const struct party *y)
{
	if (x->at->fits != y->at->fits)
		return x->at->fits - y->at->fits;
	if (x->n != y->n)
		return x->n > y->n ? 1 : -1;
	if (x->packed != y->packed)
		return x->packed - y->packed;
	if (x->at->agrees != y->at->agrees)
		return x->at->agrees - y->at->agrees;
	return x->known - y->known;
}

static bool
beats(const struct party *x, const struct party *y)
{
	int order = weigh(x, y);

	return order != 0 ? order > 0 : x->at->off < y->at->off;
}

/* Set a party's declarations aside, where that can be done. */
static enum slv_status
set_aside(const struct rosbag *b, const struct party *p,
    const struct party *best, struct slv_mends *out, struct slv_err *err)
{
	unsigned row =
	    weigh(p, best) == 0 ? ROSBAG_P_CONN_UNDECIDED : ROSBAG_P_CONN_WRONG;

	for (size_t i = 0; i < p->n; i++) {
		const struct rosbag_decl *d = &p->at[i];
		const struct slv_aside a = {
			.off = d->off,
			.end = d->off + d->len,
			.fate = SLV_REBUILT,
			.problem = {
				.info = &rosbag_problems[row],
				.off = d->off,
				.len = d->len,
				.want = best->at->off,
				.got = b->conns[d->conn].id,
			},
		};

		if (!d->packed)
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}

/* What contradicts the best of a connection's n declarations, in order, is set
 * aside. */
static enum slv_status
choose(struct slv_scan *s, const struct rosbag_decl *at, size_t n,
    struct slv_mends *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct party best = party_of(b, at, at + n), p = best;

	for (const struct rosbag_decl *d = at + p.n; d < at + n; d += p.n) {
		p = party_of(b, d, at + n);
		if (beats(&p, &best))
			best = p;
	}
	for (const struct rosbag_decl *d = at; d < at + n; d += p.n) {
		p = party_of(b, d, at + n);
		if (d->hash != best.at->hash)
			SLV_TRY(set_aside(b, &p, &best, out, err));
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
