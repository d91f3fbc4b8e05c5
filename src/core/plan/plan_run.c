/* plan_run.c - read a plan like a file, digest it, stream it to a sink. */
#include "core/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define CHUNK ((size_t)256 << 10) /* bytes compared at once */

struct plan_source {
	struct slv_source base;
	const struct slv_plan *plan;
	size_t last;                /* segment of the last read */
	const struct slv_seg *made; /* the segment in scratch, or NULL */
	uint8_t *scratch;           /* owned; a made segment */
	size_t room;
	bool checking; /* check made segments */
};

/* slv_plan_find; most reads continue where the last one ended. */
static size_t
find(const struct plan_source *ps, uint64_t off)
{
	const struct slv_plan *p = ps->plan;

	for (size_t i = ps->last; i < p->n && i <= ps->last + 1; i++) {
		if (off >= p->at[i].out && off - p->at[i].out < p->at[i].len)
			return i;
	}
	return slv_plan_find(p, off);
}

/* Encode a segment; `out` has space for SLV_MADE_SLACK bytes more. */
static enum slv_status
make(const struct plan_source *ps, const struct slv_seg *seg, uint8_t *out,
    struct slv_err *err)
{
	SLV_TRY(seg->make(seg->ctx, seg->arg, out, err));
	if (!ps->checking || seg->check == NULL)
		return SLV_OK;
	return seg->check(seg->ctx, seg->arg, out, (size_t)seg->len, err);
}

/* Encode a segment that is read in parts into the scratch buffer. */
static enum slv_status
make_scratch(
    struct plan_source *ps, const struct slv_seg *seg, struct slv_err *err)
{
	if (ps->made == seg)
		return SLV_OK;
	if (seg->len > ps->room) {
		uint8_t *grown =
		    slv_realloc(ps->scratch, (size_t)seg->len + SLV_MADE_SLACK);

		if (grown == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		ps->scratch = grown;
		ps->room = (size_t)seg->len;
	}
	ps->made = NULL;
	SLV_TRY(make(ps, seg, ps->scratch, err));
	ps->made = seg;
	return SLV_OK;
}

/* Read n bytes of one segment, from `at` bytes into it; buf has space for `room`
 * bytes. */
static enum slv_status
read_segment(struct plan_source *ps, const struct slv_seg *seg, uint64_t at,
    uint8_t *buf, size_t n, size_t room, struct slv_err *err)
{
	const struct slv_plan *p = ps->plan;

	switch (seg->kind) {
	case SLV_SEG_COPY:
		return slv_source_read(p->input, seg->arg + at, buf, n, err);
	case SLV_SEG_BYTES:
		memcpy(buf, p->literals.at + seg->arg + at, n);
		return SLV_OK;
	case SLV_SEG_FILL: memset(buf, seg->fill, n); return SLV_OK;
	case SLV_SEG_MADE:
		/* make() overwrites some bytes after it, which are read next. */
		if (n == seg->len && room >= n + SLV_MADE_SLACK)
			return make(ps, seg, buf, err);
		SLV_TRY(make_scratch(ps, seg, err));
		memcpy(buf, ps->scratch + at, n);
		return SLV_OK;
	case SLV_SEG_DIGEST:
		if (!p->sealed)
			break;
		memcpy(buf, p->digest + at, n);
		return SLV_OK;
	}
	return slv_fail(err, SLV_E_BUG, "a plan is read before it is sealed");
}

static enum slv_status
plan_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct plan_source *ps = (struct plan_source *)s;
	uint8_t *to = buf;

	while (n > 0) {
		const struct slv_seg *seg;
		size_t take;

		ps->last = find(ps, off);
		seg = &ps->plan->at[ps->last];
		take = (size_t)slv_min64(n, seg->len - (off - seg->out));
		SLV_TRY(
		    read_segment(ps, seg, off - seg->out, to, take, n, err));
		off += take;
		to += take;
		n -= take;
	}
	return SLV_OK;
}

static void
plan_close(struct slv_source *s)
{
	slv_free(((struct plan_source *)s)->scratch);
	slv_free(s);
}

static const struct slv_source_ops plan_ops = {
	.read = plan_read,
	.close = plan_close,
};

