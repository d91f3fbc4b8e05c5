/* cut.c - some of the records of one log or several, put together as a log without an
 * index.
 *
 * Items are taken as they are: what is neither a record nor made of others is kept,
 * declarations of channels as soon as a record of theirs follows.  A compressed chunk
 * of which all is wanted stays as it is; what is wanted of any other is written
 * uncompressed.
 *
 * In the order of time everything else comes first, and the records follow in chunks of
 * their own.
 *
 * Several logs follow one another.  The head is that of the first, a channel or schema
 * that several have is declared once, and numbers that are others in the output are
 * changed in each record.
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
#include "job/read/by_time.h"
#include "job/read/cursor.h"

#define HOLD  ((size_t)64 << 20) /* bytes that are held in memory */
#define CHUNK ((size_t)1 << 20)  /* bytes of records in a chunk */

/* A channel or a schema while records are put together. */
struct declaration {
	struct slv_buf bytes; /* owned; empty: it was not met yet */
	bool written;
};

struct cut {
	const struct slv_segments *all;
	const struct slv_segment *seg; /* that is being read */
	struct slv_log *log;           /* ... */
	const struct slv_cutting *how;
	struct slv_err *err;
	struct slv_cursor cursor;
	const char *dir;
	int fd;               /* of the temporary; -1: none */
	struct slv_buf out;   /* owned; what is not in it */
	struct slv_buf chunk; /* owned; of the open chunk */
	struct slv_cut_chunk about;
	struct slv_buf head; /* owned; of a record that gets other numbers */
	struct declaration *declared; /* owned; by channel of the output */
	struct declaration *schemas;  /* owned; by schema of the output */
	bool looks_ahead; /* for declarations, and takes nothing else */
};

static enum slv_status
no_memory(struct cut *x)
{
	return slv_fail(x->err, SLV_E_NOMEM, "out of memory");
}

static bool
is_sorted(const struct cut *x)
{
	return x->seg->filter->by_time;
}

/* Move what is held into the temporary. */
static enum slv_status
spill(struct cut *x)
{
	struct slv_err *err = x->err;

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

	for (size_t part; n > 0; off += part, n -= part) {
		part = (size_t)slv_min64(n, SLV_WINDOW_MAX);
		SLV_TRY(slv_window_view(w, off, part, &p, x->err));
		slv_buf_add(to, p, part);
		if (to == &x->out)
			SLV_TRY(spill(x));
	}
	return to->failed ? no_memory(x) : SLV_OK;
}

/* Append the n bytes of the item that was found from `from` on. */
static enum slv_status
append_part(struct cut *x, uint64_t from, uint64_t n, struct slv_buf *to)
{
	const struct slv_cursor *c = &x->cursor;

	if (c->spot.inner == SLV_UNPACKED)
		return append_range(x, c->spot.off + from, n, to);
	slv_buf_add(to, c->content.at + c->spot.inner + from, (size_t)n);
	return to->failed ? no_memory(x) : SLV_OK;
}

/* Append the item that was found, with these numbers; NULL: with its own. */
static enum slv_status
append_item(
    struct cut *x, const struct slv_numbers *numbers, struct slv_buf *to)
{
	const struct slv_item *item = &x->cursor.item;
	uint64_t head = item->kind == SLV_ITEM_RECORD ? item->data : item->len;

	if (numbers == NULL)
		return append_part(x, 0, item->len, to);
	x->head.len = 0;
	SLV_TRY(append_part(x, 0, head, &x->head));
	SLV_TRY(x->how->renumber(x->log->scan, &x->head, numbers, x->err));
	slv_buf_add(to, x->head.at, x->head.len);
	return append_part(x, head, item->len - head, to);
}

static enum slv_status
close_chunk(struct cut *x)
{
	if (x->chunk.len == 0)
		return SLV_OK;
	x->about.content = &x->chunk;
	SLV_TRY(x->how->chunk(&x->about, &x->out, x->err));
	x->about = (struct slv_cut_chunk){ .records = 0 };
	x->chunk.len = 0;
	return spill(x);
}

