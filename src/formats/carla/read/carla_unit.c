/* carla_unit.c - what is at an offset, and is it whole? */
#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "core/scan/resync.h"
#include "formats/carla/carla_state.h"
#include "support/seek.h"

#define AHEAD  16                  /* packets in a row that are skipped */
#define STRIDE ((uint64_t)1 << 16) /* bytes searched at once */
#define SLACK  ((uint64_t)1 << 12) /* bytes by which frames may differ */
#define STRAYS 16 /* frames in a row of another place, at most */

const char *const carla_kinds[CARLA_TAGS] = {
	[CARLA_TAG_FRAME] = "frame",
	[CARLA_TAG_HEADER] = "header",
	[CARLA_TAG_USER] = "packet",
	[CARLA_TAG_JUNK] = "junk",
};

enum slv_status
carla_look(const struct slv_scan *s, uint64_t off,
    const struct carla_frame **out, struct slv_err *err)
{
	void *frame = slv_cache_find(s->cache, CARLA_CACHED_FRAME, off);

	*out = frame;
	if (frame != NULL)
		return SLV_OK;
	SLV_TRY(slv_cache_claim(s->cache, CARLA_CACHED_FRAME, &frame, err));
	SLV_TRY(carla_frame_read(s, off, &carla_of(s)->dialect, frame, err));
	slv_cache_keep(s->cache, CARLA_CACHED_FRAME, frame, off);
	*out = frame;
	return SLV_OK;
}

enum slv_status
carla_read_ahead(const struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	uint64_t n = s->source->size - off, most = SLV_WINDOW_MAX;
	uint64_t likely = carla_of(s)->likely + SLACK;
	const uint8_t *p;

	likely = slv_min64(likely, slv_min64(n, most));
	if (slv_window_peek(s->window, off, (size_t)likely) != NULL)
		return SLV_OK;
	/* Large enough that existing bytes are rarely moved. */
	n = slv_min64(n, slv_min64(likely + SLV_WINDOW_STRIDE, most));
	return slv_window_fill(s->window, off, (size_t)n, &p, err);
}

/* The beginning of the log. */
static void
header_unit(const struct slv_scan *s, struct slv_unit *u)
{
	const struct carla_header *h = &carla_of(s)->header;

	u->verdict = SLV_UNIT_GOOD;
	u->tag = CARLA_TAG_HEADER;
	u->part = SLV_PART_FRAME;
	u->len = h->len;
	if (h->sound)
		return;
	u->fate = h->named ? SLV_REBUILT : SLV_LOST;
	u->problem = h->named && h->map == CARLA_MAP_READ ? CARLA_P_HEADER
	                                                  : CARLA_PROBLEMS;
}

/* The header of another log; *yes: there is one at off. */
static enum slv_status
foreign_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = off != s->base && slv_range_in(off, CARLA_MAP, s->logical_end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, CARLA_MAP, &p, err));
	*yes = memcmp(p, CARLA_MAGIC, CARLA_MAGIC_SIZE) == 0;
	if (!*yes)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->tag = CARLA_TAG_HEADER;
	u->part = SLV_PART_FRAME;
	u->fate = SLV_FOREIGN;
	/* Its last FrameEnd ends with zeros. */
	u->len =
	    slv_min64(s->logical_end + CARLA_HEAD - 1, s->source->size) - off;
	u->whole_log = true;
	return SLV_OK;
}

struct slv_moment
carla_moment(const struct slv_scan *s, const struct carla_start *f)
{
	int64_t date = carla_of(s)->header.date;
	double whole = (double)(int64_t)f->elapsed;

	return (struct slv_moment){
		.sec = date + (int64_t)f->elapsed,
		.nanos = (uint32_t)((f->elapsed - whole) * 1e9),
		.known = date >= 0 && date < INT64_MAX / 2,
	};
}

