/* carla_begin.c - is it a recorder log, and what do its frames have in
 * common? */
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

/* Bits of evidence. */
#define BID_MAGIC 104 /* the whole beginning */
#define BID_CHAIN 60  /* two frames, one of which leads to the other */

/* Looks per byte of the first frames, and bytes for each frame.  Their
 * beginnings are searched, and a small log must not be known less well than a
 * large one. */
#define EFFORT 16
#define LOOK   ((uint64_t)1 << 17)
#define KINDS  3 /* of vectors */

/* The packets that every frame has in logs that have them. */
#define STEADY                                                                 \
	(0x7fcu | 1u << 13 | 1u << 14 | 1u << 19 | 1u << 20 | 1u << 21         \
	    | 1u << 22 | 1u << 23)

void
carla_count_kinds(struct carla_kinds *all, uint32_t seen)
{
	for (unsigned i = 0; i < CARLA_KNOWN; i++)
		all->seen[i] += seen >> i & 1;
	all->frames++;
}

void
carla_dialect_kinds(struct carla_dialect *d, const struct carla_kinds *all)
{
	d->usual = 0;
	for (unsigned i = 0; i < CARLA_KNOWN; i++) {
		if (all->seen[i] * 4 >= all->frames * 3)
			d->usual |= 1u << i;
	}
	d->always = d->usual & STEADY;
}

/* Frames read with one kind of vectors. */
struct sample {
	struct carla_kinds kinds;
	unsigned unused; /* frames with a type that no program has */
	uint8_t variants[4];
};

static void
take_sample(struct sample *x, const struct carla_frame *f)
{
	if (f->read != CARLA_WHOLE || f->n_fixes > 0)
		return;
	carla_count_kinds(&x->kinds, f->seen);
	x->unused += f->unused;
	for (unsigned i = 0; i < 4; i++) {
		if (f->variants[i] & x->variants[i])
			x->variants[i] &= f->variants[i];
	}
}

/* Read the frame at off with all kinds of vectors.  *len is what the first kind
 * that fits needs, 0 if none does. */
static enum slv_status
read_all_ways(struct slv_scan *s, uint64_t off, bool strict, struct sample *x,
    struct carla_start *start, uint64_t *len, struct slv_err *err)
{
	*len = 0;
	for (unsigned i = 0; i < KINDS; i++) {
		struct carla_dialect d = { .vectors = 1u << i,
			.strict = strict };
		struct carla_frame f;

		memset(d.variants, CARLA_ANY_VARIANT, sizeof(d.variants));
		SLV_TRY(carla_frame_read(s, off, &d, &f, err));
		take_sample(&x[i], &f);
		if (f.read == CARLA_WHOLE && *len == 0) {
			*start = f.start;
			*len = f.len;
		}
	}
	return SLV_OK;
}

/* What most of the frames show. */
static void
conclude(const struct sample *x, struct carla_dialect *d)
{
	const struct sample *best = &x[0];

	*d = (struct carla_dialect){ .vectors = CARLA_ANY_VECTORS };
	memset(d->variants, CARLA_ANY_VARIANT, sizeof(d->variants));
	for (unsigned i = 1; i < KINDS; i++) {
		if (x[i].kinds.frames > best->kinds.frames)
			best = &x[i];
	}
	if (best->kinds.frames == 0)
		return;
	d->vectors = 0;
	for (unsigned i = 0; i < KINDS; i++) {
		if (x[i].kinds.frames == best->kinds.frames)
			d->vectors |= 1u << i;
	}
	memcpy(d->variants, best->variants, sizeof(d->variants));
	carla_packet_versions(d->variants);
	carla_dialect_kinds(d, &best->kinds);
	/* By a margin large enough that the output, which lacks damaged frames,
	 * shows the same. */
	d->extended = best->unused * 2 > best->kinds.frames;
}

/* Examine the first frames.
 *
 *   *first  the first readable one; 0: there is none, or it is there
 *   *yes    one leads to another, or reaches the end of the file */
static enum slv_status
sample(struct slv_scan *s, uint64_t from, uint64_t *first, bool *yes,
    struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, from + CARLA_SEARCH), at = from;
	struct sample x[KINDS] = { { .kinds = { .frames = 0 } } };
	struct carla_start last = { 0 }, start = { 0 };
	uint64_t budget =
	    s->window->viewed + EFFORT * (to - from) + CARLA_SAMPLES * LOOK;
	unsigned n = 0;

	*first = 0;
	*yes = false;
	/* The length of a frame is not known yet, and the first one has all
	 * actors. */
	carla_edit(s)->likely = SLV_WINDOW_MAX / 2;
	for (unsigned i = 0; i < KINDS; i++)
		memset(x[i].variants, CARLA_ANY_VARIANT, 4);
	while (n < CARLA_SAMPLES && s->window->viewed < budget) {
		uint64_t len, mark;

		SLV_TRY(carla_frame_find(s, at, to, &mark, err));
		if (mark >= to)
			break;
		SLV_TRY(carla_read_ahead(s, mark, err));
		SLV_TRY(read_all_ways(s, mark, true, x, &start, &len, err));
		if (len == 0)
			SLV_TRY(read_all_ways(
			    s, mark, false, x, &start, &len, err));
		if (len > 0 && n++ == 0)
			*first = mark;
		if (len > 0) {
			*yes |= mark + len >= s->logical_end
			    || (n > 1 && mark == at && start.id == last.id + 1);
			last = start;
			carla_edit(s)->likely = len;
		}
		at = mark + slv_max64(len, 1);
	}
	if (n == 0)
		carla_edit(s)->likely = 0;
	conclude(x, &carla_edit(s)->dialect);
	carla_edit(s)->dialect.strict = s->opt.reading & SLV_READ_UNCORRECTED;
	return SLV_OK;
}

enum slv_status
carla_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	uint64_t first;
	const uint8_t *p;
	size_t same = 0;
	bool chain;

	*bid = 0;
	if (s->source->size - s->base >= CARLA_MAGIC_SIZE) {
		SLV_TRY(slv_window_view(
		    s->window, s->base, CARLA_MAGIC_SIZE, &p, err));
		for (size_t i = 0; i < CARLA_MAGIC_SIZE; i++)
			same += p[i] == (uint8_t)CARLA_MAGIC[i];
	}
	SLV_TRY(sample(s, s->base, &first, &chain, err));
	if (same == CARLA_MAGIC_SIZE || (chain && same > CARLA_MAGIC_SIZE / 2))
		*bid = BID_MAGIC;
	SLV_TRY(carla_header_read(s, first, err));
	if (*bid == 0 && (chain || s->base > 0))
		*bid = BID_CHAIN;
	return SLV_OK;
}

/* A FrameEnd is at the end.  A log that was cut between two frames counts as
 * closed here, and is nevertheless repaired. */
enum slv_status
carla_closed(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	static const uint8_t end[CARLA_HEAD] = { CARLA_END };
	const uint8_t *p;

	*yes = s->source->size >= CARLA_HEAD;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, s->source->size - CARLA_HEAD, CARLA_HEAD, &p, err));
	*yes = memcmp(p, end, CARLA_HEAD) == 0;
	return SLV_OK;
}
