/* bddf_mend.c - restore damaged heads of blocks from the index.
 *
 * The index gives every bit of a head (header, descriptor-size, DataDescriptor),
 * but not the payloads before and after it.  So a head is restored only if its own
 * bytes show that the damage begins and ends inside it (bddf_edges.h), or if the
 * digest of the log will show whether this was right.  In the same way the edges
 * confirm an intact block next to a damaged head.
 */
#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/judge/bddf_twice.h"
#include "formats/bddf/recover/bddf_bit.h"
#include "formats/bddf/recover/bddf_edges.h"
#include "formats/bddf/recover/bddf_expect.h"
#include "formats/bddf/recover/bddf_inside.h"
#include "formats/bddf/recover/bddf_samples.h"

#define BDDF_DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */

struct mending {
	struct slv_scan *s;
	struct bddf_knowledge k;
	bool bold;
	uint64_t swallowed; /* up to here, blocks are inside one with a size
	                     * that is already corrected */
	uint64_t looked;    /* entries; BDDF_LOOKS at most */
	struct slv_mends *out;
};

/* Where place i ends: where the next one begins; 0 = not known. */
static uint64_t
next_of(const struct bddf_knowledge *k, size_t i)
{
	return i + 1 < k->n ? k->at[i + 1].off : 0;
}

/* Whether damage at the head of place i does not reach into the block before it;
 * *exact: the head has no damage. */
static enum slv_status
clean_before(
    struct mending *m, size_t i, bool *yes, bool *exact, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	struct slv_buf head = { 0 };
	struct bddf_edges d;
	enum slv_status st;

	*yes = *exact = one->found;
	if (one->found)
		return SLV_OK;
	st = bddf_expect(m->s, &m->k, one, next_of(&m->k, i), &head, err);
	if (st == SLV_OK)
		st = bddf_edges(m->s, one->off, &head, &d, err);
	slv_buf_free(&head);
	*yes = st == SLV_OK && d.known && d.left;
	*exact = *yes && !d.any;
	return st;
}

/* Write the bytes in which the head at off differs. */
static enum slv_status
patch(struct mending *m, uint64_t off, const struct slv_buf *head,
    const struct bddf_edges *d, struct slv_err *err)
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

/* End of the range around off that was left out. */
static uint64_t
run_end(const struct slv_catalog *c, uint64_t off)
{
	size_t i = slv_catalog_find(c, off);

	while (i < c->n && c->at[i].fate != SLV_KEPT
	    && c->at[i].fate != SLV_REBUILT)
		i++;
	return i < c->n ? c->at[i].off : c->end;
}

/* Whether the scan found blocks between place i and the next place, which it found,
 * too, and none of them is in the indexes, which are complete: neither here nor at
 * another place. */
static bool
is_overrun(struct mending *m, size_t i)
{
	const struct bddf *b = bddf_of(m->s);
	uint64_t from = m->k.at[i].off, end;
	bool any = false;

	if (!m->k.complete || !m->k.at[i + 1].found)
		return false;
	for (end = m->k.at[i + 1].off; m->looked <= BDDF_LOOKS;) {
		struct bddf_entry e = bddf_entry_before(b, end, &m->looked);

		if (e.off == BDDF_NOWHERE || e.off <= from)
			return any;
		if (!bddf_known_orphan(&m->k, e.off)
		    || bddf_known_missed(&m->k,
		        (struct slv_moment){ .sec = e.sec, .nanos = e.nanos }))
			return false;
		any = true;
		end = e.off;
	}
	return false;
}

/* Restore the head of block i, which was left out and differs from its index entry.  The
 * entry is taken as right, except if only one bit of the block's time or index differs:
 * then evidence is needed. */
static enum slv_status
choose(struct mending *m, size_t i, const struct slv_buf *head,
    const struct bddf_edges *d, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	bool right = true;
	struct slv_unit u;

	if (d->one_bit && d->first >= BDDF_DATA_HEAD) {
		SLV_TRY(bddf_block(m->s, one->off, SLV_ASK_NEXT, &u, err));
		if (u.verdict == SLV_UNIT_GOOD && u.channel == one->series)
			SLV_TRY(bddf_index_right(
			    m->s, &m->k, one, &m->looked, &right, err));
	}
	return right ? patch(m, one->off, head, d, err) : SLV_OK;
}

/* Restore the head of a block from the index; the digest shows if it is right. */
static enum slv_status
mend_boldly(struct mending *m, uint64_t off, const struct slv_buf *head,
    const struct bddf_edges *d, struct slv_err *err)
{
	struct slv_unit u;

	if (!d->any)
		return SLV_OK;
	if (m->k.complete && !m->out->needed) {
		SLV_TRY(bddf_block(m->s, off, SLV_ASK_NEXT, &u, err));
		m->out->needed = u.verdict != SLV_UNIT_GOOD;
	}
	return patch(m, off, head, d, err);
}

