/* cyber_build.c - the repaired record as a plan.
 *
 *	header, channels and chunks as they came, the index
 *
 * An unchanged section is copied.  Header and index are rebuilt, as the C++
 * writer makes them, from what is written between them.
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

struct build {
	struct cyber *cyber;
	struct slv_plan *plan;
	struct slv_buf buf; /* owned; what is being made */
	bool moved;         /* something is not where it was, or other */
};

static struct slv_span
text_of(const struct build *x, size_t at, size_t len)
{
	return (struct slv_span){ x->cyber->texts.at + at, len };
}

/* A description, as it is. */
static enum slv_status
put_desc(struct build *x, const struct cyber_spec *spec, struct slv_err *err)
{
	if (spec->held)
		return slv_plan_bytes(x->plan, x->cyber->held.at + spec->desc,
		    (size_t)spec->desc_len, err);
	return slv_plan_copy(x->plan, spec->desc, spec->desc_len, err);
}

static enum slv_status
put_channel(struct build *x, const struct cyber_spec *spec, struct slv_err *err)
{
	struct slv_buf decl = { 0 };

	cyber_put_decl(&decl, 1, text_of(x, spec->name, spec->name_len),
	    text_of(x, spec->type, spec->type_len), spec->desc_len);
	cyber_put_section(&x->buf, CYBER_CHANNEL, decl.len + spec->desc_len);
	slv_buf_add(&x->buf, decl.at, decl.len);
	x->buf.failed |= decl.failed;
	slv_buf_free(&decl);
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	return put_desc(x, spec, err);
}

/* A chunk whose header or body is not as it was. */
static enum slv_status
put_chunk(struct build *x, const struct cyber_item *item, struct slv_err *err)
{
	struct slv_buf claim = { 0 };

	cyber_put_claim(&claim, cyber_chunk_claim(item));
	cyber_put_section(&x->buf, CYBER_CHUNK_HEADER, claim.len);
	slv_buf_add(&x->buf, claim.at, claim.len);
	x->buf.failed |= claim.failed;
	slv_buf_free(&claim);
	cyber_put_section(&x->buf, CYBER_CHUNK_BODY, item->bytes);
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	for (size_t i = 0; i < item->n_runs; i++) {
		const struct cyber_run *r =
		    &x->cyber->runs[item->first_run + i];

		SLV_TRY(slv_plan_copy(x->plan, r->off, r->len, err));
	}
	return SLV_OK;
}

static enum slv_status
put_item(struct build *x, struct cyber_item *item, struct slv_err *err)
{
	item->out = x->plan->size;
	x->moved |= item->out != item->off || !item->stays;
	if (item->stays)
		return slv_plan_copy(
		    x->plan, item->off, cyber_item_end(item) - item->off, err);
	if (item->kind == CYBER_IS_CHANNEL)
		return put_channel(x, &item->spec, err);
	return cyber_chunk_is_written(item) ? put_chunk(x, item, err) : SLV_OK;
}

/* How long the header of a chunk is in the output. */
static uint64_t
head_len(const struct cyber_item *item)
{
	struct slv_buf claim = { 0 };
	uint64_t n;

	if (item->stays)
		return item->end - item->off;
	cyber_put_claim(&claim, cyber_chunk_claim(item));
	n = CYBER_SECTION + claim.len;
	slv_buf_free(&claim);
	return n;
}

/* How many messages of its channel there are, as its entry says. */
static uint64_t
messages_of(const struct cyber *c, const struct cyber_spec *spec)
{
	const uint8_t *name = c->texts.at + spec->name;
	uint32_t i;

	return cyber_channel_known(c, name, spec->name_len, &i)
	    ? c->channels[i].messages
	    : 0;
}

static enum slv_status
put_entry(struct build *x, const struct cyber_item *item, struct slv_err *err)
{
	const struct cyber_spec *spec = &item->spec;
	const struct cyber_claim *claim;

	if (item->kind == CYBER_IS_CHANNEL) {
		cyber_put_channel_entry(&x->buf, item->out,
		    messages_of(x->cyber, spec),
		    text_of(x, spec->name, spec->name_len),
		    text_of(x, spec->type, spec->type_len), spec->desc_len);
		SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
		return put_desc(x, spec, err);
	}
	if (item->kind != CYBER_IS_CHUNK || !cyber_chunk_is_written(item))
		return SLV_OK;
	claim = cyber_chunk_claim(item);
	cyber_put_chunk_entry(&x->buf, CYBER_CHUNK_HEADER, item->out, claim);
	cyber_put_chunk_entry(
	    &x->buf, CYBER_CHUNK_BODY, item->out + head_len(item), claim);
	return slv_plan_buf(x->plan, &x->buf, err);
}

static enum slv_status
put_index(struct build *x, struct slv_err *err)
{
	struct cyber *c = x->cyber;
	size_t head, lit = x->plan->literals.len;
	uint64_t start = x->plan->size;
	uint8_t size[8];

	if (c->index_holds && c->index_stays && !c->index_ends && !x->moved)
		return slv_plan_copy(
		    x->plan, c->index, c->index_end - c->index, err);
	cyber_put_section(&x->buf, CYBER_INDEX, 0);
	head = lit + 8;
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	for (size_t i = 0; i < c->n_items; i++)
		SLV_TRY(put_entry(x, &c->items[i], err));
	slv_put_le64(size, x->plan->size - start - CYBER_SECTION);
	memcpy(x->plan->literals.at + head, size, sizeof(size));
	return SLV_OK;
}

/* The numbers of the header, which are known last. */
static enum slv_status
settle_head(struct build *x, uint64_t index, struct slv_err *err)
{
	const struct cyber *c = x->cyber;
	struct cyber_head h = c->head;

	/* Nothing of it was there: it is what recorders are built with. */
	if (c->head_len == 0)
		cyber_head_get((const uint8_t *)"", 0, &h);
	h.v[CYBER_INDEX_POSITION] = index;
	h.v[CYBER_N_CHUNKS] = c->n_chunks;
	h.v[CYBER_N_CHANNELS] = c->n_declared;
	h.v[CYBER_BEGIN] = c->span.begin;
	h.v[CYBER_END] = c->span.end;
	h.v[CYBER_N_MESSAGES] = c->messages;
	h.v[CYBER_SIZE] = x->plan->size;
	h.v[CYBER_COMPLETE] = 1;
	cyber_put_head(&x->buf, &h);
	if (x->buf.failed || x->buf.len != CYBER_DATA_START)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(x->plan->literals.at, x->buf.at, x->buf.len);
	return SLV_OK;
}

static enum slv_status
build(struct build *x, struct slv_err *err)
{
	static const uint8_t room[CYBER_DATA_START];
	struct cyber *c = x->cyber;
	uint64_t index;

	slv_buf_add(&x->buf, room, sizeof(room));
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	for (size_t i = 0; i < c->n_items; i++)
		SLV_TRY(put_item(x, &c->items[i], err));
	index = x->plan->size;
	SLV_TRY(put_index(x, err));
	return settle_head(x, index, err);
}

enum slv_status
cyber_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	struct build x = { .cyber = cyber_edit(s), .plan = plan };
	enum slv_status st = cyber_is_as_it_was(s)
	    ? slv_plan_copy(plan, s->base, x.cyber->index_end - s->base, err)
	    : build(&x, err);

	slv_buf_free(&x.buf);
	*possible = st == SLV_OK;
	return st;
}
