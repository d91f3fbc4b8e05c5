/* rosbag_repeat.c - leave out a copy of the bytes before it.
 *
 * A disk or a transfer that repeats a range of d bytes tears the record in
 * which the copy begins.  Every byte of the copy is the one d bytes before it.
 * So whichever d bytes in a row are left out of the range and its copy, the
 * rest is as it was recorded; they are left out from the beginning of a record
 * on.  Where the whole range is inside one record, the beginning of that record
 * moves to its rest.
 */
#include "formats/rosbag/judge/rosbag_repeat.h"

#include <string.h>

#include "base/find.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define LONGEST    ((uint64_t)8 << 20)  /* bytes of a repeated range */
#define STRIDE     ((uint64_t)64 << 10) /* bytes searched at once */
#define RECOGNISED 64 /* bytes by which a record is found again */
#define TRIES      8  /* earlier places with these bytes that are tried */
#define SHORTEST   32 /* bytes that recorded data hardly repeat at once */
#define CHANCE     8  /* bytes that may be alike before and after a copy */
#define PERIODS    64 /* bytes; shorter patterns are common in recorded data */
#define BLOCK      1024 /* bytes that are compared before another look */
#define JUDGED     8 /* times the bytes of a copy that it costs to judge them */

/* A copy of the d bytes before it. */
struct copy {
	uint64_t at, d;
	uint64_t alike; /* bytes in a row that are those d bytes before, up to
	                 * d + CHANCE */
};

/* How many of n bytes at x, or with `back` of those before it, are those d
 * bytes further on. */
static enum slv_status
count_same(struct slv_scan *s, uint64_t x, uint64_t d, uint64_t n, bool back,
    uint64_t *same, struct slv_err *err)
{
	uint8_t piece[4096];
	const uint8_t *p;

	for (*same = 0; *same < n;) {
		size_t len = (size_t)slv_min64(sizeof(piece), n - *same);
		uint64_t at = back ? x - *same - len : x + *same;
		size_t i = 0;

		SLV_TRY(slv_window_view(s->window, at, len, &p, err));
		memcpy(piece, p, len);
		SLV_TRY(slv_window_view(s->window, at + d, len, &p, err));
		while (i < len
		    && piece[back ? len - 1 - i : i]
		        == p[back ? len - 1 - i : i])
			i++;
		*same += i;
		if (i < len)
			return SLV_OK;
	}
	return SLV_OK;
}

/* Find the copy that `to` is in, or next to; ->alike < d: there is none. */
static enum slv_status
find_copy(struct slv_scan *s, const struct rosbag_seam *seam, uint64_t d,
    struct copy *c, struct slv_err *err)
{
	uint64_t n = slv_min64(seam->to - seam->from, seam->to - d), more;

	SLV_TRY(count_same(s, seam->to - d, d, n, true, &n, err));
	*c = (struct copy){ .at = seam->to - n, .d = d, .alike = n };
	n = n < d ? d - n + CHANCE : CHANCE;
	n = slv_min64(n, s->logical_end - seam->to);
	SLV_TRY(count_same(s, seam->to - d, d, n, false, &more, err));
	c->alike += more;
	return SLV_OK;
}

/* Where the record in which `at` is begins, if one begins at `from`. */
static enum slv_status
record_at(struct slv_scan *s, uint64_t from, uint64_t at, uint64_t *out,
    struct slv_err *err)
{
	for (*out = from; *out < at;) {
		struct rosbag_record r;
		uint64_t len;

		SLV_TRY(rosbag_look(s, *out, &r, err));
		if (r.read != ROSBAG_WHOLE)
			break;
		len = rosbag_span(&r);
		if (r.op == ROSBAG_CHUNK && r.codec == SLV_CODEC_NONE)
			len = rosbag_head(&r);
		if (len > at - *out)
			break;
		*out += len;
	}
	return SLV_OK;
}

/* Whether nearly all of n bytes are those `period` before. */
static bool
has_period(const uint8_t *p, size_t n, size_t period)
{
	size_t most = (n - period) / 8, others = 0;

	for (size_t i = period; i < n && others <= most;) {
		size_t upto = (size_t)slv_min64(n, i + BLOCK);

		for (; i < upto; i++)
			others += p[i] != p[i - period];
	}
	return others <= most;
}

/* Whether some pattern of few bytes makes up nearly all of n bytes. */
static bool
is_pattern(const uint8_t *p, size_t n)
{
	for (size_t period = 1; period <= PERIODS && period < n; period++) {
		if (has_period(p, n, period))
			return true;
	}
	return false;
}

/* Whether the bytes that are repeated are too few, or too much alike, to be
 * known by. */