/* Restore block i, which was left out, if only its head is damaged. */
static enum slv_status
mend_lost(struct mending *m, size_t i, const struct slv_buf *head,
    const struct bddf_edges *d, struct slv_err *err)
{
	uint64_t off = m->k.at[i].off, end = next_of(&m->k, i);
	bool behind, exact, sure, empty = end == off + head->len;
	const struct bddf_entry *e = &m->k.at[i].entry;

	if (m->bold)
		return mend_boldly(m, off, head, d, err);
	SLV_TRY(clean_before(m, i + 1, &behind, &exact, err));
	/* Other blocks in its payload may have replaced it, or it is at another
	 * place. */
	sure = (empty || (d->right && behind)) && !is_overrun(m, i)
	    && !bddf_known_astray(
	        &m->k, (struct slv_moment){ .sec = e->sec, .nanos = e->nanos })
	    && (m->k.complete || d->one_bit);
	if (sure && d->any)
		SLV_TRY(choose(m, i, head, d, err));
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
	struct bddf_edges d;
	enum slv_status st;

	if (next == 0
	    || (next > run_end(&m->s->catalog, one->off) && !is_overrun(m, i)))
		return SLV_OK;
	st = bddf_expect(m->s, &m->k, one, next, &head, err);
	if (st == SLV_OK)
		st = bddf_edges(m->s, one->off, &head, &d, err);
	if (st == SLV_OK && d.known)
		st = mend_lost(m, i, &head, &d, err);
	slv_buf_free(&head);
	return st;
}

/* A whole block is inside another one: the size of the outer one is wrong. */
static enum slv_status
mend_size(struct mending *m, uint64_t inner, struct slv_err *err)
{
	const struct bddf *b = bddf_of(m->s);
	struct bddf_entry outer = { .off = BDDF_NOWHERE };
	struct slv_buf head = { 0 };
	uint8_t header[BDDF_HEADER_SIZE];
	struct bddf_edges d;
	enum slv_status st;
	const uint8_t *p;

	if (m->looked <= BDDF_LOOKS)
		outer = bddf_entry_before(b, inner, &m->looked);
	if (outer.off == BDDF_NOWHERE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    m->s->window, outer.off, BDDF_HEADER_SIZE, &p, err));
	m->swallowed = outer.off + bddf_head_span(bddf_head_get(b->dialect, p));
	bddf_head_put(b->dialect,
	    (struct bddf_head){
	        .type = BDDF_DATA,
	        .size = inner - outer.off - BDDF_HEADER_SIZE - 4,
	    },
	    header);
	slv_buf_add(&head, header, sizeof(header));
	st = bddf_edges(m->s, outer.off, &head, &d, err);
	if (st == SLV_OK && d.any && (m->bold || (d.one_bit && m->k.complete)))
		st = patch(m, outer.off, &head, &d, err);
	slv_buf_free(&head);
	return st;
}

/* Whether the block there is the one that the index has, except for a bit that
 * gives it a time far from all others. */
static bool
is_odd(
    struct mending *m, const struct bddf_known *one, const struct bddf_edges *d)
{
	struct bddf_era *era = bddf_clock_era(bddf_of(m->s), one->off);

	if (era == NULL || era->n > 1 || !d->one_bit || !m->k.complete)
		return false;
	era->mended = true;
	return true;
}

/* Block i should be where the scan kept something else: another
 * descriptor, or a block that is longer than it says. */
