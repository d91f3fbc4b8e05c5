/* mcap_inherit.c - what a proof need not read again.
 *
 * Where the output begins with chunks of the input as they are, another walk over the
 * same bytes would learn the same of them.  Only a file of which nothing in those
 * bytes was in doubt is taken so: all its messages are in chunks with a head, and
 * nothing is declared twice or too late.
 */
#include <string.h>

#include "base/mem.h"
#include "formats/mcap/mcap_state.h"

/* Return true if nothing about the file needs more than its chunks to be known. */
static bool
is_plain(const struct mcap *first)
{
	bool plain = first->magic && first->header_len > 0
	    && first->messages == first->in_chunks && first->n_rivals == 0
	    && first->n_spoilt == 0 && !first->orphans && !first->unread;

	for (size_t i = 0; plain && i < first->n_decls; i++)
		plain = !first->decls[i].late && !first->decls[i].contested;
	return plain;
}

/* Up to where everything was kept and nothing was found. */
static uint64_t
clean_upto(const struct slv_scan *first)
{
	const struct slv_catalog *c = &first->catalog;
	const struct slv_problems *p = &first->problems;
	uint64_t upto = slv_problems_total(p) == p->n ? UINT64_MAX : 0;

	for (size_t i = 0; i < p->n; i++)
		upto = slv_min64(upto, p->at[i].off);
	for (size_t i = 0; i < c->n && c->at[i].off < upto; i++) {
		if (c->at[i].fate != SLV_KEPT)
			upto = c->at[i].off;
	}
	return upto;
}

/* How many chunks are in the first `upto` bytes, one in order after the other. */
static size_t
chunks_before(const struct mcap *first, uint64_t upto)
{
	size_t n = 0;

	for (; n < first->n_chunks && first->chunks[n].end <= upto; n++) {
		const struct mcap_chunk *c = &first->chunks[n];

		if (!c->stays || c->strange || c->from == 0
		    || !mcap_chunk_is_copied(first, c))
			break;
	}
	return n;
}

/* An array of n elements, of which each has `size` bytes, as in the first scan. */
static enum slv_status
copy(void *to, size_t *cap, const void *from, size_t n, size_t size,
    struct slv_err *err)
{
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(to, cap, n, size, err));
	memcpy(*(void **)to, from, n * size);
	return SLV_OK;
}

/* What is declared before `end`. */
static enum slv_status
inherit_decls(
    struct mcap *m, const struct mcap *first, uint64_t end, struct slv_err *err)
{
	static const size_t ids = UINT16_MAX + 1;

	slv_buf_add(&m->texts, first->texts.at, first->texts.len);
	if (m->texts.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (unsigned i = 0; i < 2 && first->by_id[i] != NULL; i++) {
		size_t none = 0;

		SLV_TRY(copy(&m->by_id[i], &none, first->by_id[i], ids,
		    sizeof(*m->by_id[i]), err));
	}
	SLV_TRY(slv_grow(
	    &m->decls, &m->cap_decls, first->n_decls, sizeof(*m->decls), err));
	for (; m->n_decls < first->n_decls; m->n_decls++) {
		const struct mcap_decl *d = &first->decls[m->n_decls];
		struct mcap_decl *to = &m->decls[m->n_decls];

		*to = (struct mcap_decl){ .op = d->op, .id = d->id };
		if (!d->recorded || d->place >= end)
			continue;
		*to = *d;
		to->name = NULL;
		to->in_summary = to->right_in_summary = false;
		to->n = to->bytes = to->written = to->n_here = 0;
	}
	return SLV_OK;
}

/* The first n chunks, and what they hold. */
static enum slv_status
inherit_chunks(
    struct mcap *m, const struct mcap *first, size_t n, struct slv_err *err)
{
	const struct mcap_chunk *last = &first->chunks[n - 1];

	m->n_counts = last->first_count + last->n_counts;
	SLV_TRY(copy(&m->counts, &m->cap_counts, first->counts, m->n_counts,
	    sizeof(*m->counts), err));
	SLV_TRY(copy(&m->chunks, &m->cap_chunks, first->chunks, n,
	    sizeof(*m->chunks), err));
	m->n_chunks = n;
	m->n_used = last->n_used;
	for (size_t i = 0; i < m->n_counts; i++) {
		m->decls[m->counts[i].decl].n += m->counts[i].n;
		m->counts[i].index = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct mcap_chunk *c = &m->chunks[i];

		c->out_len = c->n_out_counts = 0;
		m->n_headed++;
		m->n_sums += c->claim.crc != 0;
		m->indexes |= c->has_index;
		m->messages += c->messages;
		m->sum += c->sum;
		m->from = slv_min64(m->from, c->from);
		m->to = slv_max64(m->to, c->to);
	}
	m->in_chunks = m->messages;
	m->from_set = m->messages > 0 ? m->from : 0;
	return SLV_OK;
}

/* Everything else before `end`. */
static enum slv_status
inherit_rest(
    struct mcap *m, const struct mcap *first, uint64_t end, struct slv_err *err)
{
	while (
	    m->n_items < first->n_items && first->items[m->n_items].off < end)
		m->n_items++;
	while (m->n_extras < first->n_extras
	    && first->extras[m->n_extras].off < end)
		m->n_extras++;
	SLV_TRY(copy(&m->items, &m->cap_items, first->items, m->n_items,
	    sizeof(*m->items), err));
	SLV_TRY(copy(&m->extras, &m->cap_extras, first->extras, m->n_extras,
	    sizeof(*m->extras), err));
	slv_buf_add(&m->profile, first->profile.at, first->profile.len);
	slv_buf_add(&m->library, first->library.at, first->library.len);
	if (m->profile.failed || m->library.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	m->magic = true;
	m->header_off = first->header_off;
	m->header_len = first->header_len;
	m->attachments_summed = first->attachments_summed;
	m->upto = end;
	return SLV_OK;
}

enum slv_status
mcap_inherit(
    struct slv_scan *s, uint64_t upto, uint64_t *end, struct slv_err *err)
{
	const struct mcap *first = s->reference->state;
	struct mcap *m = mcap_edit(s);
	size_t n;

	*end = 0;
	if (!is_plain(first))
		return SLV_OK;
	n = chunks_before(first, slv_min64(upto, clean_upto(s->reference)));
	if (n == 0)
		return SLV_OK;
	*end = first->chunks[n - 1].end;
	SLV_TRY(inherit_decls(m, first, *end, err));
	SLV_TRY(inherit_chunks(m, first, n, err));
	SLV_TRY(inherit_rest(m, first, *end, err));
	return SLV_OK;
}
