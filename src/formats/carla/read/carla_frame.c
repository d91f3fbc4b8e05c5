/* carla_frame.c - a frame: the packets from a FrameStart to its FrameEnd. */
#include "formats/carla/read/carla_frame.h"

#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"
#include "formats/carla/read/carla_record.h"

#define START_LEN (CARLA_HEAD + CARLA_FRAME_LEN)

/* The head of the packet at off; false: the file ends in it. */
static enum slv_status
read_head(const struct slv_scan *s, uint64_t off, struct carla_packet *p,
    bool *there, struct slv_err *err)
{
	const uint8_t *b;

	*p = (struct carla_packet){ .body = off + CARLA_HEAD };
	*there = slv_range_in(off, CARLA_HEAD, s->source->size);
	if (!*there)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, CARLA_HEAD, &b, err));
	p->id = b[0];
	p->size = slv_get_le32(b + 1);
	return SLV_OK;
}

/* Whether the packet may be one of the frame: no two are of one kind. */
static bool
may_follow(const struct carla_frame *f, const struct carla_dialect *d,
    const struct carla_packet *p)
{
	if (p->id >= CARLA_KNOWN)
		return true;
	if (p->id == CARLA_START || f->seen & (1u << p->id))
		return false;
	return p->id < CARLA_VARYING
	    || p->variants & d->variants[p->id - CARLA_VARYING];
}

/* Whether a packet of the frame, sizes and all, or its end is at off; after
 * its end another frame, or the end of the file. */
static enum slv_status
goes_on(const struct slv_scan *s, uint64_t off, const struct carla_frame *f,
    const struct carla_dialect *d, uint8_t before, bool *yes,
    struct slv_err *err)
{
	struct carla_packet p;
	struct carla_start next;

	if (before == CARLA_END && off < s->source->size)
		return carla_frame_start(s, off, &next, yes, err);
	SLV_TRY(read_head(s, off, &p, yes, err));
	*yes |= before == CARLA_END;
	if (!*yes || before == CARLA_END)
		return SLV_OK;
	*yes = false;
	if (p.id >= CARLA_KNOWN || p.id == before)
		return SLV_OK;
	SLV_TRY(carla_packet_fit(s, &p, f->vectors, s->source->size, yes, err));
	*yes = *yes && may_follow(f, d, &p);
	return SLV_OK;
}

static bool
add_fix(struct carla_frame *f, uint64_t packet, enum carla_fixed what,
    uint32_t had, uint32_t should)
{
	/* Where both are right something else is wrong. */
	if (f->n_fixes == CARLA_FIXES || had == should)
		return false;
	f->fixes[f->n_fixes++] =
	    (struct carla_fix){ packet, what, had, should };
	return true;
}

/* Whether frames that are kept have packets of a program's own. */
static bool
has_user(const struct carla *c)
{
	for (unsigned id = CARLA_KNOWN; id < 256; id++) {
		if (c->counts[id].packets > 0)
			return true;
	}
	return false;
}

/* A FrameEnd with another size than 0: where the frame lacks no packet, and no frame
 * has any but CARLA's, nothing else can be there. */
static bool
is_end(const struct slv_scan *s, const struct carla_frame *f,
    const struct carla_dialect *d, const struct carla_packet *p)
{
	uint32_t usual = d->usual & ~(1u << CARLA_END);

	return p->id == CARLA_END && d->always != 0
	    && (f->seen & (usual | CARLA_STRANGE)) == usual
	    && !has_user(carla_of(s));
}

/* Whether a frame begins in the packet: then its length is wrong. */
static enum slv_status
holds_start(const struct slv_scan *s, const struct carla_packet *p, bool *yes,
    struct slv_err *err)
{
	uint64_t end = p->body + p->len, at;

	SLV_TRY(carla_frame_find(s, p->body, end, &at, err));
	*yes = at < end;
	return SLV_OK;
}

/* A packet whose size and contents contradict each other: is one of the two
 * confirmed by what follows? */
static enum slv_status
mend_size(const struct slv_scan *s, struct carla_frame *f,
    const struct carla_dialect *d, struct carla_packet *p, bool *yes,
    struct slv_err *err)
{
	uint64_t off = p->body - CARLA_HEAD, end = s->source->size;
	struct carla_packet q = *p;
	bool started = false, may = false;

