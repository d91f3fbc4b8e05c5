/* joined.c - a source that is made of pieces of other sources. */
#include "core/copies/joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"

struct joined_source {
	struct slv_source base;
	const struct slv_joint *joint; /* borrowed */
	size_t last;                   /* piece of the last read */
};

enum slv_status
slv_joint_apart(struct slv_joint *j, struct slv_source *source, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	if (len == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&j->at, &j->cap, j->n + 1, sizeof(*j->at), err));
	j->at[j->n++] = (struct slv_piece){ source, off, j->size, len };
	j->size += len;
	return SLV_OK;
}

enum slv_status
slv_joint_add(struct slv_joint *j, struct slv_source *source, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	struct slv_piece *last = j->n > 0 ? &j->at[j->n - 1] : NULL;

	if (last == NULL || last->source != source
	    || last->off + last->len != off)
		return slv_joint_apart(j, source, off, len, err);
	last->len += len;
	j->size += len;
	return SLV_OK;
}

enum slv_status
slv_joint_bytes(
    struct slv_joint *j, const void *bytes, size_t n, struct slv_err *err)
{
	uint64_t at = j->made.len;

	slv_buf_add(&j->made, bytes, n);
	if (j->made.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return slv_joint_add(j, NULL, at, n, err);
}

size_t
slv_joint_find(const struct slv_joint *j, uint64_t off)
{
	struct slv_search f = { .high = j->n };

	while (slv_search(&f))
		slv_search_on(&f, j->at[f.mid].at <= off);
	return slv_search_last(&f);
}

void
slv_joint_free(struct slv_joint *j)
{
	slv_free(j->at);
	slv_buf_free(&j->made);
	slv_ranges_free(&j->disputed);
	slv_ranges_free(&j->torn);
	slv_ranges_free(&j->confirmed);
	*j = (struct slv_joint){ 0 };
}

/* The same; most reads continue where the last one ended. */
static size_t
find(const struct joined_source *js, uint64_t off)
{
	const struct slv_joint *j = js->joint;

	for (size_t i = js->last; i < j->n && i <= js->last + 1; i++) {
		if (off >= j->at[i].at && off - j->at[i].at < j->at[i].len)
			return i;
	}
	return slv_joint_find(j, off);
}

/* The part of a set in [from, from + n) of a piece's source, as ranges of the
 * joined source. */
static enum slv_status
inherit(const struct slv_piece *p, const struct slv_ranges *set, uint64_t from,
    uint64_t n, struct slv_ranges *out, struct slv_err *err)
{
	const struct slv_range *r;

	for (r = slv_ranges_from(set, from);
	     r != NULL && r < set->at + set->n && r->off < from + n; r++) {
		uint64_t off = slv_max64(r->off, from);
		uint64_t end = slv_min64(r->end, from + n);

		SLV_TRY(
		    slv_ranges_add(out, off - p->off + p->at, end - off, err));
	}
	return SLV_OK;
}

static enum slv_status
joined_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct joined_source *js = (struct joined_source *)s;
	uint8_t *to = buf;

	while (n > 0) {
		const struct slv_piece *p;
		uint64_t from;
		size_t take;

		js->last = find(js, off);
		p = &js->joint->at[js->last];
		take = (size_t)slv_min64(n, p->len - (off - p->at));
		from = p->off + (off - p->at);
		if (p->source == NULL) {
			memcpy(to, js->joint->made.at + from, take);
		} else {
			SLV_TRY(
			    slv_source_read(p->source, from, to, take, err));
			SLV_TRY(inherit(p, &p->source->unreadable, from, take,
			    &s->unreadable, err));
		}
		off += take;
		to += take;
		n -= take;
	}
	return SLV_OK;
}

static enum slv_status
joined_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	const struct joined_source *js = (struct joined_source *)s;
	uint64_t end = off + len;

	for (size_t i = find(js, off);
	     i < js->joint->n && js->joint->at[i].at < end; i++) {
		const struct slv_piece *p = &js->joint->at[i];
		uint64_t from = slv_max64(off, p->at) - p->at + p->off;
		uint64_t upto = slv_min64(end, p->at + p->len) - p->at + p->off;
		struct slv_ranges holes = { 0 };
		enum slv_status st = SLV_OK;

		if (p->source != NULL)
			st = slv_source_unwritten(
			    p->source, from, upto - from, &holes, err);
		if (st == SLV_OK)
			st = inherit(p, &holes, from, upto - from, out, err);
		slv_ranges_free(&holes);
		SLV_TRY(st);
	}
	return SLV_OK;
}

static bool
joined_has_writer(struct slv_source *s)
{
	const struct slv_joint *j = ((struct joined_source *)s)->joint;

	for (size_t i = 0; i < j->n; i++) {
		if (j->at[i].source != NULL
		    && slv_source_has_writer(j->at[i].source))
			return true;
	}
	return false;
}

static void
joined_close(struct slv_source *s)
{
	slv_free(s);
}

static const struct slv_source_ops joined_ops = {
	.read = joined_read,
	.unwritten = joined_unwritten,
	.has_writer = joined_has_writer,
	.close = joined_close,
};

/* What is known by now about bytes that cannot be trusted. */
static enum slv_status
inherit_known(struct joined_source *js, struct slv_err *err)
{
	const struct slv_joint *j = js->joint;
	struct slv_source *s = &js->base;

	for (size_t i = 0; i < j->torn.n; i++) {
		const struct slv_range *r = &j->torn.at[i];

		SLV_TRY(slv_ranges_add(
		    &s->unrescued, r->off, r->end - r->off, err));
		SLV_TRY(slv_ranges_add(
		    &s->unreadable, r->off, r->end - r->off, err));
	}
	for (size_t i = 0; i < j->n; i++) {
		const struct slv_piece *p = &j->at[i];

		if (p->source == NULL)
			continue;
		SLV_TRY(inherit(p, &p->source->unreadable, p->off, p->len,
		    &s->unreadable, err));
		SLV_TRY(inherit(p, &p->source->unrescued, p->off, p->len,
		    &s->unrescued, err));
	}
	return SLV_OK;
}

enum slv_status
slv_joined_source(const struct slv_joint *j, const char *name,
    struct slv_source **out, struct slv_err *err)
{
	struct joined_source *js = slv_calloc(1, sizeof(*js));

	if (js == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	js->base.ops = &joined_ops;
	js->base.size = j->size;
	js->base.name = name;
	js->base.is_joined = true;
	js->joint = j;
	*out = &js->base;
	return inherit_known(js, err);
}
