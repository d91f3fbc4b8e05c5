/* memory.c - how much a driver may remember of a log. */
#include "support/memory.h"

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
