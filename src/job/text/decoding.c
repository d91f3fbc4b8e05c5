/* decoding.c - the layouts of the channels of a log, as they are needed. */
#include "job/text/decoding.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"

#define SPENT_MAX ((uint64_t)64 << 20) /* bytes of descriptions */
#define HELD_MAX                                                               \
	((uint64_t)64 << 20) /* bytes of layouts, which may be larger */

/* Does a layout depend on nothing but the type and the schema? */
static bool
is_by_schema(const struct slv_channel_info *c)
{
	static const char *const encodings[] = { "ros1", "cdr", "protobuf" };

	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
		if (strcmp(c->encoding, encodings[i]) == 0)
			return c->schema_len > 0;
	}
	return false;
}

/* Texts that many channels share may be long. */
static int
compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* By schema, which channels that share one borrow from one place. */
static int
compare_said(const struct slv_channel_info *a, const struct slv_channel_info *b)
{
	int order = SLV_ORDER_OF((uintptr_t)a->schema, (uintptr_t)b->schema);

	if (order == 0)
		order = SLV_ORDER_OF(a->schema_len, b->schema_len);
	if (order == 0)
		order = compare_texts(a->type, b->type);
	if (order == 0)
		order = compare_texts(a->encoding, b->encoding);
	return order != 0
	    ? order
	    : compare_texts(a->schema_encoding, b->schema_encoding);
}

static int
compare_channels(const void *p, const void *q)
{
	const struct slv_channel_info *a =
	    *(const struct slv_channel_info *const *)p;
	const struct slv_channel_info *b =
	    *(const struct slv_channel_info *const *)q;
	int order = compare_said(a, b);

	return order != 0 ? order : SLV_ORDER_OF(a, b);
}

/* Of channels that the log says the same about, the first one has the layout. */
static enum slv_status
find_owners(struct slv_decoding *d, struct slv_err *err)
{
	const struct slv_channel_info **by;
	size_t n = 0;

	SLV_TRY(slv_new(&d->owner, d->n, sizeof(*d->owner), err));
	SLV_TRY(slv_new(&by, d->n, sizeof(*by), err));
	for (uint32_t i = 0; i < d->n; i++) {
		d->owner[i] = i;
		if (is_by_schema(&d->channels[i]))
			by[n++] = &d->channels[i];
	}
	slv_sort(by, n, sizeof(*by), compare_channels);
	for (size_t i = 1; i < n; i++) {
		if (compare_said(by[i - 1], by[i]) == 0)
			d->owner[by[i] - d->channels] =
			    d->owner[by[i - 1] - d->channels];
	}
	slv_free(by);
	return SLV_OK;
}

enum slv_status
slv_decoding_begin(struct slv_decoding *d, slv_layout_fn *layout,
    const struct slv_channel_info *channels, uint32_t n, struct slv_err *err)
{
	d->layout = layout;
	d->channels = channels;
	d->n = n;
	SLV_TRY(slv_new(&d->at, n, sizeof(*d->at), err));
	SLV_TRY(slv_new(&d->is, n, sizeof(*d->is), err));
	return find_owners(d, err);
}

/* Bytes that it takes, of which a list that grew may be half. */
static uint64_t
size_of(const struct slv_layout *l)
{
	return l->cap_parts * sizeof(*l->parts)
	    + l->cap_shapes * sizeof(*l->shapes) + l->names.cap;
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
	if (known && size_of(l) <= HELD_MAX - d->held) {
		d->is[channel] = SLV_KNOWN;
		d->held += size_of(l);
	} else {
		slv_layout_free(l);
	}
	return SLV_OK;
}

enum slv_status
slv_decoding_of(struct slv_decoding *d, uint32_t channel,
    const struct slv_layout **out, struct slv_err *err)
{
	channel = d->owner[channel];
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
	slv_free(d->owner);
}