/* Return true if the frame is later than the certain ones. */
static bool
is_later(const struct slv_scan *s, const struct carla_start *f)
{
	const struct carla_start *sure = &carla_of(s)->sure;

	return sure->id == 0
	    || (f->id > sure->id && f->elapsed > sure->elapsed);
}

/* Return true if a is before b, by its number and by its time: one of the two
 * may be wrong, and then the frames around show it. */
static bool
is_before(const struct carla_start *a, const struct carla_start *b)
{
	return b->id > 0 && a->id <= b->id && a->elapsed <= b->elapsed;
}

/* Return true if the frame is before the certain ones, or before the last kept
 * one. */
static bool
is_earlier(const struct slv_scan *s, const struct carla_start *f)
{
	const struct carla *c = carla_of(s);

	return is_before(f, &c->sure)
	    || (c->n_items > 0 && c->items[c->n_items - 1].is_frame
	        && is_before(f, &c->items[c->n_items - 1].start));
}

/* Bytes that begin like a frame. */
static enum slv_status
frame_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct carla_frame *f;

	SLV_TRY(carla_look(s, off, &f, err));
	u->tag = CARLA_TAG_FRAME;
	u->part = SLV_PART_DATA;
	u->has_channel = true;
	u->channel = CARLA_START;
	if (f->start.id > 0)
		u->time = carla_moment(s, &f->start);
	if (f->read == CARLA_WHOLE
	    && (asking == SLV_ASK_NEXT || is_later(s, &f->start))) {
		u->verdict = SLV_UNIT_GOOD;
		u->len = f->len;
	} else if (f->read == CARLA_CUT) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = CARLA_P_CUT;
		u->len = slv_max64(s->logical_end, off + 1) - off;
	} else {
		u->problem = CARLA_P_FRAME;
	}
	return SLV_OK;
}

/* Return true if a user packet is at off, followed by others, a frame, or the
 * end.  *len: of the first one; not 0: it fits. */
static enum slv_status
is_user(const struct slv_scan *s, uint64_t off, uint64_t *len, bool *yes,
    struct slv_err *err)
{
	uint64_t at = off, size = 0;
	int n = 0;

	*len = 0;
	*yes = false;
	for (; n < AHEAD && slv_range_in(at, CARLA_HEAD, s->source->size);
	     n++) {
		struct carla_start start;
		const uint8_t *p;

		SLV_TRY(carla_frame_start(s, at, &start, yes, err));
		*yes &= n > 0;
		if (*yes)
			return SLV_OK;
		SLV_TRY(slv_window_view(s->window, at, CARLA_HEAD, &p, err));
		size = slv_get_le32(p + 1);
		if (p[0] < CARLA_USER
		    || !slv_range_in(at + CARLA_HEAD, size, s->source->size))
			break;
		at += CARLA_HEAD + size;
		if (n == 0)
			*len = at - off;
	}
	*yes = n > 0 && at == s->source->size;
	/* Zeros may follow the end.  If other bytes do, the size of the last
	 * packet may be wrong. */
	if (n > 0 && carla_of(s)->ended == off)
		*yes |= at == s->logical_end
		    || (size == 0 && at == s->logical_end + CARLA_HEAD - 1);
	return SLV_OK;
}

/* The last frame says that it is the last, and what follows is not the
 * beginning of another one. */
static enum slv_status
is_junk(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	static const uint8_t head[CARLA_HEAD] = { CARLA_START,
		CARLA_FRAME_LEN };
	size_t n = (size_t)slv_min64(s->logical_end - off, CARLA_HEAD);
	const uint8_t *p;
	uint64_t mark;

	*yes = off > 0 && carla_of(s)->ended == off;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	*yes = memcmp(p, head, n) != 0;
	if (*yes)
		SLV_TRY(slv_next_mark(s, off, s->logical_end, &mark, err));
	*yes = *yes && mark == s->logical_end;
	return SLV_OK;
}

/* The rest of the file after the last frame: not part of the log; or, if it
 * begins like a packet, perhaps one. */
