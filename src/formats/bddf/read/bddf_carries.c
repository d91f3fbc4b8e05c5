/* bddf_carries.c - which series carry blocks of another log in their payloads? */
#include <string.h>

#include "core/scan/resync.h"
#include "formats/bddf/read/bddf_carries.h"

#define SAMPLES 3  /* blocks of a series that are searched, the largest */
#define TRIES   32 /* of so many: of another log may be small ones */
#define LOOK    64 /* blocks in one of them that are read */
#define NEAR                                                                   \
	60.0 /* seconds between two blocks in a row: others may be damaged */
#define OLDER 60.0 /* seconds that what is carried is older than its carrier */
#define LOST  16   /* lost blocks that are searched */

static bool
is_near(struct slv_moment a, struct slv_moment b)
{
	double apart = slv_moment_seconds(a, b);

	return a.known && b.known && apart <= NEAR && apart >= -NEAR;
}

/* Note the times of the blocks in a payload, from the first one on. */
static enum slv_status
note_times(const struct slv_scan *s, uint64_t off, uint64_t end,
    struct bddf_times *t, struct slv_err *err)
{
	struct slv_moment last = { .known = false };
	struct slv_unit u;

	for (unsigned i = 0; i < LOOK && off < end; i++, off += u.len) {
		SLV_TRY(bddf_block(s, off, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || u.len > end - off)
			return SLV_OK;
		if (!bddf_is_data(&u))
			continue;
		if (is_near(last, u.time)) {
			slv_moment_span(last, &t->from, &t->to);
			slv_moment_span(u.time, &t->from, &t->to);
		}
		last = u.time;
	}
	return SLV_OK;
}

/* Where a block of data may carry blocks. */
struct hold {
	uint64_t off, end; /* the block */
	uint64_t payload;
	struct slv_moment time;
};

static enum slv_status
get_hold(
    const struct slv_scan *s, uint64_t off, struct hold *h, struct slv_err *err)
{
	struct bddf_data d;
	struct slv_unit u;

	*h = (struct hold){ .off = off, .end = off, .payload = off };
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	h->payload = off + BDDF_DATA_HEAD + d.size;
	h->end = off + u.len;
	h->time = u.time;
	return SLV_OK;
}

/* Whether it does. */
static enum slv_status
is_carrier(const struct slv_scan *s, const struct hold *h,
    struct bddf_carriage *c, bool *yes, struct slv_err *err)
{
	uint64_t mark;
	bool spent;

	SLV_TRY(slv_resync(
	    s, h->payload, h->end, SLV_ASK_SEARCH, &mark, &spent, err));
	*yes = !spent && mark < h->end;
	if (!*yes)
		return SLV_OK;
	c->most = slv_max64(c->most, h->end - h->off);
	slv_moment_span(h->time, &c->own.from, &c->own.to);
	return note_times(s, mark, h->end, &c->carried, err);
}

/* Keep the largest in order. */
static void
insert(struct hold most[SAMPLES], struct hold h)
{
	for (unsigned i = 0; i < SAMPLES; i++) {
		if (h.end - h.payload > most[i].end - most[i].payload) {
			struct hold less = most[i];

			most[i] = h;
			h = less;
		}
	}
}

/* The largest of TRIES blocks from all parts of the series. */
static enum slv_status
find_largest(const struct slv_scan *s, const struct bddf_series *series,
    struct hold most[SAMPLES], struct slv_err *err)
{
	uint64_t last = series->n - 1, before = 0, next = 0;
	struct hold h;

	for (const struct bddf_chunk *c = series->first; c != NULL;
	     c = c->next) {
		for (; next <= last && next - before < c->n;
		     next += last / TRIES + 1) {
			struct bddf_entry e =
			    bddf_chunk_get(c, (uint32_t)(next - before));

			SLV_TRY(get_hold(s, e.off, &h, err));
			insert(most, h);
		}
		before += c->n;
	}
	return SLV_OK;
}

enum slv_status
bddf_carries(const struct slv_scan *s, uint32_t index, enum bddf_carries *out,
    struct bddf_carriage *c, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct hold most[SAMPLES] = { 0 };

	*out = BDDF_MAY_CARRY;
	if (index >= b->n_series || b->series[index].first == NULL)
		return SLV_OK;
	SLV_TRY(find_largest(s, &b->series[index], most, err));
	for (unsigned i = 0; i < SAMPLES; i++) {
		bool yes;

		if (most[i].end - most[i].payload < BDDF_CARRY_MIN)
			break;
		SLV_TRY(is_carrier(s, &most[i], c, &yes, err));
		if (yes)
			*out = BDDF_CARRIES;
		else if (*out == BDDF_MAY_CARRY)
			*out = BDDF_CARRIES_NONE;
	}
	return SLV_OK;
}

enum slv_status
bddf_carries_lost(const struct slv_scan *s, struct bddf_carriage *c, bool *any,
    struct slv_err *err)
{
	const struct slv_catalog *catalog = &s->catalog;
	unsigned searched = 0;

	*any = false;
	for (size_t i = 1; i < catalog->n && searched < LOST; i++) {
		struct bddf_carriage one = { 0 };
		struct hold h;
		bool yes;

		if (catalog->at[i].fate != SLV_LOST
		    || catalog->at[i - 1].fate != SLV_KEPT)
			continue;
		SLV_TRY(get_hold(s, catalog->at[i].off, &h, err));
		if (h.end - h.payload < BDDF_CARRY_MIN || !h.time.known)
			continue;
		searched++;
		SLV_TRY(is_carrier(s, &h, &one, &yes, err));
		if (!yes || !one.carried.to.known
		    || slv_moment_seconds(one.carried.to, h.time) < OLDER)
			continue;
		*any = true;
		c->most = slv_max64(c->most, one.most);
		slv_moment_span(h.time, &c->own.from, &c->own.to);
		slv_moment_span(
		    one.carried.from, &c->carried.from, &c->carried.to);
		slv_moment_span(
		    one.carried.to, &c->carried.from, &c->carried.to);
	}
	return SLV_OK;
}
