/* bddf_mend.c - put damaged heads of blocks back, from what the index says.
 *
 * A head (header, descriptor-size, DataDescriptor) can be known to the last
 * bit; the payload behind it and the one before it cannot.  So unless the
 * log's digest will tell, a head is put back only where its own bytes show
 * that the damage begins and ends inside it:
 *
 *	a run of 00 or FF    it ends where another byte stands
 *	one flipped bit      nothing else is hit
 *	other bytes          two right ones in a row are its edge
 *
 * The same edges vouch for a block whose head is right and whose neighbour's
 * is not.
 */
#include "formats/bddf/bddf_clock.h"
#include "formats/bddf/bddf_samples.h"
#include "formats/bddf/bddf_twice.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define EDGE      2                      /* right bytes that are no chance */

struct mending {
	struct slv_scan *s;
	struct bddf_knowledge k;
	bool bold;
	uint64_t swallowed; /* up to here, blocks are inside one whose size
	                     * is mended already */
	uint64_t looked;    /* entries; of more, none is mended so */
	struct slv_mends *out;
};

/* Where a head differs from what it must be. */
struct difference {
	bool known;         /* what it must be could be told */
	bool any;           /* it differs */
	bool one_bit;       /* in nothing but one bit */
	bool left, right;   /* the damage stays inside, on that side */
	size_t first, last; /* bytes of the head */
};

/* How far a run of byte c reaches from p[i], downwards. */
static size_t
run_down(const uint8_t *p, size_t i, uint8_t c)
{
	while (i > 0 && p[i - 1] == c)
		i--;
	return i;
}

/* Whether all of p[from, to] is one byte that holes are made of. */
static bool
is_hole(const uint8_t *p, size_t from, size_t to)
{
	if (p[from] != 0x00 && p[from] != 0xff)
		return false;
	for (size_t i = from; i <= to; i++) {
		if (p[i] != p[from])
			return false;
	}
	return true;
}

/* Find the edges of the damage.  `there` holds the n bytes of the head with
 * the byte before it and, if any, the one behind it. */
static void
find_edges(struct difference *d, const uint8_t *there, size_t n, bool behind)
{
	const uint8_t *head = there + 1;
	size_t end = d->last;

	if (is_hole(head, d->first, d->last)) {
		uint8_t c = head[d->first];

		d->left = run_down(there, 1 + d->first, c) > 0;
		while (end < n && head[end] == c)
			end++;
		d->right = end < n || !behind || head[n] != c;
	} else if (d->one_bit) {
		d->left = d->right = true;
	} else {
		d->left = d->first >= EDGE;
		d->right = n - 1 - d->last >= EDGE;
	}
}

/* Hold the bytes at off against the head. */
static enum slv_status
compare(struct slv_scan *s, uint64_t off, const struct slv_buf *head,
    struct difference *d, struct slv_err *err)
{
	bool behind = off + head->len < s->source->size;
	unsigned bits = 0;
	const uint8_t *p;

	*d = (struct difference){ .left = true, .right = true };
	if (head->failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	d->known =
	    head->len > 0 && slv_range_in(off, head->len, s->source->size);
	if (!d->known)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    &s->window, off - 1, 1 + head->len + behind, &p, err));
	for (size_t i = 0; i < head->len; i++) {
		uint8_t wrong = p[1 + i] ^ head->at[i];

		if (wrong == 0)
			continue;
		if (!d->any)
			d->first = i;
		d->any = true;
		d->last = i;
		for (; wrong != 0; wrong &= (uint8_t)(wrong - 1))
			bits++;
	}
	d->one_bit = bits == 1;
	if (d->any)
		find_edges(d, p, head->len, behind);
	return SLV_OK;
}

/* The additional indexes of a block, held against those of its entry. */
struct tally {
	const struct bddf_pool *extras;
	uint64_t want, n; /* n of them so far */
	uint64_t at;      /* of the first, in the pool */
	bool same;
};