static enum slv_status
visit_kept(struct mending *m, size_t i, struct slv_err *err)
{
	const struct bddf_known *one = &m->k.at[i];
	const struct bddf *b = bddf_of(m->s);
	struct slv_buf header = { 0 };
	struct bddf_edges d;
	enum slv_status st;
	const uint8_t *p;
	bool right = m->bold;
	uint64_t end;

	if (one->kind != BDDF_K_DATA || one->off < m->swallowed
	    || !slv_range_in(one->off, BDDF_HEADER_SIZE, m->s->source->size))
		return SLV_OK;
	SLV_TRY(
	    slv_window_view(m->s->window, one->off, BDDF_HEADER_SIZE, &p, err));
	end = one->off + bddf_head_span(bddf_head_get(b->dialect, p));
	st = bddf_expect(m->s, &m->k, one, end, &header, err);
	if (st == SLV_OK)
		st = bddf_edges(m->s, one->off, &header, &d, err);
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

/* Whether what is excluded after off is in the payload of the block there: the
 * indexes, which can be believed, have the block, or its size cannot be that of
 * a block. */
static enum slv_status
is_carrying(struct mending *m, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct bddf_known *one = bddf_known_at(&m->k, off);
	const uint8_t *p;

	*yes = m->k.complete && one != NULL && !one->found;
	if (*yes || !slv_range_in(off, BDDF_HEADER_SIZE, m->s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(m->s->window, off, BDDF_HEADER_SIZE, &p, err));
	*yes = bddf_size_absurd(
	    m->s, bddf_head_get(bddf_of(m->s)->dialect, p).size);
	return SLV_OK;
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
	bool clean = false, exact, carries;
	struct slv_aside a = {
		.off = weak->off,
		.end = next,
		.fate = SLV_LOST,
		.problem.info = &bddf_problems[BDDF_P_SUSPECT],
	};

	if (i < m->k.n && m->k.at[i].off == next)
		SLV_TRY(clean_before(m, i, &clean, &exact, err));
	/* A duplicate range or another recording explains the damage, but not
	 * what the block carries. */
	SLV_TRY(is_carrying(m, next, &carries, err));
	if ((clean && (exact || m->k.complete))
	    || (!carries
	        && is_aside(
	            m->out, weak->off, run_end(&m->s->catalog, next) + 1)))
		return SLV_OK;
	return slv_mends_add_aside(m->out, &a, err);
}

/* Declarations that were kept although nothing begins after them: an index may
 * say that the damage does not reach into them. */
static enum slv_status
visit_declared(struct mending *m, struct slv_err *err)
{
	const struct bddf *b = bddf_of(m->s);
	const struct slv_catalog *c = &m->s->catalog;

	for (size_t i = 0; m->k.complete && i < b->n_series; i++) {
		const struct bddf_range *block = &b->series[i].block;
		uint64_t next = block->off + block->len;
		size_t at = bddf_known_from(&m->k, next);
		bool clean, exact;

		if (!b->series[i].declared || at == m->k.n
		    || m->k.at[at].off != next
		    || c->at[slv_catalog_find(c, next)].fate == SLV_KEPT)
			continue;
		SLV_TRY(clean_before(m, at, &clean, &exact, err));
		if (clean)
			SLV_TRY(slv_ranges_add(
			    &m->out->trusted, block->off, 1, err));
	}
	return SLV_OK;
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

/* What the driver corrects and leaves out in a log as it was read first. */
static enum slv_status
mend_all(struct mending *m, struct slv_err *err)
{
	struct slv_scan *s = m->s;
	struct slv_mends *out = m->out;

	SLV_TRY(visit_declared(m, err));
	if (!s->supported || bddf_of(s)->first.len == 0)
		SLV_TRY(bddf_mend_first(s, out, err));
	SLV_TRY(bddf_mend_hashes(s, out, err));
	SLV_TRY(bddf_mend_bits(s, out, err));
	SLV_TRY(bddf_clock_judge(s, &m->k, out, err));
	SLV_TRY(bddf_denied(s, &m->k, out, err));
	SLV_TRY(bddf_inside(s, &m->k, out, err));
	SLV_TRY(bddf_twice(s, &m->k, out, err));
	SLV_TRY(visit_all_weak(m, err));
	SLV_TRY(bddf_odd_judge(s, &m->k, out, err));
	if (s->opt.keep & SLV_KEEP_SAMPLES)
		SLV_TRY(bddf_samples(s, out, err));
	return SLV_OK;
}

/* Where blocks are left out already, only times are weighed again: of a series that
 * had other times only in those.  Two declarations with one number hide the rest of the
 * log, which is looked at once that is settled. */
static enum slv_status
mend(struct mending *m, struct slv_err *err)
{
	struct slv_scan *s = m->s;
	size_t before = m->out->n;
	bool over = false;

	SLV_TRY(bddf_know(s, &m->k, err));
	if (!m->bold && s->opt.mends != NULL && s->opt.mends->n_aside > 0)
		return bddf_clock_judge(s, &m->k, m->out, err);
	if (!m->bold && bddf_of(s)->clash_block.len > 0) {
		SLV_TRY(bddf_mend_bits(s, m->out, err));
		if (m->out->n > before)
			return SLV_OK;
	}
	if (!m->bold)
		SLV_TRY(bddf_written_over(s, &m->k, m->out, &over, err));
	if (over)
		return SLV_OK;
	for (size_t i = 0; i < m->k.n; i++)
		SLV_TRY(visit(m, i, err));
	return m->bold ? SLV_OK : mend_all(m, err);
}

enum slv_status
bddf_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	struct mending m = { .s = s, .bold = bold, .out = out };
	enum slv_status st = mend(&m, err);

	bddf_knowledge_free(&m.k);
	return st;
}
