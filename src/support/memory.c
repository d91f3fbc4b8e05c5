/* memory.c - how much a driver may remember of a log. */
#include "support/memory.h"

#include "base/bytes.h"

/* Bytes of repeated texts: for a byte of the log, and so many more. */
#define REPEATED_EACH  16
#define REPEATED_FIRST ((uint64_t)16 << 20)

enum slv_status
slv_memory_take(const struct slv_scan *s, uint64_t *sum, uint64_t n,
    const char *what, struct slv_err *err)
{
	*sum += n;
	if (*sum <= s->opt.limits.max_memory)
		return SLV_OK;
	return slv_fail(err, SLV_E_LIMIT,
	    "%s: what is known of its %s takes more than %llu bytes of memory, "
	    "which is the limit (--max-memory)",
	    s->source->name, what,
	    (unsigned long long)s->opt.limits.max_memory);
}

enum slv_status
slv_memory_repeat(const struct slv_scan *s, uint64_t *sum, uint64_t n,
    const char *what, struct slv_err *err)
{
	uint64_t most = s->source->size > UINT64_MAX / REPEATED_EACH / 2
	    ? UINT64_MAX
	    : REPEATED_FIRST + REPEATED_EACH * s->source->size;

	most = slv_min64(most, s->opt.limits.max_memory);
	*sum += n;
	if (*sum <= most)
		return SLV_OK;
	return slv_fail(err, SLV_E_LIMIT,
	    "%s: many channels share %s, which take more than %llu bytes if "
	    "each channel has them; that is the limit",
	    s->source->name, what, (unsigned long long)most);
}
