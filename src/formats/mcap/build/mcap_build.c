/* mcap_build.c - the repaired file as a plan.
 *
 *	magic, header, declarations that come too late, chunks with their indexes
 *	and what is between them, DataEnd, the summary, the footer, magic
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "digest/crc32.h"
#include "formats/mcap/build/mcap_build.h"

enum slv_status
mcap_flush(struct mcap_build *x, struct slv_err *err)
{
	enum slv_status st;

	if (x->buf.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_plan_bytes(x->plan, x->buf.at, x->buf.len, err);
	x->buf.len = 0;
	return st;
}

void
mcap_plan_message(struct mcap *m, const struct mcap_entry *e)
{
	m->decls[e->decl].written++;
	m->planned++;
	m->planned_sum += mcap_sum(e);
	m->planned_from = slv_min64(m->planned_from, e->time);
	m->planned_to = slv_max64(m->planned_to, e->time);
}

static enum slv_status
put_header(struct mcap_build *x, struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	uint64_t base = x->scan->base;

	if (m->magic && m->header_off == base + MCAP_MAGIC_SIZE)
		return slv_plan_copy(
		    x->plan, base, MCAP_MAGIC_SIZE + m->header_len, err);
	SLV_TRY(slv_plan_bytes(x->plan, MCAP_MAGIC, MCAP_MAGIC_SIZE, err));
	if (m->header_len > 0)
		return slv_plan_copy(
		    x->plan, m->header_off, m->header_len, err);
	mcap_make_header(&x->buf, (struct slv_span){ NULL, 0 },
	    (struct slv_span){ NULL, 0 });
	return mcap_flush(x, err);
}

/* Whether the first record that declares it is in a chunk that is left out. */
static bool
is_left_out(const struct mcap_build *x, const struct mcap_decl *d)
{
	const struct mcap *m = x->mcap;
	struct slv_search f = { .high = m->n_chunks };
	const struct mcap_chunk *c;

	while (slv_search(&f))
		slv_search_on(&f, m->chunks[f.mid].end <= d->place);
	if (f.low == m->n_chunks)
		return false;
	c = &m->chunks[f.low];
	return d->place >= c->off && !mcap_chunk_is_written(x->scan, c);
}

/* Whether it is declared in time without an addition. */
static bool
is_announced(const struct mcap_build *x, const struct mcap_decl *d)
{
	return !d->late && !d->contested && d->recorded && !is_left_out(x, d);
}

static void
put_decl(struct mcap_build *x, const struct mcap_decl *d)
{
	slv_buf_add(&x->buf, x->mcap->texts.at + d->text, d->len);
}

/* Put a schema before the first of its channels. */
static void
put_schema(struct mcap_build *x, size_t schema, bool *put)
{
	if (!put[schema])
		put_decl(x, &x->mcap->decls[schema]);
	put[schema] = true;
}

/* Channels that the output would declare after their first messages, or not at all,
 * and their schemas.  `put` is by declaration. */
static void
put_late(struct mcap_build *x, bool *put)
{
	const struct mcap *m = x->mcap;

	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];
		bool early = is_announced(x, d);
		size_t schema;

		if (d->op != MCAP_CHANNEL || (d->n == 0 && !early)
		    || !mcap_decl_is_usable(m, d))
			continue;
		schema = d->schema == 0
		    ? MCAP_NONE
		    : mcap_decl_find(m, MCAP_SCHEMA, d->schema);
		if (early
		    && (schema == MCAP_NONE
		        || is_announced(x, &m->decls[schema])))
			continue;
		if (schema != MCAP_NONE)
			put_schema(x, schema, put);
		put_decl(x, d);
	}
}

static enum slv_status
announce(struct mcap_build *x, struct slv_err *err)
{
	bool *put;

	SLV_TRY(slv_new(&put, x->mcap->n_decls, sizeof(*put), err));
	put_late(x, put);
	slv_free(put);
	return mcap_flush(x, err);
}

