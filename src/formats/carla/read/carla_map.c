/* carla_map.c - the name of a map in which some bytes cannot be.
 *
 * Where the length of the name is confirmed by the first frame, which begins
 * right after it, only bytes of the name itself are wrong.
 */
#include <string.h>

#include "base/text/utf8.h"
#include "formats/carla/carla_state.h"

#define LEGAL '_' /* in place of a byte that cannot be */

/* The maps that CARLA comes with; their names may end in _Opt. */
static const char *const known[] = { "Town01", "Town02", "Town03", "Town04",
	"Town05", "Town06", "Town07", "Town10HD", "Town11", "Town12", "Town13",
	"Town15" };

/* Whether the name, without the folders before it, is of such a map. */
static bool
is_known(const uint8_t *name, size_t n)
{
	static const char opt[] = "_Opt";
	size_t at = n;

	while (at > 0 && name[at - 1] != '/')
		at--;
	name += at;
	n -= at;
	if (n > sizeof(opt) - 1
	    && memcmp(name + n - (sizeof(opt) - 1), opt, sizeof(opt) - 1) == 0)
		n -= sizeof(opt) - 1;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i]) == n && memcmp(known[i], name, n) == 0)
			return true;
	}
	return false;
}

/* Replace the bytes that cannot be; returns how many, *last: one of them. */
static size_t
replace(uint8_t *name, size_t n, size_t *last)
{
	size_t wrong = 0, len;

	for (size_t at = 0; at < n; at += len) {
		uint32_t code = 0;

		len = slv_utf8_next(name + at, n - at, &code);
		if (len > 0 && code >= ' ' && code != 0x7f)
			continue;
		len = len > 0 ? len : 1;
		*last = at;
		name[at] = LEGAL;
		wrong++;
	}
	return wrong;
}

/* The one bit of the byte that makes the name one that is known; false: there is
 * none, or more than one. */
static bool
find_bit(uint8_t *name, size_t n, size_t at, uint8_t byte)
{
	uint8_t found = 0;
	unsigned fits = 0;

	for (unsigned bit = 0; bit < 8; bit++) {
		name[at] = byte ^ (uint8_t)(1u << bit);
		if (is_known(name, n)) {
			found = name[at];
			fits++;
		}
	}
	name[at] = fits == 1 ? found : LEGAL;
	return fits == 1;
}

enum carla_map
carla_map_mend(const uint8_t *bytes, size_t n, char *out)
{
	uint8_t name[CARLA_NAME_MAX];
	size_t at = 0, wrong;
	bool sure;

	if (n == 0 || n > sizeof(name))
		return CARLA_MAP_LOST;
	memcpy(name, bytes, n);
	wrong = replace(name, n, &at);
	if (wrong == 0 || wrong > n / 2)
		return CARLA_MAP_LOST;
	sure = wrong == 1 && find_bit(name, n, at, bytes[at]);
	memcpy(out, name, n);
	return sure ? CARLA_MAP_SURE : CARLA_MAP_GUESS;
}

/* State that the name is another, and which. */
enum slv_status
carla_map_report(struct slv_scan *s, struct slv_err *err)
{
	const struct carla_header *h = &carla_of(s)->header;
	struct slv_problem p = {
		.info =
		    &carla_problems[h->map == CARLA_MAP_SURE ? CARLA_P_MAP_BIT
		                                             : CARLA_P_MAP],
		.off = s->base + CARLA_MAP,
		.len = h->map_len,
	};

	if (h->map == CARLA_MAP_READ)
		return SLV_OK;
	s->absent |= h->map == CARLA_MAP_GUESS
	    && slv_scan_setting(s, CARLA_MAP_NAME) == NULL;
	slv_problem_quote(p.name, h->name, h->map_len);
	if (slv_scan_setting(s, CARLA_MAP_NAME) != NULL)
		slv_problem_quote(p.name, slv_scan_setting(s, CARLA_MAP_NAME),
		    strlen(slv_scan_setting(s, CARLA_MAP_NAME)));
	return slv_problems_add(&s->problems, &p, err);
}
