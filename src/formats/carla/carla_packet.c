/* carla_packet.c - packets: what their ids mean, and how long they must be. */
#include "formats/carla/carla_packet.h"

#include "base/bytes.h"

#define IDS_STRIDE ((uint64_t)1 << 16) /* bytes of records looked at at once */

/* What the body of a packet is made of. */
enum shape {
	SHAPE_FIXED,   /* `len` bytes */
	SHAPE_LIST,    /* u16 n, n records of `len` bytes and `vecs` vectors */
	SHAPE_ADD,     /* ... of actors */
	SHAPE_PHYSICS, /* ... of vehicles */
	SHAPE_BONES,   /* ... of walkers */
	SHAPE_VARYING, /* what an id of 21 to 24 stands for */
	SHAPE_MISC,    /* one number, or what a fork has put there */
};

struct kind {
	const char *name;
	enum shape shape;
	uint32_t len;
	uint32_t vecs;
	bool has_id; /* a record begins with the id of its actor, which no
	              * other record of the packet has */
};

static const struct kind kinds[CARLA_KNOWN] = {
	{ "FrameStart", SHAPE_FIXED, CARLA_FRAME_LEN, 0, false },
	{ "FrameEnd", SHAPE_FIXED, 0, 0, false },
	{ "EventAdd", SHAPE_ADD, 0, 0, false },
	{ "EventDel", SHAPE_LIST, 4, 0, false },
	{ "EventParent", SHAPE_LIST, 8, 0, false },
	{ "Collision", SHAPE_LIST, 14, 0, false },
	{ "Position", SHAPE_LIST, 4, 2, true },
	{ "State", SHAPE_LIST, 10, 0, true },
	{ "AnimVehicle", SHAPE_LIST, 21, 0, true },
	{ "AnimWalker", SHAPE_LIST, 8, 0, true },
	{ "VehicleLight", SHAPE_LIST, 8, 0, true },
	{ "SceneLight", SHAPE_LIST, 26, 0, false },
	{ "Kinematics", SHAPE_LIST, 4, 2, true },
	{ "BoundingBox", SHAPE_LIST, 4, 2, true },
	{ "PlatformTime", SHAPE_FIXED, 8, 0, false },
	{ "PhysicsControl", SHAPE_PHYSICS, 0, 0, false },
	{ "TrafficLightTime", SHAPE_LIST, 16, 0, true },
	{ "TriggerVolume", SHAPE_LIST, 4, 2, true },
	{ "FrameCounter", SHAPE_MISC, 8, 0, false },
	{ "WalkerBones", SHAPE_BONES, 0, 0, false },
	{ "VisualTime", SHAPE_FIXED, 8, 0, false },
	{ "AnimVehicleWheels", SHAPE_VARYING, 0, 0, false },
	{ "AnimBiker", SHAPE_VARYING, 0, 0, false },
	{ "VehicleDoor", SHAPE_VARYING, 0, 0, false },
	{ "Weather", SHAPE_VARYING, 0, 0, false },
};

/* What 21 to 24 may be: records of one length, or 0 for wheels. */
static const struct {
	enum carla_variant variant;
	const char *name;
	uint32_t len;
} variants[] = {
	{ CARLA_DOOR, "VehicleDoor", 6 },
	{ CARLA_WHEELS, "AnimVehicleWheels", 0 },
	{ CARLA_BIKER, "AnimBiker", 12 },
	{ CARLA_WEATHER, "Weather", 56 },
};
#define N_VARIANTS (sizeof(variants) / sizeof(variants[0]))

/* What 21 to 24 stood for, version by version; 0: there was none. */
static const uint8_t versions[][4] = {
	{ CARLA_WHEELS, CARLA_BIKER, 0, 0 },
	{ CARLA_DOOR, CARLA_WHEELS, CARLA_BIKER, 0 },
	{ CARLA_WHEELS, CARLA_BIKER, CARLA_DOOR, CARLA_WEATHER },
};

/* A place in the input that moves on as it is read.  What goes beyond `end` is
 * as good as anything else that does not fit. */
struct cursor {
	struct slv_scan *scan;
	uint64_t at, end;
	bool beyond;
	enum slv_status st;
	struct slv_err *err;
};

const char *
carla_packet_name(unsigned id, unsigned set)
{
	if (id >= CARLA_KNOWN)
		return "packet";
	for (size_t i = 0; id >= CARLA_VARYING && i < N_VARIANTS; i++) {
		if (set == (unsigned)variants[i].variant)
			return variants[i].name;
	}
	return kinds[id].name;
}

