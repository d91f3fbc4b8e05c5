/* meter.c - report to the caller how far a job has come. */
#include "core/meter.h"

#include <stddef.h>

void
slv_meter_begin(struct slv_meter *m, enum slv_phase phase, uint64_t total)
{
	if (m == NULL || m->fn == NULL)
		return;
	m->now = (struct slv_progress){ .phase = phase, .total = total };
	m->next = SLV_METER_STEP;
	m->fn(m->ctx, &m->now);
}

void
slv_meter_at(struct slv_meter *m, uint64_t done)
{
	if (m == NULL || m->fn == NULL || done < m->next)
		return;
	m->now.done = done < m->now.total ? done : m->now.total;
	m->next = done + SLV_METER_STEP;
	m->fn(m->ctx, &m->now);
}
