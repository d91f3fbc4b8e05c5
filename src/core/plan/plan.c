/* plan.c - build and inspect the list of segments. */
#include "core/plan/plan.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"

void
slv_plan_init(
    struct slv_plan *p, struct slv_source *input, enum slv_digest_kind kind)
{
	*p = (struct slv_plan){ .input = input, .digest_kind = kind };
}

static enum slv_status
append(struct slv_plan *p, struct slv_seg seg, struct slv_err *err)
{
	SLV_TRY(slv_grow(&p->at, &p->cap, p->n + 1, sizeof(*p->at), err));
	seg.out = p->size;
	p->at[p->n++] = seg;
	p->size += seg.len;
	return SLV_OK;
}

enum slv_status
slv_plan_copy(
    struct slv_plan *p, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct slv_seg *last = p->n > 0 ? &p->at[p->n - 1] : NULL;

	if (len == 0)
		return SLV_OK;
	if (last != NULL && last->kind == SLV_SEG_COPY
	    && last->arg + last->len == off) {
		last->len += len;
		p->size += len;
		return SLV_OK;
	}
	return append(p,
	    (struct slv_seg){ .kind = SLV_SEG_COPY, .len = len, .arg = off },
	    err);
}

enum slv_status
slv_plan_bytes(
    struct slv_plan *p, const void *bytes, size_t n, struct slv_err *err)
{
	struct slv_seg *last = p->n > 0 ? &p->at[p->n - 1] : NULL;
	uint64_t off = p->literals.len;

	if (n == 0)
		return SLV_OK;
	slv_buf_add(&p->literals, bytes, n);
	if (p->literals.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (last != NULL && last->kind == SLV_SEG_BYTES
	    && last->arg + last->len == off) {
		last->len += n;
		p->size += n;
		return SLV_OK;
	}
	return append(p,
	    (struct slv_seg){ .kind = SLV_SEG_BYTES, .len = n, .arg = off },
	    err);
}

enum slv_status
slv_plan_buf(struct slv_plan *p, struct slv_buf *buf, struct slv_err *err)
{
	SLV_TRY(slv_buf_check(buf, err));
	SLV_TRY(slv_plan_bytes(p, buf->at, buf->len, err));
	buf->len = 0;
	return SLV_OK;
}

enum slv_status
slv_plan_replace(
    struct slv_plan *p, size_t i, const void *bytes, struct slv_err *err)
{
	struct slv_seg *seg = &p->at[i];
	uint64_t off = p->literals.len;

	slv_buf_add(&p->literals, bytes, (size_t)seg->len);
	if (p->literals.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	seg->kind = SLV_SEG_BYTES;
	seg->arg = off;
	return SLV_OK;
}

enum slv_status
slv_plan_fill(
    struct slv_plan *p, uint8_t byte, uint64_t len, struct slv_err *err)
{
	if (len == 0)
		return SLV_OK;
	return append(p,
	    (struct slv_seg){ .kind = SLV_SEG_FILL, .len = len, .fill = byte },
	    err);
}

enum slv_status
slv_plan_digest(struct slv_plan *p, struct slv_err *err)
{
	p->has_digest = true;
	p->digest_off = p->size;
	return append(p,
	    (struct slv_seg){
	        .kind = SLV_SEG_DIGEST,
	        .len = slv_digest_size(p->digest_kind),
	    },
	    err);
}

enum slv_status
slv_plan_make(struct slv_plan *p, size_t len, slv_make_fn make,
    slv_made_fn check, const void *ctx, uint64_t arg, struct slv_err *err)
{
	if (len == 0)
		return SLV_OK;
	if (len > SLV_MADE_MAX)
		return slv_fail(
		    err, SLV_E_BUG, "made segment of %zu bytes", len);
	return append(p,
	    (struct slv_seg){
	        .kind = SLV_SEG_MADE,
	        .len = len,
	        .arg = arg,
	        .make = make,
	        .check = check,
	        .ctx = ctx,
	    },
	    err);
}

uint64_t
slv_plan_prefix(const struct slv_plan *p)
{
	if (p->n == 0 || p->at[0].kind != SLV_SEG_COPY || p->at[0].arg != 0)
		return 0;
	return p->at[0].len;
}

uint64_t
slv_plan_unchanged(const struct slv_plan *p)
{
	uint64_t n = p->input->is_view ? 0 : slv_plan_prefix(p);

	return p->mends != NULL && p->mends->n > 0
	    ? slv_min64(n, p->mends->at[0].off)
	    : n;
}

uint64_t
slv_plan_where(const struct slv_plan *p, uint64_t off)
{
	uint64_t nearest = UINT64_MAX, out = p->size;

	for (size_t i = 0; i < p->n; i++) {
		const struct slv_seg *seg = &p->at[i];
		uint64_t at = slv_max64(seg->arg, off);

		/* Data that an index repeats precede it. */
		if (seg->kind != SLV_SEG_COPY || at - seg->arg >= seg->len
		    || at >= nearest)
			continue;
		nearest = at;
		out = seg->out + (at - seg->arg);
	}
	return out;
}

size_t
slv_plan_find(const struct slv_plan *p, uint64_t off)
{
	struct slv_search f = { .high = p->n };

	while (slv_search(&f))
		slv_search_on(&f, p->at[f.mid].out <= off);
	return slv_search_last(&f);
}

bool
slv_plan_is_identity(const struct slv_plan *p)
{
	return p->size == p->input->size && slv_plan_prefix(p) == p->size
	    && !p->input->is_view && (p->mends == NULL || p->mends->n == 0);
}

void
slv_plan_free(struct slv_plan *p)
{
	slv_free(p->at);
	slv_buf_free(&p->literals);
	*p = (struct slv_plan){ 0 };
}