static void
count_extra(void *ctx, uint64_t value)
{
	struct tally *t = ctx;

	t->same &= t->n < t->want
	    && (uint64_t)bddf_pool_at(t->extras, t->at + t->n) == value;
	t->n++;
}

/* Whether a DataDescriptor says the same as the entry. */
static bool
says_the_same(const struct bddf_knowledge *k, const struct bddf_known *one,
    const uint8_t *p, uint32_t size)
{
	const struct bddf_entry *e = &one->entry;
	struct tally t = { .extras = &k->extras, .at = e->extra, .same = true };
	bool timed = e->nanos != BDDF_NO_TIME;
	struct bddf_data d;

	if (e->extra != 0)
		t.want = (uint64_t)bddf_pool_at(&k->extras, e->extra - 1);
	return bddf_data_get(p, size, size, &d, count_extra, &t) == BDDF_WHOLE
	    && t.same && t.n == t.want && d.series == one->series
	    && d.has_time == timed
	    && (!timed || (d.sec == e->sec && (uint32_t)d.nanos == e->nanos));
}

/* The bytes that place `one`, which ends at `next`, must begin with.  A block
 * that says what the index says is right as it stands, however it is put. */
static enum slv_status
head_of(struct mending *m, const struct bddf_known *one, uint64_t next,
    struct slv_buf *out, struct slv_err *err)
{
	struct bddf_dialect dialect = bddf_of(m->s)->dialect;
	struct bddf_head head;
	const uint8_t *p;
	uint32_t size;

	bddf_known_head(dialect, &m->k, one, next, out);
	if (one->kind != BDDF_K_DATA || next < one->off + DATA_HEAD
	    || next > m->s->source->size)
		return SLV_OK;
	SLV_TRY(slv_window_view(&m->s->window, one->off, DATA_HEAD, &p, err));
	head = bddf_head_get(dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (head.type != BDDF_DATA || one->off + bddf_head_span(head) != next
	    || size > BDDF_DD_MAX || size > head.size)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    &m->s->window, one->off, DATA_HEAD + size, &p, err));
	if (says_the_same(&m->k, one, p + DATA_HEAD, size)) {
		out->len = 0;
		slv_buf_add(out, p, DATA_HEAD + size);
	}
	return SLV_OK;
}

/* Where place i ends: where the next one begins; 0 = not known. */
static uint64_t
next_of(const struct bddf_knowledge *k, size_t i)
{
	return i + 1 < k->n ? k->at[i + 1].off : 0;
}

/* Whether damage at the head of place i stays off the block before it; *exact:
 * there is none. */
static enum slv_status
clean_before(
    struct mending *m, size_t i, bool *yes, bool *exact, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	struct slv_buf head = { 0 };
	struct difference d;
	enum slv_status st;

	*yes = *exact = one->found;
	if (one->found)
		return SLV_OK;
	st = head_of(m, one, next_of(&m->k, i), &head, err);
	if (st == SLV_OK)
		st = compare(m->s, one->off, &head, &d, err);
	slv_buf_free(&head);
	*yes = st == SLV_OK && d.known && d.left;
	*exact = *yes && !d.any;
	return st;
}

/* Write the head at off, where it differs. */
static enum slv_status
patch(struct mending *m, uint64_t off, const struct slv_buf *head,
    const struct difference *d, struct slv_err *err)
{
	size_t n = d->last + 1 - d->first;
	struct slv_problem p = {
		.info = &bddf_problems[BDDF_P_HEAD],
		.off = off,
		.len = n,
	};

	return slv_mends_add(
	    m->out, off + d->first, head->at + d->first, n, &p, err);
}

/* Where what was left out around off ends. */
static uint64_t
run_end(const struct slv_catalog *c, uint64_t off)
{
	size_t i = slv_catalog_find(c, off);

	while (i < c->n && c->at[i].fate != SLV_KEPT
	    && c->at[i].fate != SLV_REBUILT)
		i++;
	return i < c->n ? c->at[i].off : c->end;
}

