/* carla_record.c - one event: an actor is spawned, destroyed or attached.
 *
 * The record of a spawned actor has many parts with limited values, above all
 * the name of its blueprint: it is recognised without the packet around it.
 */
#include "formats/carla/read/carla_record.h"

#include <string.h>

#include "base/bytes.h"
#include "base/text/utf8.h"

#define TYPE_LAST 6    /* of actors */
#define SORT_LAST 4    /* of attributes */
#define FAR       1e12 /* cm, degrees: nothing is further away */
#define NAME_MIN  3    /* bytes of a blueprint's name */

#define LOOK      ((size_t)512) /* bytes: most records are shorter */
#define LONG      (LOOK << 9)   /* there are no longer ones */

static uint32_t
vector_len(enum carla_vectors v)
{
	return v == CARLA_F64 ? 24 : 12;
}

/* How many of the n bytes are printable ASCII, up to the first that is not. */
static size_t
plain_ascii(const uint8_t *p, size_t n)
{
	const uint64_t all = UINT64_C(0x0101010101010101), high = all << 7;
	size_t i = 0;

	/* Eight at a time: with the high bit clear, b + 0x60 sets it from ' '
	 * on, and b + 1 only for 0x7f. */
	while (n - i >= 8) {
		uint64_t x = slv_get_le64(p + i);

		if (((x | (x + all)) & high) != 0
		    || ((x + 0x60 * all) & high) != high)
			break;
		i += 8;
	}
	while (i < n && p[i] >= ' ' && p[i] < 0x7f)
		i++;
	return i;
}

bool
carla_is_text(const uint8_t *p, size_t n)
{
	struct slv_utf8 u = { 0 };
	size_t i = plain_ascii(p, n);
	bool yes = true;

	for (; yes && i < n; i++)
		yes = p[i] >= ' ' && p[i] != 0x7f && slv_utf8_add(&u, p[i]);
	return yes && u.more == 0;
}

/* The string at p[*at]; false: it is not one, or there is none. */
static bool
take_text(const uint8_t *p, size_t n, size_t *at, bool *plain)
{
	size_t len;

	if (n - *at < 2)
		return false;
	len = slv_get_le16(p + *at);
	*at += 2;
	if (n - *at < len)
		return false;
	*plain &= carla_is_text(p + *at, len);
	*at += len;
	return true;
}

/* Type, place and attributes. */
static bool
take_actor(const uint8_t *p, size_t n, uint32_t vec, struct carla_record *e)
{
	size_t fixed = 4 + 1 + 2 * (size_t)vec + 4, at = fixed;
	uint32_t attributes;

	if (n < fixed)
		return false;
	e->key = slv_get_le32(p);
	e->plain = p[4] <= TYPE_LAST;
	if (!take_text(p, n, &at, &e->plain) || n - at < 2)
		return false;
	e->plain &= at > fixed + 2;
	attributes = slv_get_le16(p + at);
	at += 2;
	for (uint32_t i = 0; i < attributes; i++) {
		if (at == n)
			return false;
		e->plain &= p[at++] <= SORT_LAST;
		/* Its name is not empty. */
		e->plain &= n - at >= 2 && (p[at] | p[at + 1]) != 0;
		if (!take_text(p, n, &at, &e->plain)
		    || !take_text(p, n, &at, &e->plain))
			return false;
	}
	e->len = at;
	return true;
}

/* The record at the beginning of the n bytes; false: there is none. */
static bool
get(uint8_t id, enum carla_vectors v, const uint8_t *p, size_t n,
    struct carla_record *e)
{
	if (id == CARLA_ADD)
		return take_actor(p, n, vector_len(v), e);
	e->len = id == CARLA_DEL ? 4 : 8;
	if (n < e->len)
		return false;
	e->plain = true;
	e->key = slv_get_le32(p);
	if (id == CARLA_PARENT)
		e->key = e->key << 32 | slv_get_le32(p + 4);
	return true;
}

bool
carla_record_in(const struct carla_packet *p)
{
	return p->id >= CARLA_ADD && p->id <= CARLA_PARENT && p->n > 0;
}

enum slv_status
carla_record_read(const struct slv_scan *s, uint8_t id, enum carla_vectors v,
    uint64_t off, uint64_t end, struct carla_record *e, bool *yes,
    struct slv_err *err)
{
	*yes = false;
	for (size_t look = LOOK; !*yes && look <= LONG; look *= 8) {
		size_t n = (size_t)slv_min64(look, end - off);
		const uint8_t *b;

		SLV_TRY(slv_window_view(s->window, off, n, &b, err));
		*e = (struct carla_record){ .len = 0 };
		*yes = get(id, v, b, n, e);
		if (n < look)
			break;
	}
	return SLV_OK;
}

enum slv_status
carla_record_each(const struct slv_scan *s, const struct carla_packet *p,
    enum carla_vectors v, carla_record_fn fn, void *ctx, struct slv_err *err)
{
	uint64_t at = p->body + 2, end = p->body + p->len;
	struct carla_record e;
	bool yes = carla_record_in(p);

	while (yes && at < end) {
		SLV_TRY(carla_record_read(s, p->id, v, at, end, &e, &yes, err));
		if (yes)
			SLV_TRY(fn(ctx, at, &e, err));
		at += e.len;
	}
	return SLV_OK;
}

/* Return true if a byte is valid in a blueprint's name. */
static bool
is_of_name(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	    || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

/* Return true if a number of a vector is possible. */
static bool
is_near(const uint8_t *p, uint32_t len)
{
	uint64_t bits = len == 8 ? slv_get_le64(p) : slv_get_le32(p);
	uint32_t half = (uint32_t)bits;
	double d;
	float f;

	if (len == 8) {
		memcpy(&d, &bits, sizeof(d));
	} else {
		memcpy(&f, &half, sizeof(f));
		d = (double)f;
	}
	return d > -FAR && d < FAR;
}

bool
carla_record_is_actor(const uint8_t *p, size_t n, enum carla_vectors v)
{
	uint32_t vec = vector_len(v), id;
	size_t fixed = 4 + 1 + 2 * (size_t)vec + 4, len;

	if (n < fixed + 2 || p[4] > TYPE_LAST || p[fixed + 1] != 0)
		return false;
	id = slv_get_le32(p);
	len = p[fixed];
	if (id == 0 || id >= CARLA_ACTORS || len < NAME_MIN
	    || n - fixed - 2 < len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!is_of_name(p[fixed + 2 + i]))
			return false;
	}
	for (size_t i = 0; i < 6; i++) {
		if (!is_near(p + 5 + i * vec / 3, vec / 3))
			return false;
	}
	return true;
}
