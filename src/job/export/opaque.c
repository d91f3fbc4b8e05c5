/* opaque.c - payloads that an export has as bytes which it does not explain. */
#include "job/export/opaque.h"

#include <string.h>

#include "base/mem.h"

enum slv_status
slv_opaque_begin(struct slv_opaque *o, uint32_t n, struct slv_err *err)
{
	return slv_new(&o->records, n, sizeof(*o->records), err);
}

/* Would a set of descriptors help? */
static bool
is_unnamed(const struct slv_described *d, const struct slv_log *log,
    const struct slv_channel_info *c)
{
	return d->how != NULL && d->how->takes_messages
	    && log->opt.descriptors == NULL
	    && strcmp(c->encoding, "protobuf") == 0;
}

void
slv_opaque_sum(const struct slv_opaque *o, const struct slv_described *d,
    const struct slv_log *log, struct slv_opaque_count *out)
{
	for (uint32_t i = 0; i < log->channels.n; i++) {
		const struct slv_channel_info *c = &log->channels.at[i];

		if (o->records[i] == 0)
			continue;
		out->records += o->records[i];
		out->channels++;
		out->unnamed += is_unnamed(d, log, c);
	}
}

void
slv_opaque_free(struct slv_opaque *o)
{
	slv_free(o->records);
}
