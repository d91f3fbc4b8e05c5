/* mcap_decl.c - schemas and channels: found by number, and what they say. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/mcap/judge/mcap_judge.h"

#define IDS        65536
#define RIVALS_MAX 256 /* more are not one file */

size_t
mcap_decl_find(const struct mcap *m, unsigned op, uint16_t id)
{
	const uint32_t *by_id = m->by_id[op == MCAP_CHANNEL];

	return by_id == NULL || by_id[id] == 0 ? MCAP_NONE : by_id[id] - 1;
}

enum slv_status
mcap_decl_get(struct slv_scan *s, unsigned op, uint16_t id, size_t *out,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint32_t **by_id = &m->by_id[op == MCAP_CHANNEL];

	*out = mcap_decl_find(m, op, id);
	if (*out != MCAP_NONE)
		return SLV_OK;
	if (*by_id == NULL)
		*by_id = slv_calloc(IDS, sizeof(**by_id));
	if (*by_id == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_grow(
	    &m->decls, &m->cap_decls, m->n_decls + 1, sizeof(*m->decls), err));
	*out = m->n_decls;
	m->decls[m->n_decls++] = (struct mcap_decl){ .op = op, .id = id };
	(*by_id)[id] = (uint32_t)m->n_decls;
	return SLV_OK;
}

/* Are the texts from `text` on the record? */
static bool
is_loaded(const struct mcap *m, size_t text, const struct mcap_record *r)
{
	const struct mcap_bytes b = { NULL, m->texts.at + text,
		m->texts.len - text };
	struct mcap_record own;
	enum mcap_read read;

	(void)mcap_record_get(&b, 0, &own, &read, NULL);
	return read == MCAP_WHOLE && own.op == r->op
	    && mcap_span(&own) == mcap_span(r)
	    && own.v[MCAP_ID] == r->v[MCAP_ID];
}