void
carla_packet_versions(uint8_t set[4])
{
	uint8_t all[4] = { 0 };
	bool any = false;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		bool fits = true;

		for (size_t k = 0; k < 4; k++)
			fits &= set[k] == CARLA_ANY_VARIANT
			    || set[k] & versions[i][k];
		for (size_t k = 0; fits && k < 4; k++)
			all[k] |= versions[i][k];
		any |= fits;
	}
	for (size_t k = 0; any && k < 4; k++)
		set[k] = all[k] != 0 ? set[k] & all[k] : set[k];
}

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
	struct slv_window *w = &c->scan->window;
	uint64_t at = c->at;
	const uint8_t *p;

	skip(c, n);
	if (!is_good(c))
		return NULL;
	/* What is far off costs a read of its own. */
	if (slv_window_peek(w, at, n) == NULL)
		w->viewed += SLV_WINDOW_GLANCE;
	c->st = slv_window_view(w, at, n, &p, c->err);
	return c->st == SLV_OK ? p : NULL;
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

static void
vehicle(struct cursor *c, uint32_t wheel)
{
	skip(c, 4 + 20 + 1 + 16 + 12);
	array(c, 8);
	array(c, 12);
	array(c, 8);
	array(c, wheel);
}

static void
wheels(struct cursor *c, uint32_t wheel)
{
	skip(c, 4);
	array(c, wheel);
}

/* Read a list of records that are not all of one length.
 *
 *   arg   what the length of a record depends on
 *   *len  bytes that the list takes, its count included */
static enum slv_status
read_list(struct slv_scan *s, struct carla_packet *p, uint64_t end,
    void (*record)(struct cursor *, uint32_t), uint32_t arg, bool *whole,
    struct slv_err *err)
{
	struct cursor c = { .scan = s, .at = p->body, .end = end, .err = err };

	p->n = number16(&c);
	for (uint32_t i = 0; i < p->n && is_good(&c); i++)
		record(&c, arg);
	*whole = is_good(&c);
	p->len = c.at - p->body;
	return c.st;
}

/* Bytes of a vector in the packet; *stated as its size counts them. */
static uint32_t
vector_of(unsigned id, enum carla_vectors v, uint32_t *stated)
{
	*stated = v == CARLA_F32 ? 12 : 24;
	if (v == CARLA_MIXED && kinds[id].shape != SHAPE_LIST)
		*stated = 12;
	return v == CARLA_MIXED && id != CARLA_POSITION ? 12 : *stated;
}

/* Whether no two records in a row are about the same actor, as they are where
 * zeros were written over them. */
static enum slv_status
ids_differ(struct slv_scan *s, const struct carla_packet *p, uint64_t len,
    bool *yes, struct slv_err *err)
{
	uint64_t at = p->body + 2, end = at + p->n * len;
	bool first = true, same = false;
	uint32_t last = 0;

	while (!same && at < end) {
		uint64_t n = slv_min64(end - at, IDS_STRIDE / len * len);
		const uint8_t *b;

		SLV_TRY(slv_window_view(&s->window, at, (size_t)n, &b, err));
		last = first ? ~slv_get_le32(b) : last;
		first = false;
		for (uint64_t i = 0; i < n; i += len) {
			uint32_t id = slv_get_le32(b + i);

			same |= id == last;
			last = id;
		}
		at += n;
	}
	*yes = !same;
	return SLV_OK;
}

/* A list of records of one length.  *stated is the size that it should say. */
static enum slv_status
measure_list(struct slv_scan *s, struct carla_packet *p, enum carla_vectors v,
    uint64_t end, uint64_t *stated, bool *fits, struct slv_err *err)
{
	struct cursor c = { .scan = s, .at = p->body, .end = end, .err = err };
	const struct kind *k = &kinds[p->id];
	uint32_t says, vec = vector_of(p->id, v, &says);
	uint64_t len = k->len + k->vecs * (uint64_t)vec;

	p->n = number16(&c);
	skip(&c, p->n * len);
	SLV_TRY(c.st);
	*fits = is_good(&c);
	p->len = c.at - p->body;
	*stated = 2 + p->n * (k->len + k->vecs * (uint64_t)says);
	return *fits && k->has_id ? ids_differ(s, p, len, fits, err) : SLV_OK;
}

static enum slv_status
measure_physics(struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, uint64_t end, bool *fits, struct slv_err *err)
{
	/* Bytes of a wheel up to 0.9.10 and later. */
	static const uint32_t wheel[] = { 36, 48 };

	*fits = false;
	for (size_t i = 0; i < 2 && !*fits; i++) {
		SLV_TRY(read_list(s, p, end, vehicle, wheel[i], fits, err));
		*fits &= p->size == 0 || p->len == p->size;
	}
	/* With f64 vehicles have other parts, which are not known. */
	if (!*fits && v != CARLA_F32 && p->size >= 2) {
		*fits = slv_range_in(p->body, p->size, end);
		p->len = p->size;
	}
	return SLV_OK;
}