static struct slv_unit
rest(const struct slv_scan *s, uint64_t off, bool packet)
{
	return (struct slv_unit){
		.verdict = SLV_UNIT_GOOD,
		.fate = packet ? SLV_LOST : SLV_FILLER,
		.part = SLV_PART_FRAME,
		.tag = packet ? CARLA_TAG_USER : CARLA_TAG_JUNK,
		.problem = packet ? CARLA_P_PACKET : CARLA_P_JUNK,
		.len = s->logical_end - off,
	};
}

/* Bytes that begin neither a log nor a frame, where a frame is expected. */
static enum slv_status
other_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	uint64_t mark, len;
	bool yes;

	SLV_TRY(is_user(s, off, &len, &yes, err));
	if (yes) {
		*u = (struct slv_unit){
			.verdict = SLV_UNIT_GOOD,
			.part = SLV_PART_PACK,
			.tag = CARLA_TAG_USER,
			.problem = CARLA_PROBLEMS,
			.len = len,
		};
		return SLV_OK;
	}
	SLV_TRY(is_junk(s, off, &yes, err));
	if (yes) {
		*u = rest(s, off, len > 0);
		return SLV_OK;
	}
	if (u->verdict != SLV_UNIT_BAD)
		return SLV_OK;
	/* Nothing follows: the log stops in it. */
	SLV_TRY(slv_next_mark(s, off + 1, s->logical_end, &mark, err));
	if (mark < s->logical_end)
		return SLV_OK;
	u->verdict = SLV_UNIT_SHORT;
	u->problem = CARLA_P_CUT;
	u->len = s->logical_end - off;
	return SLV_OK;
}

enum slv_status
carla_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	bool yes;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.fate = SLV_KEPT,
		.part = SLV_PART_DATA,
		.tag = CARLA_TAG_FRAME,
		.problem = CARLA_PROBLEMS,
	};
	if (off == s->base && c->header.len > 0) {
		header_unit(s, u);
		return SLV_OK;
	}
	SLV_TRY(foreign_unit(s, off, u, &yes, err));
	if (yes)
		return SLV_OK;
	if (asking == SLV_ASK_NEXT)
		SLV_TRY(carla_read_ahead(s, off, err));
	SLV_TRY(frame_unit(s, off, asking, u, err));
	return u->verdict == SLV_UNIT_GOOD || asking != SLV_ASK_NEXT
	    ? SLV_OK
	    : other_unit(s, off, u, err);
}

/* Return true if what looks like a FrameStart at off, and is not the next one,
 * is none: the recorder writes durations that are f32, and then a whole
 * frame. */
static enum slv_status
is_no_start(const struct slv_scan *s, uint64_t off,
    const struct carla_start *next, bool *yes, struct slv_err *err)
{
	double d = (double)(float)next->duration;
	const struct carla_frame *f;

	*yes = false;
	if (next->duration >= d && next->duration <= d)
		return SLV_OK;
	SLV_TRY(carla_look(s, off, &f, err));
	*yes = f->read != CARLA_WHOLE;
	return SLV_OK;
}

/* Return true if one frame leads to another by its number and by its time. */
static bool
is_next(const struct carla_start *a, const struct carla_start *b)
{
	return b->id == a->id + 1 && carla_chained(a, b);
}

/* The last kept frame; NULL: there is none, or something follows it. */
static const struct carla_start *
last_start(const struct carla *c)
{
	const struct carla_item *last =
	    c->n_items > 0 ? &c->items[c->n_items - 1] : NULL;

	return last != NULL && last->is_frame ? &last->start : NULL;
}

/* Return true if frames of another place are between the frame f, which follows
 * the last kept one, and its successor: they are whole, and in a row.
 *
 *   off  where they begin */