	*yes = false;
	if (p->id < CARLA_KNOWN)
		SLV_TRY(carla_may_mend(s, &may, err));
	if (!may)
		return SLV_OK;
	for (unsigned form = 0; form < CARLA_FORMS && !*yes; form++) {
		q = *p;
		SLV_TRY(carla_measure(s, &q, f->vectors, form, yes, err));
		*yes = *yes && may_follow(f, d, &q);
		if (*yes && !is_end(s, f, d, &q))
			SLV_TRY(
			    goes_on(s, q.body + q.len, f, d, p->id, yes, err));
	}
	if (*yes) {
		*yes = add_fix(f, off, CARLA_FIX_SIZE, p->size, q.size);
		*p = q;
		return SLV_OK;
	}
	q = *p;
	SLV_TRY(carla_packet_count(s, &q, f->vectors, end, yes, err));
	if (*yes)
		SLV_TRY(goes_on(s, q.body + q.len, f, d, p->id, yes, err));
	if (*yes)
		SLV_TRY(holds_start(s, &q, &started, err));
	*yes = *yes && !started && add_fix(f, off, CARLA_FIX_COUNT, p->n, q.n);
	if (*yes)
		*p = q;
	return SLV_OK;
}

/* Whether the last packet is one of a program's own that may carry something. */
static bool
ends_carrying(const struct carla_frame *f)
{
	const struct carla_packet *last = &f->packets[f->n_packets - 1];

	return f->n_packets <= CARLA_PACKETS && last->id >= CARLA_USER
	    && last->len >= CARLA_CARRY;
}

/* Whether the packet fits as one of type id, and the frame goes on after it; then
 * *q is that packet. */
static enum slv_status
fits_as(const struct slv_scan *s, const struct carla_frame *f,
    const struct carla_dialect *d, const struct carla_packet *p, uint8_t id,
    struct carla_packet *q, bool *yes, struct slv_err *err)
{
	uint64_t end = s->source->size;

	*q = *p;
	q->id = id;
	SLV_TRY(carla_packet_fit(s, q, f->vectors, end, yes, err));
	*yes = *yes && (q->n > 0 || d->usual >> id & 1) && may_follow(f, d, q);
	/* Zeros at the end of the file are no FrameEnd: more is missing; nor are
	 * those that a packet before them may carry. */
	if (id == CARLA_END && p->id == CARLA_START
	    && (!slv_range_in(q->body, 1, end) || ends_carrying(f)))
		*yes = false;
	return *yes ? goes_on(s, q->body + q->len, f, d, id, yes, err) : SLV_OK;
}

/* The one type that all frames have, this one not yet, and that the packet would
 * be of; *yes = false: there is none, or more than one. */
static enum slv_status
find_missing(const struct slv_scan *s, const struct carla_frame *f,
    const struct carla_dialect *d, const struct carla_packet *p,
    struct carla_packet *out, bool *yes, struct slv_err *err)
{
	unsigned n = 0;

	for (unsigned id = CARLA_ADD; id < CARLA_KNOWN; id++) {
		struct carla_packet q;

		if (!((d->always & ~f->seen) >> id & 1))
			continue;
		SLV_TRY(fits_as(s, f, d, p, (uint8_t)id, &q, yes, err));
		if (*yes && n++ == 0)
			*out = q;
	}
	*yes = n == 1;
	return SLV_OK;
}

/* No program has types between CARLA's and those that are free. */
static bool
is_unused(uint8_t id)
{
	return id >= CARLA_KNOWN && id < CARLA_USER;
}

/* A packet that is not of its type, or of one that is not known: is it, except for
 * one bit, one that most frames have and this one not yet?  Of a type that does
 * not exist all bits may be wrong. */
static enum slv_status
mend_type(const struct slv_scan *s, struct carla_frame *f,
    const struct carla_dialect *d, struct carla_packet *p, bool *yes,
    struct slv_err *err)
{
	bool unused = is_unused(p->id);
	uint64_t off = p->body - CARLA_HEAD;
	struct carla_packet q = *p;

	*yes = false;
	for (unsigned bit = 0; bit < 8 && !*yes; bit++) {
		uint8_t id = p->id ^ (uint8_t)(1u << bit);

		if (id < CARLA_KNOWN && (unused || d->usual >> id & 1))
			SLV_TRY(fits_as(s, f, d, p, id, &q, yes, err));
	}
	if (!*yes && p->id >= CARLA_KNOWN)
		SLV_TRY(find_missing(s, f, d, p, &q, yes, err));
	if (*yes) {
		*yes = add_fix(f, off, CARLA_FIX_TYPE, p->id, q.id);
		*p = q;
	}
	return SLV_OK;
}

