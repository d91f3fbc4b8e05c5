/* cut.c - some of the records of a log, put together as a log without an index.
 *
 * Items are taken as they are: what is neither a record nor made of others is kept,
 * declarations of channels as soon as a record of theirs follows.  A compressed chunk
 * of which all is wanted stays as it is; what is wanted of any other is written
 * uncompressed.
 */
#include "job/extract/cut.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/format/cutting.h"
#include "io/read/window.h"
#include "io/sys.h"
#include "io/write/sink.h"
#include "io/write/temp.h"
#include "job/read/cursor.h"

#define HOLD  ((size_t)64 << 20) /* bytes that are held in memory */
#define CHUNK ((size_t)1 << 20)  /* bytes of records in a chunk */

/* A channel while records are put together. */
struct declaration {
	struct slv_buf bytes; /* owned; empty: it was not met yet */
	bool written;
};

struct cut {
	struct slv_log *log;
	const struct slv_filter *filter;
	const struct slv_cutting *how;
	struct slv_cursor cursor;
	const char *dir;
	int fd;               /* of the temporary; -1: none */
	struct slv_buf out;   /* owned; what is not in it */
	struct slv_buf chunk; /* owned; of the open chunk */
	struct slv_cut_chunk about;
	struct declaration *declared; /* owned; by channel */
};

static enum slv_status
no_memory(struct cut *x)
{
	return slv_fail(&x->log->err, SLV_E_NOMEM, "out of memory");
}

/* Move what is held into the temporary. */
static enum slv_status
spill(struct cut *x)
{
	struct slv_err *err = &x->log->err;

	if (x->out.failed)
		return no_memory(x);
	if (x->out.len < HOLD)
		return SLV_OK;
	if (x->fd < 0)
		SLV_TRY(slv_temp_nameless(x->dir, &x->fd, err));
	SLV_TRY(slv_write_all(
	    x->fd, "a temporary file", x->out.at, x->out.len, err));
	x->out.len = 0;
	return SLV_OK;
}

/* Append n bytes of what is read. */
static enum slv_status
append_range(struct cut *x, uint64_t off, uint64_t n, struct slv_buf *to)
{
	struct slv_window *w = x->log->scan->window;
	const uint8_t *p;

	while (n > 0) {
		size_t part = (size_t)slv_min64(n, SLV_WINDOW_MAX);

		SLV_TRY(slv_window_view(w, off, part, &p, &x->log->err));
		slv_buf_add(to, p, part);
		off += part;
		n -= part;
		if (to == &x->out)
			SLV_TRY(spill(x));
	}
	return to->failed ? no_memory(x) : SLV_OK;
}

/* Append the item that was found. */
static enum slv_status
append_item(struct cut *x, struct slv_buf *to)
{
	const struct slv_cursor *c = &x->cursor;

	if (c->spot.inner == SLV_UNPACKED)
		return append_range(x, c->spot.off, c->item.len, to);
	slv_buf_add(to, c->content.at + c->spot.inner, (size_t)c->item.len);
	return to->failed ? no_memory(x) : SLV_OK;
}

static enum slv_status
close_chunk(struct cut *x)
{
	if (x->chunk.len == 0)
		return SLV_OK;
	x->about.content = &x->chunk;
	SLV_TRY(x->how->chunk(&x->about, &x->out, &x->log->err));
	x->about = (struct slv_cut_chunk){ .records = 0 };
	x->chunk.len = 0;
	return spill(x);
}

/* Remember the declaration that was found, if its channel is wanted. */
static enum slv_status
take_declaration(struct cut *x)
{
	uint32_t i =
	    slv_channels_find(&x->log->channels, x->cursor.item.channel);

	if (i == UINT32_MAX || !x->filter->wanted[i]
	    || x->declared[i].bytes.len > 0)
		return SLV_OK;
	return append_item(x, &x->declared[i].bytes);
}

/* Write it before the first record of the channel. */
static enum slv_status
declare(struct cut *x, uint32_t channel)
{
	struct declaration *d = &x->declared[channel];

	if (d->written)
		return SLV_OK;
	d->written = true;
	if (x->how->declares_inside && x->how->chunk != NULL) {
		slv_buf_add(&x->chunk, d->bytes.at, d->bytes.len);
		return x->chunk.failed ? no_memory(x) : SLV_OK;
	}
	SLV_TRY(close_chunk(x));
	slv_buf_add(&x->out, d->bytes.at, d->bytes.len);
	return spill(x);
}

static void
count(struct cut *x, int64_t log_ns)
{
	uint64_t ns = log_ns > 0 ? (uint64_t)log_ns : 0;

	if (x->about.records++ == 0)
		x->about.from = x->about.to = ns;
	x->about.from = slv_min64(x->about.from, ns);
	x->about.to = slv_max64(x->about.to, ns);
}

static enum slv_status
take_record(struct cut *x)
{
	const struct slv_cursor *c = &x->cursor;
	uint32_t i = slv_channels_find(&x->log->channels, c->item.channel);

	if (i == UINT32_MAX
	    || !slv_filter_takes(
	        x->filter, i, c->item.log_ns, slv_cursor_place(c)))
		return SLV_OK;
	SLV_TRY(declare(x, i));
	if (x->how->chunk == NULL)
		return append_item(x, &x->out);
	count(x, c->item.log_ns);
	SLV_TRY(append_item(x, &x->chunk));
	return x->chunk.len >= CHUNK ? close_chunk(x) : SLV_OK;
}

