/* bddf_proto.c - walk a protobuf message of any size in a source. */
#include "formats/bddf/read/bddf_proto.h"

#include <pb_common.h>

#include "base/bytes.h"
#include "base/text/utf8.h"
#include "proto/bddf.pb.h"

#define PIECE      ((size_t)4 << 10) /* bytes looked at once */
#define ENTRY_ROOM 256               /* bytes: more than most entries have */
#define ENTRY_KEY  (bosdyn_api_SeriesBlockIndex_block_entries_tag << 3 | 2)

struct level {
	const pb_msgdesc_t *desc;
	uint64_t end;
	uint32_t tag; /* that opened it */
};

struct walk {
	struct slv_window *window;
	bddf_visit_fn visit;
	void *ctx;
	uint64_t pos;
	const uint8_t *p; /* the byte at pos, when have > 0 */
	size_t have;
	struct level levels[BDDF_DEPTH_MAX];
	unsigned depth;
	bool broken;
	struct slv_err *err;
	enum slv_status status;
};

/* Past an error every read gives zeros and the loops end. */
static bool
stopped(const struct walk *w)
{
	return w->broken || w->status != SLV_OK;
}

static uint64_t
left(const struct walk *w)
{
	return w->levels[w->depth].end - w->pos;
}

/* Make at least one byte ready; false at the end of the level. */
static bool
refill(struct walk *w)
{
	size_t n;

	if (stopped(w) || left(w) == 0) {
		w->broken = true;
		return false;
	}
	if (w->have > 0)
		return true;
	n = (size_t)slv_min64(w->levels[0].end - w->pos, PIECE);
	w->status = slv_window_view(w->window, w->pos, n, &w->p, w->err);
	w->have = w->status == SLV_OK ? n : 0;
	return w->status == SLV_OK;
}

static void
skip(struct walk *w, uint64_t n)
{
	if (n > left(w)) {
		w->broken = true;
		return;
	}
	w->pos += n;
	if (n < w->have) {
		w->p += n;
		w->have -= (size_t)n;
	} else {
		w->have = 0;
	}
}

static uint8_t
byte(struct walk *w)
{
	uint8_t b;

	if (!refill(w))
		return 0;
	b = *w->p;
	skip(w, 1);
	return b;
}

static uint64_t
varint(struct walk *w)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 10; i++) {
		uint8_t b = byte(w);

		/* The tenth byte holds one bit. */
		if (i == 9 && b > 1)
			break;
		v |= (uint64_t)(b & 0x7f) << 7 * i;
		if (b < 0x80)
			return v;
	}
	w->broken = true;
	return 0;
}

static void
check_utf8(struct walk *w, uint64_t len)
{
	uint64_t end = w->pos + len;
	struct slv_utf8 u = { 0 };

	while (!stopped(w) && w->pos < end)
		w->broken |= !slv_utf8_add(&u, byte(w));
	w->broken |= u.more > 0;
}

static void
tell(struct walk *w, struct bddf_field f)
{
	f.in = w->levels[w->depth].desc;
	f.depth = w->depth;
	if (!stopped(w) && !w->visit(w->ctx, &f))
		w->broken = true;
}

static void
skip_unknown(struct walk *w, uint32_t tag, pb_wire_type_t wire)
{
	uint64_t start = w->pos;

	switch (wire) {
	case PB_WT_VARINT: varint(w); break;
	case PB_WT_64BIT: skip(w, 8); break;
	case PB_WT_STRING: {
		uint64_t n = varint(w);

		skip(w, n);
		break;
	}
	case PB_WT_32BIT: skip(w, 4); break;
	default: w->broken = true;
	}
	tell(w,
	    (struct bddf_field){
	        .event = BDDF_UNKNOWN,
	        .tag = tag,
	        .off = start,
	        .len = w->pos - start,
	    });
}

static void
number(struct walk *w, const pb_field_iter_t *it)
{
	uint64_t start = w->pos, v = varint(w);

	/* As nanopb has it: a value that does not fit is no value. */
	if (PB_LTYPE(it->type) == PB_LTYPE_UVARINT && it->data_size == 4
	    && PB_ATYPE(it->type) == PB_ATYPE_STATIC && v > UINT32_MAX)
		w->broken = true;
	tell(w,
	    (struct bddf_field){
	        .event = BDDF_VALUE,
	        .tag = it->tag,
	        .value = v,
	        .off = start,
	        .len = w->pos - start,
	    });
}

