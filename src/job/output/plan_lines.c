/* plan_lines.c - a plan as text. */
#include "job/output/plan_lines.h"

#include "base/bytes.h"
#include "base/mem.h"

struct lines {
	struct slv_report *r;
	const struct slv_view *view;
	size_t cap;
	struct slv_err *err;
};

/* Append a line; bytes that are not copied are grouped. */
static enum slv_status
add(struct lines *l, const struct slv_plan_line *line)
{
	struct slv_report *r = l->r;
	struct slv_plan_line *last =
	    r->n_plan > 0 ? &r->plan[r->n_plan - 1] : NULL;

	if (line->len == 0)
		return SLV_OK;
	if (last != NULL && line->kind != SLV_SEG_COPY
	    && last->kind != SLV_SEG_COPY) {
		last->len += line->len;
		return SLV_OK;
	}
	SLV_TRY(slv_grow(
	    &r->plan, &l->cap, r->n_plan + 1, sizeof(*r->plan), l->err));
	r->plan[r->n_plan++] = *line;
	return SLV_OK;
}

/* Bytes that are copied from a place of the view, piece by piece. */
static enum slv_status
add_pieces(struct lines *l, uint64_t in, uint64_t out, uint64_t len)
{
	while (len > 0) {
		uint64_t n = slv_min64(slv_view_run(l->view, in), len);

		SLV_TRY(add(l,
		    &(struct slv_plan_line){
		        .kind = SLV_SEG_COPY,
		        .in = slv_view_at(l->view, in),
		        .out = out,
		        .len = n,
		    }));
		in += n;
		out += n;
		len -= n;
	}
	return SLV_OK;
}

/* A copied segment: patched bytes of it are not bytes of the file. */
static enum slv_status
add_copy(
    struct lines *l, const struct slv_plan *plan, const struct slv_seg *seg)
{
	const struct slv_mends *m = plan->mends;
	uint64_t at = seg->arg, end = seg->arg + seg->len;

	while (at < end) {
		size_t i = m != NULL ? slv_mends_from(m, at) : 0;
		bool any = m != NULL && i < m->n && m->at[i].off < end;
		uint64_t patch = any ? slv_max64(m->at[i].off, at) : end;
		uint64_t behind =
		    any ? slv_min64(m->at[i].off + m->at[i].len, end) : end;

		SLV_TRY(
		    add_pieces(l, at, at - seg->arg + seg->out, patch - at));
		SLV_TRY(add(l,
		    &(struct slv_plan_line){
		        .kind = SLV_SEG_BYTES,
		        .out = patch - seg->arg + seg->out,
		        .len = behind - patch,
		    }));
		at = behind;
	}
	return SLV_OK;
}

enum slv_status
slv_plan_lines(struct slv_report *r, const struct slv_plan *plan,
    const struct slv_view *view, struct slv_err *err)
{
	struct lines l = { .r = r, .view = view, .err = err };

	for (size_t i = 0; i < plan->n; i++) {
		const struct slv_seg *seg = &plan->at[i];

		if (seg->kind == SLV_SEG_COPY)
			SLV_TRY(add_copy(&l, plan, seg));
		else
			SLV_TRY(add(&l,
			    &(struct slv_plan_line){
			        .kind = SLV_SEG_BYTES,
			        .out = seg->out,
			        .len = seg->len,
			    }));
	}
	return SLV_OK;
}