/* The record, appended to the texts. */
static enum slv_status
load(struct slv_scan *s, const struct mcap_bytes *b, uint64_t off,
    const struct mcap_record *r, size_t *text, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t len = mcap_span(r);
	const uint8_t *p;

	SLV_TRY(mcap_remember(s, len, err));
	*text = m->texts.len;
	while (len > 0 && !m->texts.failed) {
		size_t n = (size_t)slv_min64(len, SLV_WINDOW_STRIDE);

		SLV_TRY(mcap_view(b, off, n, &p, err));
		slv_buf_add(&m->texts, p, n);
		off += n;
		len -= n;
	}
	if (m->texts.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return is_loaded(m, *text, r) ? SLV_OK : slv_scan_changed(s, err);
}

/* Whether the record is the one that is known already. */
static enum slv_status
is_same(const struct mcap *m, size_t text, uint64_t text_len,
    const struct mcap_bytes *b, uint64_t off, uint64_t len, bool *yes,
    struct slv_err *err)
{
	const uint8_t *p;

	*yes = text_len == len;
	for (uint64_t at = 0; *yes && at < len; at += SLV_WINDOW_STRIDE) {
		size_t n = (size_t)slv_min64(len - at, SLV_WINDOW_STRIDE);

		SLV_TRY(mcap_view(b, off + at, n, &p, err));
		*yes = memcmp(p, m->texts.at + text + at, n) == 0;
	}
	return SLV_OK;
}

/* The record declares something else under a number than the first one did. */
static enum slv_status
add_rival(struct slv_scan *s, const struct mcap_bytes *b, uint64_t off,
    const struct mcap_record *r, size_t decl, uint64_t place, bool proven,
    bool summary, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_rival *x = NULL;
	bool same = false;

	m->n_rivals++;
	for (size_t i = 0; i < m->n_rival_rows && !same; i++) {
		x = &m->rivals[i];
		if (x->decl == decl)
			SLV_TRY(is_same(m, x->text, x->len, b, off,
			    mcap_span(r), &same, err));
	}
	if (!same) {
		if (m->n_rival_rows == RIVALS_MAX)
			return SLV_OK;
		SLV_TRY(slv_grow(&m->rivals, &m->cap_rivals,
		    m->n_rival_rows + 1, sizeof(*m->rivals), err));
		x = &m->rivals[m->n_rival_rows++];
		*x = (struct mcap_rival){ .decl = decl, .place = place };
		SLV_TRY(load(s, b, off, r, &x->text, err));
		x->len = mcap_span(r);
	}
	x->votes++;
	x->proven |= proven;
	x->summary |= summary;
	x->chunk = summary ? x->chunk : m->n_chunks;
	return SLV_OK;
}

/* Readers need the schema of a channel before the channel. */
static enum slv_status
need_schema(struct slv_scan *s, const struct mcap_record *r, uint64_t place,
    struct slv_err *err)
{
	uint16_t id = (uint16_t)r->v[MCAP_SCHEMA_ID];
	struct mcap_decl *d;
	size_t i;

	if (r->op != MCAP_CHANNEL || id == 0)
		return SLV_OK;
	SLV_TRY(mcap_decl_get(s, MCAP_SCHEMA, id, &i, err));
	d = &mcap_edit(s)->decls[i];
	if (d->recorded || d->late)
		return SLV_OK;
	d->late = true;
	d->need_off = place;
	return SLV_OK;
}

enum slv_status
mcap_declare(struct slv_scan *s, const struct mcap_bytes *b, uint64_t off,
    const struct mcap_record *r, uint64_t place, bool proven, bool summary,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_decl *d;
	bool same = true;
	size_t i;

	if (!summary)
		SLV_TRY(need_schema(s, r, place, err));
	SLV_TRY(mcap_decl_get(s, r->op, (uint16_t)r->v[MCAP_ID], &i, err));
	d = &m->decls[i];
	if (d->declared)
		SLV_TRY(is_same(
		    m, d->text, d->len, b, off, mcap_span(r), &same, err));
	if (!same)
		SLV_TRY(
		    add_rival(s, b, off, r, i, place, proven, summary, err));
	d = &m->decls[i];
	if (!d->declared) {
		SLV_TRY(load(s, b, off, r, &d->text, err));
		d->len = mcap_span(r);
		d->schema = (uint16_t)r->v[MCAP_SCHEMA_ID];
	}
	d->declared = true;
	if (!summary && !d->recorded)
		d->place = place;
	d->recorded |= !summary;
	d->in_summary |= summary;
	if (same) {
		d->votes++;
		d->proven |= proven;
		d->right_in_summary |= summary;
		d->chunk = summary ? d->chunk : m->n_chunks;
	}
	return SLV_OK;
}

enum slv_status
mcap_decl_refuse(
    struct slv_scan *s, unsigned op, uint16_t id, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	size_t i;

	SLV_TRY(mcap_decl_get(s, op, id, &i, err));
	m->decls[i].contested = true;
	m->n_rivals++;
	return SLV_OK;
}

void
mcap_decl_prove(struct mcap *m)
{
	for (size_t i = 0; i < m->entries.n; i++) {
		const struct mcap_entry *e = &m->entries.at[i];
		size_t decl = e->op == MCAP_SCHEMA || e->op == MCAP_CHANNEL
		    ? mcap_decl_find(m, e->op, e->id)
		    : MCAP_NONE;

		if (decl == MCAP_NONE)
			continue;
		m->decls[decl].proven |= m->decls[decl].chunk == m->n_chunks;
		for (size_t k = 0; k < m->n_rival_rows; k++)
			m->rivals[k].proven |= m->rivals[k].decl == decl
			    && m->rivals[k].chunk == m->n_chunks;
	}
}

/* Let what a rival says be what is declared. */
static void
prefer(struct mcap *m, struct mcap_decl *d, const struct mcap_rival *x)
{
	const struct mcap_bytes b = { NULL, m->texts.at + x->text, x->len };
	struct mcap_record r;
	enum mcap_read read;

	(void)mcap_record_get(&b, 0, &r, &read, NULL);
	d->text = x->text;
	d->len = x->len;
	d->schema = (uint16_t)r.v[MCAP_SCHEMA_ID];
	d->votes = x->votes;
	d->proven = x->proven;
}

/* The evidence for what a rival says, against that for the declaration: more than 0
 * is for the rival, 0 is undecided. */
static int
weigh(const struct mcap *m, const struct mcap_rival *x, size_t decl)
{
	const struct mcap_decl *d = &m->decls[decl];
	bool odd = mcap_text_is_odd(m, d->text, d->len);
	size_t mine, other;

	if (x->proven != d->proven)
		return x->proven ? 1 : -1;
	if (mcap_text_is_odd(m, x->text, x->len) != odd)
		return odd ? 1 : -1;
	if (x->votes != d->votes)
		return x->votes > d->votes ? 1 : -1;
	mine = mcap_package_mates(m, decl, d->text, d->len);
	other = mcap_package_mates(m, decl, x->text, x->len);
	return (other > 0) - (mine > 0);
}

enum slv_status
mcap_decl_settle(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	for (size_t i = 0; i < m->n_decls; i++)
		m->decls[i].proven |= m->decls[i].declared
		    && m->decls[i].right_in_summary && m->summary.proven;
	for (size_t i = 0; i < m->n_rival_rows; i++) {
		struct mcap_rival *x = &m->rivals[i];
		struct mcap_decl *d = &m->decls[x->decl];
		int more;
		bool both;

		x->proven |= x->summary && m->summary.proven;
		both = x->proven && d->proven;
		d->contested |= !both;
		SLV_TRY(mcap_problem(s,
		    both ? MCAP_P_TWO_MEANINGS : MCAP_P_DECLARATIONS, x->place,
		    x->len, d->id, 0, err));
		more = both ? -1 : weigh(m, x, x->decl);
		d->tied = more == 0 || (d->tied && more < 0);
		if (more > 0)
			prefer(m, d, x);
	}
	return SLV_OK;
}

enum slv_status
mcap_decl_is_wrong(const struct mcap *m, const struct mcap_bytes *b,
    uint64_t off, const struct mcap_entry *e, bool *yes, struct slv_err *err)
{
	size_t i = e->op == MCAP_SCHEMA || e->op == MCAP_CHANNEL
	    ? mcap_decl_find(m, e->op, e->id)
	    : MCAP_NONE;

	*yes = false;
	if (i == MCAP_NONE || !m->decls[i].contested)
		return SLV_OK;
	SLV_TRY(is_same(
	    m, m->decls[i].text, m->decls[i].len, b, off, e->len, yes, err));
	*yes = !*yes;
	return SLV_OK;
}

struct slv_span
mcap_decl_text(
    const struct mcap *m, const struct mcap_decl *d, enum mcap_field field)
{
	const struct mcap_bytes b = { NULL, m->texts.at + d->text, d->len };
	struct mcap_record r;
	enum mcap_read read;

	(void)mcap_record_get(&b, 0, &r, &read, NULL);
	return (struct slv_span){ b.at + r.at[field], (size_t)r.v[field] };
}

bool
mcap_decl_is_usable(const struct mcap *m, const struct mcap_decl *d)
{
	size_t schema;

	if (!d->declared || d->op != MCAP_CHANNEL || d->schema == 0)
		return d->declared;
	schema = mcap_decl_find(m, MCAP_SCHEMA, d->schema);
	return schema != MCAP_NONE && m->decls[schema].declared;
}

bool
mcap_entry_is_usable(const struct mcap *m, const struct mcap_entry *e)
{
	size_t decl;

	if (e->op != MCAP_MESSAGE && e->op != MCAP_CHANNEL)
		return true;
	/* The declaration of a message is known without a search. */
	decl = e->op == MCAP_MESSAGE ? e->decl
	                             : mcap_decl_find(m, MCAP_CHANNEL, e->id);
	return decl < m->n_decls && mcap_decl_is_usable(m, &m->decls[decl]);
}
