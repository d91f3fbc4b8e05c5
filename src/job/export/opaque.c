/* opaque.c - payloads that an export has as bytes which it does not explain. */
#include "job/export/opaque.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum slv_status
slv_opaque_begin(struct slv_opaque *o, uint32_t n, struct slv_err *err)
{
	SLV_TRY(slv_new(&o->unfit, n, sizeof(*o->unfit), err));
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

/* How the channel says that its payloads are to be read; long names are cut. */
static void
put_kind(const struct slv_channel_info *c, char *out, size_t size)
{
	const char *encoding =
	    *c->encoding != '\0' ? c->encoding : "not stated";

	if (c->schema_len > 0)
		snprintf(out, size,
		    "encoding %.20s, schema %.20s not understood", encoding,
		    c->schema_encoding);
	else
		snprintf(out, size, "encoding %.40s, no schema", encoding);
}

/* The kind of all channels, or none where they differ. */
static void
add_kind(const struct slv_channel_info *c, struct slv_opaque_count *out)
{
	char kind[sizeof(out->kind)];

	put_kind(c, kind, sizeof(kind));
	if (out->channels == 1)
		memcpy(out->kind, kind, sizeof(kind));
	else if (strcmp(out->kind, kind) != 0)
		out->kind[0] = '\0';
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
		out->unfit += o->unfit[i] == o->records[i];
		add_kind(c, out);
	}
}

void
slv_opaque_free(struct slv_opaque *o)
{
	slv_free(o->records);
	slv_free(o->unfit);
}