static enum slv_status
is_common(
    struct slv_scan *s, const struct copy *c, bool *yes, struct slv_err *err)
{
	size_t n = (size_t)slv_min64(slv_min64(c->d, c->alike), STRIDE);
	const uint8_t *p;

	*yes = n < SHORTEST;
	if (*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, c->at, n, &p, err));
	*yes = is_pattern(p, n);
	return SLV_OK;
}

/* Whether the record at `start`, in which the whole range is, ends where another
 * one begins, once the copy is left out. */
static enum slv_status
is_whole_without(struct slv_scan *s, uint64_t start, const struct copy *c,
    bool *yes, struct slv_err *err)
{
	uint8_t head[2 * RECOGNISED];
	size_t n = (size_t)slv_min64(sizeof(head), c->at - start), more;
	uint64_t end;
	struct rosbag_record r;
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, start, n, &p, err));
	memcpy(head, p, n);
	more =
	    (size_t)slv_min64(sizeof(head) - n, s->logical_end - c->at - c->d);
	if (more > 0) {
		SLV_TRY(
		    slv_window_view(s->window, c->at + c->d, more, &p, err));
		memcpy(head + n, p, more);
	}
	*yes = rosbag_record_get(head, n + more, &r) == ROSBAG_WHOLE;
	if (!*yes)
		return SLV_OK;
	end = start + c->d + rosbag_span(&r);
	*yes = end == s->logical_end;
	return end < s->logical_end ? rosbag_goes_on(s, end, yes, err) : SLV_OK;
}

/* Move the beginning of the record at `start` to its rest. */
static enum slv_status
join(struct rosbag_undoing *u, uint64_t start, const struct copy *c,
    struct slv_err *err)
{
	struct slv_problem p = {
		.info = &rosbag_problems[ROSBAG_P_JOINED],
		.off = start,
		.len = c->at - start,
	};
	uint64_t end = c->at - c->d;

	for (uint64_t off = start; off < end; off += STRIDE) {
		size_t n = (size_t)slv_min64(end - off, STRIDE);
		const uint8_t *bytes;

		SLV_TRY(slv_window_view(u->scan->window, off, n, &bytes, err));
		p.off = off + c->d;
		p.len = n;
		SLV_TRY(slv_mends_add(u->out, p.off, bytes, n, &p, err));
	}
	return SLV_OK;
}

static enum slv_status
leave_out(struct rosbag_undoing *u, uint64_t from, const struct copy *c,
    bool *done, struct slv_err *err)
{
	struct slv_aside a = { .fate = SLV_FILLER };
	bool inside;

	*done = false;
	SLV_TRY(record_at(u->scan, from, c->at, &a.off, err));
	a.end = a.off + c->d;
	inside = c->at - a.off > c->d;
	if (inside && (c->alike > c->d + CHANCE || c->at - a.off > LONGEST))
		return SLV_OK;
	if (inside)
		SLV_TRY(is_whole_without(u->scan, a.off, c, &inside, err));
	if (c->at - a.off > c->d && !inside)
		return SLV_OK;
	a.problem = (struct slv_problem){
		.info = &rosbag_problems[ROSBAG_P_TWICE],
		.off = a.off,
		.len = c->d,
		.got = c->at - c->d,
	};
	*done = true;
	u->done = c->at + c->d;
	if (inside)
		SLV_TRY(join(u, a.off, c, err));
	return slv_mends_add_aside(u->out, &a, err);
}

/* The file ends inside the copy: that is left out from the first record in it
 * on, or from the record that it tears. */
static enum slv_status
leave_end(struct rosbag_undoing *u, const struct rosbag_seam *seam,
    const struct copy *c, bool *done, struct slv_err *err)
{
	struct slv_aside a = { .fate = SLV_FILLER };
	uint64_t end = u->scan->logical_end;

	SLV_TRY(record_at(u->scan, seam->from, c->at, &a.off, err));
	a.end = a.off == c->at ? end : a.off + c->d;
	if (a.end > end || c->at - a.off > c->d) {
		a.off = seam->to;
		a.end = end;
	}
	a.problem = (struct slv_problem){
		.info = &rosbag_problems[ROSBAG_P_TWICE],
		.off = a.off,
		.len = a.end - a.off,
		.got = a.off < c->at ? c->at - c->d : a.off - c->d,
	};
	*done = true;
	u->done = end;
	return slv_mends_add_aside(u->out, &a, err);
}

