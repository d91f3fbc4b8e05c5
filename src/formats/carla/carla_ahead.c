/* carla_ahead.c - frames of a page that was written to an earlier place.
 *
 * Where the log was torn the walk goes on with the next whole frame that is later
 * than those before.  If that one is of a later place all frames between the two are
 * passed by.  They show that it is: more frames follow it that lead up to it than
 * there are of its own.
 */
#include "core/stray.h"
#include "formats/carla/carla_state.h"

/* Frames in a row, with nothing missing between them. */
struct row {
	size_t first, n; /* items */
	uint64_t off, end;
	uint64_t before; /* the number of the frame that is kept before it */
	uint64_t id;     /* of its first frame */
};

/* How many whole frames in [off, end), which was left out, have numbers between
 * that before the row and its own. */
static enum slv_status
count_passed(struct slv_scan *s, const struct row *r, uint64_t off,
    uint64_t end, size_t *n, struct slv_err *err)
{
	uint64_t last = r->before;

	for (*n = 0; *n <= r->n && off < end;) {
		const struct carla_frame *f;

		if (s->opt.cancel != NULL && *s->opt.cancel)
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(carla_frame_find(s, off, end, &off, err));
		if (off >= end)
			break;
		SLV_TRY(carla_look(s, off, &f, err));
		if (f->read != CARLA_WHOLE || f->len > end - off) {
			off++;
			continue;
		}
		if (f->start.id > last && f->start.id < r->id) {
			last = f->start.id;
			++*n;
		}
		off += f->len;
	}
	return SLV_OK;
}

/* The row that begins with item i. */
static struct row
row_at(const struct carla *c, size_t i)
{
	struct row r = {
		.first = i, .off = c->items[i].off, .id = c->items[i].start.id
	};

	if (i > 0)
		r.before = c->items[i - 1].start.id;
	do {
		r.end = c->items[i].off + c->items[i].len;
		r.n++;
		i++;
	} while (i < c->n_items && c->items[i].is_frame && c->items[i].follows);
	return r;
}

/* Exclude a row.  At the end of the log what follows it may be of an older recording:
 * then it must be elsewhere, too. */
static enum slv_status
set_aside(struct slv_scan *s, const struct row *r, bool last,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_strays one = { .n = 0 };
	struct slv_aside a = { .off = r->off, .end = r->end };

	slv_strays_add(
	    &one, &(struct slv_stray){ r->off, r->end, r->off, 0, 0 });
	SLV_TRY(slv_strays_twins(s, &one, err));
	if (one.at[0].twin != UINT64_MAX) {
		a.fate = SLV_FILLER;
		a.problem.info = &slv_core_problems[SLV_P_REPEAT];
		a.problem.want = one.at[0].twin;
	} else if (last) {
		return SLV_OK;
	} else {
		a.fate = SLV_LOST;
		a.problem.info = &carla_problems[CARLA_P_ORDER];
		a.problem.got = r->id;
		a.problem.want = r->before;
	}
	return slv_mends_add_aside(out, &a, err);
}

enum slv_status
carla_ahead(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct carla *c = carla_of(s);

	if (s->catalog.sums[SLV_LOST] == 0)
		return SLV_OK;
	for (size_t i = 0; i < c->n_items;) {
		struct row r;
		uint64_t end;
		size_t n = 0, next;

		if (!c->items[i].is_frame) {
			i++;
			continue;
		}
		r = row_at(c, i);
		next = i + r.n;
		end = next < c->n_items ? c->items[next].off : s->logical_end;
		if (r.id > r.before + 1 && end > r.end)
			SLV_TRY(count_passed(s, &r, r.end, end, &n, err));
		if (n > r.n)
			SLV_TRY(set_aside(s, &r, next == c->n_items, out, err));
		i = next;
	}
	return SLV_OK;
}
