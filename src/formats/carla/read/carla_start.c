/* carla_start.c - where a frame begins: its FrameStart. */
#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "formats/carla/read/carla_frame.h"

#define START_LEN   (CARLA_HEAD + CARLA_FRAME_LEN)
#define STRIDE      ((uint64_t)1 << 16) /* bytes searched at once */
#define ELAPSED_MAX 1e9                 /* s; no simulation is longer */
#define UNKNOWN     (-2.0)              /* an impossible duration */

static double
get_f64(const uint8_t *p)
{
	uint64_t bits = slv_get_le64(p);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

bool
carla_start_sane(const struct carla_start *f)
{
	/* The recorder begins with 1, and counts frames. */
	return f->id > 0 && f->id <= UINT32_MAX && f->elapsed >= 0
	    && f->elapsed < ELAPSED_MAX && f->duration >= -1
	    && f->duration < ELAPSED_MAX;
}

bool
carla_is_duration(const uint8_t *p)
{
	double v = get_f64(p), rounded;

	if (!(v >= -1 && v < ELAPSED_MAX) || (v > -1 && v <= 0))
		return false;
	rounded = (double)(float)v;
	return v >= rounded && v <= rounded;
}

static void
get_start(const uint8_t *p, struct carla_start *out)
{
	out->id = slv_get_le64(p);
	out->duration = get_f64(p + 8);
	out->elapsed = get_f64(p + 16);
}

/* Return true if this is the beginning of a FrameStart with at most one wrong
 * bit. */
static bool
is_start(uint8_t id, uint32_t size)
{
	uint64_t wrong =
	    (uint64_t)(id ^ CARLA_START) << 32 | (size ^ CARLA_FRAME_LEN);

	return (wrong & (wrong - 1)) == 0;
}

enum slv_status
carla_frame_start(const struct slv_scan *s, uint64_t off,
    struct carla_start *out, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (!slv_range_in(off, START_LEN, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, START_LEN, &p, err));
	if (!is_start(p[0], slv_get_le32(p + 1)))
		return SLV_OK;
	get_start(p + CARLA_HEAD, out);
	*yes = carla_start_sane(out);
	/* The frames around it show its duration. */
	if (!*yes && p[0] == CARLA_START
	    && slv_get_le32(p + 1) == CARLA_FRAME_LEN) {
		struct carla_start f = { out->id, 0, out->elapsed };

		*yes = carla_start_sane(&f);
		out->duration = UNKNOWN;
	}
	return SLV_OK;
}

enum slv_status
carla_frame_find(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	static const uint8_t head[CARLA_HEAD] = { CARLA_START,
		CARLA_FRAME_LEN };

	while (from < to && slv_range_in(from, START_LEN, s->source->size)) {
		size_t n = (size_t)slv_min64(s->source->size - from,
		    slv_min64(to - from, STRIDE) + START_LEN - 1);
		struct carla_start f;
		const uint8_t *p, *hit;
		size_t left = n;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		for (const uint8_t *q = p; left >= START_LEN;
		     left -= (size_t)(hit + 1 - q), q = hit + 1) {
			hit = slv_find_bytes(q, left, head, sizeof(head));
			if (hit == NULL || (size_t)(hit - p) + START_LEN > n)
				break;
			get_start(hit + CARLA_HEAD, &f);
			if (carla_start_sane(&f)) {
				*out =
				    slv_min64(from + (uint64_t)(hit - p), to);
				return SLV_OK;
			}
		}
		from += STRIDE;
	}
	*out = to;
	return SLV_OK;
}
