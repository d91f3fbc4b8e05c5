/* carla_list.c - read lists of records, each as long as it says.
 *
 * What is counted in a record must lead to the next one, and in the last to
 * the end; values are not looked at.
 */
#include "formats/carla/read/carla_list.h"

#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

#define NEAR      ((uint64_t)16 << 10) /* bytes of a list; most are shorter */
#define WHEEL_LEN 9 /* in AnimVehicleWheels: where it is, and two angles */

/* A place in the input that moves on as it is read.  What goes beyond `end` is
 * as good as anything else that does not fit. */
struct cursor {
	const struct slv_scan *scan;
	uint64_t from, at, end;
	bool beyond;
	enum slv_status st;
	struct slv_err *err;
};

static bool
is_good(const struct cursor *c)
{
	return c->st == SLV_OK && !c->beyond;
}

static inline void
skip(struct cursor *c, uint64_t n)
{
	if (is_good(c) && slv_range_in(c->at, n, c->end))
		c->at += n;
	else
		c->beyond = true;
}

/* The next n bytes; NULL: they are not there. */
static inline const uint8_t *
bytes(struct cursor *c, size_t n)
{
	struct slv_window *w = c->scan->window;
	uint64_t at = c->at;
	const uint8_t *p;
	bool goes = true;

	skip(c, n);
	if (!is_good(c))
		return NULL;
	/* What is far off costs a read of its own. */
	if (slv_window_peek(w, at, n) == NULL) {
		w->viewed += SLV_WINDOW_GLANCE;
		if (at - c->from > NEAR)
			c->st = carla_may_jump(c->scan, &goes, c->err);
	}
	c->beyond = !goes;
	if (is_good(c))
		c->st = slv_window_view(w, at, n, &p, c->err);
	return is_good(c) ? p : NULL;
}

static inline uint32_t
number16(struct cursor *c)
{
	const uint8_t *p = bytes(c, 2);

	return p != NULL ? slv_get_le16(p) : 0;
}

static inline uint32_t
number32(struct cursor *c)
{
	const uint8_t *p = bytes(c, 4);

	return p != NULL ? slv_get_le32(p) : 0;
}

static inline void
string(struct cursor *c)
{
	skip(c, number16(c));
}

/* A u32 count, and as many records of len bytes. */
static inline void
array(struct cursor *c, uint64_t len)
{
	skip(c, number32(c) * len);
}

static void
actor(struct cursor *c, uint32_t vec)
{
	uint32_t n;

	skip(c, 4 + 1 + 2 * (uint64_t)vec + 4);
	string(c);
	n = number16(c);
	for (uint32_t i = 0; i < n && is_good(c); i++) {
		skip(c, 1);
		string(c);
		string(c);
	}
}

static void
walker(struct cursor *c, uint32_t vec)
{
	uint32_t n;

	skip(c, 4);
	n = number16(c);
	for (uint32_t i = 0; i < n && is_good(c); i++) {
		string(c);
		skip(c, 2 * (uint64_t)vec);
	}
}

/* What a vehicle is made of, by its form: numbers, arrays, and wheels.  A
 * wheel of UE5 has a direction in it, which is not 0. */
static const struct {
	uint32_t fixed, arrays[4], wheel;
	bool solid; /* no wheel is all zeros */
} forms[CARLA_VEHICLES] = {
	{ 53, { 8, 12, 8 }, 36, false },    /* up to 0.9.10 */
	{ 53, { 8, 12, 8 }, 48, false },    /* later */
	{ 111, { 8, 4, 4, 8 }, 208, true }, /* UE5, as it is in memory */
};

/* Wheels of which none is zeros: these were written over it. */
static void
solid(struct cursor *c, uint32_t len)
{
	uint32_t n = number32(c);

	for (uint32_t i = 0; i < n && is_good(c); i++) {
		const uint8_t *p = bytes(c, len);

		c->beyond |=
		    p != NULL && p[0] == 0 && memcmp(p, p + 1, len - 1) == 0;
	}
}

static void
vehicle(struct cursor *c, uint32_t form)
{
	skip(c, forms[form].fixed);
	for (size_t i = 0; i < 4 && forms[form].arrays[i] > 0; i++)
		array(c, forms[form].arrays[i]);
	if (forms[form].solid)
		solid(c, forms[form].wheel);
	else
		array(c, forms[form].wheel);
}

static void
wheels(struct cursor *c, uint32_t unused)
{
	(void)unused;
	skip(c, 4);
	array(c, WHEEL_LEN);
}

/* A cursor at the count of a list. */
static struct cursor
begin(const struct slv_scan *s, const struct carla_packet *p, uint64_t end,
    struct slv_err *err)
{
	return (struct cursor){
		.scan = s,
		.from = p->body,
		.at = p->body,
		.end = end,
		.err = err,
	};
}

/* The list ends where the cursor is. */
static enum slv_status
finish(const struct cursor *c, struct carla_packet *p, bool *whole)
{
	*whole = is_good(c);
	p->len = c->at - p->body;
	return c->st;
}

enum slv_status
carla_list_read(const struct slv_scan *s, struct carla_packet *p,
    enum carla_list what, uint32_t depends, uint64_t end, bool *whole,
    struct slv_err *err)
{
	static void (*const record[])(struct cursor *, uint32_t) = {
		[CARLA_LIST_ACTORS] = actor,
		[CARLA_LIST_WALKERS] = walker,
		[CARLA_LIST_VEHICLES] = vehicle,
		[CARLA_LIST_WHEELS] = wheels,
	};
	struct cursor c = begin(s, p, end, err);

	p->n = number16(&c);
	for (uint32_t i = 0; i < p->n && is_good(&c); i++)
		record[what](&c, depends);
	return finish(&c, p, whole);
}

enum slv_status
carla_list_pass(const struct slv_scan *s, struct carla_packet *p, uint64_t each,
    uint64_t end, bool *whole, struct slv_err *err)
{
	struct cursor c = begin(s, p, end, err);

	p->n = number16(&c);
	skip(&c, p->n * each);
	return finish(&c, p, whole);
}
