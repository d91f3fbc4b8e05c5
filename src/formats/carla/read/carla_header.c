/* carla_header.c - the beginning of a log: which map, and when.
 *
 *	u16 version, 1 | u16 14, "CARLA_RECORDER" | i64 date | u16 n, map
 */
#include <string.h>

#include "base/bytes.h"
#include "formats/carla/carla_state.h"

/* Whether a name of n bytes is in the first `have` bytes. */
static bool
is_map(const uint8_t *p, size_t have, uint64_t n)
{
	return n > 0 && n <= CARLA_MAP_MAX && CARLA_MAP + n <= have
	    && carla_is_text(p + CARLA_MAP, (size_t)n);
}

/* Where the header begins that ends where the first frame begins, if it is whole
 * and other bytes precede it; else 0. */
static enum slv_status
find_base(struct slv_scan *s, uint64_t first, struct slv_err *err)
{
	uint64_t from = first - slv_min64(first, CARLA_MAP + CARLA_MAP_MAX);
	size_t n = (size_t)(first - from);
	const uint8_t *p;

	s->base = 0;
	if (n == 0)
		return SLV_OK;
	/* A log that begins here may have lost all frames before another. */
	SLV_TRY(slv_window_view(s->window, s->base, CARLA_MAGIC_SIZE, &p, err));
	if (memcmp(p, CARLA_MAGIC, CARLA_MAGIC_SIZE) == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, from, n, &p, err));
	for (size_t i = 0; i + CARLA_MAP < n; i++) {
		size_t len = n - i - CARLA_MAP;

		if (memcmp(p + i, CARLA_MAGIC, CARLA_MAGIC_SIZE) == 0
		    && slv_get_le16(p + i + CARLA_MAP - 2) == len
		    && is_map(p + i, n - i, len)) {
			s->base = from + i;
			return SLV_OK;
		}
	}
	return SLV_OK;
}

enum slv_status
carla_header_read(struct slv_scan *s, uint64_t first, struct slv_err *err)
{
	struct carla_header *h = &carla_edit(s)->header;
	uint64_t len;
	const uint8_t *p;
	bool magic;
	size_t n;

	*h = (struct carla_header){ 0 };
	SLV_TRY(find_base(s, first, err));
	first -= s->base;
	n = (size_t)slv_min64(
	    s->source->size - s->base, CARLA_MAP + (uint64_t)CARLA_MAP_MAX);
	SLV_TRY(slv_window_view(s->window, s->base, n, &p, err));
	if (n < CARLA_MAP)
		return SLV_OK;
	magic = memcmp(p, CARLA_MAGIC, CARLA_MAGIC_SIZE) == 0;
	len = slv_get_le16(p + CARLA_MAP - 2);
	h->date = (int64_t)slv_get_le64(p + CARLA_DATE);
	h->named = is_map(p, n, len) && (magic || first == CARLA_MAP + len);
	h->sound = h->named && magic;
	/* It ends where the first frame begins. */
	if (first > CARLA_MAP && first <= CARLA_MAP + CARLA_NAME_MAX
	    && first != CARLA_MAP + len && is_map(p, n, first - CARLA_MAP)) {
		len = first - CARLA_MAP;
		h->named = true;
		h->sound = false;
	}
	/* Magic word and length are right: only the name is not. */
	if (!h->named && magic && first == CARLA_MAP + len && first <= n) {
		h->map = carla_map_mend(p + CARLA_MAP, (size_t)len, h->name);
		h->named = h->map != CARLA_MAP_LOST;
	}
	if (h->named) {
		h->map_len = (uint16_t)len;
		h->len = CARLA_MAP + len;
		return SLV_OK;
	}
	if (!magic)
		h->date = 0;
	if (first > 0 && first <= CARLA_MAP + CARLA_NAME_MAX)
		h->len = first;
	return SLV_OK;
}

enum slv_status
carla_header_plan(
    struct slv_scan *s, struct slv_plan *plan, struct slv_err *err)
{
	const struct carla_header *h = &carla_of(s)->header;
	const char *name = slv_scan_setting(s, CARLA_MAP_NAME);
	bool read = h->named && h->map == CARLA_MAP_READ;
	size_t n = h->map_len;
	uint8_t len[2], date[8];

	if (h->sound)
		return slv_plan_copy(plan, s->base, h->len, err);
	if (!read && name != NULL)
		n = strlen(name);
	else
		name = h->name;
	slv_put_le16(len, (uint16_t)n);
	slv_put_le64(date, (uint64_t)h->date);
	SLV_TRY(slv_plan_bytes(plan, CARLA_MAGIC, CARLA_MAGIC_SIZE, err));
	SLV_TRY(slv_plan_bytes(plan, date, sizeof(date), err));
	SLV_TRY(slv_plan_bytes(plan, len, sizeof(len), err));
	return read ? slv_plan_copy(plan, s->base + CARLA_MAP, n, err)
	            : slv_plan_bytes(plan, name, n, err);
}