/* Records outside of chunks, without what readers cannot use. */
static enum slv_status
put_records(struct mcap_build *x, struct mcap_item *item, struct slv_err *err)
{
	struct mcap *m = x->mcap;
	const struct mcap_bytes b = mcap_bytes_of(x->scan);
	uint64_t at = item->off, end = item->off + item->len, from = at;
	bool wrong;

	item->out = x->plan->size;
	if (m->messages == m->in_chunks && m->n_rivals == 0 && !m->orphans)
		return slv_plan_copy(x->plan, item->off, item->len, err);
	while (at < end) {
		struct mcap_record r;
		struct mcap_entry e;

		SLV_TRY(mcap_look_again(x->scan, at, end, &r, err));
		e = mcap_entry_get(&r, at);
		e.decl = (uint32_t)mcap_decl_find(m, MCAP_CHANNEL, e.id);
		SLV_TRY(mcap_decl_is_wrong(m, &b, at, &e, &wrong, err));
		if (wrong || !mcap_entry_is_usable(m, &e)) {
			SLV_TRY(slv_plan_copy(x->plan, from, at - from, err));
			from = at + mcap_span(&r);
		} else if (e.op == MCAP_MESSAGE) {
			mcap_plan_message(m, &e);
		}
		at += mcap_span(&r);
	}
	return slv_plan_copy(x->plan, from, end - from, err);
}

/* Go on with the checksum over a segment that the driver encodes. */
static enum slv_status
sum_made(const struct slv_seg *seg, uint32_t *crc, struct slv_err *err)
{
	uint8_t *made = slv_realloc(NULL, (size_t)seg->len + SLV_MADE_SLACK);
	enum slv_status st;

	if (made == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = seg->make(seg->ctx, seg->arg, made, err);
	if (st == SLV_OK)
		*crc = slv_crc32(*crc, made, (size_t)seg->len);
	slv_free(made);
	return st;
}

/* The checksum of all of the plan so far. */
static enum slv_status
sum_plan(struct mcap_build *x, uint32_t *crc, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(x->scan);
	const struct slv_plan *plan = x->plan;

	*crc = 0;
	for (size_t i = 0; i < plan->n; i++) {
		const struct slv_seg *seg = &plan->at[i];

		if (seg->kind == SLV_SEG_MADE)
			SLV_TRY(sum_made(seg, crc, err));
		else if (seg->kind == SLV_SEG_COPY)
			SLV_TRY(mcap_crc(&b, seg->arg, seg->len, crc, err));
		else
			*crc = slv_crc32(*crc, plan->literals.at + seg->arg,
			    (size_t)seg->len);
	}
	return SLV_OK;
}

static enum slv_status
put_summary(struct mcap_build *x, struct slv_err *err)
{
	const struct mcap_summary *s = &x->mcap->summary;
	uint64_t from = s->data_end;
	uint32_t crc = 0;

	/* All is copied, and to where it was. */
	if (s->stays && x->plan->n == 1 && x->plan->at[0].kind == SLV_SEG_COPY
	    && x->plan->size == from - x->scan->base)
		return slv_plan_copy(
		    x->plan, from, s->footer + MCAP_TAIL_SIZE - from, err);
	/* Nor is all of it sealed, if a part is not confirmed. */
	x->style.data_sum &= x->scan->checksummed
	    && x->mcap->messages == x->mcap->in_chunks
	    && x->scan->units_lost == 0;
	if (x->style.data_sum)
		SLV_TRY(sum_plan(x, &crc, err));
	SLV_TRY(mcap_summary_make(x->scan, x->plan->size, crc, &x->buf, err));
	return mcap_flush(x, err);
}

static enum slv_status
build(struct mcap_build *x, struct slv_err *err)
{
	struct mcap *m = x->mcap;

	SLV_TRY(put_header(x, err));
	SLV_TRY(announce(x, err));
	for (size_t i = 0; i < m->n_items; i++)
		SLV_TRY(m->items[i].chunk == MCAP_NONE
		        ? put_records(x, &m->items[i], err)
		        : mcap_put_chunk(x, m->items[i].chunk, err));
	for (size_t i = 0; i < m->n_extras; i++)
		m->extras[i].out = slv_plan_where(x->plan, m->extras[i].off);
	return put_summary(x, err);
}

enum slv_status
mcap_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_build x = { .scan = s, .mcap = m, .plan = plan };
	enum slv_status st;

	*possible = false;
	if (m->nothing)
		return SLV_OK;
	x.style = mcap_style_of(m);
	m->n_made = m->n_out_counts = 0;
	m->planned = m->planned_sum = m->planned_to = 0;
	m->planned_from = UINT64_MAX;
	for (size_t i = 0; i < m->n_decls; i++)
		m->decls[i].written = m->decls[i].n_here = 0;
	st = build(&x, err);
	slv_buf_free(&x.buf);
	slv_free(x.entries.at);
	mcap_ranks_free(&x.ranks);
	*possible = st == SLV_OK;
	return st;
}