/* Where the channel of the item is; NULL: it is not known, or not wanted. */
static const struct slv_joint_place *
place_of(const struct cut *x, const struct slv_item *item)
{
	uint32_t i = slv_channels_find(&x->log->channels, item->channel);

	return i != UINT32_MAX && x->seg->channels[i].place != SLV_NOT_JOINED
	    ? &x->seg->channels[i]
	    : NULL;
}

/* The numbers of what is there; NULL: it keeps its own. */
static const struct slv_numbers *
numbers_of(const struct cut *x, const struct slv_joint_place *at)
{
	return at->moved ? &x->all->channels[at->place].to : NULL;
}

static enum slv_status
write_declaration(struct cut *x, struct declaration *d)
{
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

/* Remember the declaration that was found, if its channel is wanted. */
static enum slv_status
take_declaration(struct cut *x)
{
	const struct slv_joint_place *at = place_of(x, &x->cursor.item);
	struct declaration *d = at != NULL ? &x->declared[at->place] : NULL;

	if (d == NULL || !x->seg->filter->wanted[at - x->seg->channels])
		return SLV_OK;
	if (d->bytes.len == 0 && !at->bare)
		SLV_TRY(append_item(x, numbers_of(x, at), &d->bytes));
	if (!x->how->declares_all || x->looks_ahead)
		return SLV_OK;
	return write_declaration(x, d);
}

/* Remember the schema that was found.  Of a log alone all of them stay. */
static enum slv_status
take_schema(struct cut *x)
{
	const struct slv_joint_schema *k =
	    slv_segment_schema(x->seg, x->cursor.item.channel);
	struct slv_numbers to = { 0 };

	if (k == NULL || x->schemas[k->in.place].bytes.len > 0)
		return SLV_OK;
	to.schema = x->all->schemas[k->in.place];
	return append_item(
	    x, k->in.moved ? &to : NULL, &x->schemas[k->in.place].bytes);
}

/* Write the declaration of a channel before its first record, after its schema. */
static enum slv_status
declare(struct cut *x, uint32_t channel)
{
	uint32_t schema = x->all->channels[channel].schema;

	if (schema != SLV_NOT_JOINED)
		SLV_TRY(write_declaration(x, &x->schemas[schema]));
	return write_declaration(x, &x->declared[channel]);
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

/* Is a record of a channel wanted?  NULL: the channel is not in the output. */
static bool
is_wanted(const struct cut *x, const struct slv_joint_place *at,
    const struct slv_item *item, struct slv_record_place place)
{
	return at != NULL
	    && slv_filter_takes(x->seg->filter,
	        (uint32_t)(at - x->seg->channels), item->log_ns, place);
}

static enum slv_status
take_record(struct cut *x)
{
	const struct slv_cursor *c = &x->cursor;
	const struct slv_joint_place *at = place_of(x, &c->item);

	if (!is_wanted(x, at, &c->item, slv_cursor_place(c)))
		return SLV_OK;
	SLV_TRY(declare(x, at->place));
	if (x->how->chunk == NULL)
		return append_item(x, numbers_of(x, at), &x->out);
	count(x, c->item.log_ns);
	SLV_TRY(append_item(x, numbers_of(x, at), &x->chunk));
	return x->chunk.len >= CHUNK ? close_chunk(x) : SLV_OK;
}

/* The item in the compressed chunk. */
static enum slv_status
look_inside(struct cut *x, uint64_t at, struct slv_item *item)
{
	struct slv_scan *s = x->log->scan;

	*item = (struct slv_item){ .kind = SLV_ITEM_OTHER };
	return s->format->records->inner(
	    s, &x->cursor.content, at, item, x->err);
}

/* Can the item stay in its compressed chunk: is it wanted, with its own numbers? */
static bool
can_stay(const struct cut *x, const struct slv_item *item, uint64_t inner)
{
	const struct slv_joint_place *at = place_of(x, item);
	const struct slv_record_place place = { x->cursor.spot.off, inner };
	const struct slv_joint_schema *k;

	switch (item->kind) {
	case SLV_ITEM_DECLARE:
		return at != NULL && !at->moved
		    && x->seg->filter->wanted[at - x->seg->channels];
	case SLV_ITEM_RECORD:
		return is_wanted(x, at, item, place) && !at->moved;
	case SLV_ITEM_SCHEMA:
		k = slv_segment_schema(x->seg, item->channel);
		return x->all->n == 1 || (k != NULL && !k->in.moved);
	case SLV_ITEM_OTHER:
	case SLV_ITEM_PACK:
	case SLV_ITEM_CHUNK:
	case SLV_ITEM_DERIVED:
	case SLV_ITEM_HEAD: break;
	}
	return true;
}

/* Can all of the compressed chunk stay? */
static enum slv_status
is_all_wanted(struct cut *x, bool *yes)
{
	const struct slv_cursor *c = &x->cursor;
	struct slv_item item;

	*yes = true;
	for (uint64_t at = 0; at < c->content.len && *yes; at += item.len) {
		SLV_TRY(look_inside(x, at, &item));
		*yes = can_stay(x, &item, at);
	}
	return SLV_OK;
}

/* The channels of a chunk that is taken as it is. */
static enum slv_status
declare_all(struct cut *x)
{
	const struct slv_cursor *c = &x->cursor;
	struct slv_item item;

	for (uint64_t at = 0; at < c->content.len; at += item.len) {
		const struct slv_joint_schema *k;

		SLV_TRY(look_inside(x, at, &item));
		if (item.kind == SLV_ITEM_DECLARE)
			x->declared[place_of(x, &item)->place].written = true;
		else if (item.kind == SLV_ITEM_RECORD)
			SLV_TRY(declare(x, place_of(x, &item)->place));
		k = item.kind == SLV_ITEM_SCHEMA
		    ? slv_segment_schema(x->seg, item.channel)
		    : NULL;
		if (k != NULL)
			x->schemas[k->in.place].written = true;
	}
	return SLV_OK;
}

/* A compressed chunk: as it is, or record by record. */
static enum slv_status
take_pack(struct cut *x)
{
	struct slv_cursor *c = &x->cursor;
	bool all;

	if (is_sorted(x))
		return SLV_OK;
	SLV_TRY(is_all_wanted(x, &all));
	if (!all)
		return SLV_OK;
	SLV_TRY(declare_all(x));
	SLV_TRY(close_chunk(x));
	slv_cursor_skip(c);
	return append_range(x, c->spot.off, c->pack.len, &x->out);
}

/* What is kept whatever is wanted. */
static enum slv_status
take_other(struct cut *x)
{
	if (x->cursor.spot.inner == SLV_UNPACKED) {
		/* What precedes the records may be in their first chunk. */
		if (!is_sorted(x))
			SLV_TRY(close_chunk(x));
		return append_item(x, NULL, &x->out);
	}
	SLV_TRY(append_item(x, NULL, &x->chunk));
	return is_sorted(x) && x->chunk.len >= CHUNK ? close_chunk(x) : SLV_OK;
}

static enum slv_status
take_item(struct cut *x)
{
	if (x->looks_ahead && x->cursor.item.kind != SLV_ITEM_DECLARE)
		return SLV_OK;
	switch (x->cursor.item.kind) {
	case SLV_ITEM_DERIVED: return SLV_OK;
	case SLV_ITEM_CHUNK: return is_sorted(x) ? SLV_OK : close_chunk(x);
	case SLV_ITEM_DECLARE:
		return x->how->declares_all && x->all->n == 1
		    ? take_other(x)
		    : take_declaration(x);
	case SLV_ITEM_RECORD: return is_sorted(x) ? SLV_OK : take_record(x);
	case SLV_ITEM_PACK: return take_pack(x);
	case SLV_ITEM_SCHEMA:
		return x->all->n > 1 ? take_schema(x) : take_other(x);
	case SLV_ITEM_HEAD:
		return x->seg == x->all->at ? take_other(x) : SLV_OK;
	case SLV_ITEM_OTHER: break;
	}
	return take_other(x);
}

/* The records in the order of time.  The reader that the output is compared with has
 * sorted them. */
static enum slv_status
take_sorted(struct cut *x)
{
	struct slv_by_time next = *slv_reader_sorted(x->seg->wanted);
	bool any;

	x->cursor.keeps = true;
	for (next.next = 0;;) {
		SLV_TRY(slv_by_time_next(&next, &x->cursor, &any));
		if (!any)
			return SLV_OK;
		SLV_TRY(take_record(x));
	}
}

/* All that is wanted of a segment. */
static enum slv_status
take_segment(struct cut *x, const struct slv_segment *seg)
{
	enum slv_status st;

	x->seg = seg;
	x->log = seg->log;
	st = slv_cursor_begin(&x->cursor, x->log);
	while (st == SLV_OK) {
		st = slv_cursor_step(&x->cursor);
		if (st != SLV_OK || x->cursor.ended)
			break;
		st = take_item(x);
	}
	if (st == SLV_OK && is_sorted(x) && !x->looks_ahead)
		(void)take_sorted(x);
	slv_cursor_free(&x->cursor);
	if (x->err->code == SLV_OK && x->log->err.code != SLV_OK)
		*x->err = x->log->err;
	SLV_TRY(x->err->code);
	return close_chunk(x);
}

static enum slv_status
take_all(struct cut *x)
{
	/* A declaration that a segment lost is in another one. */
	x->looks_ahead = x->all->any_bare;
	for (size_t i = 0; x->looks_ahead && i < x->all->n; i++)
		SLV_TRY(take_segment(x, &x->all->at[i]));
	x->looks_ahead = false;
	if (x->how->begin != NULL)
		x->how->begin(&x->out);
	for (size_t i = 0; i < x->all->n; i++)
		SLV_TRY(take_segment(x, &x->all->at[i]));
	return SLV_OK;
}

/* What is put together as a source. */
static enum slv_status
serve(struct cut *x, struct slv_source **out)
{
	const char *name = x->all->at[0].log->name;
	struct stat st;
	int fd = x->fd;

	if (x->out.failed)
		return no_memory(x);
	if (fd < 0)
		return slv_source_buffer(&x->out, name, out, x->err);
	SLV_TRY(slv_write_all(
	    fd, "a temporary file", x->out.at, x->out.len, x->err));
	x->fd = -1;
	return slv_source_fd_open(fd, name, out, &st, x->err);
}

static void
free_declarations(struct declaration *at, size_t n)
{
	for (size_t i = 0; at != NULL && i < n; i++)
		slv_buf_free(&at[i].bytes);
	slv_free(at);
}

enum slv_status
slv_cut(const struct slv_segments *all, const char *dir,
    struct slv_source **out, struct slv_err *err)
{
	struct cut x = {
		.all = all,
		.how = all->at[0].log->scan->format->cutting,
		.err = err,
		.dir = dir,
		.fd = -1,
	};

	x.declared = slv_calloc(all->n_channels + 1, sizeof(*x.declared));
	x.schemas = slv_calloc(all->n_schemas + 1, sizeof(*x.schemas));
	if (x.declared == NULL || x.schemas == NULL)
		(void)no_memory(&x);
	else if (take_all(&x) == SLV_OK)
		(void)serve(&x, out);
	free_declarations(x.declared, all->n_channels);
	free_declarations(x.schemas, all->n_schemas);
	slv_buf_free(&x.out);
	slv_buf_free(&x.chunk);
	slv_buf_free(&x.head);
	if (x.fd >= 0)
		slv_sys.close(x.fd);
	return err->code;
}
