/* bz2.c - bzip2 streams, decoded by libbz2. */
#include "codec/bz2/bz2.h"

#include <bzlib.h>
#include <stdlib.h>

#include "base/mem.h"

#define ROOM ((size_t)64 << 10) /* output bytes per call of the library */
#define STEP ((size_t)1 << 20)  /* ... at most; it takes 20 ms or less */
#define FEED ((size_t)32 << 10) /* bytes it takes in at once: part of a block */

/* Its memory comes from slv_realloc. */
static void *
get_memory(void *ctx, int n, int size)
{
	(void)ctx;
	return slv_realloc(NULL, (size_t)n * (size_t)size);
}

static void
put_memory(void *ctx, void *p)
{
	(void)ctx;
	slv_free(p);
}

/* One call of the library; whether it can go on. */
static bool
step(bz_stream *z, struct slv_span in, struct slv_decode *d,
    struct slv_bz2_verdict *v)
{
	size_t left = in.len - v->used;
	unsigned in_most = (unsigned)(left < FEED ? left : FEED);
	size_t room = d->out.cap - d->out.len;
	unsigned out_most = (unsigned)(room < STEP ? room : STEP);

	/* The library does not write to its input. */
	z->next_in = (char *)(uintptr_t)(in.at + v->used);
	z->avail_in = in_most;
	z->next_out = (char *)d->out.at + d->out.len;
	z->avail_out = out_most;
	v->code = BZ2_bzDecompress(z);
	v->used += in_most - z->avail_in;
	d->out.len += out_most - z->avail_out;
	v->made += out_most - z->avail_out;
	return v->code == BZ_OK && (v->used < in.len || z->avail_out == 0);
}

enum slv_status
slv_bz2_run(struct slv_span in, size_t max, bool to_end, struct slv_decode *d,
    struct slv_bz2_verdict *v, struct slv_err *err)
{
	bz_stream z = { .bzalloc = get_memory, .bzfree = put_memory };
	enum slv_status st = SLV_OK;
	bool more = true;

	*v = (struct slv_bz2_verdict){ .code = BZ2_bzDecompressInit(&z, 0, 0) };
	while (v->code == BZ_OK && more) {
		st = slv_decode_room(d, ROOM, err);
		if (st != SLV_OK)
			break;
		more = step(&z, in, d, v);
		if (d->out.len > max) {
			d->out.len = max;
			v->over = d->limited = true;
			more &= to_end;
		}
	}
	BZ2_bzDecompressEnd(&z);
	if (v->code == BZ_MEM_ERROR)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	return st;
}

enum slv_status
slv_bz2_decode(
    const struct slv_encoded *s, struct slv_decode *d, struct slv_err *err)
{
	struct slv_bz2_verdict v;

	SLV_TRY(slv_decode_expect(d, s, ROOM, err));
	SLV_TRY(slv_bz2_run(
	    (struct slv_span){ s->in, s->n }, s->max, false, d, &v, err));
	if (v.code == BZ_STREAM_END && !v.over)
		return slv_decode_all(d, SLV_DECODED_WHOLE, v.used, true, err);
	/* A block is output when it is complete: if the library asks for more
	 * input after it, its checksum matches. */
	if (v.code == BZ_OK && !v.over)
		return slv_decode_all(d, SLV_DECODED_CUT, v.used, true, err);
	return slv_bz2_salvage(s, v.used, d, err);
}