static enum slv_status
is_interrupted(const struct slv_scan *s, uint64_t off,
    const struct carla_frame *f, bool *yes, struct slv_err *err)
{
	const struct carla_start *last = last_start(carla_of(s));
	const struct carla_start start = f->start;
	struct carla_start before = { .id = 0 };

	*yes = false;
	if (last == NULL || !is_next(last, &start))
		return SLV_OK;
	for (int i = 0; i < STRAYS && !*yes; i++) {
		const struct carla_frame *stray;

		SLV_TRY(carla_look(s, off, &stray, err));
		*yes = is_next(&start, &stray->start);
		if (*yes || stray->read != CARLA_WHOLE
		    || (i > 0 && stray->start.id != before.id + 1))
			break;
		before = stray->start;
		off += stray->len;
	}
	return SLV_OK;
}

/* Whether the FrameStart that is due after the frame is inside it, with or without
 * its beginning: then bytes are missing between the two. */
static enum slv_status
holds_next(const struct slv_scan *s, uint64_t off, const struct carla_frame *f,
    bool *yes, struct slv_err *err)
{
	double due = f->start.elapsed + f->start.duration;
	uint64_t at = off + CARLA_HEAD + CARLA_FRAME_LEN, end = off + f->len;
	uint64_t bits;
	uint8_t want[8];

	*yes = false;
	if (f->start.duration <= 0)
		return SLV_OK;
	memcpy(&bits, &due, sizeof(bits));
	slv_put_le64(want, bits);
	while (!*yes && end - at >= 2 * sizeof(want)) {
		size_t n = (size_t)slv_min64(end - at, STRIDE);
		const uint8_t *p, *hit;

		SLV_TRY(slv_window_view(s->window, at, n, &p, err));
		hit = slv_find_bytes(
		    p + sizeof(want), n - sizeof(want), want, sizeof(want));
		if (hit != NULL)
			*yes = carla_is_duration(hit - sizeof(want));
		at += n == end - at ? n : n - 2 * sizeof(want) + 1;
	}
	return SLV_OK;
}

enum slv_status
carla_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);
	const struct carla_frame *f;
	const struct carla_start *last;
	struct carla_start next;
	bool yes;

	*out = SLV_VOUCHED;
	if (u->tag != CARLA_TAG_FRAME)
		return SLV_OK;
	SLV_TRY(carla_look(s, off, &f, err));
	if (is_earlier(s, &f->start)) {
		*out = SLV_SUSPECT;
		u->problem = CARLA_P_ORDER;
		u->got = f->start.id;
		u->want =
		    slv_max64(c->sure.id, c->items[c->n_items - 1].start.id);
		return SLV_OK;
	}
	SLV_TRY(carla_frame_start(s, off + u->len, &next, &yes, err));
	if (!yes) {
		SLV_TRY(holds_next(s, off, f, &yes, err));
		*out = yes ? SLV_SUSPECT : SLV_VOUCHED;
		u->problem = yes ? CARLA_P_SUSPECT : u->problem;
		return SLV_OK;
	}
	SLV_TRY(carla_look(s, off, &f, err));
	last = last_start(c);
	if (last != NULL && is_next(last, &next) && !is_next(last, &f->start)) {
		*out = SLV_SUSPECT;
		u->problem = CARLA_P_SUSPECT;
		return SLV_OK;
	}
	if (next.id == f->start.id + 1 || carla_chained(&f->start, &next))
		return SLV_OK;
	SLV_TRY(is_interrupted(s, off + u->len, f, &yes, err));
	if (!yes)
		SLV_TRY(is_no_start(s, off + u->len, &next, &yes, err));
	if (yes)
		return SLV_OK;
	*out = SLV_SUSPECT;
	u->problem = CARLA_P_SUSPECT;
	return SLV_OK;
}

enum slv_status
carla_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	SLV_TRY(carla_frame_find(s, from, to, out, err));
	return slv_seek(s, from, *out, CARLA_MAGIC, CARLA_MAGIC_SIZE, out, err);
}
