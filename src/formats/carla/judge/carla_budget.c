/* carla_budget.c - how much may be read where counts may be garbage.
 *
 * Such counts may lead through all of the log, and reading that costs many times a normal
 * look.  So all looks that correct the size of a packet may together read one in
 * SHARE bytes of the log; a packet that can be corrected needs a few.  And all lists
 * together may jump once in EACH bytes of the log; one that is sound is read in
 * order, and jumps where a stretch of the log ends that is read at once.
 */
#include "formats/carla/carla_state.h"

#define BASE  ((uint64_t)1 << 20) /* bytes, for small logs */
#define SHARE 16
#define EACH  1024

static enum slv_status
count_of(const struct slv_scan *s, unsigned kind, uint64_t **out,
    struct slv_err *err)
{
	void *value;

	SLV_TRY(slv_cache_only(s->cache, kind, &value, err));
	*out = value;
	return SLV_OK;
}

enum slv_status
carla_may_mend(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	uint64_t *count;

	SLV_TRY(count_of(s, CARLA_CACHED_MENDING, &count, err));
	*yes = *count <= s->source->size / SHARE + BASE;
	return SLV_OK;
}

enum slv_status
carla_measure(const struct slv_scan *s, struct carla_packet *p,
    enum carla_vectors v, unsigned form, bool *fits, struct slv_err *err)
{
	uint64_t before = s->window->viewed, *count;

	SLV_TRY(
	    carla_packet_measure(s, p, v, form, s->source->size, fits, err));
	SLV_TRY(count_of(s, CARLA_CACHED_MENDING, &count, err));
	*count += s->window->viewed - before;
	return SLV_OK;
}

enum slv_status
carla_may_jump(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	uint64_t *count;

	SLV_TRY(count_of(s, CARLA_CACHED_JUMPS, &count, err));
	*yes = ++*count <= (s->source->size + BASE) / EACH;
	return SLV_OK;
}
