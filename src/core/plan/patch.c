/* patch.c - corrected bytes, laid over the input. */
#include "core/plan/patch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

struct patched_source {
	struct slv_source base;
	struct slv_source *input;      /* borrowed */
	const struct slv_mends *mends; /* borrowed; sorted */
};

enum slv_status
slv_mends_add(struct slv_mends *m, uint64_t off, const void *bytes, size_t n,
    const struct slv_problem *problem, struct slv_err *err)
{
	struct slv_patch p = {
		.off = off,
		.len = n,
		.at = m->bytes.len,
		.problem = *problem,
	};

	SLV_TRY(slv_grow(&m->at, &m->cap, m->n + 1, sizeof(*m->at), err));
	slv_buf_add(&m->bytes, bytes, n);
	if (m->bytes.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	m->at[m->n++] = p;
	return SLV_OK;
}

enum slv_status
slv_mends_add_aside(
    struct slv_mends *m, const struct slv_aside *one, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &m->aside, &m->cap_aside, m->n_aside + 1, sizeof(*m->aside), err));
	m->aside[m->n_aside++] = *one;
	return SLV_OK;
}

enum slv_status
slv_mends_append(
    struct slv_mends *m, const struct slv_mends *more, struct slv_err *err)
{
	for (size_t i = 0; i < more->n; i++) {
		const struct slv_patch *p = &more->at[i];

		SLV_TRY(slv_mends_add(m, p->off, more->bytes.at + p->at, p->len,
		    &p->problem, err));
	}
	for (size_t i = 0; i < more->n_aside; i++)
		SLV_TRY(slv_mends_add_aside(m, &more->aside[i], err));
	return SLV_OK;
}

static int
compare_patches(const void *x, const void *y)
{
	const struct slv_patch *a = x, *b = y;

	return a->off < b->off ? -1 : a->off > b->off;
}

