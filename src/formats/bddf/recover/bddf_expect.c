/* bddf_expect.c - the first bytes of a block, as its index entry has them. */
#include "formats/bddf/recover/bddf_expect.h"

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

enum slv_status
bddf_expect(struct slv_scan *s, const struct bddf_knowledge *k,
    const struct bddf_known *one, uint64_t next, struct slv_buf *out,
    struct slv_err *err)
{
	struct bddf_dialect dialect = bddf_of(s)->dialect;
	struct bddf_head head;
	const uint8_t *p;
	uint32_t size;

	bddf_known_head(dialect, k, one, next, out);
	if (one->kind != BDDF_K_DATA || next < one->off + BDDF_DATA_HEAD
	    || next > s->source->size)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, one->off, BDDF_DATA_HEAD, &p, err));
	head = bddf_head_get(dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (head.type != BDDF_DATA || one->off + bddf_head_span(head) != next
	    || size > BDDF_DD_MAX || size > head.size)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, one->off, BDDF_DATA_HEAD + size, &p, err));
	if (says_the_same(k, one, p + BDDF_DATA_HEAD, size)) {
		out->len = 0;
		slv_buf_add(out, p, BDDF_DATA_HEAD + size);
	}
	return SLV_OK;
}
