/* view.c - the input without some of its bytes, or in another order. */
#include "core/readings/view.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"

enum slv_status
slv_view_init(struct slv_view *v, struct slv_err *err)
{
	*v = (struct slv_view){ .joint = slv_calloc(1, sizeof(*v->joint)) };
	return v->joint != NULL ? SLV_OK
	                        : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

enum slv_status
slv_view_note(
    struct slv_view *v, const struct slv_problem *why, struct slv_err *err)
{
	SLV_TRY(
	    slv_grow(&v->why, &v->cap_why, v->n_why + 1, sizeof(*v->why), err));
	v->why[v->n_why++] = *why;
	return SLV_OK;
}

enum slv_status
slv_view_why(struct slv_view *v, const struct slv_problem_info *info,
    uint64_t off, uint64_t len, struct slv_err *err)
{
	const struct slv_problem why = { .info = info, .off = off, .len = len };

	return slv_view_note(v, &why, err);
}

enum slv_status
slv_view_without(
    struct slv_view *v, struct slv_source *input, struct slv_err *err)
{
	uint64_t at = 0;

	for (size_t i = 0; i < v->n_why; i++) {
		SLV_TRY(slv_joint_add(
		    v->joint, input, at, v->why[i].off - at, err));
		at = v->why[i].off + v->why[i].len;
	}
	return slv_joint_add(v->joint, input, at, input->size - at, err);
}

/* Convert the pieces to pieces of the input through the view below. */
static enum slv_status
flatten(struct slv_view *v, struct slv_source *input,
    const struct slv_view *below, struct slv_err *err)
{
	struct slv_joint flat = { .at = NULL };
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && i < v->joint->n; i++) {
		const struct slv_piece *p = &v->joint->at[i];
		uint64_t at = p->off, end = p->off + p->len;

		while (st == SLV_OK && at < end) {
			uint64_t n =
			    slv_min64(slv_view_run(below, at), end - at);

			st = slv_joint_add(
			    &flat, input, slv_view_at(below, at), n, err);
			at += n;
		}
	}
	slv_free(v->joint->at);
	v->joint->at = flat.at;
	v->joint->n = flat.n;
	v->joint->cap = flat.cap;
	return st;
}

static int
compare_why(const void *a, const void *b)
{
	const struct slv_problem *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

enum slv_status
slv_view_open(struct slv_view *v, struct slv_source *input,
    const struct slv_view *below, struct slv_err *err)
{
	if (below->source != NULL) {
		SLV_TRY(flatten(v, input, below, err));
		for (size_t i = 0; i < v->n_why; i++)
			slv_view_range(below, &v->why[i].off, &v->why[i].len);
		for (size_t i = 0; i < below->n_why; i++)
			SLV_TRY(slv_view_note(v, &below->why[i], err));
	}
	slv_sort(v->why, v->n_why, sizeof(*v->why), compare_why);
	SLV_TRY(slv_joined_source(v->joint, input->name, &v->source, err));
	v->source->is_joined = v->joint->torn.n > 0;
	v->source->is_view = true;
	v->source->packing = input->packing;
	return SLV_OK;
}

uint64_t
slv_view_at(const struct slv_view *v, uint64_t off)
{
	const struct slv_joint *j = v->joint;
	const struct slv_piece *p;

	if (v->source == NULL || j->n == 0)
		return off;
	p = &j->at[off < j->size ? slv_joint_find(j, off) : j->n - 1];
	return p->off + (off - p->at);
}

uint64_t
slv_view_run(const struct slv_view *v, uint64_t off)
{
	const struct slv_joint *j = v->joint;
	const struct slv_piece *p;

	if (v->source == NULL || off >= j->size)
		return UINT64_MAX;
	p = &j->at[slv_joint_find(j, off)];
	return p->at + p->len - off;
}

void
slv_view_range(const struct slv_view *v, uint64_t *off, uint64_t *len)
{
	const struct slv_joint *j = v->joint;
	uint64_t first = slv_view_at(v, *off), last;

	if (v->source == NULL)
		return;
	if (*len > 0 && *off < j->size) {
		last = slv_view_at(v, slv_min64(*off + *len, j->size) - 1);
		*len = last >= first ? last + 1 - first
		                     : slv_min64(*len, slv_view_run(v, *off));
	}
	*off = first;
}

const struct slv_piece *
slv_view_moved(const struct slv_view *v)
{
	for (size_t i = 0; v->source != NULL && i < v->joint->n; i++) {
		if (v->joint->at[i].off != v->joint->at[i].at)
			return &v->joint->at[i];
	}
	return NULL;
}

enum slv_fate
slv_view_fate(const struct slv_problem *why)
{
	return why->info->risk == SLV_RISK_LOST ? SLV_FOREIGN : SLV_FILLER;
}

uint64_t
slv_view_foreign(const struct slv_view *v)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < v->n_why; i++) {
		if (slv_view_fate(&v->why[i]) == SLV_FOREIGN)
			sum += v->why[i].len;
	}
	return sum;
}

