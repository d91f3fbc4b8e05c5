/* rosbag_decl.c - declarations that contradict each other: which is right?
 *
 * Every connection is declared in the chunk where it first appears and again
 * in the index.  A declaration whose number was hit gives another connection a
 * second topic, so that votes are counted.
 */
#include "base/fnv.h"
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/read/rosbag_type.h"
#include "formats/rosbag/read/rosbag_unit.h"
#include "support/ros.h"

/* Declarations in a bag that are compared with each other; in one of more,
 * damaged so that they contradict each other, a flipped type is not told. */
#define KIN_MAX 4096

#define QUOTED  40 /* bytes of a field that are quoted from its beginning */
#define BEFORE  12 /* of those before what differs */

/* Whether the data name the topic of the header, or none; *both: they do. */
static bool
topics_agree(const uint8_t *record, const struct rosbag_record *r, bool *both)
{
	const uint8_t *data = record + rosbag_head(r);
	struct slv_span topic = slv_ros_value(data, r->data, "topic");
	struct slv_ros_field f;
	uint32_t len = 1;

	*both = topic.at != NULL && topic.len == r->topic_len
	    && memcmp(topic.at, record + r->topic, topic.len) == 0;
	if (topic.at != NULL)
		return *both;
	for (uint32_t at = 0; at < r->data && len > 0; at += len)
		len = slv_ros_field_get(data + at, r->data - at, &f);
	return len > 0;
}

/* The hash of n bytes of fields, in any order, after others. */
static uint64_t
hash_fields(uint64_t h, const uint8_t *p, uint32_t n)
{
	uint64_t sum = 0;
	struct slv_ros_field f;
	uint32_t len, at = 0;

	for (; at < n; at += len) {
		len = slv_ros_field_get(p + at, n - at, &f);
		if (len == 0)
			break;
		sum += slv_fnv(h, p + at, len);
	}
	return slv_fnv(sum, p + at, n - at);
}

/* Where it says what is not known of the connection yet, it is kept. */
static enum slv_status
keep_text(struct slv_scan *s, const uint8_t *record, struct rosbag_decl *d,
    bool odd, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	b->conns[d->conn].used |= d->use == ROSBAG_USED;
	if (b->conns[d->conn].decl == SIZE_MAX)
		b->conns[d->conn].decl = b->n_decls;
	d->text = b->conns[d->conn].text;
	if (!odd)
		return SLV_OK;
	d->text = b->texts.len;
	SLV_TRY(rosbag_remember(s, d->len, err));
	slv_buf_add(&b->texts, record, (size_t)d->len);
	return slv_buf_check(&b->texts, err);
}

/* What is before the slash of the name of a type: "std_msgs/String". */
static struct slv_span
package_of(struct slv_span type)
{
	const uint8_t *slash =
	    type.len > 0 ? memchr(type.at, '/', type.len) : NULL;

	return (struct slv_span){ type.at,
		slash != NULL ? (size_t)(slash - type.at) : 0 };
}

enum slv_status
rosbag_decl_add(struct slv_scan *s, const uint8_t *record,
    const struct rosbag_record *r, struct rosbag_decl d, uint32_t *conn,
    bool *full, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_about about;
	enum rosbag_sum sum;
	struct slv_span package;
	bool odd;

	SLV_TRY(SLV_ROOM(b, decls, 1, err));
	d.len = rosbag_span(r);
	d.best = ROSBAG_NONE;
	d.hash = hash_fields(SLV_FNV, record + 4, r->fields);
	d.hash = hash_fields(d.hash, record + rosbag_head(r), r->data);
	rosbag_about_get(record + rosbag_head(r), r->data, &about);
	d.type = slv_fnv(slv_fnv(SLV_FNV, about.type.at, about.type.len),
	    about.md5sum.at, about.md5sum.len);
	package = package_of(about.type);
	d.package = slv_fnv(SLV_FNV, package.at, package.len);
	d.sum = slv_fnv(SLV_FNV, about.md5sum.at, about.md5sum.len);
	d.topic = slv_fnv(SLV_FNV, record + r->topic, r->topic_len);
	d.agrees = topics_agree(record, r, &d.confirmed);
	/* One wrong byte of a compressed stream can be copied to both. */
	d.confirmed &= !d.packed || d.trust == ROSBAG_PROVEN;
	d.legal = rosbag_names_legal(record, r);
	SLV_TRY(rosbag_sum_check(record + rosbag_head(r), r->data, &sum, err));
	d.fits = sum == ROSBAG_SUM_FITS;
	SLV_TRY(rosbag_conn_resolve(s, &d, r->conn, err));
	SLV_TRY(
	    rosbag_conn_declare(s, record, r, d.off, conn, &odd, full, err));
	if (*full)
		return SLV_OK;
	d.conn = *conn;
	SLV_TRY(keep_text(s, record, &d, odd, err));
	b->decls[b->n_decls++] = d;
	return SLV_OK;
}