/* Block i was left out: is it all there, but for its head? */
static enum slv_status
mend_lost(struct mending *m, size_t i, const struct slv_buf *head,
    const struct difference *d, struct slv_err *err)
{
	uint64_t off = m->k.at[i].off, end = next_of(&m->k, i);
	bool behind, exact, sure, empty = end == off + head->len;

	if (m->bold)
		return d->any ? patch(m, off, head, d, err) : SLV_OK;
	SLV_TRY(clean_before(m, i + 1, &behind, &exact, err));
	sure = (empty || (d->right && behind)) && (m->k.complete || d->one_bit);
	if (sure && d->any)
		SLV_TRY(patch(m, off, head, d, err));
	if (!m->k.complete)
		return SLV_OK;
	if (sure)
		return slv_ranges_add(&m->out->trusted, off, 1, err);
	return slv_ranges_add(&m->out->barred, off, end - off, err);
}

static enum slv_status
visit_lost(struct mending *m, size_t i, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	uint64_t next = next_of(&m->k, i);
	struct slv_buf head = { 0 };
	struct difference d;
	enum slv_status st;

	if (next == 0 || next > run_end(&m->s->catalog, one->off))
		return SLV_OK;
	st = head_of(m, one, next, &head, err);
	if (st == SLV_OK)
		st = compare(m->s, one->off, &head, &d, err);
	if (st == SLV_OK && d.known)
		st = mend_lost(m, i, &head, &d, err);
	slv_buf_free(&head);
	return st;
}

/* A whole block stands inside another one: that one's size lies. */
static enum slv_status
mend_size(struct mending *m, uint64_t inner, struct slv_err *err)
{
	const struct bddf *b = bddf_of(m->s);
	struct bddf_entry outer = { .off = BDDF_NOWHERE };
	struct slv_buf head = { 0 };
	uint8_t header[BDDF_HEADER_SIZE];
	struct difference d;
	enum slv_status st;
	const uint8_t *p;

	if (m->looked <= BDDF_LOOKS)
		outer = bddf_entry_before(b, inner, &m->looked);
	if (outer.off == BDDF_NOWHERE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    &m->s->window, outer.off, BDDF_HEADER_SIZE, &p, err));
	m->swallowed = outer.off + bddf_head_span(bddf_head_get(b->dialect, p));
	bddf_head_put(b->dialect,
	    (struct bddf_head){
	        .type = BDDF_DATA,
	        .size = inner - outer.off - BDDF_HEADER_SIZE - 4,
	    },
	    header);
	slv_buf_add(&head, header, sizeof(header));
	st = compare(m->s, outer.off, &head, &d, err);
	if (st == SLV_OK && d.any && (m->bold || (d.one_bit && m->k.complete)))
		st = patch(m, outer.off, &head, &d, err);
	slv_buf_free(&head);
	return st;
}

/* Whether the block there is the one that the index has, but for a bit that
 * gives it a time far from all others. */
static bool
is_odd(
    struct mending *m, const struct bddf_known *one, const struct difference *d)
{
	struct bddf_era *era = bddf_clock_era(bddf_of(m->s), one->off);

	if (era == NULL || era->n > 1 || !d->one_bit || !m->k.complete)
		return false;
	era->mended = true;
	return true;
}

/* Block i should stand where the scan kept something else: another
 * descriptor, or a block that is longer than it says. */
static enum slv_status
visit_kept(struct mending *m, size_t i, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	const struct bddf *b = bddf_of(m->s);
	struct slv_buf header = { 0 };
	struct difference d;
	enum slv_status st;
	const uint8_t *p;
	bool right = m->bold;
	uint64_t end;

	if (one->kind != BDDF_K_DATA || one->off < m->swallowed
	    || !slv_range_in(one->off, BDDF_HEADER_SIZE, m->s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    &m->s->window, one->off, BDDF_HEADER_SIZE, &p, err));
	end = one->off + bddf_head_span(bddf_head_get(b->dialect, p));
	st = head_of(m, one, end, &header, err);
	if (st == SLV_OK)
		st = compare(m->s, one->off, &header, &d, err);
	if (st == SLV_OK && d.known && !d.any) {
		st = mend_size(m, one->off, err);
	} else if (st == SLV_OK && d.known) {
		if (!m->bold && m->k.complete && d.one_bit
		    && !(right = is_odd(m, one, &d)))
			st = bddf_index_right(
			    m->s, &m->k, one, &m->looked, &right, err);
		/* The index has what zeros in an odd head replaced. */
		right |= m->k.complete && d.left && d.right
		    && bddf_odd_at(b, one->off);
		if (st == SLV_OK && right)
			st = patch(m, one->off, &header, &d, err);
	}
	slv_buf_free(&header);
	return st;
}