/* Extents of the input, in any order. */
struct extents {
	struct slv_extent *at; /* owned */
	size_t n, cap;
};

static enum slv_status
add(struct extents *x, uint64_t off, uint64_t len, enum slv_fate fate,
    unsigned part, struct slv_err *err)
{
	SLV_TRY(slv_grow(&x->at, &x->cap, x->n + 1, sizeof(*x->at), err));
	x->at[x->n++] = (struct slv_extent){ off, len, fate, part };
	return SLV_OK;
}

/* The catalog's extents in a piece. */
static enum slv_status
add_piece(struct extents *x, const struct slv_piece *p,
    const struct slv_catalog *c, struct slv_err *err)
{
	uint64_t end = p->at + p->len;

	for (size_t i = slv_catalog_find(c, p->at);
	     i < c->n && c->at[i].off < end; i++) {
		const struct slv_extent *e = &c->at[i];
		uint64_t off = slv_max64(e->off, p->at);
		uint64_t upto = slv_min64(e->off + e->len, end);

		SLV_TRY(add(x, off - p->at + p->off, upto - off, e->fate,
		    e->part, err));
	}
	return SLV_OK;
}

static int
compare(const void *a, const void *b)
{
	const struct slv_extent *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

/* Continue the catalog up to an offset with bytes that no extent covers. */
static enum slv_status
tile_rest(const struct slv_view *v, uint64_t end, unsigned part,
    struct slv_catalog *out, struct slv_err *err)
{
	for (size_t i = 0; i < v->n_why; i++) {
		const struct slv_problem *why = &v->why[i];
		uint64_t off = slv_min64(slv_max64(why->off, out->end), end);
		uint64_t upto = slv_min64(why->off + why->len, end);

		if (slv_view_fate(why) != SLV_FOREIGN || off >= upto)
			continue;
		SLV_TRY(slv_catalog_add(
		    out, off - out->end, SLV_FILLER, part, err));
		SLV_TRY(
		    slv_catalog_add(out, upto - off, SLV_FOREIGN, part, err));
	}
	return slv_catalog_add(out, end - out->end, SLV_FILLER, part, err);
}

/* Tile [0, size). */
static enum slv_status
tile(const struct slv_view *v, struct extents *x, uint64_t size,
    struct slv_catalog *out, struct slv_err *err)
{
	slv_sort(x->at, x->n, sizeof(*x->at), compare);
	for (size_t i = 0; i <= x->n; i++) {
		uint64_t off = i < x->n ? x->at[i].off : size;
		unsigned part = i < x->n ? x->at[i].part : out->at[0].part;

		SLV_TRY(tile_rest(v, off, part, out, err));
		if (i < x->n)
			SLV_TRY(slv_catalog_add(
			    out, x->at[i].len, x->at[i].fate, part, err));
	}
	return SLV_OK;
}

enum slv_status
slv_view_catalog(const struct slv_view *v, const struct slv_catalog *c,
    uint64_t size, struct slv_catalog *out, struct slv_err *err)
{
	struct extents x = { .at = NULL };
	enum slv_status st = SLV_OK;

	for (size_t i = 0; st == SLV_OK && c->n > 0 && i < v->joint->n; i++)
		st = add_piece(&x, &v->joint->at[i], c, err);
	if (st == SLV_OK && x.n > 0)
		st = tile(v, &x, size, out, err);
	slv_free(x.at);
	return st;
}

void
slv_view_free(struct slv_view *v)
{
	slv_source_close(v->source);
	if (v->joint != NULL)
		slv_joint_free(v->joint);
	slv_free(v->joint);
	slv_free(v->why);
	*v = (struct slv_view){ .source = NULL };
}