/* Which of the variants has this size, or, where it says 0, this content. */
static enum slv_status
measure_varying(struct slv_scan *s, struct carla_packet *p, uint64_t end,
    bool *fits, struct slv_err *err)
{
	uint64_t len = 0;

	p->variants = 0;
	for (size_t i = 0; i < N_VARIANTS; i++) {
		bool whole = true;

		if (variants[i].len == 0) {
			SLV_TRY(read_list(s, p, end, wheels, 9, &whole, err));
		} else {
			struct cursor c = {
				.scan = s,
				.at = p->body,
				.end = end,
				.err = err,
			};

			p->n = number16(&c);
			skip(&c, p->n * (uint64_t)variants[i].len);
			SLV_TRY(c.st);
			whole = is_good(&c);
			p->len = c.at - p->body;
		}
		if (!whole || p->len != p->size)
			continue;
		p->variants |= (uint8_t)variants[i].variant;
		len = p->len;
	}
	p->len = len;
	*fits = p->variants != 0;
	return SLV_OK;
}

/* How long the body is by what it counts, and what its size should say. */
static enum slv_status
measure(struct slv_scan *s, struct carla_packet *p, enum carla_vectors v,
    uint64_t end, uint64_t *stated, bool *fits, struct slv_err *err)
{
	const struct kind *k = &kinds[p->id];
	uint32_t says, vec = vector_of(p->id, v, &says);
	enum slv_status st = SLV_OK;

	switch (k->shape) {
	case SHAPE_LIST: return measure_list(s, p, v, end, stated, fits, err);
	case SHAPE_ADD: st = read_list(s, p, end, actor, vec, fits, err); break;
	case SHAPE_BONES:
		st = read_list(s, p, end, walker, vec, fits, err);
		break;
	case SHAPE_PHYSICS:
		st = measure_physics(s, p, v, end, fits, err);
		break;
	case SHAPE_VARYING: st = measure_varying(s, p, end, fits, err); break;
	default: p->len = k->len; *fits = slv_range_in(p->body, p->len, end);
	}
	*stated = p->len;
	return st;
}

/* A packet whose body only its size tells. */
static bool
is_opaque(const struct carla_packet *p)
{
	return p->id >= CARLA_KNOWN || kinds[p->id].shape == SHAPE_MISC;
}

enum slv_status
carla_packet_fit(struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, uint64_t end, bool *fits, struct slv_err *err)
{
	uint64_t stated = 0;

	p->n = 0;
	p->variants = 0;
	p->len = p->size;
	if (is_opaque(p)) {
		*fits = slv_range_in(p->body, p->size, end);
		return SLV_OK;
	}
	/* What goes on beyond its size does not fit, nor, but for lists whose
	 * sizes may lie, a size beyond the end: no use in following that. */
	if (slv_range_in(p->body, p->size, end)) {
		end = p->body + p->size;
	} else if (kinds[p->id].shape != SHAPE_LIST) {
		*fits = false;
		return SLV_OK;
	}
	SLV_TRY(measure(s, p, v, end, &stated, fits, err));
	*fits &= stated == p->size;
	return SLV_OK;
}

enum slv_status
carla_packet_measure(struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, uint64_t end, bool *fits, struct slv_err *err)
{
	uint64_t stated = 0;

	*fits = false;
	if (is_opaque(p) || kinds[p->id].shape == SHAPE_VARYING)
		return SLV_OK;
	p->size = 0;
	SLV_TRY(measure(s, p, v, end, &stated, fits, err));
	*fits &= stated <= UINT32_MAX;
	p->size = (uint32_t)stated;
	return SLV_OK;
}

/* Whether zeros were written over the count and on. */
static enum slv_status
is_blank(struct slv_scan *s, const struct carla_packet *p, bool *yes,
    struct slv_err *err)
{
	const uint8_t *b;

	SLV_TRY(slv_window_view(&s->window, p->body, 2 + 4, &b, err));
	*yes = slv_get_le16(b) == 0 && slv_get_le32(b + 2) == 0;
	return SLV_OK;
}

enum slv_status
carla_packet_count(struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, uint64_t end, bool *yes, struct slv_err *err)
{
	const struct kind *k = &kinds[p->id < CARLA_KNOWN ? p->id : 0];
	uint32_t stated, vec;
	uint64_t len;
	bool blank;

	*yes = false;
	if (k->shape != SHAPE_LIST || p->size < 2)
		return SLV_OK;
	vec = vector_of(p->id, v, &stated);
	stated = k->len + k->vecs * stated;
	len = k->len + k->vecs * (uint64_t)vec;
	p->n = (p->size - 2) / stated;
	p->len = 2 + p->n * len;
	*yes = (p->size - 2) % stated == 0 && p->n <= UINT16_MAX
	    && slv_range_in(p->body, p->len, end);
	if (!*yes || p->n == 0)
		return SLV_OK;
	SLV_TRY(is_blank(s, p, &blank, err));
	*yes = !blank;
	return *yes && k->has_id ? ids_differ(s, p, len, yes, err) : SLV_OK;
}