enum slv_status
slv_plan_source(
    const struct slv_plan *p, struct slv_source **out, struct slv_err *err)
{
	struct plan_source *ps = slv_calloc(1, sizeof(*ps));

	if (ps == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	ps->base.ops = &plan_ops;
	ps->base.size = p->size;
	ps->base.name = p->input->name;
	ps->plan = p;
	*out = &ps->base;
	return SLV_OK;
}

/* A pass over the output: everything is read and hashed, and made segments are
 * checked. */
struct pass {
	struct slv_hasher hasher;
	struct slv_source *out;
};

/* Begin after what `mark` covers. */
static enum slv_status
begin(struct pass *q, const struct slv_plan *p,
    const struct slv_hash_mark *mark, const volatile sig_atomic_t *cancel,
    enum slv_phase phase, struct slv_err *err)
{
	struct slv_hasher *h = &q->hasher;

	*q = (struct pass){ .out = NULL };
	SLV_TRY(slv_plan_source(p, &q->out, err));
	SLV_TRY(slv_hasher_init(h, q->out, p->digest_kind, cancel, err));
	if (mark != NULL && mark->digest.kind == p->digest_kind)
		h->now = *mark;
	h->meter = p->meter;
	slv_meter_begin(h->meter, phase, p->size);
	slv_hasher_spread(h);
	return SLV_OK;
}

static void
end(struct pass *q)
{
	slv_hasher_free(&q->hasher);
	slv_source_close(q->out);
}

/* Continue to the end, and store the final digest and state. */
static enum slv_status
go_to_end(struct pass *q, struct slv_plan *p, struct slv_err *err)
{
	SLV_TRY(slv_hasher_to(&q->hasher, p->size, err));
	slv_hasher_rest(&q->hasher);
	p->whole_mark = q->hasher.now;
	slv_digest_get(&p->whole_mark.digest, p->whole);
	p->known = true;
	return SLV_OK;
}

/* Hash the leading bytes that the output shares with the input, and keep the state: a later
 * digest of these bytes starts from there. */
static enum slv_status
pass_prefix(struct pass *q, struct slv_plan *p, struct slv_err *err)
{
	uint64_t prefix = slv_plan_prefix(p);

	if (!p->sealed)
		prefix = slv_min64(prefix, p->digest_off);
	if (prefix > q->hasher.now.off) {
		SLV_TRY(slv_hasher_to(&q->hasher, prefix, err));
		slv_hasher_settle(&q->hasher);
	}
	if (q->hasher.now.off <= prefix)
		p->prefix_mark = q->hasher.now;
	return SLV_OK;
}

/* If the output holds a digest of itself that is not known yet, compute that first:
 * only then can the rest be read. */
static enum slv_status
pass_over(struct pass *q, struct slv_plan *p, struct slv_err *err)
{
	((struct plan_source *)q->out)->checking = true;
	SLV_TRY(pass_prefix(q, p, err));
	if (!p->sealed) {
		SLV_TRY(slv_hasher_to(&q->hasher, p->digest_off, err));
		slv_hasher_settle(&q->hasher);
		slv_digest_get(&q->hasher.now.digest, p->digest);
		p->sealed = true;
	}
	return go_to_end(q, p, err);
}

void
slv_plan_close(struct slv_plan *p)
{
	p->closed = true;
	p->sealed = !p->has_digest;
	p->known = false;
}

enum slv_status
slv_plan_seal(
    struct slv_plan *p, const struct slv_hasher *hasher, struct slv_err *err)
{
	slv_plan_close(p);
	return p->sealed ? SLV_OK : slv_plan_know(p, hasher, NULL, NULL, err);
}

enum slv_status
slv_plan_know(struct slv_plan *p, const struct slv_hasher *hasher,
    struct slv_sink *sink, const struct slv_hash_mark *from,
    struct slv_err *err)
{
	struct pass q;
	enum slv_status st;

	if (p->known)
		return SLV_OK;
	if (sink == NULL)
		from = slv_hasher_before(hasher, slv_plan_prefix(p));
	st = begin(&q, p, from, hasher->cancel, SLV_PHASE_SEAL, err);
	if (st == SLV_OK) {
		q.hasher.sink = sink;
		st = pass_over(&q, p, err);
	}
	end(&q);
	return st;
}

enum slv_status
slv_plan_know_end(struct slv_plan *p, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	struct slv_hash_mark from = { .off = slv_plan_unchanged(p) };
	struct pass q;
	enum slv_status st;

	if (!p->sealed)
		return slv_fail(err, SLV_E_BUG, "a plan with a digest in it");
	from.off -= slv_min64(from.off, SLV_PLAN_TAIL);
	slv_digest_init(&from.digest, p->digest_kind);
	st = begin(&q, p, &from, cancel, SLV_PHASE_SEAL, err);
	if (st == SLV_OK) {
		((struct plan_source *)q.out)->checking = true;
		st = go_to_end(&q, p, err);
		p->whole_from = from.off;
	}
	end(&q);
	return st;
}

/* Sectors that failed after the scan were served as zeros: bytes copied from
 * them are not the log's. */
static enum slv_status
check_readable(const struct slv_plan *p, struct slv_err *err)
{
	for (size_t i = 0; i < p->n && p->input->unreadable.n > 0; i++) {
		const struct slv_seg *seg = &p->at[i];

		if (seg->kind == SLV_SEG_COPY
		    && slv_ranges_hit(
		        &p->input->unreadable, seg->arg, seg->len))
			return slv_fail(err, SLV_E_IO,
			    "%s: sectors fail that could be read before; "
			    "image the disk first, with GNU ddrescue",
			    p->input->name);
	}
	return SLV_OK;
}

static enum slv_status
stream(struct pass *q, struct slv_plan *again, struct slv_sink *sink,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	SLV_TRY(begin(q, again, from, cancel, SLV_PHASE_WRITE, err));
	q->hasher.sink = sink;
	return go_to_end(q, again, err);
}

enum slv_status
slv_plan_run(const struct slv_plan *p, struct slv_sink *sink,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	struct slv_plan again = *p;
	struct pass q = { .out = NULL };
	enum slv_status st;

	if (!p->known)
		return slv_fail(err, SLV_E_BUG,
		    "%s: the output is to be written before it is known",
		    p->input->name);
	if (sink->n != (from != NULL ? from->off : 0))
		return slv_fail(err, SLV_E_BUG,
		    "%s: %llu bytes of the output are there, not %llu",
		    p->input->name, (unsigned long long)sink->n,
		    (unsigned long long)(from != NULL ? from->off : 0));
	st = stream(&q, &again, sink, from, cancel, err);
	end(&q);
	SLV_TRY(st);
	SLV_TRY(check_readable(p, err));
	if (sink->n != p->size
	    || memcmp(again.whole, p->whole, slv_digest_size(p->digest_kind))
	        != 0)
		return slv_fail(err, SLV_E_BUG,
		    "%s: the bytes written are not those planned: the file "
		    "changed since it was scanned, or memory is bad; nothing "
		    "was published",
		    p->input->name);
	return SLV_OK;
}

/* Compare the next piece of both, n bytes at off.  buf has space for two. */
static enum slv_status
compare(struct slv_source *a, struct slv_source *b, uint64_t off, size_t n,
    uint8_t *buf, bool *same, struct slv_err *err)
{
	SLV_TRY(slv_source_read(a, off, buf, n, err));
	SLV_TRY(slv_source_read(b, off, buf + CHUNK, n, err));
	*same = memcmp(buf, buf + CHUNK, n) == 0;
	return SLV_OK;
}

enum slv_status
slv_plan_compare(const struct slv_plan *p, struct slv_source *other,
    const volatile sig_atomic_t *cancel, bool *same, struct slv_err *err)
{
	struct slv_source *out = NULL;
	enum slv_status st;
	uint8_t *buf;

	*same = other->size == p->size;
	if (!*same)
		return SLV_OK;
	buf = slv_realloc(NULL, 2 * CHUNK);
	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_plan_source(p, &out, err);
	slv_meter_begin(p->meter, SLV_PHASE_COMPARE, p->size);
	for (uint64_t off = 0; st == SLV_OK && *same && off < p->size;) {
		size_t n = (size_t)slv_min64(p->size - off, CHUNK);

		st = slv_is_cancelled(cancel)
		    ? slv_fail(err, SLV_E_CANCELLED, "stopped")
		    : compare(out, other, off, n, buf, same, err);
		off += n;
		slv_meter_at(p->meter, off);
	}
	slv_source_close(out);
	slv_free(buf);
	*same &= st == SLV_OK && other->unreadable.n == 0;
	return st;
}
