/* carla_viewer.c - places and times as viewers have them. */
#include "formats/carla/export/carla_viewer.h"

#include <stdio.h>
#include <string.h>

#include "support/wire.h"

#define FAR    1e15                /* what means nothing */
#define SECOND INT64_C(1000000000) /* ns */

void
carla_viewer_frame(uint32_t actor, char name[CARLA_FRAME_NAME])
{
	snprintf(name, CARLA_FRAME_NAME, "actor/%u", (unsigned)actor);
}

bool
carla_viewer_holds(double v)
{
	return v > -FAR && v < FAR;
}

void
carla_viewer_doubles(
    struct slv_buf *to, uint32_t tag, const double *v, unsigned n)
{
	struct slv_buf b = { 0 };

	for (unsigned i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &v[i], sizeof(bits));
		slv_wire_varint(&b, (uint64_t)(i + 1) << 3 | 1);
		slv_buf_put64(&b, bits);
	}
	slv_wire_message(to, tag, &b);
}

void
carla_viewer_time(struct slv_buf *to, uint32_t tag, int64_t ns)
{
	int64_t nanos = ns % SECOND;
	struct slv_buf b = { 0 };

	nanos += nanos < 0 ? SECOND : 0;
	slv_wire_number(&b, 1, (uint64_t)((ns - nanos) / SECOND));
	slv_wire_number(&b, 2, (uint64_t)nanos);
	slv_wire_message(to, tag, &b);
}