/* By connection, and those that say the same beside each other. */
static int
compare_decls(const void *p, const void *q)
{
	const struct rosbag_decl *a = *(struct rosbag_decl *const *)p;
	const struct rosbag_decl *b = *(struct rosbag_decl *const *)q;

	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Declarations that say the same: n of them, of which this is the first. */
struct party {
	struct rosbag_decl **at;
	size_t n;
	enum rosbag_trust trust; /* the highest of them */
	bool in_tail;            /* one of them is in the index */
	bool unused;             /* messages of other numbers follow them */
	bool known;   /* another connection has the same type of that sum */
	bool related; /* ... or a type of the same package */
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

static bool
is_related(const struct rosbag *b, const struct rosbag_decl *d)
{
	if (b->n_decls > KIN_MAX)
		return false;
	for (size_t i = 0; i < b->n_decls; i++) {
		if (b->decls[i].conn != d->conn
		    && b->decls[i].package == d->package)
			return true;
	}
	return false;
}

static struct party
party_of(const struct rosbag *b, struct rosbag_decl **at,
    struct rosbag_decl *const *end)
{
	struct party p = {
		.at = at,
		.known = is_known(b, *at),
		.related = is_related(b, *at),
		.unused = true,
	};

	while (at + p.n < end && at[p.n]->hash == (*at)->hash) {
		if (at[p.n]->trust > p.trust)
			p.trust = at[p.n]->trust;
		p.in_tail |= at[p.n]->in_tail;
		p.unused &= at[p.n]->use == ROSBAG_UNUSED;
		p.n++;
	}
	return p;
}

/* What speaks for x rather than y: > 0; or for y; 0: nothing does. */
static int
weigh(const struct party *x, const struct party *y)
{
	const struct rosbag_decl *a = *x->at, *b = *y->at;

	if ((x->trust == ROSBAG_PROVEN) != (y->trust == ROSBAG_PROVEN))
		return x->trust == ROSBAG_PROVEN ? 1 : -1;
	if (a->fits != b->fits)
		return a->fits - b->fits;
	if (x->n != y->n)
		return x->n > y->n ? 1 : -1;
	if (x->unused != y->unused && !x->in_tail && !y->in_tail)
		return y->unused - x->unused;
	if (a->legal != b->legal)
		return a->legal - b->legal;
	if (a->agrees != b->agrees)
		return a->agrees - b->agrees;
	if ((x->trust == ROSBAG_UNSURE) != (y->trust == ROSBAG_UNSURE))
		return x->trust == ROSBAG_UNSURE ? -1 : 1;
	if (x->known != y->known)
		return x->known - y->known;
	return x->related - y->related;
}

/* Where nothing shows which is right, that of the index is used: ROS's readers
 * use it, so a repair does not change what they read. */
static bool
beats(const struct party *x, const struct party *y)
{
	int order = weigh(x, y);

	if (order == 0)
		order = x->in_tail - y->in_tail;
	if (order == 0)
		order = (int)x->trust - (int)y->trust;
	return order != 0 ? order > 0 : (*x->at)->off < (*y->at)->off;
}

/* Quote a field, `name=value`, so that the byte at `differs` is seen. */
static void
quote_field(char *out, struct slv_span field, size_t differs)
{
	static const char more[] = "...";
	const uint8_t *is = memchr(field.at, '=', field.len);
	size_t name = is != NULL ? (size_t)(is - field.at) + 1 : 0, from, n;
	uint8_t text[SLV_SAYS_MAX];

	if (differs < QUOTED || name + sizeof(text) / 2 > sizeof(text)) {
		slv_problem_quote(out, field.at, field.len);
		return;
	}
	from = differs - BEFORE;
	memcpy(text, field.at, name);
	memcpy(text + name, more, sizeof(more) - 1);
	name += sizeof(more) - 1;
	n = (size_t)slv_min64(sizeof(text) - name, field.len - from);
	memcpy(text + name, field.at + from, n);
	slv_problem_quote(out, text, name + n);
}

/* A field of the one that the other has not so; and the same field there. */
static void
quote_difference(
    const struct rosbag *b, const struct rosbag_decl *d, struct slv_problem *p)
{
	const uint8_t *x = b->texts.at + d->text;
	const uint8_t *y = b->texts.at + b->decls[d->best].text;
	struct slv_span here, there;
	struct rosbag_record r, q;
	size_t same = 0;

	rosbag_record_get(x, b->texts.len - d->text, &r);
	rosbag_record_get(y, b->texts.len - b->decls[d->best].text, &q);
	rosbag_fields_differ(x + rosbag_head(&r), r.data, y + rosbag_head(&q),
	    q.data, &here, &there);
	if (here.len == 0)
		rosbag_fields_differ(
		    x + 4, r.fields, y + 4, q.fields, &here, &there);
	while (same < here.len && same < there.len
	    && here.at[same] == there.at[same])
		same++;
	quote_field(p->here, here, same);
	quote_field(p->there, there, same);
}

/* What is told of a declaration that does not hold. */
static struct slv_problem
problem_of(const struct rosbag *b, const struct rosbag_decl *d)
{
	struct slv_problem p = {
		.info = &rosbag_problems[d->undecided ? ROSBAG_P_CONN_UNDECIDED
		                                      : ROSBAG_P_CONN_WRONG],
		.off = d->off,
		.len = d->packed ? 0 : d->len,
		.want = b->decls[d->best].off,
		.got = b->conns[d->conn].id,
	};

	if (d->trust == ROSBAG_PROVEN)
		p.info = &rosbag_problems[ROSBAG_P_CONN_DIFFERS];
	if (d->undecided)
		quote_difference(b, d, &p);
	return p;
}

/* Another one holds against these: what is told of them, and of the index at
 * the end.  What a checksum proves to be as it was written stays, and is only
 * noted. */
static enum slv_status
put_out(struct slv_scan *s, const struct party *p, const struct party *best,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	for (size_t i = 0; i < p->n; i++) {
		struct rosbag_decl *d = p->at[i];
		struct slv_problem problem;

		d->best = (uint32_t)(*best->at - b->decls);
		d->undecided = weigh(p, best) == 0;
		b->tail_odd |= d->in_tail;
		problem = problem_of(b, d);
		if (!d->in_tail)
			SLV_TRY(slv_problems_add(&s->problems, &problem, err));
	}
	return SLV_OK;
}

/* Of a connection's n declarations, in order, which one holds? */
static enum slv_status
choose(
    struct slv_scan *s, struct rosbag_decl **at, size_t n, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct party best = party_of(b, at, at + n), p = best;

	if (p.n == n)
		return SLV_OK;
	for (size_t i = p.n; i < n; i += p.n) {
		p = party_of(b, at + i, at + n);
		if (beats(&p, &best))
			best = p;
	}
	for (size_t i = 0; i < n; i += p.n) {
		p = party_of(b, at + i, at + n);
		if (p.at != best.at)
			SLV_TRY(put_out(s, &p, &best, err));
	}
	rosbag_conn_declare_as(
	    b, &b->conns[(*best.at)->conn], (*best.at)->text);
	return SLV_OK;
}

enum slv_status
rosbag_decl_settle(struct slv_scan *s, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_decl **sorted;
	enum slv_status st = SLV_OK;

	if (!b->conns_odd || b->n_decls == 0)
		return SLV_OK;
	SLV_TRY(
	    slv_new(&sorted, b->n_decls, sizeof(struct rosbag_decl *), err));
	for (size_t i = 0; i < b->n_decls; i++)
		sorted[i] = &b->decls[i];
	slv_sort(
	    sorted, b->n_decls, sizeof(struct rosbag_decl *), compare_decls);
	for (size_t i = 0, n; st == SLV_OK && i < b->n_decls; i += n) {
		n = 1;
		while (i + n < b->n_decls
		    && sorted[i + n]->conn == sorted[i]->conn)
			n++;
		st = choose(s, sorted + i, n, err);
	}
	slv_free(sorted);
	return st;
}

/* Doubt the messages of a number, once. */
static void
doubt(struct slv_scan *s, bool *doubted, uint32_t id)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_conn *c;

	for (size_t nth = 0; (c = rosbag_conn_nth(b, id, nth)) != NULL; nth++) {
		if (!doubted[c - b->conns])
			s->units_unsure += c->n;
		doubted[c - b->conns] = true;
	}
}

/* What did not hold was left out before this scan, mostly. */
enum slv_status
rosbag_decl_doubt(struct slv_scan *s, struct slv_err *err)
{
	const struct slv_problem_info *row =
	    &rosbag_problems[ROSBAG_P_CONN_UNDECIDED];
	const struct rosbag *b = rosbag_of(s);
	const struct slv_mends *m = s->opt.mends;
	bool *doubted;

	SLV_TRY(slv_new(&doubted, b->n_conns, sizeof(*doubted), err));
	for (size_t i = 0; m != NULL && i < m->n_aside; i++) {
		if (m->aside[i].problem.info == row)
			doubt(s, doubted, (uint32_t)m->aside[i].problem.got);
	}
	for (size_t i = 0; i < b->n_decls; i++) {
		if (b->decls[i].undecided)
			doubt(s, doubted, b->conns[b->decls[i].conn].id);
	}
	s->units_unsure = slv_min64(s->units_unsure, s->units_kept);
	slv_free(doubted);
	return SLV_OK;
}

/* Whether what is at off is left out for another reason. */
static bool
is_aside(const struct slv_mends *m, size_t n, uint64_t off)
{
	for (size_t i = 0; i < n; i++) {
		if (m->aside[i].off <= off && off < m->aside[i].end)
			return true;
	}
	return false;
}

enum slv_status
rosbag_choose(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	const size_t n = out->n_aside;
	const struct rosbag *b = rosbag_of(s);

	(void)bold;
	for (size_t i = 0; i < b->n_decls; i++) {
		const struct rosbag_decl *d = &b->decls[i];
		struct slv_aside a = {
			.off = d->off,
			.end = d->off + d->len,
			.fate = SLV_REBUILT,
		};

		if (d->best == ROSBAG_NONE || d->packed
		    || is_aside(out, n, d->off)
		    || is_aside(out, n, b->decls[d->best].off))
			continue;
		a.problem = problem_of(b, d);
		SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}
