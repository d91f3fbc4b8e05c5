/* plan_run.c - read a plan like a file, seal it, stream it to a sink. */
#include "core/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define CHUNK ((size_t)256 << 10) /* bytes moved at once */

struct plan_source {
	struct slv_source base;
	const struct slv_plan *plan;
	size_t last;                /* segment of the last read */
	const struct slv_seg *made; /* what scratch holds, or NULL */
	uint8_t *scratch;           /* owned; a made segment */
	size_t room;
	bool checking; /* what is made */
};

/* slv_plan_find; reads mostly go on where the last one ended. */
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

/* Encode a segment at out, which has the slack. */
static enum slv_status
make(const struct plan_source *ps, const struct slv_seg *seg, uint8_t *out,
    struct slv_err *err)
{
	SLV_TRY(seg->make(seg->ctx, seg->arg, out, err));
	if (!ps->checking || seg->check == NULL)
		return SLV_OK;
	return seg->check(seg->ctx, seg->arg, out, (size_t)seg->len, err);
}

/* The same in the scratch, for one that is read in parts. */
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

/* n bytes of one segment, from `at` bytes into it; buf has room for more of
 * those behind it. */
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
		/* What is spoilt behind it is read next. */
		if (n == seg->len && room >= n + SLV_MADE_SLACK)
			return make(ps, seg, buf, err);
		SLV_TRY(make_scratch(ps, seg, err));
		memcpy(buf, ps->scratch + at, n);
		return SLV_OK;
	case SLV_SEG_DIGEST: memcpy(buf, p->digest + at, n); return SLV_OK;
	}
	return slv_fail(err, SLV_E_BUG, "unknown segment");
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
	free(((struct plan_source *)s)->scratch);
	free(s);
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

enum slv_status
slv_plan_seal(
    struct slv_plan *p, const struct slv_hasher *hasher, struct slv_err *err)
{
	const struct slv_hash_mark *mark =
	    slv_hasher_before(hasher, slv_plan_prefix(p));
	struct slv_hasher h = { 0 };
	struct slv_source *out = NULL;
	enum slv_status st;

	SLV_TRY(slv_plan_source(p, &out, err));
	((struct plan_source *)out)->checking = true;
	st = slv_hasher_init(&h, out, p->digest_kind, hasher->cancel, err);
	if (st == SLV_OK && mark->digest.kind == p->digest_kind)
		h.now = *mark;
	h.meter = p->meter;
	slv_meter_begin(h.meter, SLV_PHASE_SEAL, p->size);
	if (st == SLV_OK)
		slv_hasher_spread(&h);
	if (st == SLV_OK && p->has_digest) {
		st = slv_hasher_to(&h, p->digest_off, err);
		slv_hasher_settle(&h);
		slv_digest_get(&h.now.digest, p->digest);
	}
	if (st == SLV_OK)
		st = slv_hasher_to(&h, p->size, err);
	slv_hasher_rest(&h);
	if (st == SLV_OK) {
		slv_digest_get(&h.now.digest, p->whole);
		p->sealed = true;
	}
	slv_hasher_free(&h);
	slv_source_close(out);
	return st;
}

/* Hand every chunk of the output to fn, until it fails or says stop. */
typedef enum slv_status (*chunk_fn)(void *ctx, uint64_t off,
    const uint8_t *bytes, size_t n, bool *stop, struct slv_err *);

static enum slv_status
each_chunk(const struct slv_plan *p, uint64_t from, enum slv_phase phase,
    const volatile sig_atomic_t *cancel, chunk_fn fn, void *ctx,
    struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, CHUNK);
	struct slv_source *out = NULL;
	enum slv_status st;
	bool stop = false;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_plan_source(p, &out, err);
	slv_meter_begin(p->meter, phase, p->size);
	for (uint64_t off = from; st == SLV_OK && !stop && off < p->size;) {
		size_t n = (size_t)slv_min64(p->size - off, CHUNK);

		if (cancel != NULL && *cancel)
			st = slv_fail(err, SLV_E_CANCELLED, "stopped");
		if (st == SLV_OK)
			st = slv_source_read(out, off, buf, n, err);
		if (st == SLV_OK)
			st = fn(ctx, off, buf, n, &stop, err);
		off += n;
		slv_meter_at(p->meter, off);
	}
	slv_source_close(out);
	free(buf);
	return st;
}

struct running {
	struct slv_sink *sink;
	struct slv_digest digest;
};

static enum slv_status
hand_over(void *ctx, uint64_t off, const uint8_t *bytes, size_t n, bool *stop,
    struct slv_err *err)
{
	struct running *r = ctx;

	(void)off;
	(void)stop;
	SLV_TRY(r->sink->ops->write(r->sink, bytes, n, err));
	slv_digest_add(&r->digest, bytes, n);
	return SLV_OK;
}

/* Sectors that failed after the scan were served as zeros: what was copied
 * from them is not what the log held. */
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

enum slv_status
slv_plan_run(const struct slv_plan *p, struct slv_sink *sink,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	struct running r = { .sink = sink };
	uint8_t digest[SLV_DIGEST_MAX];

	if (sink->n != (from != NULL ? from->off : 0))
		return slv_fail(err, SLV_E_BUG,
		    "%s: %llu bytes of the output are there, not %llu",
		    p->input->name, (unsigned long long)sink->n,
		    (unsigned long long)(from != NULL ? from->off : 0));
	slv_digest_init(&r.digest, p->digest_kind);
	if (from != NULL)
		r.digest = from->digest;
	SLV_TRY(each_chunk(
	    p, sink->n, SLV_PHASE_WRITE, cancel, hand_over, &r, err));
	SLV_TRY(check_readable(p, err));
	slv_digest_get(&r.digest, digest);
	if (sink->n != p->size
	    || memcmp(digest, p->whole, slv_digest_size(p->digest_kind)) != 0)
		return slv_fail(err, SLV_E_BUG,
		    "%s: the bytes written are not those planned: the file "
		    "changed since it was scanned, or memory is bad; nothing "
		    "was published",
		    p->input->name);
	return SLV_OK;
}

struct comparing {
	struct slv_source *other;
	uint8_t *buf;
	bool same;
};

static enum slv_status
compare_chunk(void *ctx, uint64_t off, const uint8_t *bytes, size_t n,
    bool *stop, struct slv_err *err)
{
	struct comparing *c = ctx;

	SLV_TRY(slv_source_read(c->other, off, c->buf, n, err));
	c->same = memcmp(c->buf, bytes, n) == 0;
	*stop = !c->same;
	return SLV_OK;
}

enum slv_status
slv_plan_compare(const struct slv_plan *p, struct slv_source *other,
    const volatile sig_atomic_t *cancel, bool *same, struct slv_err *err)
{
	struct comparing c = { .other = other, .same = true };
	enum slv_status st;

	*same = false;
	if (other->size != p->size)
		return SLV_OK;
	c.buf = slv_realloc(NULL, CHUNK);
	if (c.buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st =
	    each_chunk(p, 0, SLV_PHASE_COMPARE, cancel, compare_chunk, &c, err);
	free(c.buf);
	*same = st == SLV_OK && c.same && other->unreadable.n == 0;
	return st;
}
