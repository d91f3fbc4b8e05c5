/* carla_packet.c - packets: what their ids mean, and how long they must be. */
#include "formats/carla/read/carla_packet.h"

#include <string.h>

#include "base/bytes.h"
#include "formats/carla/read/carla_list.h"

#define IDS_STRIDE ((uint64_t)1 << 16) /* bytes of records read at once */

/* The structure of a packet's body. */
enum shape {
	SHAPE_FIXED,   /* `len` bytes */
	SHAPE_LIST,    /* u16 n, n records of `len` bytes and `vecs` vectors */
	SHAPE_ADD,     /* ... of actors */
	SHAPE_PHYSICS, /* ... of vehicles */
	SHAPE_BONES,   /* ... of walkers */
	SHAPE_VARYING, /* the meaning of an id of 21 to 24 */
	SHAPE_MISC,    /* one number, or whatever a fork has there */
};

struct kind {
	const char *name;
	enum shape shape;
	uint32_t len;
	uint32_t vecs;
	bool has_id; /* a record begins with the id of its actor, which is
		      * unique in the packet */
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

/* Possible meanings of 21 to 24: records of one length, or 0 for wheels. */
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

/* The meaning of 21 to 24, version by version; 0: there was none. */
static const uint8_t versions[][4] = {
	{ CARLA_WHEELS, CARLA_BIKER, 0, 0 },
	{ CARLA_DOOR, CARLA_WHEELS, CARLA_BIKER, 0 },
	{ CARLA_WHEELS, CARLA_BIKER, CARLA_DOOR, CARLA_WEATHER },
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

/* Bytes of a vector in the packet; *stated as its size counts them. */
static uint32_t
vector_of(unsigned id, enum carla_vectors v, uint32_t *stated)
{
	*stated = v == CARLA_F32 ? 12 : 24;
	if (v == CARLA_MIXED && kinds[id].shape != SHAPE_LIST)
		*stated = 12;
	return v == CARLA_MIXED && id != CARLA_POSITION ? 12 : *stated;
}

/* Return true if two records in a row begin with the same number, as they do
 * after zeros were written over them; *last: number of the previous one. */
static bool
same_ids(const uint8_t *b, uint64_t n, uint64_t len, uint32_t *last)
{
	bool same = false;

	for (uint64_t i = 0; i < n; i += len) {
		uint32_t id = slv_get_le32(b + i);

		same |= id == *last;
		*last = id;
	}
	return same;
}

/* Return true if two in a row are zeros; *last: the previous one is. */
static bool
both_zeros(const uint8_t *b, uint64_t n, uint64_t len, uint32_t *last)
{
	bool both = false;

	for (uint64_t i = 0; i < n; i += len) {
		bool zero = b[i] == 0 && memcmp(b + i, b + i + 1, len - 1) == 0;

		both |= zero && *last != 0;
		*last = zero;
	}
	return both;
}

/* Return true if the records, which have one length, are not the rest of others
 * that zeros were written over. */
static enum slv_status
records_differ(const struct slv_scan *s, const struct carla_packet *p,
    uint64_t len, bool *yes, struct slv_err *err)
{
	bool has_id = kinds[p->id].has_id, odd = false;
	uint64_t at = p->body + 2, end = at + p->n * len;
	uint32_t last = 0;

	for (bool first = true; !odd && at < end; first = false) {
		uint64_t n = slv_min64(end - at, IDS_STRIDE / len * len);
		const uint8_t *b;

		SLV_TRY(slv_window_view(s->window, at, (size_t)n, &b, err));
		if (first && has_id)
			last = ~slv_get_le32(b);
		odd = has_id ? same_ids(b, n, len, &last)
		             : both_zeros(b, n, len, &last);
		at += n;
	}
	*yes = !odd;
	return SLV_OK;
}

/* A list of records of one length.  *stated is the size that it should have. */
static enum slv_status
measure_list(const struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, uint64_t end, uint64_t *stated, bool *fits,
    struct slv_err *err)
{
	const struct kind *k = &kinds[p->id];
	uint32_t says, vec = vector_of(p->id, v, &says);
	uint64_t len = k->len + k->vecs * (uint64_t)vec;

	SLV_TRY(carla_list_pass(s, p, len, end, fits, err));
	*stated = 2 + p->n * (k->len + k->vecs * (uint64_t)says);
	return *fits ? records_differ(s, p, len, fits, err) : SLV_OK;
}

/* A list with one of the meanings of 21 to 24. */
static enum slv_status
measure_variant(const struct slv_scan *s, struct carla_packet *p, unsigned i,
    uint64_t end, bool *fits, struct slv_err *err)
{
	p->variants = (uint8_t)variants[i].variant;
	if (variants[i].len == 0)
		return carla_list_read(
		    s, p, CARLA_LIST_WHEELS, 0, end, fits, err);
	SLV_TRY(carla_list_pass(s, p, variants[i].len, end, fits, err));
	return *fits ? records_differ(s, p, variants[i].len, fits, err)
	             : SLV_OK;
}

/* Which of them has this size. */
static enum slv_status
fit_varying(const struct slv_scan *s, struct carla_packet *p, uint64_t end,
    bool *fits, struct slv_err *err)
{
	uint8_t all = 0;

	for (unsigned i = 0; i < N_VARIANTS; i++) {
		SLV_TRY(measure_variant(s, p, i, end, fits, err));
		if (*fits && p->len == p->size)
			all |= p->variants;
	}
	p->variants = all;
	p->len = p->size;
	*fits = all != 0;
	return SLV_OK;
}

/* How many forms the body may have. */
static unsigned
forms_of(const struct carla_packet *p)
{
	switch (kinds[p->id].shape) {
	case SHAPE_PHYSICS: return CARLA_VEHICLES;
	case SHAPE_VARYING: return N_VARIANTS;
	default: return 1;
	}
}

/* Length of the body by its count, in this form, and what its size should
 * be. */
static enum slv_status
measure(const struct slv_scan *s, struct carla_packet *p, enum carla_vectors v,
    unsigned form, uint64_t end, uint64_t *stated, bool *fits,
    struct slv_err *err)
{
	const struct kind *k = &kinds[p->id];
	uint32_t says, vec = vector_of(p->id, v, &says);
	enum slv_status st = SLV_OK;

	switch (k->shape) {
	case SHAPE_LIST: return measure_list(s, p, v, end, stated, fits, err);
	case SHAPE_ADD:
		st = carla_list_read(
		    s, p, CARLA_LIST_ACTORS, vec, end, fits, err);
		break;
	case SHAPE_BONES:
		st = carla_list_read(
		    s, p, CARLA_LIST_WALKERS, vec, end, fits, err);
		break;
	case SHAPE_PHYSICS:
		st = carla_list_read(
		    s, p, CARLA_LIST_VEHICLES, form, end, fits, err);
		break;
	case SHAPE_VARYING:
		st = measure_variant(s, p, form, end, fits, err);
		break;
	default: p->len = k->len; *fits = slv_range_in(p->body, p->len, end);
	}
	*stated = p->len;
	return st;
}

/* A packet with a body that only its size describes. */
static bool
is_opaque(const struct carla_packet *p)
{
	return p->id >= CARLA_KNOWN || kinds[p->id].shape == SHAPE_MISC;
}

enum slv_status
carla_packet_fit(const struct slv_scan *s, struct carla_packet *p,
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
	/* What continues past its size does not fit, and neither does a size
	 * past the end, except for lists whose sizes may be wrong: following
	 * that is useless. */
	if (slv_range_in(p->body, p->size, end)) {
		end = p->body + p->size;
	} else if (kinds[p->id].shape != SHAPE_LIST) {
		*fits = false;
		return SLV_OK;
	}
	if (kinds[p->id].shape == SHAPE_VARYING)
		return fit_varying(s, p, end, fits, err);
	*fits = false;
	for (unsigned form = 0; form < forms_of(p) && !*fits; form++) {
		SLV_TRY(measure(s, p, v, form, end, &stated, fits, err));
		*fits &= stated == p->size;
	}
	return SLV_OK;
}

enum slv_status
carla_packet_measure(const struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, unsigned form, uint64_t end, bool *fits,
    struct slv_err *err)
{
	uint64_t stated = 0;

	*fits = false;
	if (is_opaque(p) || form >= forms_of(p))
		return SLV_OK;
	SLV_TRY(measure(s, p, v, form, end, &stated, fits, err));
	*fits &= stated <= UINT32_MAX;
	p->size = (uint32_t)stated;
	return SLV_OK;
}

/* Return true if zeros were written over the count and on. */
static enum slv_status
is_blank(const struct slv_scan *s, const struct carla_packet *p, bool *yes,
    struct slv_err *err)
{
	const uint8_t *b;

	SLV_TRY(slv_window_view(s->window, p->body, 2 + 4, &b, err));
	*yes = slv_get_le16(b) == 0 && slv_get_le32(b + 2) == 0;
	return SLV_OK;
}

enum slv_status
carla_packet_count(const struct slv_scan *s, struct carla_packet *p,
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
	return *yes ? records_differ(s, p, len, yes, err) : SLV_OK;
}
