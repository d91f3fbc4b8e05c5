/* packed.c - a log that was compressed as a whole. */
#include "job/input/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "codec/unpack.h"
#include "io/read/window.h"

/* A log that becomes larger than both of its compressed size fills a disk and is no
 * log: recordings shrink to a hundredth at best. */
#define BOMB_TIMES 1024
#define BOMB_BYTES ((uint64_t)256 << 20)

struct packed_source {
	struct slv_source base;
	struct slv_source *file;    /* owned; the compressed one */
	struct slv_source *content; /* owned */
	struct slv_packing packing;
};

/* A file while it is decompressed. */
struct unpacking {
	struct slv_window window; /* of the compressed file */
	struct slv_spooling to;
	struct slv_ranges holes; /* of the content */
};

static enum slv_status
packed_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct packed_source *p = (struct packed_source *)s;

	return slv_source_read(p->content, off, buf, n, err);
}

static bool
packed_has_writer(struct slv_source *s)
{
	return slv_source_has_writer(((struct packed_source *)s)->file);
}

static void
packed_close(struct slv_source *s)
{
	struct packed_source *p = (struct packed_source *)s;

	slv_source_close(p->file);
	slv_source_close(p->content);
	slv_free(p);
}

static const struct slv_source_ops packed_ops = {
	.read = packed_read,
	.has_writer = packed_has_writer,
	.close = packed_close,
};

struct slv_source *
slv_packed_file(struct slv_source *s)
{
	return s->ops == &packed_ops ? ((struct packed_source *)s)->file : s;
}

static enum slv_status
view(
    void *ctx, uint64_t off, size_t n, const uint8_t **out, struct slv_err *err)
{
	struct unpacking *u = ctx;

	return slv_window_view(&u->window, off, n, out, err);
}

static enum slv_status
put(void *ctx, const uint8_t *bytes, size_t n, struct slv_err *err)
{
	struct unpacking *u = ctx;

	if (slv_is_cancelled(u->window.cancel))
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	if (u->to.n > BOMB_BYTES
	    && u->to.n / BOMB_TIMES > u->window.source->size)
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: becomes more than %d times as large; decompress it "
		    "first, if "
		    "it is a log",
		    u->window.source->name, BOMB_TIMES);
	return slv_spooling_put(&u->to, bytes, n, err);
}

/* Bytes that are not there read as zeros, like those of a bad sector. */
static enum slv_status
skip(void *ctx, uint64_t n, struct slv_err *err)
{
	static const uint8_t zeros[4096];
	struct unpacking *u = ctx;

	SLV_TRY(slv_ranges_add(&u->holes, u->to.n, n, err));
	while (n > 0) {
		size_t take = (size_t)slv_min64(n, sizeof(zeros));

		SLV_TRY(put(u, zeros, take, err));
		n -= take;
	}
	return SLV_OK;
}

/* Make a source of what was decompressed. */
static enum slv_status
serve(struct packed_source *p, struct unpacking *u,
    const struct slv_unpack *how, bool *spooled, struct slv_err *err)
{
	bool holes = u->window.source->unreadable.n > 0;

	p->packing = (struct slv_packing){
		.at = how->at,
		.loose = how->loose,
		.cut = how->cut,
		/* The decoder may not have noticed zeros of bad sectors. */
		.wrong = how->wrong || (holes && !how->damaged),
	};
	SLV_TRY(slv_spooling_end(&u->to, &p->content, spooled, err));
	p->base.size = p->content->size;
	p->base.name = u->window.source->name;
	if (how->damaged || holes)
		p->base.packing = &p->packing;
	for (size_t i = 0; i < u->holes.n; i++) {
		const struct slv_range *r = &u->holes.at[i];
		uint64_t n = r->end - r->off;

		SLV_TRY(slv_ranges_add(&p->base.unrescued, r->off, n, err));
		SLV_TRY(slv_ranges_add(&p->base.unreadable, r->off, n, err));
	}
	return SLV_OK;
}

static enum slv_status
unpack(struct packed_source *p, struct unpacking *u, bool *packed,
    bool *spooled, struct slv_err *err)
{
	struct slv_unpack how = {
		.size = u->window.source->size,
		.ctx = u,
		.view = view,
		.put = put,
		.skip = skip,
	};

	SLV_TRY(slv_unpack_zstd(&how, err));
	/* Nothing of it is zstd: it may be the log itself. */
	*packed = how.content > 0;
	return *packed ? serve(p, u, &how, spooled, err) : SLV_OK;
}

enum slv_status
slv_packed_open(struct slv_source **source, const struct slv_spool *spool,
    bool *packed, bool *spooled, struct slv_err *err)
{
	struct packed_source *p = slv_calloc(1, sizeof(*p));
	struct unpacking u = { .holes = { .n = 0 } };
	enum slv_status st;

	*packed = *spooled = false;
	if (p == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	p->base.ops = &packed_ops;
	slv_window_init(&u.window, *source, spool->cancel);
	slv_spooling_begin(&u.to, spool, (*source)->name);
	st = unpack(p, &u, packed, spooled, err);
	slv_window_free(&u.window);
	slv_ranges_free(&u.holes);
	slv_spooling_drop(&u.to);
	if (st == SLV_OK && *packed) {
		p->file = *source;
		*source = &p->base;
		return SLV_OK;
	}
	slv_source_close(&p->base);
	return st;
}