/* A field with a length: text, a message, or a packed list of numbers. */
static void
counted(struct walk *w, const pb_field_iter_t *it)
{
	uint64_t len = varint(w), end;
	struct bddf_field f = { .tag = it->tag, .off = w->pos, .len = len };

	if (stopped(w) || len > left(w)) {
		w->broken = true;
		return;
	}
	end = w->pos + len;
	if (PB_LTYPE(it->type) == PB_LTYPE_STRING) {
		check_utf8(w, len);
		f.event = BDDF_STRING;
		tell(w, f);
	} else if (PB_LTYPE_IS_SUBMSG(it->type)
	    && w->depth + 1 < BDDF_DEPTH_MAX) {
		f.event = BDDF_OPEN;
		tell(w, f);
		w->levels[++w->depth] = (struct level){
			.desc = it->submsg_desc,
			.end = end,
			.tag = it->tag,
		};
	} else if (PB_HTYPE(it->type) == PB_HTYPE_REPEATED) {
		while (!stopped(w) && w->pos < end)
			number(w, it);
		w->broken |= w->pos > end;
	} else {
		w->broken = true;
	}
}

static void
field(struct walk *w)
{
	uint64_t key = varint(w);
	pb_wire_type_t wire = (pb_wire_type_t)(key & 7);
	uint32_t tag = (uint32_t)(key >> 3);
	pb_field_iter_t it;

	if (stopped(w) || key >> 32 != 0 || tag == 0) {
		w->broken = true;
		return;
	}
	if (!pb_field_iter_begin(&it, w->levels[w->depth].desc, NULL)
	    || !pb_field_iter_find(&it, tag))
		skip_unknown(w, tag, wire);
	else if (wire == PB_WT_STRING)
		counted(w, &it);
	else if (wire == PB_WT_VARINT && PB_LTYPE(it.type) <= PB_LTYPE_SVARINT)
		number(w, &it);
	else
		w->broken = true;
}

/* Make n bytes of the message ready at once; false where it has fewer, and
 * for more than a piece. */
static bool
ready(struct walk *w, size_t n)
{
	if (n > PIECE || n > left(w))
		return false;
	if (n <= w->have)
		return true;
	w->have = 0;
	return refill(w);
}

/* Let the visitor take as many entries at once as it likes, of n bytes. */
static bool
many_entries(struct walk *w, size_t n)
{
	size_t taken = 0;

	tell(w,
	    (struct bddf_field){
	        .event = BDDF_ENTRIES,
	        .tag = bosdyn_api_SeriesBlockIndex_block_entries_tag,
	        .off = w->pos,
	        .len = slv_min64(n, left(w)),
	        .bytes = w->p,
	        .taken = &taken,
	    });
	skip(w, taken);
	return taken > 0;
}

/* Read a small entry by hand; false: it is another one. */
static bool
small_entry(struct walk *w)
{
	struct bddf_entry entry;
	struct bddf_field f = {
		.event = BDDF_ENTRY,
		.tag = bosdyn_api_SeriesBlockIndex_block_entries_tag,
		.entry = &entry,
		.len = w->p[1],
	};
	size_t head = 2;

	if (f.len >= 0x80) {
		f.len = (f.len & 0x7f) | (uint64_t)w->p[2] << 7;
		head = 3;
	}
	if ((head == 3 && w->p[2] >= 0x80) || !ready(w, head + (size_t)f.len))
		return false;
	f.bytes = w->p + head;
	f.off = w->pos + head;
	w->broken =
	    bddf_entry_get(f.bytes, (size_t)f.len, &entry, &f.more, NULL, NULL)
	    != BDDF_WHOLE;
	tell(w, f);
	skip(w, head + f.len);
	return true;
}

/* An index has an entry for every block: those that stand here one after the
 * other are read by hand, or not at all. */
static void
entries(struct walk *w)
{
	while (many_entries(w, 0))
		;
	while (!stopped(w) && ready(w, 3) && w->p[0] == ENTRY_KEY) {
		/* Those at the end of a piece are short of bytes. */
		(void)ready(w, ENTRY_ROOM);
		if (!many_entries(w, w->have) && !stopped(w) && !small_entry(w))
			return;
	}
}

enum slv_status
bddf_walk(struct slv_window *window, uint64_t off, uint64_t len,
    const pb_msgdesc_t *desc, bddf_visit_fn visit, void *ctx,
    enum bddf_read *out, struct slv_err *err)
{
	struct walk w = {
		.window = window,
		.visit = visit,
		.ctx = ctx,
		.pos = off,
		.err = err,
	};

	w.levels[0] = (struct level){ .desc = desc, .end = off + len };
	while (!stopped(&w)) {
		uint32_t tag = w.levels[w.depth].tag;

		if (w.levels[w.depth].desc
		    == bosdyn_api_SeriesBlockIndex_fields)
			entries(&w);
		if (stopped(&w))
			break;
		if (left(&w) > 0) {
			field(&w);
		} else if (w.depth == 0) {
			break;
		} else {
			w.depth--;
			tell(&w,
			    (struct bddf_field){
			        .event = BDDF_CLOSE,
			        .tag = tag,
			    });
		}
	}
	*out = w.broken ? BDDF_BROKEN : BDDF_WHOLE;
	return w.status;
}