/* Sort them, and put those that are part of another one after it. */
static int
compare_asides(const void *x, const void *y)
{
	const struct slv_aside *a = x, *b = y;

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

static void
sort_asides(struct slv_mends *m)
{
	uint64_t end = 0;
	size_t n = 0;

	slv_sort(m->aside, m->n_aside, sizeof(*m->aside), compare_asides);
	for (size_t i = 0; i < m->n_aside; i++) {
		struct slv_aside a = m->aside[i];

		if (a.off < end)
			continue;
		end = a.end;
		m->aside[n++] = a;
	}
	m->n_aside = n;
}

void
slv_mends_sort(struct slv_mends *m)
{
	uint64_t end = 0;
	size_t n = 0;

	slv_sort(m->at, m->n, sizeof(*m->at), compare_patches);
	for (size_t i = 0; i < m->n; i++) {
		struct slv_patch p = m->at[i];

		if (p.off < end)
			continue;
		end = p.off + p.len;
		m->at[n++] = p;
	}
	m->n = n;
	sort_asides(m);
}

/* The first excluded range that ends after off. */
static const struct slv_aside *
aside_from(const struct slv_mends *m, uint64_t off)
{
	struct slv_search f = { .high = m != NULL ? m->n_aside : 0 };

	while (slv_search(&f))
		slv_search_on(&f, m->aside[f.mid].end <= off);
	return m != NULL && f.low < m->n_aside ? &m->aside[f.low] : NULL;
}

const struct slv_aside *
slv_mends_aside(const struct slv_mends *m, uint64_t off)
{
	const struct slv_aside *a = aside_from(m, off);

	return a != NULL && a->off <= off ? a : NULL;
}

uint64_t
slv_mends_ahead(const struct slv_mends *m, uint64_t off)
{
	const struct slv_aside *a = aside_from(m, off);
	const struct slv_range *barred =
	    m != NULL ? slv_ranges_from(&m->barred, off) : NULL;
	uint64_t ahead = a != NULL ? a->off : UINT64_MAX;

	return barred != NULL ? slv_min64(ahead, barred->off) : ahead;
}

size_t
slv_mends_from(const struct slv_mends *m, uint64_t off)
{
	struct slv_search f = { .high = m->n };

	while (slv_search(&f))
		slv_search_on(&f, m->at[f.mid].off + m->at[f.mid].len <= off);
	return f.low;
}

bool
slv_mends_hit(const struct slv_mends *m, uint64_t off, uint64_t len)
{
	size_t i = slv_mends_from(m, off);

	return i < m->n && m->at[i].off < off + len;
}

void
slv_mends_free(struct slv_mends *m)
{
	slv_free(m->at);
	slv_buf_free(&m->bytes);
	slv_ranges_free(&m->trusted);
	slv_ranges_free(&m->barred);
	slv_free(m->aside);
	*m = (struct slv_mends){ 0 };
}

/* What the input cannot read is unreadable here too, except for patches. */
static enum slv_status
inherit_unreadable(
    struct patched_source *ps, uint64_t off, size_t n, struct slv_err *err)
{
	const struct slv_ranges *bad = &ps->input->unreadable;
	const struct slv_range *r;

	for (r = slv_ranges_from(bad, off);
	     r != NULL && r < bad->at + bad->n && r->off < off + n; r++) {
		uint64_t at = slv_max64(r->off, off);
		uint64_t end = slv_min64(r->end, off + n);

		for (size_t i = slv_mends_from(ps->mends, at);
		     i < ps->mends->n && ps->mends->at[i].off < end; i++) {
			const struct slv_patch *p = &ps->mends->at[i];

			if (p->off > at)
				SLV_TRY(slv_ranges_add(&ps->base.unreadable, at,
				    p->off - at, err));
			at = p->off + p->len;
		}
		if (at < end)
			SLV_TRY(slv_ranges_add(
			    &ps->base.unreadable, at, end - at, err));
	}
	return SLV_OK;
}

/* What is known by now about unreadable bytes. */
static enum slv_status
inherit_known(struct patched_source *ps, struct slv_err *err)
{
	const struct slv_ranges *told = &ps->input->unrescued;

	for (size_t i = 0; i < told->n; i++)
		SLV_TRY(slv_ranges_add(&ps->base.unrescued, told->at[i].off,
		    told->at[i].end - told->at[i].off, err));
	return inherit_unreadable(ps, 0, (size_t)ps->base.size, err);
}

static enum slv_status
patched_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct patched_source *ps = (struct patched_source *)s;
	const struct slv_mends *m = ps->mends;
	uint8_t *to = buf;

	SLV_TRY(slv_source_read(ps->input, off, buf, n, err));
	for (size_t i = slv_mends_from(m, off);
	     i < m->n && m->at[i].off < off + n; i++) {
		const struct slv_patch *p = &m->at[i];
		uint64_t from = slv_max64(p->off, off);
		uint64_t end = slv_min64(p->off + p->len, off + n);

		memcpy(to + (from - off), m->bytes.at + p->at + (from - p->off),
		    (size_t)(end - from));
	}
	return inherit_unreadable(ps, off, n, err);
}

static enum slv_status
patched_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	struct patched_source *ps = (struct patched_source *)s;

	/* A patch in a hole ends the hole, because callers skip holes. */
	if (slv_mends_hit(ps->mends, off, len))
		return SLV_OK;
	return slv_source_unwritten(ps->input, off, len, out, err);
}

static bool
patched_has_writer(struct slv_source *s)
{
	return slv_source_has_writer(((struct patched_source *)s)->input);
}

static void
patched_close(struct slv_source *s)
{
	slv_free(s);
}

static const struct slv_source_ops patched_ops = {
	.read = patched_read,
	.unwritten = patched_unwritten,
	.has_writer = patched_has_writer,
	.close = patched_close,
};

enum slv_status
slv_patched_source(struct slv_source *input, const struct slv_mends *mends,
    struct slv_source **out, struct slv_err *err)
{
	struct patched_source *ps = slv_calloc(1, sizeof(*ps));

	if (ps == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	ps->base.ops = &patched_ops;
	ps->base.size = input->size;
	ps->base.name = input->name;
	ps->base.is_joined = input->is_joined;
	ps->base.is_view = input->is_view;
	ps->base.packing = input->packing;
	ps->input = input;
	ps->mends = mends;
	*out = &ps->base;
	return inherit_known(ps, err);
}
