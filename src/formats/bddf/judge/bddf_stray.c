/* bddf_stray.c - is a whole block in the wrong place?
 *
 * The indexes name where each block of data begins, and the end block where they
 * begin themselves.  So where nothing is torn and a block was put in, the indexes
 * are later by its length.
 */
#include "core/readings/stray_names.h"
#include "formats/bddf/index/bddf_entries.h"

#define LISTED ((size_t)1 << 20) /* blocks of a log, at most */

/* What an index names, while it is read. */
struct reading {
	struct slv_naming *out;
	struct slv_err *err;
	enum slv_status status;
	uint32_t series;
};

/* A time as a number; blocks without one have the same. */
static uint64_t
time_key(int64_t sec, uint64_t nanos)
{
	return (uint64_t)sec * 1000000000 + nanos;
}

static void
note_entry(struct bddf_entries *e)
{
	struct reading *r = e->ctx;
	const struct bddf_entry *x = &e->entry;
	bool timed = x->nanos != BDDF_NO_TIME;
	const struct slv_name one = {
		.at = x->off,
		.key = { r->series, timed ? time_key(x->sec, x->nanos) : 0 },
	};

	if (r->status == SLV_OK && r->out->n_names < LISTED)
		r->status = slv_naming_name(r->out, &one, r->err);
}

/* All that the indexes name; *all = false: one cannot be read. */
static enum slv_status
read_names(
    struct slv_scan *s, struct slv_naming *out, bool *all, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	*all = b->n_found > 0;
	for (size_t i = 0; *all && i < b->n_found; i++) {
		const struct bddf_found_index *f = &b->found[i];
		struct reading r = { out, err, SLV_OK, f->series };
		struct bddf_entries e = {
			.base = s->base,
			.ctx = &r,
			.done = note_entry,
		};
		struct bddf_range body = { f->block.off + BDDF_HEADER_SIZE,
			f->block.len - BDDF_HEADER_SIZE };
		enum bddf_read read;

		SLV_TRY(bddf_entries_read(s->window, body, &e, &read, err));
		SLV_TRY(r.status);
		*all = read == BDDF_WHOLE && out->n_names < LISTED;
	}
	return SLV_OK;
}

/* The blocks from the first one on; *all = false: something else is there. */
static enum slv_status
list(struct slv_scan *s, struct slv_naming *out, bool *all, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t off = b->first.off;

	*all = b->first.len > 0;
	while (*all && off < b->end.off) {
		struct slv_unit u = { 0 };
		struct slv_placed one = { .off = off };

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
		*all = u.verdict == SLV_UNIT_GOOD && u.len > 0
		    && u.len <= b->end.off - off && out->n < LISTED;
		off += u.len;
		one.end = off;
		one.named = bddf_is_data(&u);
		if (one.named) {
			one.key[0] = u.channel;
			if (u.time.known)
				one.key[1] = time_key(u.time.sec, u.time.nanos);
		}
		if (*all)
			SLV_TRY(slv_naming_unit(out, &one, err));
	}
	return SLV_OK;
}

/* Compare them. */
static enum slv_status
propose(struct slv_scan *s, uint64_t more, struct slv_naming *x,
    struct slv_strays *out, struct slv_err *err)
{
	bool all;

	SLV_TRY(read_names(s, x, &all, err));
	if (all)
		SLV_TRY(list(s, x, &all, err));
	if (!all)
		return SLV_OK;
	return more > 0 ? slv_naming_surplus(x, more, UINT64_MAX, out, err)
	                : slv_naming_turned(x, out, err);
}

enum slv_status
bddf_strays(struct slv_scan *s, struct slv_strays *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t stated = b->end_index + s->base;
	struct slv_naming x = { .n = 0 };
	enum slv_status st;

	if (!b->has_end || !b->end_whole || b->end_index == 0
	    || b->file_index.len == 0 || b->file_index.off < stated)
		return SLV_OK;
	st = propose(s, b->file_index.off - stated, &x, out, err);
	slv_naming_free(&x);
	return st;
}