/* The item in the compressed chunk, and which channel it is about; UINT32_MAX: none
 * that is known. */
static enum slv_status
look_inside(
    struct cut *x, uint64_t at, struct slv_item *item, uint32_t *channel)
{
	struct slv_log *log = x->log;
	struct slv_scan *s = log->scan;

	*item = (struct slv_item){ .kind = SLV_ITEM_OTHER };
	SLV_TRY(s->format->records->inner(
	    s, &x->cursor.content, at, item, &log->err));
	*channel = slv_channels_find(&log->channels, item->channel);
	return SLV_OK;
}

/* Is all of the compressed chunk wanted, and declared in it? */
static enum slv_status
is_all_wanted(struct cut *x, bool *yes)
{
	const struct slv_cursor *c = &x->cursor;
	struct slv_item item;
	uint32_t i;

	*yes = true;
	for (uint64_t at = 0; at < c->content.len && *yes; at += item.len) {
		const struct slv_place place = { c->spot.off, at };

		SLV_TRY(look_inside(x, at, &item, &i));
		if (item.kind == SLV_ITEM_DECLARE)
			*yes = i != UINT32_MAX && x->filter->wanted[i];
		else if (item.kind == SLV_ITEM_RECORD)
			*yes = i != UINT32_MAX
			    && slv_filter_takes(
			        x->filter, i, item.log_ns, place);
	}
	return SLV_OK;
}

/* The channels of a chunk that is taken as it is. */
static enum slv_status
declare_all(struct cut *x)
{
	const struct slv_cursor *c = &x->cursor;
	struct slv_item item;
	uint32_t i;

	for (uint64_t at = 0; at < c->content.len; at += item.len) {
		SLV_TRY(look_inside(x, at, &item, &i));
		if (item.kind == SLV_ITEM_DECLARE)
			x->declared[i].written = true;
		else if (item.kind == SLV_ITEM_RECORD)
			SLV_TRY(declare(x, i));
	}
	return SLV_OK;
}

/* A compressed chunk: as it is, or record by record. */
static enum slv_status
take_pack(struct cut *x)
{
	struct slv_cursor *c = &x->cursor;
	bool all;

	SLV_TRY(is_all_wanted(x, &all));
	if (!all)
		return SLV_OK;
	SLV_TRY(declare_all(x));
	SLV_TRY(close_chunk(x));
	slv_cursor_skip(c);
	return append_range(x, c->spot.off, c->pack.len, &x->out);
}

static enum slv_status
take_item(struct cut *x)
{
	bool packed = x->cursor.spot.inner != SLV_UNPACKED;

	switch (x->cursor.item.kind) {
	case SLV_ITEM_DERIVED: return SLV_OK;
	case SLV_ITEM_CHUNK: return close_chunk(x);
	case SLV_ITEM_DECLARE: return take_declaration(x);
	case SLV_ITEM_RECORD: return take_record(x);
	case SLV_ITEM_PACK: return take_pack(x);
	case SLV_ITEM_OTHER: break;
	}
	if (packed)
		return append_item(x, &x->chunk);
	SLV_TRY(close_chunk(x));
	return append_item(x, &x->out);
}

static enum slv_status
take_all(struct cut *x)
{
	if (x->how->begin != NULL)
		x->how->begin(&x->out);
	for (;;) {
		SLV_TRY(slv_cursor_step(&x->cursor));
		if (x->cursor.ended)
			break;
		SLV_TRY(take_item(x));
	}
	return close_chunk(x);
}

/* What is put together as a source. */
static enum slv_status
serve(struct cut *x, struct slv_source **out)
{
	struct slv_err *err = &x->log->err;
	struct stat st;
	int fd = x->fd;

	if (x->out.failed)
		return no_memory(x);
	if (fd < 0)
		return slv_source_buffer(&x->out, x->log->name, out, err);
	SLV_TRY(
	    slv_write_all(fd, "a temporary file", x->out.at, x->out.len, err));
	x->fd = -1;
	return slv_source_fd_open(fd, x->log->name, out, &st, err);
}

enum slv_status
slv_cut(struct slv_log *log, const struct slv_filter *filter, const char *dir,
    struct slv_source **out)
{
	struct cut x = {
		.log = log,
		.filter = filter,
		.how = log->scan->format->cutting,
		.dir = dir,
		.fd = -1,
	};

	x.declared = slv_calloc(log->channels.n + 1, sizeof(*x.declared));
	if (x.declared == NULL)
		return no_memory(&x);
	if (slv_cursor_begin(&x.cursor, log) == SLV_OK
	    && take_all(&x) == SLV_OK)
		(void)serve(&x, out);
	slv_cursor_free(&x.cursor);
	for (size_t i = 0; i < log->channels.n; i++)
		slv_buf_free(&x.declared[i].bytes);
	free(x.declared);
	slv_buf_free(&x.out);
	slv_buf_free(&x.chunk);
	if (x.fd >= 0)
		slv_sys.close(x.fd);
	return log->err.code;
}
