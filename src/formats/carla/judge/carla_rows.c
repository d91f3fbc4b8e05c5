/* carla_rows.c - frames in a row: kept ones and those in lost bytes. */
#include "formats/carla/judge/carla_rows.h"
#include "base/list.h"

#define ROWS ((size_t)1 << 11) /* that are listed, at most */

/* A frame, or the FrameStart of a broken one. */
struct found {
	uint64_t off, len;
	struct carla_start start;
	bool whole, kept;
};

/* Return true if the frame continues the last row. */
static bool
goes_on(const struct carla_rows *all, const struct found *f)
{
	const struct carla_row *r = &all->at[all->n - 1];

	return r->frames > 0 && f->whole && r->end == f->off
	    && f->start.id != all->before + 1
	    && (f->start.id == r->last.id + 1
	        || carla_chained(&r->last, &f->start));
}

static enum slv_status
add(struct carla_rows *out, const struct found *f, struct slv_err *err)
{
	struct carla_row *r = out->n > 0 ? &out->at[out->n - 1] : NULL;

	if (r == NULL || !goes_on(out, f)) {
		uint64_t whole = r != NULL ? r->whole : 0;

		if (r != NULL && r->frames > 0)
			out->before = r->last.id;
		out->more |= out->n == ROWS;
		if (out->more)
			return SLV_OK;
		SLV_TRY(SLV_ROOM_AT(out, 1, err));
		r = &out->at[out->n++];
		*r = (struct carla_row){
			.off = f->off, .first = f->start, .whole = whole
		};
	}
	r->whole += f->whole ? f->len : 0;
	r->end = f->off + f->len;
	r->last = f->start;
	r->frames += f->whole;
	r->kept += f->kept;
	return SLV_OK;
}

/* Add the frames in lost bytes. */
static enum slv_status
add_lost(struct slv_scan *s, uint64_t off, uint64_t end, struct carla_rows *out,
    struct slv_err *err)
{
	while (!out->more) {
		const struct carla_frame *f;
		struct found x = { .whole = true };

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(carla_frame_find(s, off, end, &off, err));
		if (off >= end)
			return SLV_OK;
		SLV_TRY(carla_look(s, off, &f, err));
		x.off = off;
		x.start = f->start;
		x.len = f->len;
		/* It may hold frames of another log that are kept. */
		x.whole = f->read == CARLA_WHOLE;
		if (!x.whole)
			x.len = CARLA_HEAD + CARLA_FRAME_LEN;
		SLV_TRY(add(out, &x, err));
		off += x.whole ? x.len : 1;
	}
	return SLV_OK;
}

/* The same for everything lost in [off, end). */
static enum slv_status
add_gap(struct slv_scan *s, uint64_t off, uint64_t end, struct carla_rows *out,
    struct slv_err *err)
{
	const struct slv_catalog *all = &s->catalog;
	size_t i = off < end ? slv_catalog_find(all, off) : all->n;

	while (i < all->n && all->at[i].off < end) {
		uint64_t from = slv_max64(all->at[i].off, off), to = end;

		if (all->at[i++].fate != SLV_LOST)
			continue;
		while (i < all->n && all->at[i].fate == SLV_LOST)
			i++;
		if (i < all->n)
			to = slv_min64(to, all->at[i].off);
		SLV_TRY(add_lost(s, from, to, out, err));
	}
	return SLV_OK;
}

/* Add a kept frame, as it is in the log. */
static enum slv_status
add_kept(struct slv_scan *s, const struct carla_item *item,
    struct carla_rows *out, struct slv_err *err)
{
	struct found x = { item->off, item->len, item->start, true, true };
	struct carla_start start;
	bool yes;

	SLV_TRY(carla_frame_start(s, item->off, &start, &yes, err));
	if (yes)
		x.start = start;
	if (out->least == 0 || item->len < out->least)
		out->least = item->len;
	return add(out, &x, err);
}

enum slv_status
carla_rows_list(struct slv_scan *s, struct carla_rows *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	uint64_t at = s->base + c->header.len;

	for (size_t i = 0; i < c->n_items; i++) {
		const struct carla_item *item = &c->items[i];

		SLV_TRY(add_gap(s, at, item->off, out, err));
		if (item->is_frame)
			SLV_TRY(add_kept(s, item, out, err));
		at = item->off + item->len;
	}
	return add_gap(s, at, s->logical_end, out, err);
}