enum slv_status
rosbag_undo(struct rosbag_undoing *u, const struct rosbag_seam *seam,
    uint64_t d, bool *done, struct slv_err *err)
{
	bool common = false;
	struct copy c;

	*done = false;
	if (d == 0 || d > seam->to || u->budget == 0)
		return SLV_OK;
	SLV_TRY(find_copy(u->scan, seam, d, &c, err));
	u->budget -= slv_min64(u->budget, c.alike);
	if (c.alike < d && c.at + c.alike < u->scan->logical_end)
		return SLV_OK;
	if (!seam->sure) {
		SLV_TRY(is_common(u->scan, &c, &common, err));
		u->budget -=
		    slv_min64(u->budget, JUDGED * slv_min64(c.alike, STRIDE));
	}
	if (common)
		return SLV_OK;
	return c.alike < d ? leave_end(u, seam, &c, done, err)
	                   : leave_out(u, seam->from, &c, done, err);
}

/* The last place in [from, to) where the n bytes of `what` are; to:
 * nowhere. */
static enum slv_status
find_last(struct slv_scan *s, uint64_t from, uint64_t to, const uint8_t *what,
    size_t n, uint64_t *out, struct slv_err *err)
{
	uint64_t end = to;

	*out = to;
	while (*out == to && from < end) {
		uint64_t at = end - slv_min64(end - from, STRIDE);
		size_t len = (size_t)(end - at) + n - 1;
		const uint8_t *p, *hit;

		SLV_TRY(slv_window_view(s->window, at, len, &p, err));
		for (hit = p; (hit = slv_find_bytes(
		                   hit, (size_t)(p + len - hit), what, n))
		     != NULL;
		     hit++)
			*out = at + (uint64_t)(hit - p);
		end = at;
	}
	return SLV_OK;
}

enum slv_status
rosbag_undo_found(struct rosbag_undoing *u, const struct rosbag_seam *seam,
    bool *done, struct slv_err *err)
{
	struct slv_scan *s = u->scan;
	uint64_t reach = slv_min64(slv_min64(seam->to, LONGEST), u->budget);
	uint64_t from = seam->to - reach, to = seam->to, hit;
	uint8_t what[RECOGNISED];
	const uint8_t *p;

	*done = false;
	if (!slv_range_in(seam->to, sizeof(what), s->logical_end))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, seam->to, sizeof(what), &p, err));
	memcpy(what, p, sizeof(what));
	u->budget -= reach;
	for (int i = 0; !*done && i < TRIES; i++, to = hit) {
		SLV_TRY(find_last(s, from, to, what, sizeof(what), &hit, err));
		if (hit == to)
			break;
		SLV_TRY(rosbag_undo(u, seam, seam->to - hit, done, err));
	}
	return SLV_OK;
}

/* The only place in the seam at which d bytes follow that are those before
 * them; ->alike < d: there is none, or more than one. */
static enum slv_status
find_only(struct slv_scan *s, const struct rosbag_seam *seam, uint64_t d,
    struct copy *c, struct slv_err *err)
{
	uint8_t piece[4096];
	uint64_t alike = 0, n_copies = 0;
	const uint8_t *p;

	*c = (struct copy){ .d = d };
	for (uint64_t x = seam->from; x + d < seam->to; x += sizeof(piece)) {
		size_t n = (size_t)slv_min64(sizeof(piece), seam->to - d - x);

		SLV_TRY(slv_window_view(s->window, x, n, &p, err));
		memcpy(piece, p, n);
		SLV_TRY(slv_window_view(s->window, x + d, n, &p, err));
		for (size_t i = 0; i < n; i++) {
			alike = piece[i] == p[i] ? alike + 1 : 0;
			n_copies += alike == d;
			if (alike < d)
				continue;
			c->at = x + i + 1 + d - alike;
			c->alike = alike;
		}
	}
	if (n_copies != 1)
		c->alike = 0;
	return SLV_OK;
}

enum slv_status
rosbag_undo_inside(struct rosbag_undoing *u, const struct rosbag_seam *seam,
    bool *done, struct slv_err *err)
{
	struct rosbag_record r;
	struct copy c;
	uint64_t d;
	bool common;

	*done = false;
	SLV_TRY(rosbag_look(u->scan, seam->from, &r, err));
	if (r.read != ROSBAG_WHOLE || rosbag_span(&r) >= seam->to - seam->from)
		return SLV_OK;
	d = seam->to - seam->from - rosbag_span(&r);
	if (d < SHORTEST || d > rosbag_span(&r) || d > u->budget)
		return SLV_OK;
	u->budget -= slv_min64(u->budget, seam->to - seam->from);
	SLV_TRY(find_only(u->scan, seam, d, &c, err));
	if (c.alike < d)
		return SLV_OK;
	SLV_TRY(is_common(u->scan, &c, &common, err));
	return common ? SLV_OK : leave_out(u, seam->from, &c, done, err);
}
