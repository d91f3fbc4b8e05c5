/* decoding.c - the layouts of the channels of a log, as they are needed. */
#include "job/text/decoding.h"

#include <stdlib.h>

#include "base/mem.h"

/* Bytes of descriptions.  A layout takes about ten times as much memory. */
#define SPENT_MAX ((uint64_t)64 << 20)

enum slv_status
slv_decoding_begin(struct slv_decoding *d, slv_layout_fn *layout,
    const struct slv_channel_info *channels, uint32_t n, struct slv_err *err)
{
	d->layout = layout;
	d->channels = channels;
	d->n = n;
	SLV_TRY(slv_new(&d->at, n, sizeof(*d->at), err));
	return slv_new(&d->is, n, sizeof(*d->is), err);
}

static enum slv_status
try(struct slv_decoding *d, uint32_t channel, struct slv_err *err)
{
	const struct slv_channel_info *c = &d->channels[channel];
	struct slv_layout *l = &d->at[channel];
	bool known = false;

	d->is[channel] = SLV_UNKNOWN;
	if (d->layout == NULL || c->schema_len > SPENT_MAX - d->spent)
		return SLV_OK;
	d->spent += c->schema_len;
	SLV_TRY(d->layout(c, l, &known, err));
	if (known)
		d->is[channel] = SLV_KNOWN;
	else
		slv_layout_free(l);
	return SLV_OK;
}

enum slv_status
slv_decoding_of(struct slv_decoding *d, uint32_t channel,
    const struct slv_layout **out, struct slv_err *err)
{
	if (d->is[channel] == SLV_UNTRIED)
		SLV_TRY(try(d, channel, err));
	*out = d->is[channel] == SLV_KNOWN ? &d->at[channel] : NULL;
	return SLV_OK;
}

void
slv_decoding_free(struct slv_decoding *d)
{
	for (uint32_t i = 0; d->at != NULL && i < d->n; i++)
		slv_layout_free(&d->at[i]);
	slv_free(d->at);
	slv_free(d->is);
}