/* Take the packet into the frame. */
static void
note(struct carla_frame *f, const struct carla_packet *p)
{
	if (f->n_packets < CARLA_PACKETS)
		f->packets[f->n_packets] = *p;
	f->n_packets++;
	if (p->id < CARLA_KNOWN)
		f->seen |= 1u << p->id;
	if (p->id >= CARLA_VARYING && p->id < CARLA_KNOWN)
		f->variants[p->id - CARLA_VARYING] = p->variants;
	if (p->id >= CARLA_KNOWN) {
		f->seen |= CARLA_STRANGE;
		f->other = p->body - CARLA_HEAD;
		f->other_id = p->id;
		f->unused |= is_unused(p->id);
	}
}

/* The head of the FrameStart at off, of which a bit may be wrong. */
static enum slv_status
read_start(const struct slv_scan *s, uint64_t off, struct carla_frame *f,
    struct slv_err *err)
{
	struct carla_packet p;
	bool there;

	SLV_TRY(read_head(s, off, &p, &there, err));
	(void)add_fix(f, off, CARLA_FIX_TYPE, p.id, CARLA_START);
	(void)add_fix(f, off, CARLA_FIX_SIZE, p.size, CARLA_FRAME_LEN);
	p.id = CARLA_START;
	p.size = CARLA_FRAME_LEN;
	p.len = p.size;
	note(f, &p);
	return SLV_OK;
}

static enum slv_status
note_plain(
    void *ctx, uint64_t off, const struct carla_record *e, struct slv_err *err)
{
	bool *all = ctx;

	(void)off;
	(void)err;
	*all &= e->plain;
	return SLV_OK;
}

enum slv_status
carla_frame_plain(const struct slv_scan *s, const struct carla_packet *p,
    enum carla_vectors v, bool *yes, struct slv_err *err)
{
	*yes = true;
	/* What else there is of events is numbers. */
	return p->id == CARLA_ADD
	    ? carla_record_each(s, p, v, note_plain, yes, err)
	    : SLV_OK;
}

/* A frame of which nothing was read.  The list of packets, which is most of it, is
 * not cleared. */
static void
clear(struct carla_frame *f)
{
	memset(f, 0, offsetof(struct carla_frame, packets));
	f->read = CARLA_BROKEN;
}

/* Whether a frame that ends lacks nothing.  Where one that most have is missing, a
 * packet of a type that no program has is a part of it, as bytes are missing. */
static bool
is_complete(const struct carla_frame *f, const struct carla_dialect *d)
{
	if (f->unused && !d->extended && (f->seen & d->usual) != d->usual)
		return false;
	return (f->seen & d->always) == d->always;
}

/* The frame at off, whose FrameStart is there, with vectors of one kind. */
static enum slv_status
read_with(const struct slv_scan *s, uint64_t off, const struct carla_dialect *d,
    struct carla_frame *f, struct slv_err *err)
{
	uint64_t at = off + START_LEN, end = s->source->size;
	struct carla_packet p = { .id = CARLA_START };
	bool there, fits, odd;

	SLV_TRY(read_start(s, off, f, err));
	while (p.id != CARLA_END) {
		SLV_TRY(read_head(s, at, &p, &there, err));
		if (!there)
			break;
		bool mended = false;

		SLV_TRY(carla_packet_fit(s, &p, f->vectors, end, &fits, err));
		odd = !fits || p.id >= CARLA_KNOWN || !may_follow(f, d, &p);
		if (odd && !d->strict)
			SLV_TRY(mend_type(s, f, d, &p, &mended, err));
		if (!fits && !mended && !d->strict)
			SLV_TRY(mend_size(s, f, d, &p, &mended, err));
		fits |= mended;
		if (fits && p.id == CARLA_ADD)
			SLV_TRY(
			    carla_frame_plain(s, &p, f->vectors, &fits, err));
		if (!fits || !may_follow(f, d, &p))
			break;
		note(f, &p);
		at = p.body + p.len;
	}
	f->len = at - off;
	if (f->seen & (1u << CARLA_END))
		f->read = is_complete(f, d) ? CARLA_WHOLE : CARLA_BROKEN;
	else if (!there || at >= s->logical_end
	    || !slv_range_in(p.body, p.size, s->logical_end))
		f->read = CARLA_CUT;
	return SLV_OK;
}