static enum slv_status
visit(struct mending *m, size_t i, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	const struct slv_catalog *c = &m->s->catalog;

	if (one->found || one->kind > BDDF_K_DATA)
		return SLV_OK;
	if (c->at[slv_catalog_find(c, one->off)].fate == SLV_KEPT)
		return visit_kept(m, i, err);
	return visit_lost(m, i, err);
}

/* Whether something that begins in [off, end) is excluded already. */
static bool
is_aside(const struct slv_mends *out, uint64_t off, uint64_t end)
{
	for (size_t i = 0; i < out->n_aside; i++) {
		if (out->aside[i].off >= off && out->aside[i].off < end)
			return true;
	}
	return false;
}

/* A block that was kept, though the size in the next head does not hold: is the
 * damage in that size, and so perhaps in the block, or elsewhere?  Only an index
 * that has the head to the last bit says so. */
static enum slv_status
visit_weak(
    struct mending *m, const struct bddf_range *weak, struct slv_err *err)
{
	uint64_t next = weak->off + weak->len;
	size_t i = bddf_known_from(&m->k, next);
	bool clean = false, exact;
	struct slv_aside a = {
		.off = weak->off,
		.end = next,
		.fate = SLV_LOST,
		.problem.info = &bddf_problems[BDDF_P_SUSPECT],
	};

	if (i < m->k.n && m->k.at[i].off == next)
		SLV_TRY(clean_before(m, i, &clean, &exact, err));
	/* A duplicate range or another recording explains the damage. */
	if ((clean && (exact || m->k.complete))
	    || is_aside(m->out, weak->off, run_end(&m->s->catalog, next) + 1))
		return SLV_OK;
	return slv_mends_add_aside(m->out, &a, err);
}

static enum slv_status
visit_all_weak(struct mending *m, struct slv_err *err)
{
	const struct bddf *b = bddf_of(m->s);

	if (m->s->opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	for (size_t i = 0; i < b->n_weak; i++)
		SLV_TRY(visit_weak(m, &b->weak[i], err));
	return SLV_OK;
}

enum slv_status
bddf_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	struct mending m = { .s = s, .bold = bold, .out = out };
	enum slv_status st = bddf_know(s, &m.k, err);
	bool over = false;

	if (st == SLV_OK && !bold)
		st = bddf_written_over(s, &m.k, out, &over, err);
	if (st != SLV_OK || over) {
		bddf_knowledge_free(&m.k);
		return st;
	}
	for (size_t i = 0; st == SLV_OK && i < m.k.n; i++)
		st = visit(&m, i, err);
	if (st == SLV_OK && !s->supported && !bold)
		st = bddf_mend_first(s, out, err);
	if (st == SLV_OK && !bold)
		st = bddf_clock_judge(s, &m.k, out, err);
	if (st == SLV_OK && !bold)
		st = bddf_denied(s, &m.k, out, err);
	if (st == SLV_OK && !bold)
		st = bddf_twice(s, out, err);
	if (st == SLV_OK && !bold)
		st = visit_all_weak(&m, err);
	if (st == SLV_OK && !bold)
		st = bddf_odd_judge(s, &m.k, out, err);
	if (st == SLV_OK && !bold && s->opt.keep & SLV_KEEP_SAMPLES)
		st = bddf_samples(s, out, err);
	bddf_knowledge_free(&m.k);
	return st;
}
