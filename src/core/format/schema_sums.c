/* schema_sums.c - digests of the schemas of channels. */
#include "core/format/schema_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"
#include "base/sort.h"

/* The schema of a channel in memory. */
struct place {
	uintptr_t at;
	size_t len, channel;
};

static int
compare_places(const void *p, const void *q)
{
	const struct place *a = p, *b = q;
	int order = SLV_ORDER_OF(a->at, b->at);

	return order != 0 ? order : SLV_ORDER_OF(a->len, b->len);
}

int
slv_schema_order(const struct slv_schema_sum *a, const struct slv_schema_sum *b)
{
	return memcmp(a->sha256, b->sha256, sizeof(a->sha256));
}

static void
sum(const struct slv_channel_info *c, struct slv_schema_sum *out)
{
	struct slv_digest d;

	slv_digest_init(&d, SLV_SHA256);
	if (c->schema_len > 0)
		slv_digest_add(&d, c->schema, c->schema_len);
	slv_digest_get(&d, out->sha256);
}

enum slv_status
slv_schema_sums(const struct slv_channel_info *channels, size_t n,
    struct slv_schema_sum **out, struct slv_err *err)
{
	struct slv_schema_sum *sums;
	struct place *places;

	SLV_TRY(slv_new(out, n, sizeof(**out), err));
	SLV_TRY(slv_new(&places, n, sizeof(*places), err));
	sums = *out;
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){ (uintptr_t)channels[i].schema,
			channels[i].schema_len, i };
	slv_sort(places, n, sizeof(*places), compare_places);
	for (size_t i = 0; i < n; i++) {
		size_t channel = places[i].channel;

		if (i > 0 && compare_places(&places[i - 1], &places[i]) == 0)
			sums[channel] = sums[places[i - 1].channel];
		else
			sum(&channels[channel], &sums[channel]);
	}
	slv_free(places);
	return SLV_OK;
}