/* Whether a is the better reading of the same frame. */
static bool
is_better(const struct carla_frame *a, const struct carla_frame *b)
{
	if (a->read != b->read)
		return a->read == CARLA_WHOLE || b->read == CARLA_BROKEN;
	return a->read == CARLA_WHOLE ? a->n_fixes < b->n_fixes
	                              : a->len > b->len;
}

/* The frame at off, whose FrameStart is there, as the best of all kinds of
 * vectors reads it. */
static enum slv_status
read_best(const struct slv_scan *s, uint64_t off, const struct carla_dialect *d,
    const struct carla_start *start, struct carla_frame *f, struct slv_err *err)
{
	struct carla_frame other, *to = f;

	clear(f);
	for (unsigned v = CARLA_F32; v <= CARLA_MIXED; v <<= 1) {
		if (!(d->vectors & v))
			continue;
		clear(to);
		to->start = *start;
		to->vectors = (enum carla_vectors)v;
		SLV_TRY(read_with(s, off, d, to, err));
		if (to != f && is_better(to, f))
			*f = *to;
		if (f->read == CARLA_WHOLE && f->n_fixes == 0)
			break;
		to = &other;
	}
	return SLV_OK;
}

/* Whether nothing in a frame can be another packet with a wrong type: no program
 * has types between CARLA's and those that are free, and in the place of a packet
 * of a program's own one of CARLA's would be missing. */
static bool
is_plausible(const struct carla_frame *f, const struct carla_dialect *d)
{
	return f->read == CARLA_WHOLE && !f->unused
	    && (!(f->seen & CARLA_STRANGE) || (f->seen & d->usual) == d->usual);
}

enum slv_status
carla_frame_read(const struct slv_scan *s, uint64_t off,
    const struct carla_dialect *d, struct carla_frame *f, struct slv_err *err)
{
	uint64_t there = s->source->size - off;
	struct carla_frame mended;
	struct carla_start start;
	struct carla_dialect as_is = *d;
	bool yes;

	SLV_TRY(carla_frame_start(s, off, &start, &yes, err));
	if (!yes) {
		clear(f);
		f->read = there < START_LEN ? CARLA_CUT : CARLA_BROKEN;
		return SLV_OK;
	}
	as_is.strict = true;
	SLV_TRY(read_best(s, off, &as_is, &start, f, err));
	if (d->strict || is_plausible(f, d))
		return SLV_OK;
	SLV_TRY(read_best(s, off, d, &start, &mended, err));
	if (mended.read == CARLA_WHOLE || is_better(&mended, f))
		*f = mended;
	return SLV_OK;
}

/* Let a packet be as the fix has it. */
static enum slv_status
apply(struct slv_scan *s, const struct carla_frame *f,
    const struct carla_fix *x, struct carla_packet *p, struct slv_err *err)
{
	bool yes;

	switch (x->what) {
	case CARLA_FIX_TYPE: p->id = (uint8_t)x->should; break;
	case CARLA_FIX_SIZE: p->size = x->should; break;
	case CARLA_FIX_COUNT:
		p->n = x->should;
		p->len = p->size;
		return SLV_OK;
	}
	return carla_packet_fit(s, p, f->vectors, s->source->size, &yes, err);
}

enum slv_status
carla_frame_packets(struct slv_scan *s, uint64_t off,
    const struct carla_frame *f, carla_packet_fn fn, void *ctx,
    struct slv_err *err)
{
	uint64_t at = off, end = off + f->len;

	for (size_t i = 0; i < f->n_packets && i < CARLA_PACKETS; i++) {
		SLV_TRY(fn(ctx, &f->packets[i], err));
		at = f->packets[i].body + f->packets[i].len;
	}
	while (at < end) {
		struct carla_packet p;
		bool yes;

		SLV_TRY(read_head(s, at, &p, &yes, err));
		SLV_TRY(carla_packet_fit(s, &p, f->vectors, end, &yes, err));
		for (size_t i = 0; i < f->n_fixes; i++) {
			if (f->fixes[i].packet == at)
				SLV_TRY(apply(s, f, &f->fixes[i], &p, err));
		}
		SLV_TRY(fn(ctx, &p, err));
		at = p.body + p.len;
	}
	return SLV_OK;
}
